// SPDX-License-Identifier: Apache-2.0
//
// What comes from outside the model: threads that block where the scheduler cannot see it, real threads that arrive
// late, unmanaged threads that unpark and interrupt, a watchdog, a stop.
#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>
#include <thread>

#include "schedule/random_walk.h"
#include "tests/unit/schedule/simulation.h"

namespace deadheat::schedule {
namespace {

using enum OperationKind;

constexpr std::uint64_t kMillisecond = 1'000'000;

template <typename Condition>
void wait_until(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

// Prefers the youngest thread.
class Youngest final : public Strategy {
 public:
  const char* name() const override { return "youngest"; }
  ThreadIndex next(const World& world) override { return world.enabled().back(); }
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t) override { return 0; }
};

struct Patient final : Listener {
  AfterDeadlock on_deadlock(const World&, const Deadlock&) override {
    ++deadlocks;
    return AfterDeadlock::kWait;
  }
  std::atomic<int> deadlocks{0};
};

TEST(Outside, AThreadThatBlocksExternallyIsWaitedForAndRejoins) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomWalk strategy(seed);
    Simulation simulation(strategy);
    std::binary_semaphore reply(0);
    std::string order;
    simulation.run([&](Actor& main) {
      const ThreadIndex reader = main.start([&](Actor& a) {
        a.perform({.kind = kExternal});
        reply.acquire();  // real, without the turn
        a.lock(1);
        order += "read ";
        a.unlock(1);
      });
      main.lock(1);
      order += "main ";
      main.unlock(1);
      main.yield();
      reply.release();
      EXPECT_EQ(main.join(reader), Passage::kGranted);  // nobody can go but the one outside: no deadlock
      order += "joined";
    });
    EXPECT_EQ(order, "main read joined");
    EXPECT_EQ(simulation.scheduler().outcome().reason, StopReason::kHost);
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
  }
}

TEST(Outside, AWatchdogSetsTheHolderAside) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomWalk strategy(seed);
    Simulation simulation(strategy);
    Scheduler& scheduler = simulation.scheduler();
    std::binary_semaphore reply(0);
    std::atomic<bool> blocks{false};
    std::atomic<std::uint32_t> blocked_thread{0};
    std::thread watchdog([&] {
      wait_until([&] { return blocks.load(); });
      const ThreadIndex holder{blocked_thread.load()};
      const Pulse pulse = scheduler.pulse();
      EXPECT_EQ(pulse.holder, holder);
      EXPECT_TRUE(pulse.holder_arrived);
      EXPECT_GE(pulse.steps, pulse.holder_since_step);
      EXPECT_FALSE(scheduler.set_aside(holder, pulse.operations - 1));
      EXPECT_FALSE(scheduler.set_aside(ThreadIndex{99}, pulse.operations));
      EXPECT_TRUE(scheduler.set_aside(holder, pulse.operations));
      EXPECT_FALSE(scheduler.set_aside(holder, pulse.operations));
    });
    int count = 0;
    simulation.run([&](Actor& main) {
      const ThreadIndex child = main.start([&](Actor& a) {
        a.lock(1);
        blocked_thread = to_number(a.self());
        blocks = true;
        reply.acquire();  // holds the turn, and a monitor
        a.write(7);
        ++count;
        a.unlock(1);
      });
      while (!blocks) main.yield();
      for (int i = 0; i < 10; ++i) main.yield();
      reply.release();
      main.lock(1);
      EXPECT_EQ(++count, 2);  // the monitor was never free in between
      main.unlock(1);
      main.join(child);
    });
    watchdog.join();
    EXPECT_EQ(scheduler.outcome().put_aside, 1u);
    EXPECT_TRUE(scheduler.outcome().program_ended);
  }
}

