// SPDX-License-Identifier: Apache-2.0
//
// Schedules of events, carried out by simulated threads (simulation.h).
#include "schedule/event_follower.h"

#include <gtest/gtest.h>

#include <set>

#include "simulation.h"

namespace deadheat::schedule {
namespace {

using model::EventKind;
using model::SiteId;
using Result = Followed::Result;

constexpr std::uint64_t kX = 1;
constexpr std::uint64_t kY = 2;
constexpr std::uint64_t kLock = 7;

// Turns operations into events as a host does: sites from kSoftSites on are those of a library.
constexpr std::uint32_t kSoftSites = 1000;

class Teller final : public Listener {
 public:
  void on_operation(const World& world, ThreadIndex thread, const Operation& op, Passage) override {
    const auto tell = [&](EventKind kind) {
      follower->on_event(world, thread, kind, op.site, op.object, to_number(op.site) >= kSoftSites);
    };
    switch (op.kind) {
      case OperationKind::kRead:
        return tell(EventKind::kRead);
      case OperationKind::kWrite:
        return tell(EventKind::kWrite);
      case OperationKind::kLock:
        return tell(EventKind::kAcquire);
      case OperationKind::kUnlock:
        return tell(EventKind::kRelease);
      case OperationKind::kStart:
        return tell(EventKind::kFork);
      case OperationKind::kNotify:
        return tell(EventKind::kNotify);
      case OperationKind::kWaitBegin:
        return tell(EventKind::kWaitBegin);
      case OperationKind::kWaitEnd:
        return tell(EventKind::kWaitEnd);
      default:
        return;
    }
  }
  void on_race(const World&, const Meeting& meeting) override { first = meeting.first; }
  void on_step(const World& world, ThreadIndex thread, std::uint32_t step) override {
    steps.push_back(std::to_string(step) + " by " + world.name(thread));
  }

