// SPDX-License-Identifier: Apache-2.0
//
// A replay is exact or says where and why it is not. (That it is exact: determinism_test.cc.)
#include "schedule/replay.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "schedule/decision_log_file.h"
#include "schedule/race_directed.h"
#include "tests/unit/schedule/programs.h"
#include "tests/unit/schedule/strategies.h"

namespace deadheat::schedule {
namespace {

using Reason = Divergence::Reason;
using Program = std::function<void(Actor&)>;

DecisionLog record(const Program& program, std::uint64_t seed = 1) {
  RandomWalk walk(seed);
  return log_of(walk, program);
}

Divergence diverge(const DecisionLog& log, const Program& program) {
  Replay replay(log);
  Simulation simulation(replay);
  simulation.run(program);
  EXPECT_EQ(simulation.scheduler().outcome().reason, StopReason::kDiverged);
  EXPECT_TRUE(replay.divergence().has_value());
  return replay.divergence().value_or(Divergence{});
}

Program two_threads(std::uint32_t site, int writes, bool lock = false) {
  return [=](Actor& main) {
    const ThreadIndex child = main.start([=](Actor& a) {
      if (lock) a.lock(1);
      for (int i = 0; i < writes; ++i) a.write(5, 10);
      a.write(5, site);
      if (lock) a.unlock(1);
    });
    main.join(child);
  };
}

TEST(Replay, NamesAnotherOperation) {
  const DecisionLog log = record(two_threads(11, 3));
  const Divergence d = diverge(log, two_threads(12, 3));
  EXPECT_EQ(d.reason, Reason::kOtherOperation);
  EXPECT_EQ(d.thread, "0.1");
  EXPECT_EQ(d.thread_step, 4u);
  EXPECT_EQ(d.step, 6u);
  EXPECT_EQ(d.expected, (Shape{OperationKind::kWrite, model::SiteId{11}}));
  EXPECT_EQ(d.actual, (Shape{OperationKind::kWrite, model::SiteId{12}}));
  EXPECT_EQ(describe(d),
            "step 6: the thread does something else (thread 0.1, its step 4: expected write at site 11, found write at "
            "site 12)");
  const NameOfSite name_of = [](model::SiteId site) { return site == model::SiteId{11} ? "A.m (A.java:3)" : ""; };
  EXPECT_EQ(describe(d, name_of),
            "step 6: the thread does something else (thread 0.1, its step 4: expected write in A.m (A.java:3), found "
            "write at site 12)");
}

TEST(Replay, NamesAThreadThatIsMissing) {
  const DecisionLog log = record([](Actor& main) {
    const ThreadIndex child = main.start([](Actor&) {});
    main.yield();
    main.join(child);
  });
  const Divergence d = diverge(log, [](Actor& main) {
    main.perform({.kind = OperationKind::kStart});  // of nobody
    main.yield();
    main.perform({.kind = OperationKind::kJoin});
  });
  EXPECT_EQ(d.reason, Reason::kNoSuchThread);
  EXPECT_EQ(d.thread, "0.1");
  EXPECT_FALSE(d.actual.has_value());
}

TEST(Replay, NamesAThreadThatIsBlocked) {
  const auto program = [](bool gives_permit) {
    return [gives_permit](Actor& main) {
      main.start([](Actor& a) { a.yield(); });
      main.unpark(gives_permit ? main.self() : kNoThread);
      main.park();
    };
  };
  // A schedule in which the child still has something to do when main parks: else there is only a deadlock.
  DecisionLog log;
  for (std::uint64_t seed = 0;; ++seed) {
    log = record(program(true), seed);
    if (log.runs().back().thread == 1) break;
  }
  const Divergence d = diverge(log, program(false));
  EXPECT_EQ(d.reason, Reason::kNotEnabled);
  EXPECT_EQ(d.thread, "0");
  EXPECT_EQ(d.expected, (Shape{OperationKind::kPark, model::SiteId{}}));
  EXPECT_EQ(d.actual, (Shape{OperationKind::kPark, model::SiteId{}}));
}

TEST(Replay, NamesAProgramThatDoesSomethingElseInsteadOfEnding) {
  const Divergence d = diverge(record(two_threads(11, 3)), [](Actor& main) {
    two_threads(11, 3)(main);
    main.yield();
  });
  EXPECT_EQ(d.reason, Reason::kOtherOperation);
  EXPECT_EQ(d.expected, (Shape{OperationKind::kEnd, model::SiteId{}}));
  EXPECT_EQ(d.actual, (Shape{OperationKind::kYield, model::SiteId{}}));
}

TEST(Replay, NamesAProgramThatGoesOnAfterTheLastStep) {
  const DecisionLog log = record([](Actor&) {});
  ASSERT_TRUE(log.complete());
  Replay replay(log);
  Simulation simulation(replay);
  const ThreadIndex stranger{1};
  simulation.run([&](Actor& main) {
    EXPECT_EQ(simulation.scheduler().add_root(false), stranger);  // attached, and not in the log
    (void)main;
  });
  ASSERT_TRUE(replay.divergence().has_value());
  EXPECT_EQ(replay.divergence()->reason, Reason::kLogEnded);
  EXPECT_EQ(replay.divergence()->thread, "1");
  EXPECT_EQ(replay.divergence()->step, 2u);
}

TEST(Replay, NamesAThreadThatHasEnded) {
  const Divergence d = diverge(record(
                                   [](Actor& main) {
                                     const ThreadIndex child = main.start([](Actor& a) { a.read(1); });
                                     main.join(child);
                                   },
                                   2),
                               [](Actor& main) {
                                 const ThreadIndex child = main.start([](Actor&) {});
                                 main.join(child);
                               });
  // The child ends where it should read.
  EXPECT_EQ(d.reason, Reason::kOtherOperation);
  EXPECT_EQ(d.actual, (Shape{OperationKind::kEnd, model::SiteId{}}));
}

TEST(Replay, NamesAnotherChoice) {
  // Objects are not in the log: with two waiters the third thread's wait is for a monitor it does not own, and returns.
  const auto program = [](int waiters) {
    return [waiters](Actor& main) {
      int waiting = 0;
      for (int i = 0; i < 3; ++i) {
        main.start([&waiting, i, waiters](Actor& a) {
          const std::uint64_t monitor = i < waiters ? 1 : 2;
          a.lock(1);
          ++waiting;
          a.perform({.kind = OperationKind::kWaitBegin, .object = monitor});
          a.perform({.kind = OperationKind::kWaitEnd, .object = monitor});
          a.unlock(1);
        });
      }
      while (waiting < 3) main.yield();
      main.lock(1);
      main.notify(1);
      main.notify_all(1);
      main.unlock(1);
    };
  };
  DecisionLog log;
  for (std::uint64_t seed = 0;; ++seed) {
    log = record(program(3), seed);
    // The third thread begins its wait last, and main goes on after that: its monitor is still locked in the replay.
    if (log.complete() && log.choices().size() == 1 && log.choices()[0].of == 3) break;
  }
  Replay replay(log);
  Simulation simulation(replay);
  simulation.run(program(2));
  ASSERT_TRUE(replay.divergence().has_value());
  // Either main cannot lock what the third thread has not let go of, or its notify finds two.
  EXPECT_TRUE(replay.divergence()->reason == Reason::kNotEnabled || replay.divergence()->reason == Reason::kOtherChoice)
      << describe(*replay.divergence());
}

TEST(Replay, AChoiceAmongOtherWaitersIsADivergence) {
  DecisionLog log;
  log.add_thread("0");
  World world;
  const ThreadIndex main = world.add_root(false);
  log.add_step(main, {OperationKind::kBegin, {}});
  log.add_choice({0, 0, 3, 2});
  Replay replay(log);
  EXPECT_EQ(replay.choose(world, main, 2), 0u);
  ASSERT_TRUE(replay.divergence().has_value());
  EXPECT_EQ(replay.divergence()->reason, Reason::kOtherChoice);
  EXPECT_EQ(replay.next(world), kGiveUp);
}

TEST(Replay, JumpsInTimeWhereTheLogDoes) {
  // The race-directed strategy lets a sleeper come to the other site although somebody else could go.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Program program = [](Actor& main) {
      const ThreadIndex child = main.start([](Actor& a) {
        a.sleep(1'000'000'000);
        a.write(1, 1);
        a.sleep(1'000);
      });
      main.write(1, 2);
      main.sleep(500'000'000);
      main.join(child);
    };
    const auto strategy = make_strategy("race-directed", seed);
    const DecisionLog log = log_of(*strategy, program);
    EXPECT_EQ(strategy->counts().races, 1u);
    EXPECT_GE(log.jumps().size(), 1u);
    Replay replay(log);
    Simulation simulation(replay);
    simulation.run(program);
    EXPECT_TRUE(simulation.scheduler().log() == log);
    EXPECT_TRUE(simulation.scheduler().outcome().program_ended);
  }
}

TEST(Replay, GoesOnAfterALogThatWasCutOff) {
  for (const SampleProgram& program : sample_programs()) {
    RandomWalk walk(9);
    DecisionLog cut;
    program.run(walk, {.step_limit = 20}, cut);
    EXPECT_FALSE(cut.complete());
    EXPECT_EQ(cut.steps(), 20u);
    Replay replay(cut);
    DecisionLog whole;
    const std::string result = program.run(replay, {}, whole);
    EXPECT_TRUE(whole.complete()) << program.name << ": " << result;
    EXPECT_GT(whole.steps(), 20u);
    EXPECT_FALSE(replay.divergence().has_value());
  }
}

TEST(Replay, WaitsForAThreadThatIsOutside) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::string order;
    const Program program = [&order](Actor& main) {
      order.clear();
      const ThreadIndex child = main.start([&](Actor& a) {
        a.perform({.kind = OperationKind::kExternal});
        a.write(1);
        order += "child ";
        a.write(1);
      });
      for (int i = 0; i < 5; ++i) {
        main.read(1);
        order += "main ";
      }
      main.join(child);
    };
    const DecisionLog log = record(program, seed);
    const std::string recorded = order;
    Replay replay(log);
    const DecisionLog again = log_of(replay, program);
    EXPECT_EQ(order, recorded);
    EXPECT_TRUE(again == log);
  }
}

