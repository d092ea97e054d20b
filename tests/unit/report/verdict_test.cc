// SPDX-License-Identifier: Apache-2.0
#include "report/verdict.h"

#include <gtest/gtest.h>

#include "report/verdict_text.h"

namespace deadheat::report {
namespace {

Execution run(bool met, int exit_status = 0, const std::string& order = "coin") {
  Execution execution;
  execution.seed = 3;
  execution.order = order;
  execution.exit_status = exit_status;
  execution.under_control = true;
  execution.records.outcome.emplace();
  if (met) {
    Meeting meeting;
    meeting.accesses.resize(2);
    execution.records.meetings = {meeting};
  }
  return execution;
}

Execution throwing(const std::string& exception, std::size_t meetings_before, const std::string& order = "coin") {
  Execution execution = run(true, 0, order);
  Uncaught uncaught;
  uncaught.exception = exception;
  uncaught.stack = {{"a.B", "c", "B.java", 7}};
  uncaught.meetings_before = meetings_before;
  execution.records.uncaught = {uncaught};
  return execution;
}

VerdictKind kind_of(const Execution& execution, const Execution& control = run(false),
                    const Expectation& expectation = {}, const Orders& orders = {}) {
  return judge("R1", {execution}, orders, control, expectation).kind;
}

TEST(Verdict, OnlyAMeetingMakesARaceReal) {
  EXPECT_EQ(kind_of(run(false)), VerdictKind::kNotConfirmed);
  EXPECT_EQ(kind_of(run(true)), VerdictKind::kReal);
  EXPECT_EQ(kind_of(run(false, 1)), VerdictKind::kNotConfirmed) << "a bad end without a meeting says nothing";
}

TEST(Verdict, HarmComesAfterTheMeeting) {
  EXPECT_EQ(kind_of(throwing("X", 1)), VerdictKind::kHarmful);
  EXPECT_EQ(kind_of(throwing("X", 0)), VerdictKind::kReal);
}

TEST(Verdict, WhatMayFollowFromAFailureBeforeTheMeetingIsNoHarm) {
  Execution failed = throwing("X", 0);
  failed.exit_status = 1;
  EXPECT_EQ(kind_of(failed), VerdictKind::kReal) << "the status is that of the exception";
  EXPECT_EQ(kind_of(failed, throwing("X", 0)), VerdictKind::kHarmful) << "the control dies of it too, with status 0";
  failed.records.deadlocks.resize(1);
  failed.records.deadlocks[0].meetings_before = 1;
  const Verdict verdict = judge("R1", {failed}, {}, run(false), {});
  EXPECT_EQ(verdict.kind, VerdictKind::kReal) << "whoever waits for the dead thread waits for ever";
  ASSERT_EQ(verdict.other_exceptions.size(), 1u);
  EXPECT_EQ(verdict.other_exceptions[0].what, "uncaught X in a.B.c (B.java:7), before the two met");
  failed.records.deadlocks[0].cycle = {"0.1", "0.2"};
  EXPECT_EQ(kind_of(failed), VerdictKind::kHarmful) << "a cycle needs nobody who is dead";
}

TEST(Verdict, ExceptionsThatAreNoHarmAreShown) {
  const Verdict verdict = judge("R1", {throwing("X", 1)}, {}, throwing("X", 0), {});
  ASSERT_EQ(verdict.other_exceptions.size(), 1u);
  SourceLines sources({});
  EXPECT_NE(verdict_text(verdict, {}, sources)
                .find("Seen too, no harm of this race: uncaught X in a.B.c (B.java:7), which comes without a meeting"),
            std::string::npos);
}

TEST(Verdict, TellsWhichAccessWentFirst) {
  Execution bad = throwing("X", 1, "2");
  bad.records.meetings[0].accesses[1].write = true;
  bad.records.meetings[0].accesses[1].stack = {{"a.B", "d", "B.java", 9}};
  bad.records.meetings[0].first = 1;
  const Verdict verdict = judge("R1", {run(true)}, Orders(std::pair(run(true), bad)), run(false), {});
  SourceLines sources({});
  const std::string text = verdict_text(verdict, {}, sources);
  EXPECT_NE(text.find("(seed 3; the write in a.B.d (B.java:9) went first)"), std::string::npos) << text;
}

TEST(Verdict, TellsTheTimeLimitAndAnInterruption) {
  Execution late = run(true);
  late.timed_out = true;
  Verdict verdict = judge("R1", {late, run(true)}, Orders(std::pair(late, run(true))), run(false), {});
  EXPECT_EQ(verdict_line(verdict),
            "real (met in 2 of 2 tries, seed 3); 2 executions ran into the time limit (--time-limit)");
  verdict.timed_out = 0;
  verdict.interrupted = true;
  EXPECT_EQ(verdict_line(verdict), "real (met in 2 of 2 tries, seed 3, then interrupted)");
  SourceLines sources({});
  EXPECT_NE(verdict_text(verdict, {}, sources).find("Interrupted after 2 tries"), std::string::npos);
}

TEST(Verdict, WhatTheControlDoesTooIsNoHarm) {
  EXPECT_EQ(kind_of(throwing("X", 1), throwing("X", 0)), VerdictKind::kReal);
  EXPECT_EQ(kind_of(throwing("X", 1), throwing("Y", 0)), VerdictKind::kHarmful);
  EXPECT_EQ(kind_of(run(true, 1), run(false, 1)), VerdictKind::kReal);
  EXPECT_EQ(kind_of(run(true, 1), run(false, 0)), VerdictKind::kHarmful);
}

// The control runs one of the two orders by itself, perhaps the bad one.
TEST(Verdict, WhatTheOrderDecidesIsHarmEvenIfTheControlDoesItToo) {
  const Orders differ(std::pair(throwing("X", 1, "1"), run(true, 0, "2")));
  const Verdict verdict = judge("R1", {run(true), throwing("X", 1)}, differ, throwing("X", 0), {});
  EXPECT_EQ(verdict.kind, VerdictKind::kHarmful);
  EXPECT_EQ(verdict.harmful_tries, 1u);
  ASSERT_EQ(verdict.harms.size(), 1u) << "each harm once";
  EXPECT_EQ(verdict.harms[0].what, "uncaught X in a.B.c (B.java:7)");
  EXPECT_EQ(verdict.orders, OrdersCompared::kDifferent);
  const Orders same(std::pair(throwing("X", 1, "1"), throwing("X", 1, "2")));
  EXPECT_EQ(kind_of(run(true), throwing("X", 0), {}, same), VerdictKind::kReal);
}

TEST(Verdict, TheUsersExpectationOutranksZero) {
  EXPECT_EQ(kind_of(run(true, 7), run(false, 7), {7}), VerdictKind::kReal);
  EXPECT_EQ(kind_of(run(true, 0), run(false, 7), {7}), VerdictKind::kHarmful);
}

TEST(Verdict, TheTimeLimitIsNoHarm) {
  Execution late = run(true, 3);
  late.timed_out = true;
  EXPECT_EQ(kind_of(late), VerdictKind::kReal);
}

TEST(Verdict, DeadlockAndCrashAreHarm) {
  Execution stuck = run(true, 66);
  stuck.records.deadlocks.resize(1);
  stuck.records.deadlocks[0].cycle = {"0.1", "0.2"};
  stuck.records.deadlocks[0].meetings_before = 1;
  Verdict verdict = judge("R1", {stuck}, {}, run(false), {});
  ASSERT_EQ(verdict.harms.size(), 1u) << "the exit status of a deadlock is the scheduler's own";
  EXPECT_EQ(verdict.harms[0].what, "deadlock: a cycle of 2 threads");
  Execution crashed = run(true, 134);
  crashed.signal = 6;
  verdict = judge("R1", {crashed}, {}, run(false), {});
  ASSERT_EQ(verdict.harms.size(), 1u);
  EXPECT_EQ(verdict.harms[0].kind, HarmKind::kCrash);
}

TEST(Verdict, OutputThatFailsIsHarm) {
  Execution bad = run(true);
  bad.matched = "ERROR 7";
  EXPECT_EQ(kind_of(bad), VerdictKind::kHarmful);
}

TEST(Verdict, ComparesTheOrders) {
  const auto compared = [](Execution first, Execution second) {
    return judge("R1", {run(true)}, Orders(std::pair(std::move(first), std::move(second))), run(false), {}).orders;
  };
  EXPECT_EQ(compared(run(true), run(true)), OrdersCompared::kNoDifferenceSeen);
  EXPECT_EQ(compared(run(true), run(false)), OrdersCompared::kIncomplete);
  Execution other = run(true);
  other.output_hash = 1;
  EXPECT_EQ(compared(run(true), other), OrdersCompared::kDifferent);
  EXPECT_EQ(judge("R1", {run(true)}, {}, run(false), {}).orders, OrdersCompared::kNotTried);
}

// Both threads have read before either writes: an update is lost in both orders, and only the control shows it.
TEST(Verdict, ComparesWithTheControl) {
  const auto printing = [](bool meets, const std::string& text) {
    Execution execution = run(meets);
    execution.output_head = text;
    execution.output_hash = std::hash<std::string>{}(text);
    return execution;
  };
  const auto judged = [&](const std::string& control, const std::string& first, const std::string& second) {
    return judge("R1", {printing(true, first)}, Orders(std::pair(printing(true, first), printing(true, second))),
                 printing(false, control), {});
  };
  const Verdict lost = judged("begin\nsum 2\n", "begin\nsum 1\n", "begin\nsum 1\n");
  EXPECT_EQ(lost.kind, VerdictKind::kReal);
  EXPECT_EQ(lost.orders, OrdersCompared::kNoDifferenceSeen);
  EXPECT_EQ(lost.unlike_control, "'sum 2' / 'sum 1' in the output");
  EXPECT_EQ(verdict_from_json(verdict_to_json(lost)).unlike_control, lost.unlike_control);

  const Verdict same = judged("a\n", "a\n", "a\n");
  EXPECT_EQ(same.unlike_control, "");
  const Verdict decided = judged("a\n", "a\n", "a\nb\n");
  EXPECT_EQ(decided.unlike_control, "");
  EXPECT_EQ(decided.differences, std::vector<std::string>{"no such line / 'b' in the output"});

  EXPECT_TRUE(tells_more(lost, same));
  EXPECT_TRUE(tells_more(decided, same));
  EXPECT_FALSE(tells_more(same, lost));
  EXPECT_FALSE(tells_more(lost, decided));
}

TEST(Verdict, SaysWhatGotInTheWay) {
  Execution gone = run(false);
  gone.records.outcome->sites = {{"a/B.c()V@1", false, false}, {"a/B.d()V@2", true, false}};
  gone.timed_out = true;
  const Verdict verdict = judge("R1", {gone, gone}, {}, run(false), {});
  ASSERT_EQ(verdict.obstacles.size(), 2u);
  EXPECT_EQ(verdict.obstacles[0].rfind("no such site was rewritten: a/B.c()V@1", 0), 0u) << verdict.obstacles[0];
  EXPECT_EQ(verdict.obstacles[1], "no thread came to a/B.d()V@2");
  EXPECT_EQ(verdict.timed_out, 2u);
  EXPECT_EQ(judge("R1", {[] {
                    Execution failed = throwing("X", 0);
                    failed.records.meetings.clear();
                    return failed;
                  }()},
                  {}, run(false), {})
                .obstacles,
            std::vector<std::string>{"in 1 tries the program failed without them: uncaught X in a.B.c (B.java:7)"});
}

TEST(Verdict, SaysWhyNobodyWasHeld) {
  Execution passed = run(false);
  std::vector<WantedSite>& sites = passed.records.outcome->sites;
  sites = {{"a/B.<clinit>()V@1", true, false}, {"a/B.run()V@2", true, false}};
  sites[0].unheld = true;
  sites[1].outside = "Cleaner-0";
  const Verdict verdict = judge("R1", {passed}, {}, run(false), {});
  ASSERT_EQ(verdict.obstacles.size(), 2u);
  EXPECT_EQ(verdict.obstacles[0],
            "a/B.<clinit>()V@1 is run by a class initialiser, or while a class is loaded, where no thread is held");
  EXPECT_EQ(verdict.obstacles[1], "a thread outside control came to a/B.run()V@2: \"Cleaner-0\"");
}

TEST(Verdict, TheCycleOfADeadlockIsToldBeforeTheOthers) {
  Deadlock deadlock;
  deadlock.cycle = {"0.1", "0.2"};
  const auto add = [&](const char* number, const char* name, const char* awaits, const char* lock, const char* holder) {
    BlockedThread& blocked = deadlock.threads.emplace_back();
    blocked.scheduled_name = number;
    blocked.thread.name = name;
    blocked.awaits = awaits;
    blocked.lock = lock;
    blocked.holder = holder;
  };
  add("0", "main", "end", "", "t1");
  add("0.1", "t1", "lock", "Lock@1", "t2");
  add("0.2", "t2", "monitor", "A@1", "t1");
  const std::vector<std::string> lines = blocked_lines(deadlock);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "thread \"t1\" waits for the lock Lock@1, held by thread \"t2\"");
  EXPECT_EQ(lines[1], "thread \"t2\" waits to enter the monitor of A@1, held by thread \"t1\"");
  EXPECT_EQ(lines[2], "also waiting: thread \"main\" waits for thread \"t1\" to end");
}

TEST(Verdict, JsonAndBack) {
  const Orders orders(std::pair(throwing("X", 1, "1"), run(true, 0, "2")));
  Verdict verdict = judge("R1", {throwing("X", 1)}, orders, run(false), {});
  verdict.clip = "clips/R1.clip";
  verdict.pairs = {{"a/B.c()V@1", "a/B.d()V@2", VerdictKind::kReal, 1, 1},
                   {"a/B.c()V@5", "a/B.d()V@2", VerdictKind::kHarmful, 2, 1}};
  verdict.pairs_left = 3;
  verdict.other_exceptions = verdict.harms;
  verdict.went_first = {"the read", "the write"};
  verdict.timed_out = 4;
  verdict.search = {3, 17, "no room"};
  verdict.interrupted = true;
  const nlohmann::json json = verdict_to_json(verdict);
  EXPECT_EQ(verdict_to_json(verdict_from_json(json)), json);
  EXPECT_EQ(verdict_from_json(json).kind, VerdictKind::kHarmful);
  EXPECT_EQ(verdict_from_json("nonsense").kind, VerdictKind::kNotConfirmed);
}

TEST(Verdict, TextTellsThePairsOfTheLines) {
  Verdict verdict = judge("R1", {run(true)}, {}, run(false), {});
  SourceLines sources({});
  EXPECT_EQ(verdict_text(verdict, {}, sources).find("instructions"), std::string::npos) << "one pair is no news";
  verdict.pairs = {{"a/B.c()V@1", "a/B.d()V@2", VerdictKind::kReal, 1, 1},
                   {"a/B.c()V@5", "a/B.d()V@2", VerdictKind::kNotConfirmed, 3, 0}};
  verdict.pairs_left = 2;
  const std::string text = verdict_text(verdict, {}, sources);
  EXPECT_NE(text.find("instructions 5 and 2: not confirmed (met in 0 of 3 tries)"), std::string::npos) << text;
  EXPECT_NE(text.find("2 more were not tried"), std::string::npos) << text;
}

TEST(Verdict, TextNeverSaysSafe) {
  Race race;
  race.id = "R1";
  SourceLines sources({});
  for (const bool met : {false, true}) {
    const Orders orders(std::pair(run(met), run(met)));
    const std::string text = verdict_text(judge("R1", {run(met)}, orders, run(false), {}), race, sources);
    EXPECT_EQ(text.find("safe"), std::string::npos);
    EXPECT_NE(text.find(met ? "no difference seen" : "does not say that the race cannot happen"), std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace deadheat::report
