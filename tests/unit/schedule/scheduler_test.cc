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
    return answer;
  }
  void on_stop(const World&, StopReason reason) override { stops.push_back(reason); }
  AfterDeadlock answer = AfterDeadlock::kFreeRun;
  std::vector<Deadlock> deadlocks;
  std::vector<StopReason> stops;
};

// Every operation, in the order in which it was executed, and who was woken by it.
struct Teller final : Listener {
  void on_operation(const World& world, ThreadIndex thread, const Operation& op, Passage) override {
    std::string line = world.name(thread) + " " + operation_kind_name(op.kind);
    for (const ThreadIndex woken : world.woken()) line += " woke " + world.name(woken);
    lines.push_back(line);
    holder_agrees = holder_agrees && (op.kind != OperationKind::kLock || world.owner(op.object) == thread);
  }
  std::vector<std::string> lines;
  bool holder_agrees = true;
};

TEST(Scheduler, TellsEveryOperationAfterItWasExecuted) {
  std::uint32_t woken = 0;
  for_seeds([&](Strategy& strategy) {
    Teller teller;
    bool ready = false;
    {
      Simulation simulation(strategy, {.tell_operations = true}, &teller);
      simulation.run([&](Actor& main) {
        main.start([&](Actor& a) {
          a.lock(1);
          while (!ready) a.wait(1);
          a.unlock(1);
        });
        main.lock(1);
        ready = true;
        main.notify_all(1);
        main.unlock(1);
      });
    }
    EXPECT_TRUE(teller.holder_agrees);
    const auto count = [&](const std::string& line) {
      return std::count(teller.lines.begin(), teller.lines.end(), line);
    };
    EXPECT_EQ(count("0.1 begin"), 1);
    EXPECT_EQ(count("0.1 end"), 1);
    EXPECT_EQ(count("0 notify-all") + count("0 notify-all woke 0.1"), 1);
    EXPECT_EQ(count("0.1 wait-end"), count("0 notify-all woke 0.1"));
    woken += count("0 notify-all woke 0.1") != 0 ? 1 : 0;
  });
  EXPECT_GT(woken, 0u);
  EXPECT_LT(woken, static_cast<std::uint32_t>(kSeeds));
}

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

TEST(Scheduler, ATimedOutWaiterDoesNotTakeANotify) {
  for_seeds([](Strategy& strategy) {
    int notified = 0;
    int timed_out = 0;
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      main.lock(1);
      std::vector<ThreadIndex> waiters;
      for (const std::uint64_t timeout : {kMillisecond, kNoTimeout}) {
        waiters.push_back(main.start([&, timeout](Actor& a) {
          a.lock(1);
          ++(a.wait(1, timeout) == Passage::kTimedOut ? timed_out : notified);
          a.unlock(1);
        }));
      }
      main.unlock(1);
      main.sleep(10 * kMillisecond);  // both wait, the first one's time is over
      main.lock(1);
      main.notify(1);
      main.unlock(1);
      for (const ThreadIndex waiter : waiters) main.join(waiter);
    });
    EXPECT_EQ(notified, 1);
    EXPECT_EQ(timed_out, 1);
  });
}

TEST(Scheduler, ANotifyIsLostWithoutAWaiter) {
  int deadlocks = 0;
  for_seeds([&](Strategy& strategy) {
    Recorder recorder;
    Simulation simulation(strategy, {}, &recorder);
    simulation.run([&](Actor& main) {
      const ThreadIndex waiter = main.start([](Actor& a) {
        a.lock(1);
        a.wait(1);
        a.unlock(1);
      });
      main.lock(1);
      main.notify(1);
      main.unlock(1);
      main.join(waiter);
    });
    deadlocks += !recorder.deadlocks.empty();
    if (recorder.deadlocks.empty()) return;
    const Deadlock& deadlock = recorder.deadlocks[0];
    EXPECT_TRUE(deadlock.cycle.empty());  // main joins a thread that waits for a notify
    ASSERT_EQ(deadlock.blocked.size(), 2u);
    EXPECT_EQ(deadlock.blocked[0].op.kind, OperationKind::kJoin);
    EXPECT_EQ(deadlock.blocked[0].waits_for, ThreadIndex{1});
    EXPECT_EQ(deadlock.blocked[1].op.kind, OperationKind::kWaitEnd);
    EXPECT_EQ(deadlock.blocked[1].waits_for, kNoThread);
  });
  EXPECT_GT(deadlocks, 5);
  EXPECT_LT(deadlocks, kSeeds - 5);
}

