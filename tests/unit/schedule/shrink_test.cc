// SPDX-License-Identifier: Apache-2.0
#include "schedule/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/plan_file.h"
#include "schedule/race_directed.h"
#include "schedule/random_walk.h"
#include "tests/unit/schedule/simulation.h"

namespace deadheat::schedule {
namespace {

Plan numbered(std::size_t count) {
  Plan plan;
  for (std::size_t i = 0; i < count; ++i) plan.runs.push_back({std::to_string(i), 1});
  return plan;
}

bool has(const Plan& plan, const std::string& thread) {
  return std::any_of(plan.runs.begin(), plan.runs.end(), [&](const PlannedRun& run) { return run.thread == thread; });
}

TEST(Shrink, KeepsExactlyWhatIsNeeded) {
  for (const auto& needed : std::vector<std::vector<std::string>>{{}, {"0"}, {"31"}, {"3", "17"}, {"1", "2", "30"}}) {
    const auto same = [&](const Plan& plan) {
      return std::all_of(needed.begin(), needed.end(), [&](const std::string& name) { return has(plan, name); });
    };
    const Shrunk shrunk = shrink(numbered(32), same);
    EXPECT_TRUE(shrunk.reproduced);
    EXPECT_TRUE(shrunk.minimal);
    ASSERT_EQ(shrunk.plan.runs.size(), needed.size());
    for (std::size_t i = 0; i < needed.size(); ++i) EXPECT_EQ(shrunk.plan.runs[i].thread, needed[i]);
    EXPECT_LT(shrunk.tries, 200u);
  }
}

TEST(Shrink, NeighboursOfTheSameThreadBecomeOne) {
  Plan plan;
  plan.runs = {{"a", 1}, {"b", 1}, {"a", 2}, {"b", 2}, {"a", 3}};
  const Shrunk shrunk = shrink(plan, [](const Plan& candidate) { return has(candidate, "a"); });
  EXPECT_EQ(shrunk.plan.runs.size(), 1u);
  EXPECT_TRUE(has(shrunk.plan, "a"));
}

TEST(Shrink, SaysWhenTheOutcomeDoesNotComeBackOrTriesRunOut) {
  const Shrunk never = shrink(numbered(8), [](const Plan&) { return false; });
  EXPECT_FALSE(never.reproduced);
  EXPECT_EQ(never.plan.runs.size(), 8u);
  EXPECT_EQ(never.tries, 1u);
  const Shrunk cut = shrink(
      numbered(64), [](const Plan& plan) { return has(plan, "63"); }, 3);
  EXPECT_TRUE(cut.reproduced);
  EXPECT_FALSE(cut.minimal);
  EXPECT_EQ(cut.tries, 3u);
  EXPECT_TRUE(has(cut.plan, "63"));
}

// A lost update in the middle of a lot of noise.
bool loses_an_update(Strategy& strategy, DecisionLog& log) {
  int x = 0;
  Simulation simulation(strategy, {.step_limit = 100'000});
  simulation.run([&](Actor& main) {
    std::vector<ThreadIndex> children;
    for (std::uint64_t i = 0; i < 3; ++i) {
      children.push_back(main.start([&x, i](Actor& a) {
        for (int k = 0; k < 15; ++k) a.read(10 + i);
        a.read(1, 1);
        const int seen = x;
        a.write(1, 2);
        x = seen + 1;
        for (int k = 0; k < 15; ++k) a.read(10 + i);
      }));
    }
    for (const ThreadIndex child : children) main.join(child);
  });
  log = simulation.scheduler().log();
  return simulation.scheduler().outcome().program_ended && x < 3;
}

TEST(Shrink, ARealScheduleBecomesAFewSwitches) {
  int shrunk_logs = 0;
  for (std::uint64_t seed = 0; seed < 30 && shrunk_logs < 5; ++seed) {
    RandomWalk walk(seed);
    DecisionLog log;
    if (!loses_an_update(walk, log)) continue;
    ++shrunk_logs;
    const auto same = [](const Plan& plan) {
      Guided guided(plan);
      DecisionLog ignored;
      return loses_an_update(guided, ignored);
    };
    const Shrunk shrunk = shrink(plan_of(log), same);
    ASSERT_TRUE(shrunk.reproduced);
    EXPECT_TRUE(shrunk.minimal);
    Guided guided(shrunk.plan);
    DecisionLog small;
    EXPECT_TRUE(loses_an_update(guided, small));
    EXPECT_GT(log.switches(), 50u);
    // Four threads that have to be begun, ended and joined, and one thread between the read and the write of another.
    EXPECT_LE(small.switches(), 8u);
    // One-minimal, said by nobody but the predicate.
    for (std::size_t i = 0; i < shrunk.plan.runs.size(); ++i) {
      Plan less = shrunk.plan;
      less.runs.erase(less.runs.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(same(less));
    }
  }
  EXPECT_EQ(shrunk_logs, 5);
}

TEST(Guided, TheWholePlanOfALogIsTheSameSchedule) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomWalk walk(seed);
    DecisionLog log;
    const bool lost = loses_an_update(walk, log);
    Guided guided(plan_of(log));
    DecisionLog again;
    EXPECT_EQ(loses_an_update(guided, again), lost);
    EXPECT_TRUE(again == log);
  }
}

struct Meetings final : Listener {
  void on_race(const World&, const Meeting& meeting) override {
    steps.push_back(meeting.step);
    first.push_back(meeting.first);
  }
  std::vector<std::uint64_t> steps;
  std::vector<ThreadIndex> first;
};

TEST(Guided, TellsTheMeetingsOfAPair) {
  const RacePair pair{model::SiteId{1}, model::SiteId{2}};
  const auto program = [](Actor& main) {
    const ThreadIndex child = main.start([](Actor& a) { a.write(7, 2); });
    main.read(7, 1);
    main.join(child);
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Meetings searched, guided_to;
    RaceDirected race(seed, {.pair = pair}, &searched);
    const DecisionLog log = log_of(race, program);
    Guided guided(plan_of(log), 100'000, pair, &guided_to);
    EXPECT_TRUE(log_of(guided, program) == log);
    EXPECT_EQ(guided_to.steps, searched.steps);
    EXPECT_EQ(guided_to.first, searched.first);
    EXPECT_EQ(guided.counts().races, searched.steps.size());
  }
}

TEST(PlanFile, IsReadAsItWasWritten) {
  RandomWalk walk(4);
  DecisionLog log;
  loses_an_update(walk, log);
  Plan plan = plan_of(log);
  plan.choices = {{"0.1", 7, 2}, {"0", 0, 1}};
  const Result<Plan> again = parse_plan(to_text(plan));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.value().runs, plan.runs);
  EXPECT_EQ(again.value().choices, plan.choices);
  EXPECT_TRUE(parse_plan("").ok());
}

TEST(PlanFile, NamesTheLineThatIsNone) {
  for (const char* bad :
       {"run", "run 0.1", "run 0.1 x", "run 0.1 1 2", "run 0.1 -1", "choice 0.1 1", "jump 0 1", "\n"}) {
    const Result<Plan> plan = parse_plan("run 0 1\n" + std::string(bad) + "\n");
    ASSERT_FALSE(plan.ok()) << bad;
    EXPECT_EQ(plan.error().message, "line 2 of the plan is none");
  }
}

}  // namespace
}  // namespace deadheat::schedule