struct Meetings final : Listener {
  void on_race(const World&, const Meeting& meeting) override {
    steps.push_back(meeting.step);
    ++count;
  }
  std::vector<std::uint64_t> steps;
  std::atomic<int> count{0};
};

TEST(Replay, HoldsEverybodyAtTheFirstMeetingUntilItIsNudged) {
  const RacePair pair{model::SiteId{1}, model::SiteId{2}};
  std::string order;
  const Program program = [&order](Actor& main) {
    order.clear();
    const ThreadIndex child = main.start([&](Actor& a) {
      for (int i = 0; i < 3; ++i) {
        a.write(7, 2);
        order += "w";
      }
    });
    for (int i = 0; i < 3; ++i) {
      main.read(7, 1);
      order += "r";
    }
    main.join(child);
  };
  Meetings recorded;
  RaceDirected race(3, {.pair = pair}, &recorded);
  const DecisionLog log = log_of(race, program);
  ASSERT_GE(recorded.steps.size(), 2u);
  const std::string recorded_order = order;

  Meetings met;
  Replay replay(log, pair, &met, /*hold_at_meeting=*/true);
  Simulation simulation(replay);
  std::thread debugger([&] {
    while (met.count.load() == 0) std::this_thread::yield();
    // Nobody has the turn, and nobody gets it by itself.
    while (!simulation.scheduler().pulse().idle) std::this_thread::yield();
    const Pulse held = simulation.scheduler().pulse();
    EXPECT_EQ(held.steps, recorded.steps.front());
    EXPECT_EQ(held.holder, kNoThread);
    EXPECT_FALSE(simulation.scheduler().jump_idle_time());
    EXPECT_EQ(simulation.scheduler().pulse().steps, held.steps);
    simulation.scheduler().nudge();
  });
  simulation.run(program);
  debugger.join();
  EXPECT_EQ(order, recorded_order);
  EXPECT_FALSE(replay.divergence().has_value());
  EXPECT_EQ(replay.counts().races, static_cast<std::uint64_t>(met.count.load()));
  EXPECT_EQ(met.steps.front(), recorded.steps.front());
  // A replay also tells what the search had already resolved, never less.
  EXPECT_GE(met.steps.size(), recorded.steps.size());
}

}  // namespace
}  // namespace deadheat::schedule
