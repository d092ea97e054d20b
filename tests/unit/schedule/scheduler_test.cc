// SPDX-License-Identifier: Apache-2.0
//
// What a program meets under the scheduler: mutual exclusion, wait and notify, permits, time, interrupts, the life of
// threads, deadlocks, limits, and what comes from outside the model. Every property is tried under many seeds.
#include "schedule/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "schedule/random_walk.h"
#include "tests/unit/schedule/simulation.h"

namespace deadheat::schedule {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr int kSeeds = 50;

template <typename Body>
void for_seeds(Body body) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomWalk strategy(seed);
    body(strategy);
  }
}

struct Recorder final : Listener {
  AfterDeadlock on_deadlock(const World&, const Deadlock& deadlock) override {
    deadlocks.push_back(deadlock);
    return AfterDeadlock::kFreeRun;
  }
  void on_stop(const World&, StopReason reason) override { stops.push_back(reason); }
  std::vector<Deadlock> deadlocks;
  std::vector<StopReason> stops;
};

TEST(Scheduler, MonitorsExcludeAndCountTheirDepth) {
  for_seeds([](Strategy& strategy) {
    int inside = 0;
    int worst = 0;
    int count = 0;
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      const auto body = [&](Actor& a) {
        for (int i = 0; i < 5; ++i) {
          a.lock(1);
          a.lock(1);
          worst = std::max(worst, ++inside);
          a.yield();
          ++count;
          a.unlock(1);
          a.yield();  // still inside: one level is left
          --inside;
          a.unlock(1);
        }
      };
      const ThreadIndex x = main.start(body);
      const ThreadIndex y = main.start(body);
      body(main);
      main.join(x);
      main.join(y);
    });
    EXPECT_EQ(worst, 1);
    EXPECT_EQ(count, 15);
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
    EXPECT_TRUE(simulation.scheduler().world_for_testing().consistent_for_testing());
  });
}

TEST(Scheduler, WaitLetsGoOfEveryLevelAndTakesThemBack) {
  for_seeds([](Strategy& strategy) {
    bool ready = false;
    std::vector<std::string> order;
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      const ThreadIndex waiter = main.start([&](Actor& a) {
        a.lock(1);
        a.lock(1);
        a.lock(1);
        while (!ready) EXPECT_EQ(a.wait(1), Passage::kGranted);
        order.push_back("woken");
        a.unlock(1);
        a.unlock(1);
        a.yield();
        EXPECT_EQ(order.back(), "woken");  // the last level keeps the other out
        a.unlock(1);
      });
      main.lock(1);
      ready = true;
      main.notify(1);
      main.unlock(1);
      main.yield();
      main.lock(1);
      order.push_back("main");
      main.unlock(1);
      main.join(waiter);
    });
    EXPECT_EQ(order.size(), 2u);
    EXPECT_EQ(simulation.scheduler().outcome().reason, StopReason::kHost);
  });
}

}  // namespace
}  // namespace deadheat::schedule