TEST(Scheduler, WhichWaiterIsWokenIsAChoice) {
  std::set<int> woken;
  for_seeds([&](Strategy& strategy) {
    int first = 0;
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      int waiting = 0;
      std::vector<ThreadIndex> children;
      for (int i = 1; i <= 3; ++i) {
        children.push_back(main.start([&, i](Actor& a) {
          a.lock(1);
          ++waiting;
          a.wait(1);
          if (first == 0) first = i;
          a.unlock(1);
        }));
      }
      while (waiting < 3) main.yield();
      main.lock(1);
      main.notify(1);
      main.unlock(1);
      while (first == 0) main.yield();
      main.lock(1);
      main.notify_all(1);
      main.unlock(1);
      for (const ThreadIndex child : children) main.join(child);
    });
    const DecisionLog log = simulation.scheduler().log();
    ASSERT_EQ(log.choices().size(), 1u);
    EXPECT_EQ(log.choices()[0].of, 3u);
    woken.insert(first);
  });
  EXPECT_EQ(woken, (std::set<int>{1, 2, 3}));
}

TEST(Scheduler, APermitIsKeptAndIsOne) {
  for_seeds([](Strategy& strategy) {
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      bool given = false;
      const ThreadIndex child = main.start([&](Actor& a) {
        while (!given) a.yield();
        EXPECT_EQ(a.park(), Passage::kGranted);
        EXPECT_EQ(a.park(kMillisecond), Passage::kTimedOut);  // the two unparks were one permit
      });
      main.unpark(child);
      main.unpark(child);
      given = true;
      main.join(child);
    });
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
  });
}

TEST(Scheduler, SleepersWakeInTheOrderOfTheirTime) {
  for_seeds([](Strategy& strategy) {
    std::string order;
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      std::vector<ThreadIndex> children;
      for (const int i : {3, 1, 4, 2}) {
        children.push_back(main.start([&, i](Actor& a) {
          EXPECT_EQ(a.sleep(static_cast<std::uint64_t>(i) * 1000 * kMillisecond), Passage::kGranted);
          order += std::to_string(i);
        }));
      }
      for (const ThreadIndex child : children) main.join(child);
    });
    EXPECT_EQ(order, "1234");
    const std::uint64_t now = simulation.scheduler().now();
    EXPECT_GE(now, 4000 * kMillisecond);
    EXPECT_LT(now, 4001 * kMillisecond);
    EXPECT_EQ(simulation.scheduler().outcome().time_jumps, 4u);
  });
}

TEST(Scheduler, AnInterruptEndsEveryKindOfBlock) {
  for_seeds([](Strategy& strategy) {
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      const ThreadIndex self = main.self();
      const ThreadIndex other = main.start([&](Actor& a) {
        for (int i = 0; i < 4; ++i) {
          a.park();
          a.interrupt(self);
        }
      });
      const auto ask = [&] { main.unpark(other); };
      const World& world = simulation.scheduler().world_for_testing();
      main.lock(1);
      ask();
      EXPECT_EQ(main.wait(1), Passage::kInterrupted);
      EXPECT_EQ(world.owner(1), self);
      EXPECT_FALSE(world.is_interrupted(self));
      ask();
      EXPECT_EQ(main.sleep(1000 * kMillisecond), Passage::kInterrupted);
      EXPECT_FALSE(world.is_interrupted(self));
      ask();
      EXPECT_EQ(main.park(), Passage::kInterrupted);
      EXPECT_TRUE(world.is_interrupted(self));
      main.perform({.kind = OperationKind::kClearInterrupt});
      EXPECT_FALSE(world.is_interrupted(self));
      const ThreadIndex endless = main.start([&](Actor& a) { a.park(); }, true);
      ask();
      EXPECT_EQ(main.join(endless), Passage::kInterrupted);
      main.unlock(1);
      main.join(other);
    });
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
  });
}

TEST(Scheduler, AnInterruptedThreadDoesNotBeginToWait) {
  for_seeds([](Strategy& strategy) {
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      main.lock(1);
      main.interrupt(main.self());
      EXPECT_EQ(main.wait(1), Passage::kInterrupted);
      EXPECT_EQ(simulation.scheduler().world_for_testing().owner(1), main.self());
      main.interrupt(main.self());
      EXPECT_EQ(main.sleep(0), Passage::kInterrupted);
      EXPECT_EQ(main.sleep(0), Passage::kGranted);
    });
  });
}

TEST(Scheduler, TheEndOfAThreadNotifiesItsObject) {
  for_seeds([](Strategy& strategy) {
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      bool ended = false;
      const ThreadIndex child = main.start([&](Actor& a) {
        a.yield();
        ended = true;
      });
      const std::uint64_t object = Simulation::kThreadObjects + to_number(child);
      main.lock(object);
      const World& world = simulation.scheduler().world_for_testing();
      while (world.phase(child) != Phase::kEnded) EXPECT_EQ(main.wait(object), Passage::kGranted);
      EXPECT_TRUE(ended);
      main.unlock(object);
    });
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
  });
}