  EventFollower* follower = nullptr;
  ThreadIndex first = kNoThread;
  std::vector<std::string> steps;  // as they were told
};

// Threads: 0 is "0", which starts 1, "0.1", and 2, "0.2".
constexpr std::uint64_t kForks = 2;

class ScriptBuilder {
 public:
  ScriptBuilder() {
    script.threads = {"0", "0.1", "0.2", "0.3"};
    for (std::uint64_t i = 0; i < kForks; ++i) event(0, EventKind::kFork, 0);
  }
  ScriptBuilder& event(std::uint32_t thread, EventKind kind, std::uint32_t site) {
    script.events.push_back({thread, kind, SiteId{site}, {}, site >= kSoftSites});
    return *this;
  }
  ScriptBuilder& step(std::uint32_t thread, EventKind kind, std::uint32_t site, std::uint32_t variable = 0) {
    script.steps.push_back({static_cast<std::uint32_t>(script.events.size()), variable});
    return event(thread, kind, site);
  }
  ScriptBuilder& wakes(std::uint32_t peer) {
    script.events.back().peer = peer;
    return *this;
  }
  EventScript adjacent() {
    script.adjacent = true;
    return script;
  }
  EventScript script;
};

struct Outcome {
  Followed followed;
  DecisionLog log;
  ThreadIndex first;
  std::vector<std::string> steps;
};

Outcome follow(const EventScript& script, const std::function<void(Actor&)>& main, std::uint64_t seed = 1) {
  Teller teller;
  EventFollower follower(script, seed, &teller);
  teller.follower = &follower;
  SchedulerOptions options;
  options.tell_operations = true;
  Simulation simulation(follower, options, &teller);
  simulation.run(main);
  return {follower.followed(), simulation.scheduler().log(), teller.first, teller.steps};
}

// Two threads with these bodies.
std::function<void(Actor&)> two(std::function<void(Actor&)> a, std::function<void(Actor&)> b) {
  return [a, b](Actor& main) {
    const ThreadIndex first = main.start(a);
    const ThreadIndex second = main.start(b);
    main.join(first);
    main.join(second);
  };
}

// PECAN's figure 1: the schedule 1 5 2 6 7 3 shows the race of 3 and 7, and the error.
TEST(EventFollowerTest, CreatesTheRaceOfFigure1_race) {
  bool error = false;
  int x = 0;
  int y = 0;
  const auto program = two(
      [&](Actor& t) {
        t.read(9, 1);
        t.write(kX, 2);
        x = 1;
        t.read(kY, 3);
        error = y == 1;
      },
      [&](Actor& t) {
        t.read(kX, 5);
        t.read(kX, 6);
        t.write(kY, 7);
        y = x;
      });
  ScriptBuilder builder;
  builder.event(1, EventKind::kRead, 1).event(2, EventKind::kRead, 5).event(1, EventKind::kWrite, 2);
  builder.event(2, EventKind::kRead, 6).step(2, EventKind::kWrite, 7).step(1, EventKind::kRead, 3);
  const Outcome outcome = follow(builder.adjacent(), program);
  EXPECT_EQ(outcome.followed.result, Result::kCreated);
  EXPECT_EQ(to_number(outcome.first), 2u);
  EXPECT_EQ(outcome.steps, (std::vector<std::string>{"0 by 0.2", "1 by 0.1"}));
  EXPECT_TRUE(outcome.log.complete());
  // The writer goes first and runs on in random slices: whether the reader sees the write is up to the seed, so the
  // order is asked for as a pattern instead.
  ScriptBuilder ordered;
  ordered.event(1, EventKind::kRead, 1).event(2, EventKind::kRead, 5).event(1, EventKind::kWrite, 2);
  ordered.event(2, EventKind::kRead, 6).step(2, EventKind::kWrite, 7).step(1, EventKind::kRead, 3);
  error = false;
  EXPECT_EQ(follow(ordered.script, program).followed.result, Result::kCreated);
  EXPECT_TRUE(error);
}

TEST(EventFollowerTest, PutsARemoteWriteBetweenTwoSections_race) {
  const auto program = two(
      [](Actor& t) {
        for (const std::uint32_t site : {11u, 12u}) {
          t.lock(kLock);
          t.read(kX, site);
          t.unlock(kLock);
        }
      },
      [](Actor& t) {
        t.lock(kLock);
        t.write(kX, 21);
        t.unlock(kLock);
      });
  ScriptBuilder builder;
  builder.event(1, EventKind::kAcquire, 0).step(1, EventKind::kRead, 11).event(1, EventKind::kRelease, 0);
  builder.event(2, EventKind::kAcquire, 0).step(2, EventKind::kWrite, 21).event(2, EventKind::kRelease, 0);
  builder.event(1, EventKind::kAcquire, 0).step(1, EventKind::kRead, 12);
  const Outcome outcome = follow(builder.script, program);
  EXPECT_EQ(outcome.followed.result, Result::kCreated);
  EXPECT_EQ(outcome.steps, (std::vector<std::string>{"0 by 0.1", "1 by 0.2", "2 by 0.1"}));
}

TEST(EventFollowerTest, TellsWhereAThreadGoesAnotherWay_norace) {
  int x = 0;
  const auto program = two(
      [&](Actor& t) {
        t.write(kX, 1);
        x = 1;
      },
      [&](Actor& t) {
        t.read(kX, 2);
        if (x == 1) {
          t.read(kY, 3);
        } else {
          t.write(kY, 4);
        }
      });
  // Recorded as: write, read, read of y at 3. With the read first the program goes to 4.
  ScriptBuilder builder;
  builder.step(2, EventKind::kRead, 2).step(2, EventKind::kRead, 3, 1).step(1, EventKind::kWrite, 1);
  const Followed followed = follow(builder.script, program).followed;
  EXPECT_EQ(followed.result, Result::kDiverged);
  EXPECT_EQ(followed.event, kForks + 2);
  EXPECT_EQ(followed.thread, "0.2");
  EXPECT_EQ(describe(followed.actual, [](SiteId site) { return "site" + std::to_string(to_number(site)); }),
            std::string(model::event_kind_name(EventKind::kWrite)) + " in site4");
}

// A thread that ends does something of its own accord, and a class that is not loaded has no lines.
TEST(EventFollowerTest, TellsOfWhatHasNoPlaceInTheProgram_norace) {
  const auto program = two([](Actor& t) { t.lock(kLock); }, [](Actor&) {});
  ScriptBuilder builder;
  builder.step(1, EventKind::kRead, 2).step(1, EventKind::kRead, 3, 1);
  const Followed followed = follow(builder.script, program).followed;
  EXPECT_EQ(followed.result, Result::kDiverged);
  EXPECT_NE(describe(followed.actual, {}).find("acquire by the VM itself"), std::string::npos);
  EXPECT_EQ(describe(followed.expected, [](SiteId) { return std::string(); }),
            "read in code that this run has not loaded");
}

TEST(EventFollowerTest, TellsWhoIsBlocked_norace) {
  const auto program = two(
      [](Actor& t) {
        t.lock(kLock);
        t.write(kX, 1);
        t.write(kX, 2);
        t.unlock(kLock);
      },
      [](Actor& t) {
        t.lock(kLock);
        t.write(kX, 3);
        t.unlock(kLock);
      });
  ScriptBuilder builder;
  builder.event(1, EventKind::kAcquire, 0).step(1, EventKind::kWrite, 1);
  builder.event(2, EventKind::kAcquire, 0).step(2, EventKind::kWrite, 3).step(1, EventKind::kWrite, 2);
  const Followed followed = follow(builder.script, program).followed;
  EXPECT_EQ(followed.result, Result::kBlocked);
  EXPECT_EQ(followed.event, kForks + 3);
  EXPECT_NE(followed.actual.text.find("waits for thread 0.1"), std::string::npos) << followed.actual.text;
}

// The script knows nothing of the lock: when it was recorded, somebody else had done what the threads do under it.
TEST(EventFollowerTest, WhoeverHoldsWhatIsWaitedForRunsAhead_race) {
  const auto program = two(
      [](Actor& t) {
        t.lock(kLock, kSoftSites);
        t.write(kY, 1);
        t.write(kY, 2);
        t.unlock(kLock, kSoftSites);
        t.write(kX, 3);
      },
      [](Actor& t) {
        t.lock(kLock, kSoftSites);
        t.write(kX, 4);
        t.unlock(kLock, kSoftSites);
      });
  ScriptBuilder builder;
  builder.event(1, EventKind::kWrite, 1).step(2, EventKind::kWrite, 4).event(1, EventKind::kWrite, 2);
  builder.step(1, EventKind::kWrite, 3);
  const Followed followed = follow(builder.script, program).followed;
  EXPECT_EQ(followed.result, Result::kCreated) << followed.actual.text;
}

// The reader sees that the two variables do not fit together, and does something about it before it leaves its section.
TEST(EventFollowerTest, AThreadMayReactToTheAnomalyOnceItsPartIsDone_race) {
  for (const bool ends : {false, true}) {
    const auto program = two(
        [](Actor& t) {
          t.write(kX, 1);
          t.lock(kLock);
          t.write(kY, 2);
          t.unlock(kLock);
        },
        [&](Actor& t) {
          t.lock(kLock);
          t.read(kX, 3);
          t.read(kY, 4);
          if (!ends) t.read(kX, 5);
          t.unlock(kLock);
          if (!ends) t.read(kX, 6);
        });
    ScriptBuilder builder;
    builder.step(1, EventKind::kWrite, 1, 0).event(2, EventKind::kAcquire, 0).step(2, EventKind::kRead, 3, 0);
    builder.step(2, EventKind::kRead, 4, 1).event(2, EventKind::kRelease, 0).event(2, EventKind::kRead, 7);
    builder.event(1, EventKind::kAcquire, 0).step(1, EventKind::kWrite, 2, 1);
    const Followed followed = follow(builder.script, program).followed;
    EXPECT_EQ(followed.result, Result::kCreated) << followed.actual.text;
  }
}

TEST(EventFollowerTest, AThreadThatIsNeverStartedOrHasEndedDiverges_norace) {
  const auto program = two([](Actor& t) { t.write(kX, 1); }, [](Actor& t) { t.write(kX, 2); });
  ScriptBuilder builder;
  builder.step(3, EventKind::kWrite, 1).step(1, EventKind::kWrite, 1);
  EXPECT_EQ(follow(builder.script, program).followed.actual.text, "the thread was never started");
  ScriptBuilder longer;
  longer.step(1, EventKind::kWrite, 1).step(1, EventKind::kWrite, 9).step(2, EventKind::kWrite, 2);
  const Followed followed = follow(longer.script, program).followed;
  EXPECT_EQ(followed.result, Result::kDiverged);
  EXPECT_EQ(followed.actual.text, "the thread has ended");
}

// The same sites on other objects are no anomaly.
TEST(EventFollowerTest, OtherVariablesAreNotTheAnomaly_norace) {
  const auto program = two([](Actor& t) { t.write(kX, 1); }, [](Actor& t) { t.write(kY, 2); });
  ScriptBuilder meeting;
  meeting.step(1, EventKind::kWrite, 1).step(2, EventKind::kWrite, 2);
  EXPECT_EQ(follow(meeting.adjacent(), program).followed.result, Result::kNotShown);
  ScriptBuilder ordered;
  ordered.step(1, EventKind::kWrite, 1).step(2, EventKind::kWrite, 2);
  EXPECT_EQ(follow(ordered.script, program).followed.result, Result::kNotShown);
  ScriptBuilder different;
  different.step(1, EventKind::kWrite, 1).step(2, EventKind::kWrite, 2, 1);
  EXPECT_EQ(follow(different.script, program).followed.result, Result::kCreated);
}

// What a library does once, whoever comes first, may be missing or come in addition.
TEST(EventFollowerTest, SoftEventsMayBeMissingOrComeInAddition_race) {
  bool done = false;
  const auto once = [&](Actor& t) {
    if (done) return;
    t.write(kLock, kSoftSites);
    t.write(kLock, kSoftSites + 1);
    done = true;
  };
  const auto program = two(
      [&](Actor& t) {
        once(t);
        t.write(kX, 1);
      },
      [&](Actor& t) {
        once(t);
        t.write(kX, 2);
      });
  // Recorded with thread 1 first; now thread 2 comes first.
  ScriptBuilder builder;
  builder.step(2, EventKind::kWrite, 2);
  builder.event(1, EventKind::kWrite, kSoftSites).event(1, EventKind::kWrite, kSoftSites + 1);
  builder.step(1, EventKind::kWrite, 1);
  const Followed followed = follow(builder.script, program).followed;
  EXPECT_EQ(followed.result, Result::kCreated);
  EXPECT_EQ(followed.skipped, 2u);
  EXPECT_EQ(followed.unforeseen, 2u);
}

// The threads of a library do the same few things over and over.
TEST(EventFollowerTest, AnExtraSoftEventIsNotTakenForOneFarAhead_race) {
  constexpr std::uint32_t kSoft = kSoftSites;
  for (const std::uint32_t extra : {kSoft + 30, kSoft + 50}) {
    bool done = false;
    bool seen = false;
    const auto program = two(
        [&](Actor& t) {
          t.read(kLock, extra);
          for (std::uint32_t i = 0; i < 40; ++i) t.read(kLock, kSoft + i);
          done = true;
          t.read(kLock, kSoft + 50);
          t.write(kX, 1);
        },
        [&](Actor& t) {
          t.write(kX, 2);
          seen = done;
        });
    ScriptBuilder builder;
    for (std::uint32_t i = 0; i < 40; ++i) builder.event(1, EventKind::kRead, kSoft + i);
    builder.event(1, EventKind::kRead, kSoft + 50).step(2, EventKind::kWrite, 2).step(1, EventKind::kWrite, 1);
    const Followed followed = follow(builder.script, program).followed;
    EXPECT_EQ(followed.result, Result::kCreated) << followed.actual.text;
    EXPECT_TRUE(seen) << extra;
    EXPECT_EQ(followed.unforeseen, 1u);
    EXPECT_EQ(followed.skipped, 0u);
  }
}

TEST(EventFollowerTest, ManySoftEventsAreLeftOutOnceEnoughOthersFit_race) {
  constexpr std::uint32_t kSoft = kSoftSites;
  constexpr std::uint32_t kMissing = 20;
  const auto program = two(
      [](Actor& t) {
        for (std::uint32_t i = kMissing; i < 40; ++i) t.read(kLock, kSoft + i);
        t.write(kX, 1);
      },
      [](Actor& t) { t.write(kX, 2); });
  ScriptBuilder builder;
  for (std::uint32_t i = 0; i < 40; ++i) builder.event(1, EventKind::kRead, kSoft + i);
  builder.step(2, EventKind::kWrite, 2).step(1, EventKind::kWrite, 1);
  const Followed followed = follow(builder.script, program).followed;
  EXPECT_EQ(followed.result, Result::kCreated) << followed.actual.text;
  EXPECT_EQ(followed.unforeseen, 0u);
  EXPECT_EQ(followed.skipped, kMissing);
}

// Its soft events will not come any more; it is not run for their sake.
TEST(EventFollowerTest, AThreadBeforeItsNextHardEventWaitsForItsTurn_race) {
  const auto program = two([](Actor& t) { t.write(kX, 1); }, [](Actor& t) { t.write(kX, 2); });
  ScriptBuilder builder;
  builder.event(1, EventKind::kRead, kSoftSites).event(1, EventKind::kRead, kSoftSites + 1);
  builder.step(2, EventKind::kWrite, 2).step(1, EventKind::kWrite, 1);
  const Followed followed = follow(builder.script, program).followed;
  EXPECT_EQ(followed.result, Result::kCreated) << followed.actual.text;
  EXPECT_EQ(followed.skipped, 2u);
}

// A library comes to the site of a step again and again: only the right one is the step.
TEST(EventFollowerTest, AStepInALibraryIsNotTakenForAnEarlierOne_race) {
  const auto program = two(
      [](Actor& t) {
        for (const std::uint64_t object : {kLock, kX}) {
          t.read(object, kSoftSites);
          t.write(object, kSoftSites + 1);
        }
      },
      [](Actor& t) { t.read(kX, 2); });
  ScriptBuilder builder;
  builder.event(1, EventKind::kRead, kSoftSites).event(1, EventKind::kWrite, kSoftSites + 1);
  builder.event(1, EventKind::kRead, kSoftSites).step(1, EventKind::kWrite, kSoftSites + 1);
  builder.step(2, EventKind::kRead, 2);
  const Followed followed = follow(builder.script, program).followed;
  EXPECT_EQ(followed.result, Result::kCreated) << followed.actual.text;
}

// It has no part in the anomaly and does not do what it did, but it is the one who wakes the thread that has.
TEST(EventFollowerTest, AThreadThatStrayedMayWakeTheNext_race) {
  const auto program = [](Actor& main) {
    const ThreadIndex first = main.start([](Actor& t) {
      t.write(kY, 9);
      t.lock(kLock);
      t.notify(kLock);
      t.unlock(kLock);
    });
    const ThreadIndex second = main.start([](Actor& t) { t.write(kX, 2); });
    main.lock(kLock);
    main.wait(kLock);
    main.write(kX, 1);
    main.unlock(kLock);
    main.join(first);
    main.join(second);
  };
  ScriptBuilder builder;
  builder.event(0, EventKind::kAcquire, 0).event(0, EventKind::kWaitBegin, 0).event(1, EventKind::kWrite, 8);
  builder.event(1, EventKind::kAcquire, 0).event(1, EventKind::kNotify, 0).wakes(0).event(1, EventKind::kRelease, 0);
  builder.event(0, EventKind::kWaitEnd, 0).step(0, EventKind::kWrite, 1).step(2, EventKind::kWrite, 2);
  const Followed followed = follow(builder.script, program).followed;
  EXPECT_EQ(followed.result, Result::kCreated) << followed.actual.text;
}

TEST(EventFollowerTest, WakesTheWaiterOfTheScript_race) {
  const auto waiter = [](Actor& t) {
    t.lock(kLock);
    t.wait(kLock);
    t.write(kX, 5);
    t.unlock(kLock);
  };
  const auto program = [&](Actor& main) {
    const ThreadIndex first = main.start(waiter);
    const ThreadIndex second = main.start(waiter);
    main.lock(kLock);
    main.notify(kLock);
    main.unlock(kLock);
    main.write(kY, 6);
    main.lock(kLock);
    main.notify(kLock);
    main.unlock(kLock);
    main.join(first);
    main.join(second);
  };
  for (const std::uint32_t woken : {1u, 2u}) {
    ScriptBuilder builder;
    for (const std::uint32_t thread : {1u, 2u}) {
      builder.event(thread, EventKind::kAcquire, 0).event(thread, EventKind::kWaitBegin, 0);
    }
    builder.event(0, EventKind::kAcquire, 0).event(0, EventKind::kNotify, 0).wakes(woken);
    builder.event(0, EventKind::kRelease, 0).event(woken, EventKind::kWaitEnd, 0);
    builder.step(woken, EventKind::kWrite, 5).step(0, EventKind::kWrite, 6, 1);
    EXPECT_EQ(follow(builder.script, program).followed.result, Result::kCreated) << woken;
  }
}

TEST(EventFollowerTest, SleepersAreWaitedForInVirtualTime_race) {
  const auto program = two(
      [](Actor& t) {
        t.sleep(1'000'000'000);
        t.write(kX, 1);
      },
      [](Actor& t) {
        t.sleep(2'000'000'000);
        t.write(kX, 2);
      });
  ScriptBuilder builder;
  builder.step(2, EventKind::kWrite, 2).step(1, EventKind::kWrite, 1);
  EXPECT_EQ(follow(builder.script, program).followed.result, Result::kCreated);
  EXPECT_EQ(follow(builder.adjacent(), program).followed.result, Result::kCreated);
}

// One run, one log: what was created can be replayed.
TEST(EventFollowerTest, ACreatedAnomalyIsReplayed_race) {
  const auto program = two(
      [](Actor& t) {
        t.write(kX, 1);
        t.write(kY, 2);
      },
      [](Actor& t) {
        t.write(kX, 3);
        t.write(kY, 4);
      });
  ScriptBuilder builder;
  builder.step(1, EventKind::kWrite, 1).step(2, EventKind::kWrite, 3).step(2, EventKind::kWrite, 4, 1);
  builder.step(1, EventKind::kWrite, 2, 1);
  const Outcome outcome = follow(builder.script, program);
  ASSERT_EQ(outcome.followed.result, Result::kCreated);
  Replay replay(outcome.log);
  EXPECT_EQ(log_of(replay, program), outcome.log);
  EXPECT_FALSE(replay.divergence());
}

TEST(EventScriptTest, IsTheSameAfterItsText) {
  ScriptBuilder builder;
  builder.event(0, EventKind::kNotify, 1).wakes(2).event(1, EventKind::kWrite, 0).event(1, EventKind::kAcquire, 2);
  builder.step(1, EventKind::kWrite, 2).step(2, EventKind::kRead, 1);
  const std::string text = to_text(builder.adjacent(), {"a/B.m()V@1", "java/C.n(I)V@2"});
  std::vector<std::string> asked;
  auto parsed = parse_event_script(text, [&](std::string_view name) {
    asked.emplace_back(name);
    return SiteId{static_cast<std::uint32_t>(asked.size())};
  });
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(to_text(parsed.value(), asked), text);
  EXPECT_EQ(asked, (std::vector<std::string>{"a/B.m()V@1", "java/C.n(I)V@2"}));
}

TEST(EventScriptTest, AnyTextGivesAScriptOrALine) {
  const auto number = [](std::string_view) { return SiteId{1}; };
  const auto error_of = [&](std::string_view text) {
    auto parsed = parse_event_script(text, number);
    return parsed.ok() ? std::string() : parsed.error().message;
  };
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("deadheat-events 2\nend\n"), "");
  EXPECT_NE(error_of("deadheat-events 1\nend\n"), "");
  const std::string good = "deadheat-events 1\nthread 0\nthread 0.1\nsite a\nevent 0 1 1 - 0\nstep 0 0\nend\n";
  EXPECT_EQ(error_of(good), "");
  for (const char* bad :
       {"event 2 1 1 - 0", "event 0 99 1 - 0", "event 0 1 2 - 0", "event 0 1 1 7 0", "event 0 1 1 - 2", "event 0 1 1 -",
        "event 0 1 1 - 0 0", "step 1 0", "step 0", "nonsense", "thread", "site"}) {
    std::string text = good;
    text.insert(text.find("step"), std::string(bad) + "\n");
    EXPECT_NE(error_of(text).find("line 6"), std::string::npos) << bad;
  }
  for (std::size_t length = 0; length < good.size() - 1; ++length) {
    EXPECT_NE(error_of(good.substr(0, length)), "") << length;
  }
}

}  // namespace
}  // namespace deadheat::schedule