TEST(Outside, TimeStandsStillForAThreadOutsideUnlessTheHostMovesIt) {
  Youngest strategy;
  Simulation simulation(strategy);
  Scheduler& scheduler = simulation.scheduler();
  std::binary_semaphore reply(0);
  std::atomic<bool> slept{false};
  std::thread host([&] {
    // Nobody has the turn: one is outside, the other sleeps.
    wait_until([&] { return scheduler.pulse().idle && scheduler.pulse().steps >= 5; });
    EXPECT_LT(scheduler.now(), 100 * kMillisecond);
    EXPECT_FALSE(slept);
    EXPECT_TRUE(scheduler.jump_idle_time());
    wait_until([&] { return slept.load(); });
    reply.release();
  });
  simulation.run([&](Actor& main) {
    const ThreadIndex child = main.start([&](Actor& a) {
      a.perform({.kind = kExternal});
      reply.acquire();
    });
    main.yield();
    EXPECT_EQ(main.sleep(100 * kMillisecond), Passage::kGranted);
    slept = true;
    main.join(child);
  });
  host.join();
  EXPECT_FALSE(scheduler.jump_idle_time());
  EXPECT_TRUE(scheduler.outcome().program_ended);
}

TEST(Outside, TimeMovesPastAThreadOutsideIfAskedTo) {
  Youngest strategy;
  Simulation simulation(strategy, {.jump_time_while_aside = true});
  std::binary_semaphore reply(0);
  simulation.run([&](Actor& main) {
    const ThreadIndex child = main.start([&](Actor& a) {
      a.perform({.kind = kExternal});
      reply.acquire();
    });
    main.yield();
    EXPECT_EQ(main.sleep(100 * kMillisecond), Passage::kGranted);
    reply.release();
    main.join(child);
  });
  EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
}

TEST(Outside, UnmanagedThreadsUnparkAndInterrupt) {
  RandomWalk strategy(3);
  Patient patient;
  Simulation simulation(strategy, {}, &patient);
  Scheduler& scheduler = simulation.scheduler();
  std::thread helper([&] {
    wait_until([&] { return patient.deadlocks.load() == 1; });
    scheduler.unpark(ThreadIndex{0});
    wait_until([&] { return patient.deadlocks.load() == 2; });
    scheduler.unpark(ThreadIndex{7});  // unknown: nothing happens
    scheduler.interrupt(ThreadIndex{0});
  });
  simulation.run([&](Actor& main) {
    EXPECT_EQ(main.park(), Passage::kGranted);
    main.lock(1);
    EXPECT_EQ(main.wait(1), Passage::kInterrupted);
    main.unlock(1);
  });
  helper.join();
  EXPECT_TRUE(scheduler.outcome().program_ended);
  EXPECT_EQ(patient.deadlocks.load(), 2);
}

TEST(Outside, AChildThatIsChosenBeforeItArrivesHasTheTurnWhenItDoes) {
  Youngest strategy;
  SemaphoreGate gate;
  Scheduler scheduler({}, strategy, gate);
  const ThreadIndex parent = scheduler.add_root(false);
  std::string order;
  std::thread first([&] {
    scheduler.point(parent, {.kind = kBegin});
    const ThreadIndex child = scheduler.add_child(parent, false);
    scheduler.point(parent, {.kind = kStart, .target = child});
    scheduler.point(parent, {.kind = kJoin, .target = child});
    order += "parent";
    scheduler.point(parent, {.kind = kEnd});
  });
  const ThreadIndex child{1};
  wait_until([&] { return scheduler.pulse().holder == child; });
  EXPECT_FALSE(scheduler.pulse().holder_arrived);
  std::thread second([&] {
    EXPECT_EQ(scheduler.point(child, {.kind = kBegin}), Passage::kGranted);
    EXPECT_TRUE(scheduler.pulse().holder_arrived);
    order += "child ";
    scheduler.point(child, {.kind = kEnd});
  });
  first.join();
  second.join();
  EXPECT_EQ(order, "child parent");
  EXPECT_EQ(scheduler.log().steps(), 6u);
}

TEST(Outside, AChildThatArrivesBeforeItIsStartedWaits) {
  Youngest strategy;
  SemaphoreGate gate;
  Scheduler scheduler({}, strategy, gate);
  const ThreadIndex parent = scheduler.add_root(false);
  scheduler.point(parent, {.kind = kBegin});
  const ThreadIndex child = scheduler.add_child(parent, false);
  std::string order;
  std::thread early([&] {
    EXPECT_EQ(scheduler.point(child, {.kind = kBegin}), Passage::kGranted);
    order += "child ";
    scheduler.point(child, {.kind = kEnd});
  });
  wait_until([&] { return scheduler.pulse().operations == 2; });
  scheduler.point(parent, {.kind = kYield});
  order += "parent ";
  scheduler.point(parent, {.kind = kStart, .target = child});
  scheduler.point(parent, {.kind = kJoin, .target = child});
  scheduler.point(parent, {.kind = kEnd});
  early.join();
  EXPECT_EQ(order, "parent child ");
}

