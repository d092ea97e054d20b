// SPDX-License-Identifier: Apache-2.0
//
// One seed, one execution: the same decisions and the same outcome, a hundred times; and a replay of the log gives the
// same again.
#include <gtest/gtest.h>

#include <set>

#include "schedule/replay.h"
#include "tests/unit/schedule/programs.h"
#include "tests/unit/schedule/strategies.h"

namespace deadheat::schedule {
namespace {

TEST(Determinism, OneSeedIsOneExecution) {
  for (const SampleProgram& program : sample_programs()) {
    for (const std::string& name : strategy_names()) {
      DecisionLog first_log;
      std::string first;
      for (int i = 0; i < 100; ++i) {
        const auto strategy = make_strategy(name, 42);
        DecisionLog log;
        const std::string result = program.run(*strategy, {}, log);
        if (i == 0) {
          first = result;
          first_log = log;
          EXPECT_TRUE(log.complete()) << program.name << " " << name << ": " << result;
        }
        ASSERT_EQ(result, first) << program.name << " " << name;
        ASSERT_TRUE(log == first_log) << program.name << " " << name;
      }
    }
  }
}

TEST(Determinism, OtherSeedsAreOtherExecutions) {
  for (const SampleProgram& program : sample_programs()) {
    for (const std::string& name : strategy_names()) {
      std::set<std::vector<std::uint64_t>> seen;
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto strategy = make_strategy(name, seed);
        DecisionLog log;
        program.run(*strategy, {}, log);
        std::vector<std::uint64_t> runs;
        for (const DecisionLog::Run& run : log.runs()) runs.insert(runs.end(), {run.thread, run.steps});
        seen.insert(runs);
      }
      EXPECT_GT(seen.size(), 5u) << program.name << " " << name;
    }
  }
}

TEST(Determinism, AReplayIsTheSameExecution) {
  for (const SampleProgram& program : sample_programs()) {
    for (const std::string& name : strategy_names()) {
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const auto strategy = make_strategy(name, seed);
        DecisionLog log;
        const std::string result = program.run(*strategy, {}, log);
        Replay replay(log);
        DecisionLog again;
        EXPECT_EQ(program.run(replay, {}, again), result) << program.name << " " << name << " " << seed;
        EXPECT_TRUE(again == log);
        EXPECT_TRUE(replay.at_end());
        EXPECT_FALSE(replay.divergence().has_value()) << describe(*replay.divergence());
      }
    }
  }
}

}  // namespace
}  // namespace deadheat::schedule
