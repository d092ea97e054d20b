// SPDX-License-Identifier: Apache-2.0
//
// The scheduler against its slow twin: what any strategy does with a random tiny program is something the program can
// do, step by step and to the end; and the random walk does everything a program can do.
#include "tests/unit/schedule/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "tests/unit/schedule/strategies.h"

namespace deadheat::schedule {
namespace {

using enum OperationKind;

constexpr std::uint64_t kStepTime = 1000;

// Anything, in no sensible order: unlocks of what is not held, waits without the monitor, notifies of nobody.
Operation random_operation(Random& random, std::uint32_t threads) {
  static constexpr OperationKind kKinds[] = {kRead,      kWrite,     kVolatileRead,  kVolatileUpdate, kLock,
                                             kLock,      kUnlock,    kUnlock,        kPark,           kUnpark,
                                             kUnpark,    kJoin,      kSleep,         kYield,          kNotify,
                                             kNotifyAll, kInterrupt, kTestInterrupt, kClearInterrupt};
  Operation op{.kind = kKinds[random.below(std::size(kKinds))]};
  op.object = 1 + random.below(2);
  op.site = model::SiteId{random.below(4)};
  op.target = ThreadIndex{random.below(threads)};
  const bool timed = op.kind == kSleep || (can_time_out(op.kind) && random.one_in(2));
  if (timed) op.timeout = random.below(12) * (kStepTime / 2);
  return op;
}

// Mostly a critical section with something in it.
std::vector<Operation> random_thread(Random& random, std::uint32_t threads) {
  std::vector<Operation> ops;
  for (std::uint32_t n = 2 + random.below(3); n != 0; --n) {
    if (random.one_in(2)) {
      ops.push_back(random_operation(random, threads));
      continue;
    }
    const std::uint64_t monitor = 1 + random.below(2);
    const std::uint32_t depth = 1 + random.below(2);
    for (std::uint32_t i = 0; i < depth; ++i) ops.push_back({.kind = kLock, .object = monitor});
    const std::uint32_t what = random.below(5);
    if (what <= 1) {
      const std::uint64_t timeout = random.one_in(2) ? kNoTimeout : random.below(20) * (kStepTime / 2);
      ops.push_back({.kind = kWaitBegin, .object = monitor, .timeout = timeout});
      ops.push_back({.kind = kWaitEnd, .object = monitor});
    } else if (what == 2) {
      ops.push_back({.kind = random.one_in(3) ? kNotifyAll : kNotify, .object = monitor});
    } else {
      ops.push_back(random_operation(random, threads));
    }
    for (std::uint32_t i = 0; i < depth; ++i) ops.push_back({.kind = kUnlock, .object = monitor});
  }
  return ops;
}

TEST(Oracle, EveryStrategyDoesWhatTheProgramCanDo) {
  Random random(7);
  int deadlocks = 0;
  int timeouts = 0;
  int interrupts = 0;
  int choices = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::uint32_t count = 2 + random.below(3);
    TinyProgram program;
    for (std::uint32_t t = 0; t < count; ++t) program.push_back(random_thread(random, count));
    for (const std::string& name : strategy_names()) {
      const auto strategy = make_strategy(name, static_cast<std::uint64_t>(round));
      const TinyRun run = run_tiny(program, *strategy, {.step_time = kStepTime});
      ASSERT_EQ(check_run(program, kStepTime, run), "") << name << ", round " << round;
      deadlocks += run.deadlock;
      for (const TinyStep& step : run.steps) {
        timeouts += step.passage == Passage::kTimedOut;
        interrupts += step.passage == Passage::kInterrupted;
        choices += step.picked != 0;
      }
    }
  }
  // The programs are not trivial.
  EXPECT_GT(deadlocks, 100);
  EXPECT_GT(timeouts, 100);
  EXPECT_GT(interrupts, 50);
  EXPECT_GT(choices, 10);
}

struct Named {
  const char* name;
  TinyProgram program;
};

std::vector<Named> tiny_programs() {
  const Operation lock{.kind = kLock, .object = 1};
  const Operation unlock{.kind = kUnlock, .object = 1};
  const Operation wait{.kind = kWaitBegin, .object = 1};
  const Operation timed_wait{.kind = kWaitBegin, .object = 1, .timeout = 3 * kStepTime};
  const Operation wait_end{.kind = kWaitEnd, .object = 1};
  const Operation write{.kind = kWrite, .site = model::SiteId{1}, .object = 9};
  const Operation read{.kind = kRead, .site = model::SiteId{2}, .object = 9};
  return {
      {"accesses", {{write, read}, {read, write}}},
      {"critical sections", {{lock, write, unlock}, {lock, read, unlock}}},
      {"lost notify", {{lock, wait, wait_end, unlock}, {lock, {.kind = kNotify, .object = 1}, unlock}}},
      {"timed wait", {{lock, timed_wait, wait_end, unlock}, {lock, {.kind = kNotify, .object = 1}, unlock}}},
      {"permits", {{{.kind = kPark}, write}, {{.kind = kUnpark, .target = ThreadIndex{0}}, read}}},
      {"interrupted sleep",
       {{{.kind = kSleep, .timeout = 4 * kStepTime}, write}, {{.kind = kInterrupt, .target = ThreadIndex{0}}, read}}},
      {"join", {{{.kind = kJoin, .target = ThreadIndex{1}}, read}, {write}}},
      {"opposite locks",
       {{lock, {.kind = kLock, .object = 2}, {.kind = kUnlock, .object = 2}, unlock},
        {{.kind = kLock, .object = 2}, lock, unlock, {.kind = kUnlock, .object = 2}}}},
  };
}

TEST(Oracle, TheRandomWalkReachesEverySchedule) {
  for (const auto& [name, program] : tiny_programs()) {
    const std::set<TinyRun> all = all_runs(program, kStepTime);
    std::set<TinyRun> seen;
    // The rarest path has a probability of 2^-steps and more; a deterministic sequence of seeds, so no flakiness.
    const std::uint64_t tries = 1000 * all.size();
    for (std::uint64_t seed = 0; seed < tries && seen.size() < all.size(); ++seed) {
      RandomWalk walk(seed);
      const TinyRun run = run_tiny(program, walk, {.step_time = kStepTime});
      ASSERT_TRUE(all.contains(run)) << name << ", seed " << seed;
      seen.insert(run);
    }
    EXPECT_EQ(seen.size(), all.size()) << name;
  }
}

TEST(Oracle, TheOthersStayWithinTheSchedules) {
  for (const auto& [name, program] : tiny_programs()) {
    const std::set<TinyRun> all = all_runs(program, kStepTime);
    for (const std::string& strategy_name : strategy_names()) {
      std::set<TinyRun> seen;
      for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto strategy = make_strategy(strategy_name, seed);
        seen.insert(run_tiny(program, *strategy, {.step_time = kStepTime}));
      }
      for (const TinyRun& run : seen) {
        const bool jumped = std::any_of(run.steps.begin(), run.steps.end(), [](auto& step) { return step.jumps != 0; });
        EXPECT_TRUE(jumped || all.contains(run)) << name << " " << strategy_name;
        EXPECT_EQ(check_run(program, kStepTime, run), "") << name << " " << strategy_name;
      }
      EXPECT_GT(seen.size(), 1u) << name << " " << strategy_name;
    }
  }
}

}  // namespace
}  // namespace deadheat::schedule
