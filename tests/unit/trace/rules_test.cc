// SPDX-License-Identifier: Apache-2.0
#include "trace/rules.h"

#include <gtest/gtest.h>

#include "tests/unit/trace/rules_oracle.h"
#include "trace/load.h"
#include "trace/text_writer.h"

namespace deadheat::trace {
namespace {

// "line: message" of each problem, a line each.
std::string problems_of(const char* text) {
  const Loaded loaded = load_bytes(text);
  EXPECT_TRUE(loaded.problems.none());
  Problems problems;
  check_rules(loaded.trace, problems);
  std::string result;
  for (const Problem& problem : problems.kept()) result += std::to_string(problem.line) + ": " + problem.message + "\n";
  return result;
}

TEST(Rules, AreKeptByAnOrdinaryTrace) {
  EXPECT_EQ(problems_of("M|start|1\nM|fork(T)|1\nT|start|1\nT|acq(l)|2\nT|wait(l)|3\nM|acq(l)|4\nM|notify(l,T)|5\n"
                        "M|rel(l)|6\nT|wake(l)|3\nT|rel(l)|7\nT|exit|8\nM|join(T)|9\nM|join(T)|9\n"),
            "");
}

TEST(Rules, OfLocks) {
  EXPECT_EQ(problems_of("A|rel(l)|1\n"), "1: rel(l) by A, but A does not hold l\n");
  EXPECT_EQ(problems_of("A|acq(l)|1\nB|acq(l)|2\n"), "2: acq(l) by B, but A holds l (event 1)\n");
  EXPECT_EQ(problems_of("A|acq(l)|1\nB|rel(l)|2\nA|rel(l)|3\n"),
            "2: rel(l) by B, but B does not hold l; A does (event 1)\n");
  EXPECT_EQ(
      problems_of("A|acq(l)|1\nA|acq(l)|2\nA|rel(l)|3\n"),
      "2: acq(l) by A, but A holds l already (event 1); only the outermost of nested acquires belongs in a trace\n");
}

TEST(Rules, OfReadWriteLocks) {
  EXPECT_EQ(problems_of("A|acqr(l)|1\nB|acqr(l)|2\nA|relr(l)|3\nB|relr(l)|4\nA|acq(l)|5\nA|acqr(l)|6\nA|rel(l)|7\n"
                        "B|acqr(l)|8\n"),
            "");
  EXPECT_EQ(problems_of("A|acqr(l)|1\nB|acq(l)|2\n"), "2: acq(l) by B, but A holds l (event 1)\n");
  EXPECT_EQ(problems_of("A|acq(l)|1\nB|acqr(l)|2\n"), "2: acqr(l) by B, but A holds l (event 1)\n");
  EXPECT_EQ(problems_of("A|acqr(l)|1\nA|rel(l)|2\n"), "2: rel(l) by A, but A does not hold l\n");
  EXPECT_EQ(problems_of("A|relr(l)|1\n"), "1: relr(l) by A, but A does not hold l for reading\n");
}

TEST(Rules, OfThreads) {
  EXPECT_EQ(problems_of("B|r(x)|1\nA|fork(B)|2\n"), "2: fork(B) by A, but B has run since (event 1)\n");
  EXPECT_EQ(problems_of("A|fork(B)|1\nC|fork(B)|2\n"), "2: fork(B) by C, but B was forked before (event 1)\n");
  EXPECT_EQ(problems_of("A|fork(A)|1\n"), "1: fork(A) by A, but A forks itself\n");
  EXPECT_EQ(problems_of("A|join(A)|1\n"), "1: join(A) by A, but A joins itself\n");
  EXPECT_EQ(problems_of("A|join(B)|1\n"), "1: join(B) by A, but B has neither been forked nor had an event\n");
  EXPECT_EQ(problems_of("A|fork(B)|1\nA|join(B)|2\nB|r(x)|3\nB|r(x)|4\n"),
            "3: r(x) by B, but B has ended, as it was joined (event 2)\n"
            "4: r(x) by B, but B has ended, as it was joined (event 2)\n");
  EXPECT_EQ(problems_of("B|start|1\nA|join(B)|2\n"), "2: join(B) by A, but B has not ended\n");
  EXPECT_EQ(problems_of("B|exit|1\nB|r(x)|2\n"), "2: r(x) by B, but B has ended (event 1)\n");
  EXPECT_EQ(problems_of("B|r(x)|1\nB|start|2\n"), "2: start by B, but B has run since (event 1)\n");
}

TEST(Rules, OfWaiting) {
  EXPECT_EQ(problems_of("A|wait(l)|1\n"), "1: wait(l) by A, but A does not hold l\n");
  EXPECT_EQ(problems_of("A|acq(l)|1\nA|wait(l)|1\nA|r(x)|2\n"),
            "3: r(x) by A, but A waits on l (event 2) and has not woken up\n");
  EXPECT_EQ(problems_of("A|acq(l)|1\nA|wait(l)|1\nB|acq(l)|2\nA|wake(l)|1\n"),
            "4: wake(l) by A, but B holds l (event 3)\n");
  EXPECT_EQ(problems_of("A|wake(l)|1\n"), "1: wake(l) by A, but A does not wait on l\n");
  EXPECT_EQ(problems_of("A|notify(l,)|1\n"), "1: notify(l) by A, but A does not hold l\n");
  EXPECT_EQ(problems_of("A|acq(l)|1\nA|notify(l,B)|1\n"), "2: notify(l) by A, but B does not wait on l\n");
  EXPECT_EQ(problems_of("A|park(p)|1\nB|unpark(p)|1\nB|park(p)|2\n"),
            "3: park(p) by B, but p is the permit of A, which parked (event 1)\n");
}

TEST(Rules, OfNesting) {
  EXPECT_EQ(problems_of("A|begin|1\nA|begin(r)|1\nA|end|2\nA|end(q)|2\nA|begin|9\n"), "");
  EXPECT_EQ(problems_of("A|end|1\n"), "1: end by A, but A is in no atomic region\n");
  EXPECT_EQ(problems_of("A|begin(r)|1\nA|end(q)|1\n"),
            "2: end(q) by A, but the atomic region entered last is r (event 1)\n");
  EXPECT_EQ(problems_of("A|enter(m)|1\nA|exit|1\n"), "2: exit by A, but A has not left the method m (event 1)\n");
  EXPECT_EQ(problems_of("A|leave(m)|1\n"), "1: leave(m) by A, but A is in no method\n");
}

TEST(Rules, CountMoreProblemsThanTheyKeep) {
  const Loaded loaded = load_bytes("A|rel(l)|1\nA|rel(l)|1\nA|rel(l)|1\n");
  Problems problems(2);
  check_rules(loaded.trace, problems);
  EXPECT_EQ(problems.count(), 3u);
  EXPECT_EQ(problems.kept().size(), 2u);
}

std::vector<std::uint64_t> lines_by_oracle(const Trace& trace) {
  std::vector<std::uint64_t> lines;
  std::vector<model::Event> accepted;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    if (may_follow(accepted, trace.events[i])) {
      accepted.push_back(trace.events[i]);
    } else {
      lines.push_back(i + 1);
    }
  }
  return lines;
}

std::vector<std::uint64_t> lines_by_checker(const Trace& trace) {
  Problems problems(1000);
  check_rules(trace, problems);
  std::vector<std::uint64_t> lines;
  for (const Problem& problem : problems.kept()) lines.push_back(problem.line);
  return lines;
}

void break_somewhere(Random& random, const Shape& shape, Trace& trace) {
  std::vector<model::Event>& events = trace.events;
  const std::uint32_t at = random.below(static_cast<std::uint32_t>(events.size()));
  switch (random.below(4)) {
    case 0:
      events.erase(events.begin() + at);
      break;
    case 1:
      events.insert(events.begin() + at, random_event(random, shape));
      break;
    case 2:
      std::swap(events[at], events[random.below(static_cast<std::uint32_t>(events.size()))]);
      break;
    default:
      events[at].thread = model::ThreadId{1 + random.below(shape.threads)};
  }
}

TEST(Rules, AgreeWithTheirDefinitionOnRandomTracesWholeAndBroken) {
  std::uint64_t broken = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    Shape shape;
    shape.threads = 2 + random.below(3);
    shape.syncs = 1 + random.below(3);
    shape.only_public = random.one_in(4);
    Trace trace = random_trace(random, shape);
    ASSERT_EQ(lines_by_checker(trace), std::vector<std::uint64_t>{}) << "seed " << seed << "\n" << text_of(trace);
    for (std::uint32_t i = 1 + random.below(3); i > 0 && !trace.events.empty(); --i)
      break_somewhere(random, shape, trace);
    const std::vector<std::uint64_t> wanted = lines_by_oracle(trace);
    broken += wanted.empty() ? 0 : 1;
    ASSERT_EQ(lines_by_checker(trace), wanted) << "seed " << seed << "\n" << text_of(trace);
  }
  EXPECT_GT(broken, 1000u);
}

TEST(Rules, AgreeWithTheirDefinitionOnNonsense) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    const Shape shape{60, 3, 1, 2, 2, false};
    Trace trace = empty_trace(shape);
    for (int i = 0; i < 60; ++i) trace.events.push_back(random_event(random, shape));
    ASSERT_EQ(lines_by_checker(trace), lines_by_oracle(trace)) << "seed " << seed << "\n" << text_of(trace);
  }
}

}  // namespace
}  // namespace deadheat::trace