TEST(Outside, AThreadMetInTheMiddleOfItsLifeBeginsThere) {
  for (const bool chosen_before : {true, false}) {
    Youngest strategy;
    SemaphoreGate gate;
    Scheduler scheduler({}, strategy, gate);
    const ThreadIndex main = scheduler.add_root(false);
    std::thread other;
    if (chosen_before) {
      const ThreadIndex late = scheduler.add_root(false);
      other = std::thread([&scheduler, late] {
        wait_until([&] { return scheduler.pulse().holder == late; });
        EXPECT_EQ(scheduler.silent(late, {.kind = kLock, .object = 1}), Passage::kGranted);
        scheduler.point(late, {.kind = kEnd});
      });
    }
    EXPECT_EQ(scheduler.point(main, {.kind = kLock, .object = 1}), Passage::kGranted);
    EXPECT_EQ(scheduler.world_for_testing().owner(1), main);
    scheduler.point(main, {.kind = kEnd});
    if (other.joinable()) other.join();
    EXPECT_TRUE(scheduler.outcome().program_ended);
  }
}

TEST(Outside, AChildWhoseStartFailedIsForgotten) {
  Youngest strategy;
  SemaphoreGate gate;
  Scheduler scheduler({}, strategy, gate);
  const ThreadIndex parent = scheduler.add_root(false);
  scheduler.point(parent, {.kind = kBegin});
  const ThreadIndex never_started = scheduler.add_child(parent, false);
  scheduler.abandon(never_started);
  const ThreadIndex lost = scheduler.add_child(parent, false);
  scheduler.point(parent, {.kind = kStart, .target = lost});
  // The child is chosen, has the turn and never comes.
  std::thread helper([&] {
    wait_until([&] { return scheduler.pulse().holder == lost; });
    scheduler.abandon(lost);
  });
  EXPECT_EQ(scheduler.point(parent, {.kind = kJoin, .target = lost}), Passage::kGranted);
  EXPECT_EQ(scheduler.point(parent, {.kind = kJoin, .target = never_started}), Passage::kGranted);
  helper.join();
  scheduler.point(parent, {.kind = kEnd});
  EXPECT_TRUE(scheduler.outcome().program_ended);
}

TEST(Outside, AThreadStartedByNobodyManagedJoinsIn) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomWalk strategy(seed);
    Simulation simulation(strategy);
    Scheduler& scheduler = simulation.scheduler();
    int count = 0;
    std::thread attached;
    simulation.run([&](Actor& main) {
      attached = std::thread([&] {
        const ThreadIndex self = scheduler.add_root(true);
        EXPECT_EQ(scheduler.name(self), "1");
        if (scheduler.point(self, {.kind = kBegin}) == Passage::kFreeRun) return;
        ++count;
        scheduler.point(self, {.kind = kUnpark, .target = ThreadIndex{0}});
        scheduler.point(self, {.kind = kEnd});
      });
      main.perform({.kind = kExternal});  // as Thread.start of an unmanaged creator would
      wait_until([&] { return scheduler.pulse().operations >= 3; });
      EXPECT_EQ(main.park(), Passage::kGranted);
      EXPECT_EQ(count, 1);
    });
    attached.join();
  }
}

TEST(Outside, AStopLetsEverybodyGo) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomWalk strategy(seed);
    Simulation simulation(strategy);
    Scheduler& scheduler = simulation.scheduler();
    std::thread host([&] {
      wait_until([&] { return scheduler.pulse().steps > 200; });
      scheduler.stop(StopReason::kTimeLimit);
      scheduler.stop(StopReason::kHost);
    });
    simulation.run([](Actor& main) {
      std::vector<ThreadIndex> children;
      for (int i = 0; i < 4; ++i) {
        children.push_back(main.start([](Actor& a) {
          while (true) {
            a.lock(1);
            a.yield();
            a.unlock(1);
          }
        }));
      }
      for (const ThreadIndex child : children) main.join(child);
    });
    host.join();
    EXPECT_EQ(scheduler.outcome().reason, StopReason::kTimeLimit);
    EXPECT_TRUE(scheduler.pulse().stopped);
    EXPECT_FALSE(scheduler.log().complete());
  }
}

