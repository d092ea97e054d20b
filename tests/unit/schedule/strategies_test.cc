// SPDX-License-Identifier: Apache-2.0
//
// What the random strategies promise: PCT its probability of hitting a bug of known depth, POS that operations which
// commute keep their order free of bias, all of them that nobody starves.
#include "tests/unit/schedule/strategies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/unit/schedule/simulation.h"

namespace deadheat::schedule {
namespace {

constexpr int kTries = 1000;

// The promise minus three standard deviations of so many tries; the seeds are fixed, so this is no matter of luck.
double at_least(double probability) {
  return kTries * probability - 3 * std::sqrt(kTries * probability * (1 - probability));
}

// Depth 1: one ordering constraint. The reader has to be done before the writer begins; both are long.
bool early_reader(Strategy& strategy, int length) {
  bool set = false;
  bool bug = false;
  log_of(strategy, [&](Actor& main) {
    const ThreadIndex writer = main.start([&](Actor& a) {
      a.write(1);
      set = true;
      for (int i = 0; i < length; ++i) a.read(2);
    });
    const ThreadIndex reader = main.start([&](Actor& a) {
      for (int i = 0; i < length; ++i) a.read(3);
      a.read(1);
      bug = !set;
    });
    main.join(writer);
    main.join(reader);
  });
  return bug;
}

// Depth 2: the other thread's write has to fall between the check and the use. The user may have looked at the clock
// for a while before.
bool check_then_use(Strategy& strategy, int length, int looks_at_clock = 0) {
  bool valid = true;
  bool bug = false;
  log_of(strategy, [&](Actor& main) {
    const ThreadIndex user = main.start([&](Actor& a) {
      for (int i = 0; i < looks_at_clock; ++i) a.perform({.kind = OperationKind::kClock});
      for (int i = 0; i < length; ++i) a.read(2);
      a.read(1);
      if (!valid) return;
      a.read(1);
      bug = !valid;
      for (int i = 0; i < length; ++i) a.read(2);
    });
    const ThreadIndex closer = main.start([&](Actor& a) {
      a.write(1);
      valid = false;
    });
    main.join(user);
    main.join(closer);
  });
  return bug;
}

TEST(Pct, FindsABugOfDepthOne) {
  int found = 0;
  int found_by_walk = 0;
  for (std::uint64_t seed = 0; seed < kTries; ++seed) {
    Pct pct(seed, {.depth = 1, .expected_steps = 100});
    found += early_reader(pct, 40);
    RandomWalk walk(seed);
    found_by_walk += early_reader(walk, 40);
  }
  EXPECT_GE(found, at_least(1.0 / 3));  // n = 3 threads, k^0
  EXPECT_LT(found_by_walk, kTries / 100);
}

TEST(Pct, FindsABugOfDepthTwo) {
  constexpr int kLength = 10;
  constexpr int kSteps = 2 * kLength + 2 + 3 + 8;  // of the whole program
  int found = 0;
  for (std::uint64_t seed = 0; seed < kTries; ++seed) {
    Pct pct(seed, {.depth = 2, .expected_steps = kSteps});
    found += check_then_use(pct, kLength);
  }
  EXPECT_GE(found, at_least(1.0 / (3 * kSteps)));
  int at_depth_one = 0;
  for (std::uint64_t seed = 0; seed < kTries; ++seed) {
    Pct pct(seed, {.depth = 1, .expected_steps = kSteps});
    at_depth_one += check_then_use(pct, kLength);
  }
  EXPECT_EQ(at_depth_one, 0);  // priorities alone never come between
}

TEST(Pct, KeepsItsPromiseWhenAThreadSpinsOnTheClock) {
  constexpr int kLength = 10;
  constexpr int kSteps = 2 * kLength + 2 + 3 + 8;  // of the whole program, without the looks at the clock
  int found = 0;
  for (std::uint64_t seed = 0; seed < kTries; ++seed) {
    Pct pct(seed, {.depth = 2, .expected_steps = kSteps});
    found += check_then_use(pct, kLength, 1000);
  }
  EXPECT_GE(found, at_least(1.0 / (3 * kSteps)));
  EXPECT_GT(found, 0);
  Pct pct(1, {.depth = 2, .expected_steps = kSteps});
  Simulation simulation(pct);
  simulation.run([](Actor& main) {
    for (int i = 0; i < 7; ++i) main.perform({.kind = OperationKind::kClock});
    main.read(1);
  });
  EXPECT_EQ(simulation.scheduler().outcome().clock_steps, 7u);
  EXPECT_EQ(simulation.scheduler().outcome().steps, 10u);  // begin, read, end
}

// Waiting by looking at the clock, or looking at another thread's state, takes no thread's priority away.
TEST(Pct, LetsTheHighestGoFirstHoweverLongItLooks) {
  int late_first = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Pct pct(seed, {.depth = 1, .expected_steps = 100, .starvation_limit = 300});
    std::string order;
    log_of(pct, [&](Actor& main) {
      const auto look = [&](Actor& a, ThreadIndex target) {
        a.perform({.kind = OperationKind::kLook, .target = target});
      };
      const auto waits = [&](int looks, char name) {
        return [&order, looks, name](Actor& a) {
          for (int i = 0; i < looks; ++i) a.perform({.kind = OperationKind::kClock});
          a.write(1);
          order += name;
        };
      };
      const ThreadIndex late = main.start(waits(1000, 'l'));
      look(main, late);
      const ThreadIndex early = main.start(waits(10, 'e'));
      look(main, early);
      main.join(late);
      main.join(early);
    });
    late_first += order == "le";
  }
  // Of the six orders of priorities four: late above main (it is done before early begins), or main, late, early.
  EXPECT_NEAR(late_first, 200 * 2 / 3, 20);  // three standard deviations
}

TEST(Pct, StarvesNobody) {
  for (const bool yields : {true, false}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Pct pct(seed, {.depth = 2, .expected_steps = 50, .starvation_limit = 300});
      bool ready = false;
      Simulation simulation(pct, {.step_limit = 100'000});
      simulation.run([&](Actor& main) {
        const ThreadIndex child = main.start([&](Actor& a) {
          a.write(1);
          ready = true;
        });
        while (!ready) yields ? main.yield() : main.read(1);
        main.join(child);
      });
      EXPECT_TRUE(simulation.scheduler().outcome().program_ended) << seed;
      if (yields) {
        EXPECT_EQ(pct.counts().livelock_releases, 0u);
      }
    }
  }
}

// In a random walk a write after many independent steps of its thread is almost never the first of two; under POS the
// order of the two conflicting writes is one draw against the steps before it, each with a priority of its own.
TEST(Pct, OfDepthOneDoesNotSwitchAtAYieldButLetsWhoSpinsWait) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Pct strategy(seed, {.depth = 1});
    Simulation simulation(strategy);
    std::vector<int> order;
    bool ready = false;
    simulation.run([&](Actor& main) {
      std::vector<ThreadIndex> children;
      for (const int child : {1, 2}) {
        children.push_back(main.start([&order, child](Actor& a) {
          a.yield();
          order.push_back(child);
          a.yield();
          order.push_back(child);
        }));
      }
      children.push_back(main.start([&ready](Actor& a) {
        a.yield();
        ready = true;
      }));
      while (!ready) main.yield();
      for (const ThreadIndex child : children) main.join(child);
    });
    EXPECT_EQ(order[0], order[1]) << seed;
    EXPECT_EQ(order[2], order[3]) << seed;
  }
}