TEST(Scheduler, NamesArePathsInTheOrderOfStarting) {
  for_seeds([](Strategy& strategy) {
    std::set<std::string> names;
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      const auto note = [&](Actor& a) { names.insert(simulation.scheduler().name(a.self())); };
      note(main);
      const ThreadIndex one = main.start([&](Actor& a) {
        note(a);
        a.join(a.start(note));
        a.join(a.start(note));
      });
      const ThreadIndex two = main.start(note);
      main.join(one);
      main.join(two);
    });
    EXPECT_EQ(names, (std::set<std::string>{"0", "0.1", "0.2", "0.1.1", "0.1.2"}));
  });
}

TEST(Scheduler, ADeadlockIsToldWithItsCycle) {
  int deadlocks = 0;
  for_seeds([&](Strategy& strategy) {
    Recorder recorder;
    Simulation simulation(strategy, {}, &recorder);
    simulation.run([](Actor& main) {
      std::vector<ThreadIndex> children;
      for (std::uint64_t i = 0; i < 3; ++i) {
        children.push_back(main.start([i](Actor& a) {
          a.lock(1 + i);
          a.lock(1 + (i + 1) % 3);
          a.unlock(1 + (i + 1) % 3);
          a.unlock(1 + i);
        }));
      }
      for (const ThreadIndex child : children) main.join(child);
    });
    const Outcome outcome = simulation.scheduler().outcome();
    if (recorder.deadlocks.empty()) {
      EXPECT_TRUE(outcome.program_ended);
      return;
    }
    ++deadlocks;
    EXPECT_EQ(outcome.reason, StopReason::kDeadlock);
    EXPECT_EQ(recorder.stops, std::vector<StopReason>{StopReason::kDeadlock});
    const Deadlock& deadlock = recorder.deadlocks[0];
    // The first one holds the first monitor and asks for the second, which the second one holds, …
    EXPECT_EQ(deadlock.cycle, (std::vector<ThreadIndex>{ThreadIndex{1}, ThreadIndex{2}, ThreadIndex{3}}));
    ASSERT_EQ(deadlock.blocked.size(), 3u);  // told when the circle closes; main may not even have got to its join
    EXPECT_EQ(deadlock.blocked[0].op.object, 2u);
    EXPECT_EQ(deadlock.blocked[0].waits_for, ThreadIndex{2});
  });
  EXPECT_GT(deadlocks, 2);
}

TEST(Scheduler, ACircleIsToldWhileOthersGoOn) {
  int circles = 0;
  for_seeds([&](Strategy& strategy) {
    Recorder recorder;
    recorder.answer = AfterDeadlock::kWait;
    Simulation simulation(strategy, {.step_limit = 2000}, &recorder);
    simulation.run([](Actor& main) {
      main.start([](Actor& a) {
        a.lock(1);
        a.lock(2);
      });
      main.start([](Actor& a) {
        a.lock(2);
        a.lock(1);
      });
      while (true) main.yield();
    });
    EXPECT_EQ(simulation.scheduler().outcome().reason, StopReason::kStepLimit);
    ASSERT_LE(recorder.deadlocks.size(), 1u);
    if (recorder.deadlocks.empty()) return;
    ++circles;
    EXPECT_TRUE(recorder.deadlocks[0].partial);
    EXPECT_EQ(recorder.deadlocks[0].cycle, (std::vector<ThreadIndex>{ThreadIndex{1}, ThreadIndex{2}}));
    EXPECT_EQ(recorder.deadlocks[0].blocked.size(), 2u);
  });
  EXPECT_GT(circles, 5);
}

TEST(Scheduler, ALongLogIsCutAndCounted) {
  RandomWalk strategy(1);
  Simulation simulation(strategy, {.log_limit = 100});
  simulation.run([](Actor& main) {
    for (int i = 0; i < 1000; ++i) main.read(1);
  });
  const DecisionLog log = simulation.scheduler().log();
  const Outcome outcome = simulation.scheduler().outcome();
  EXPECT_TRUE(outcome.program_ended);
  EXPECT_FALSE(log.complete());
  EXPECT_EQ(log.steps() + outcome.unlogged_steps, outcome.steps);
  EXPECT_EQ(outcome.steps, 1002u);
  EXPECT_LE(log.steps(), 100u);
}

TEST(Scheduler, BlockedDaemonsAreNoDeadlockAndBusyOnesAreHeld) {
  for_seeds([](Strategy& strategy) {
    Recorder recorder;
    Simulation simulation(strategy, {}, &recorder);
    simulation.run([](Actor& main) {
      main.start([](Actor& a) { a.park(); }, true);
      main.start(
          [](Actor& a) {
            while (true) a.yield();
          },
          true);
      main.start(
          [](Actor& a) {
            while (true) a.sleep(kMillisecond);
          },
          true);
      main.yield();
    });
    EXPECT_TRUE(recorder.deadlocks.empty());
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
    EXPECT_TRUE(simulation.scheduler().log().complete());
  });
}