// A gate whose wakes look at the pulse, as a watchdog might at that moment.
class LookingGate final : public Gate {
 public:
  void add(ThreadIndex thread) override { inner_.add(thread); }
  void wait(ThreadIndex thread) override { inner_.wait(thread); }
  void wake(ThreadIndex thread) override {
    ++wakes;
    if (scheduler->pulse().waking) ++seen;
    inner_.wake(thread);
  }
  Scheduler* scheduler = nullptr;
  std::atomic<int> wakes{0}, seen{0};

 private:
  SemaphoreGate inner_;
};

TEST(Outside, AHolderThatHasNotBeenWokenYetIsTold) {
  RandomWalk strategy(1);
  LookingGate gate;
  Scheduler scheduler({}, strategy, gate);
  gate.scheduler = &scheduler;
  const ThreadIndex indices[] = {scheduler.add_root(false), scheduler.add_root(false)};
  std::vector<std::thread> threads;
  for (const ThreadIndex self : indices) {
    threads.emplace_back([&scheduler, self] {
      scheduler.point(self, {.kind = kBegin});
      for (int i = 0; i < 100; ++i) scheduler.point(self, {.kind = kYield});
      scheduler.point(self, {.kind = kEnd});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(gate.wakes, 0);
  EXPECT_EQ(gate.seen, gate.wakes);
  EXPECT_FALSE(scheduler.pulse().waking);
}

// A gate whose way of waiting runs code of the program, as a real Object.wait does when the thread is interrupted: its
// exception is made, by a synchronized method, on the thread that waits.
class BusyGate final : public Gate {
 public:
  void add(ThreadIndex thread) override { inner_.add(thread); }
  void wait(ThreadIndex thread) override {
    run_program_code(thread);
    inner_.wait(thread);
    run_program_code(thread);
  }
  void wake(ThreadIndex thread) override { inner_.wake(thread); }
  Scheduler* scheduler = nullptr;
  std::atomic<int> told{0}, counted{0};

 private:
  void run_program_code(ThreadIndex self) {
    for (const OperationKind kind : {kLock, kUnlock}) {
      ++told;
      if (scheduler->silent(self, {.kind = kind, .object = 99}) != Passage::kFreeRun) ++counted;
      if (scheduler->point(self, {.kind = kYield}) != Passage::kFreeRun) ++counted;
    }
  }
  SemaphoreGate inner_;
};

TEST(Outside, WhatAThreadTellsWhileItsGateHoldsItChangesNothing) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomWalk strategy(seed);
    BusyGate gate;
    Scheduler scheduler({.step_limit = 10'000}, strategy, gate);
    gate.scheduler = &scheduler;
    const ThreadIndex waiter = scheduler.add_root(false);
    const ThreadIndex interrupter = scheduler.add_root(false);
    Passage ended = Passage::kGranted;
    std::thread waits([&] {
      scheduler.point(waiter, {.kind = kBegin});
      scheduler.point(waiter, {.kind = kLock, .object = 1});
      while (ended == Passage::kGranted) ended = scheduler.wait(waiter, {.kind = kWaitBegin, .object = 1});
      scheduler.point(waiter, {.kind = kUnlock, .object = 1});
      scheduler.point(waiter, {.kind = kEnd});
    });
    std::thread interrupts([&] {
      scheduler.point(interrupter, {.kind = kBegin});
      for (int i = 0; i < 5; ++i) scheduler.point(interrupter, {.kind = kYield});
      scheduler.point(interrupter, {.kind = kInterrupt, .target = waiter});
      for (int i = 0; i < 5; ++i) scheduler.point(interrupter, {.kind = kYield});
      scheduler.point(interrupter, {.kind = kEnd});
    });
    waits.join();
    interrupts.join();
    EXPECT_EQ(ended, Passage::kInterrupted) << "seed " << seed;
    EXPECT_GT(gate.told, 0);
    EXPECT_EQ(gate.counted, 0);
    EXPECT_TRUE(scheduler.outcome().program_ended);
    EXPECT_EQ(scheduler.outcome().silent_operations, 0u);
    EXPECT_TRUE(scheduler.world_for_testing().consistent_for_testing());
  }
}

}  // namespace
}  // namespace deadheat::schedule