TEST(Pos, ReordersConflictsMoreEvenlyThanAWalk) {
  const auto late_first = [](Strategy& strategy) {
    int first = 0;
    log_of(strategy, [&](Actor& main) {
      const ThreadIndex early = main.start([&](Actor& a) {
        a.write(1);
        if (first == 0) first = 1;
      });
      const ThreadIndex late = main.start([&](Actor& a) {
        for (int i = 0; i < 12; ++i) a.read(2);
        a.write(1);
        if (first == 0) first = 2;
      });
      main.join(early);
      main.join(late);
    });
    return first == 2;
  };
  int by_pos = 0;
  int by_walk = 0;
  for (std::uint64_t seed = 0; seed < kTries; ++seed) {
    Pos pos(seed);
    by_pos += late_first(pos);
    RandomWalk walk(seed);
    by_walk += late_first(walk);
  }
  EXPECT_GT(by_pos, 10 * by_walk);
  EXPECT_GT(by_pos, kTries / 30);
}

TEST(Strategies, NobodyWaitsForeverForASpinner) {
  for (const std::string& name : strategy_names()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto strategy = make_strategy(name, seed);
      bool ready = false;
      Simulation simulation(*strategy, {.step_limit = 1'000'000});
      simulation.run([&](Actor& main) {
        const ThreadIndex child = main.start([&](Actor& a) {
          a.write(1, 1);
          ready = true;
        });
        while (!ready) main.yield();
        main.join(child);
      });
      EXPECT_TRUE(simulation.scheduler().outcome().program_ended) << name << " " << seed;
    }
  }
}

}  // namespace
}  // namespace deadheat::schedule