TEST(Scheduler, TheStepLimitLetsEverybodyGo) {
  RandomWalk strategy(1);
  Recorder recorder;
  Simulation simulation(strategy, {.step_limit = 1000}, &recorder);
  simulation.run([](Actor& main) {
    const ThreadIndex child = main.start([](Actor& a) {
      while (true) a.yield();
    });
    main.join(child);
  });
  const Outcome outcome = simulation.scheduler().outcome();
  EXPECT_EQ(outcome.reason, StopReason::kStepLimit);
  EXPECT_EQ(outcome.steps, 1000u);
  EXPECT_FALSE(outcome.program_ended);
  EXPECT_EQ(simulation.scheduler().point(ThreadIndex{0}, {}), Passage::kFreeRun);
}

TEST(Scheduler, NobodyElseGoesBetweenEnterAndLeaveUnscheduled) {
  for_seeds([](Strategy& strategy) {
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      int owner = 0;
      const auto body = [&](Actor& a, int me) {
        for (int i = 0; i < 3; ++i) {
          simulation.scheduler().enter_unscheduled(a.self());
          simulation.scheduler().enter_unscheduled(a.self());
          owner = me;
          for (int k = 0; k < 5; ++k) a.write(3);
          simulation.scheduler().leave_unscheduled(a.self());
          a.yield();
          EXPECT_EQ(owner, me);
          simulation.scheduler().leave_unscheduled(a.self());
          a.yield();
        }
      };
      const ThreadIndex child = main.start([&](Actor& a) { body(a, 1); });
      body(main, 2);
      main.join(child);
    });
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
    EXPECT_EQ(simulation.scheduler().outcome().silent_operations, 36u);
  });
}

TEST(Scheduler, ASilentOperationThatCannotGoGivesTheTurnAway) {
  for_seeds([](Strategy& strategy) {
    int inside = 0;
    Simulation simulation(strategy);
    simulation.run([&](Actor& main) {
      const auto body = [&](Actor& a) {
        for (int i = 0; i < 4; ++i) {
          a.perform_silently({.kind = OperationKind::kLock, .object = 1});
          EXPECT_EQ(++inside, 1);
          a.yield();
          --inside;
          a.perform_silently({.kind = OperationKind::kUnlock, .object = 1});
        }
      };
      const ThreadIndex child = main.start(body);
      body(main);
      main.join(child);
    });
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
  });
}

TEST(Scheduler, SilentCodeThatSpinsIsInterruptedByAPoint) {
  for_seeds([](Strategy& strategy) {
    Simulation simulation(strategy, {.silent_limit = 50});
    simulation.run([&](Actor& main) {
      bool ready = false;
      const ThreadIndex child = main.start([&](Actor& a) {
        a.yield();
        ready = true;
      });
      while (!ready) main.perform_silently({.kind = OperationKind::kVolatileRead, .object = 8});
      main.join(child);
    });
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
    EXPECT_GE(simulation.scheduler().outcome().forced_points, 1u);
  });
}

TEST(Scheduler, CodeWithoutSwitchesIsNotInterruptedThatSoon) {
  for_seeds([](Strategy& strategy) {
    Simulation simulation(strategy, {.silent_limit = 50, .unscheduled_limit = 5'000});
    simulation.run([&](Actor& main) {
      const ThreadIndex child = main.start([](Actor& a) { a.yield(); });
      simulation.scheduler().enter_unscheduled(main.self());
      for (int i = 0; i < 4'000; ++i) main.read(8);
      simulation.scheduler().leave_unscheduled(main.self());
      main.join(child);
    });
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
    EXPECT_EQ(simulation.scheduler().outcome().forced_points, 0u);
  });
}

TEST(Scheduler, TheNumberOfSwitchesIsThatOfTheLog) {
  for_seeds([](Strategy& strategy) {
    Simulation simulation(strategy);
    simulation.run([](Actor& main) {
      const ThreadIndex child = main.start([](Actor& a) {
        for (int i = 0; i < 10; ++i) a.read(1);
      });
      for (int i = 0; i < 10; ++i) main.read(2);
      main.join(child);
    });
    const DecisionLog log = simulation.scheduler().log();
    const Outcome outcome = simulation.scheduler().outcome();
    EXPECT_EQ(outcome.switches, log.switches());
    EXPECT_EQ(outcome.steps, log.steps());
    EXPECT_EQ(outcome.steps, 2u * 12 + 2);
  });
}

}  // namespace
}  // namespace deadheat::schedule
