// SPDX-License-Identifier: Apache-2.0
//
// The text reader and writer.
#include <gtest/gtest.h>

#include "tests/unit/trace/rules_oracle.h"
#include "trace/load.h"
#include "trace/operation.h"
#include "trace/text_reader.h"
#include "trace/text_writer.h"

namespace deadheat::trace {
namespace {

using model::EventKind;

const std::string kByteOrderMark = "\xef\xbb\xbf";

// "line:column: message" of each problem, a line each.
std::string problems_of(std::string_view text) {
  std::string result;
  const Loaded loaded = load_bytes(text);
  for (const Problem& problem : loaded.problems.kept()) {
    result += std::to_string(problem.line) + ":" + std::to_string(problem.column) + ": " + problem.message + "\n";
  }
  return result;
}

TEST(TextReader, ReadsThePublicDialect) {
  const Loaded loaded = load_bytes("T0|fork(T1)|1\nT1|acq(L1)|12\nT1|w(V)|Account.java:3\nT1|begin|4\nT1|end(x)|5");
  EXPECT_TRUE(loaded.problems.none());
  const std::vector<model::Event>& events = loaded.trace.events;
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[0].kind, EventKind::kFork);
  EXPECT_EQ(loaded.trace.threads.text(events[0].object), "T1");
  EXPECT_EQ(loaded.trace.threads.text(model::to_number(events[0].thread)), "T0");
  EXPECT_EQ(events[1].kind, EventKind::kAcquire);
  EXPECT_EQ(loaded.trace.syncs.text(events[1].object), "L1");
  EXPECT_EQ(loaded.trace.sites.text(model::to_number(events[1].site)), "12");
  EXPECT_EQ(events[2].kind, EventKind::kWrite);
  EXPECT_EQ(loaded.trace.variables.text(events[2].object), "V");
  EXPECT_EQ(loaded.trace.sites.text(model::to_number(events[2].site)), "Account.java:3");
  EXPECT_EQ(events[3].kind, EventKind::kRegionEnter);
  EXPECT_EQ(events[3].object, 0u);
  EXPECT_EQ(loaded.trace.regions.text(events[4].object), "x");
}

TEST(TextReader, KeepsThreadsLocksAndVariablesApart) {
  const Loaded loaded = load_bytes("a|acq(a)|a\na|r(a)|a\na|fork(b)|b\n");
  EXPECT_EQ(loaded.trace.threads.size(), 2u);
  EXPECT_EQ(loaded.trace.variables.size(), 1u);
  EXPECT_EQ(loaded.trace.syncs.size(), 1u);
  EXPECT_EQ(loaded.trace.sites.size(), 2u);
}

TEST(TextReader, TakesNamesWithBracketsAndLinesThatEndLikeWindows) {
  const std::string text = "T(0)|w(a.b[3].(c))|f():1\n";
  EXPECT_EQ(text_of(load_bytes(text).trace), text);
  EXPECT_EQ(text_of(load_bytes("A|r(x)|1\r\nA|w(x)|2\r\n\r\n\n").trace), "A|r(x)|1\nA|w(x)|2\n");
}

TEST(TextReader, AByteOrderMarkIsNoPartOfTheFirstName) {
  const std::string text = "A|r(x)|1\nA|w(x)|2\n";
  EXPECT_EQ(text_of(load_bytes(kByteOrderMark + text).trace), text);
  EXPECT_EQ(load_bytes(kByteOrderMark + text).trace.threads.size(), 1u);
  EXPECT_EQ(problems_of(kByteOrderMark + "A\n"), "1:2: expected '|' behind the thread's name, but the line ends\n");
  // Elsewhere it is a character like others.
  EXPECT_EQ(load_bytes(text + kByteOrderMark + text).trace.threads.size(), 2u);
}

TEST(TextReader, NamesLineColumnAndWhatWasExpected) {
  EXPECT_EQ(problems_of("A|r(x)|1\n|r(x)|2\n"), "2:1: expected a thread's name, not '|'\n");
  EXPECT_EQ(problems_of("A\n"), "1:2: expected '|' behind the thread's name, but the line ends\n");
  EXPECT_EQ(problems_of("A b|r(x)|1\n"), "1:2: expected '|' behind the thread's name, not a space: names have none\n");
  EXPECT_EQ(problems_of("A||1\n"), "1:3: expected an operation, not '|'\n");
  EXPECT_EQ(problems_of("A|r|1\n"), "1:4: expected (a variable's name) behind 'r'\n");
  EXPECT_EQ(problems_of("A|r()|1\n"), "1:5: expected a variable's name\n");
  EXPECT_EQ(problems_of("A|acq()|1\n"), "1:7: expected a lock's name\n");
  EXPECT_EQ(problems_of("A|r(x|1\n"), "1:6: expected ')' before the second '|'\n");
  EXPECT_EQ(problems_of("A|r(x)y|1\n"), "1:8: expected ')' before the second '|'\n");
  EXPECT_EQ(problems_of("A|r(x)\n"), "1:7: expected '|' and a location behind the operation, but the line ends\n");
  EXPECT_EQ(problems_of("A|r(x)|\n"), "1:8: expected a location, but the line ends\n");
  EXPECT_EQ(problems_of("A|r(x)|1|2\n"), "1:9: expected the end of the line behind the location, not '|'\n");
  EXPECT_EQ(problems_of("A|r(x)|1 \n"),
            "1:9: expected the end of the line behind the location, not a space: names have none\n");
  EXPECT_EQ(problems_of("A|start(x)|1\n"), "1:8: 'start' takes no object; expected '|' and a location\n");
  EXPECT_EQ(problems_of("A|notify(,B)|1\n"), "1:10: expected the name of the monitor before ','\n");
  EXPECT_EQ(problems_of("\nA|r(x)|1\n"),
            "1:0: the line is empty; expected an event: thread|operation(object)|location\n");
  const std::string unknown = problems_of("A|R(x)|1\n");
  EXPECT_TRUE(unknown.starts_with("1:3: 'R' is no operation; expected one of r, w, acq, rel, fork, join, begin, end ("))
      << unknown;
}

TEST(TextReader, ALineItCannotReadMakesNoEvent) {
  const Loaded loaded = load_bytes("A|r(x)|1\nA|nonsense(x)|2\nA|w(x)|3\n");
  EXPECT_EQ(loaded.problems.count(), 1u);
  EXPECT_EQ(text_of(loaded.trace), "A|r(x)|1\nA|w(x)|3\n");
}

TEST(TextReader, RefusesEndlessLinesAndCompressedFiles) {
  EXPECT_EQ(problems_of(std::string((1 << 20) + 1, 'x') + "\nA|r(x)|1\n"),
            "1:0: the line is longer than a mebibyte; is this a trace?\n");
  EXPECT_TRUE(problems_of(std::string("\x1f\x8b\x08\x00", 4)).starts_with("0:0: the file is compressed by gzip"));
}

TEST(TextReader, KeepsTheFirstProblemsAndCountsTheRest) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "nothing\n";
  const Loaded loaded = load_bytes(text);
  EXPECT_EQ(loaded.problems.count(), 100u);
  EXPECT_EQ(loaded.problems.kept().size(), 20u);
}

TEST(TextReader, GivesTheSameWhateverTheBlocks) {
  Random random(7);
  const std::string text = kByteOrderMark + text_of(random_trace(random, {})) + "A|bad|1\n\nB|r(x)|2\n";
  const Loaded whole = load_bytes(text);
  for (std::size_t block = 1; block < 40; ++block) {
    Trace trace;
    Problems problems;
    TextReader reader(trace, problems, text.size());
    for (std::size_t at = 0; at < text.size(); at += block) reader.feed(std::string_view(text).substr(at, block));
    reader.finish();
    ASSERT_EQ(text_of(trace), text_of(whole.trace)) << "blocks of " << block;
    ASSERT_EQ(problems.count(), whole.problems.count());
  }
}

TEST(TextWriter, WritesBackWhatWasRead) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const std::string text = text_of(random_trace(random, {}));
    const Loaded loaded = load_bytes(text);
    ASSERT_TRUE(loaded.problems.none());
    ASSERT_EQ(text_of(loaded.trace), text) << "seed " << seed;
  }
}

TEST(TextWriter, WritesEveryOperationAsItIsRead) {
  for (const Operation& operation : operations()) {
    std::string line = "T|" + std::string(operation.name);
    if (operation.object != ObjectOf::kNothing) line += operation.kind == EventKind::kNotify ? "(x,)" : "(x)";
    line += "|1\n";
    const Loaded loaded = load_bytes(line);
    EXPECT_TRUE(loaded.problems.none()) << line;
    EXPECT_EQ(text_of(loaded.trace), line);
    EXPECT_EQ(loaded.trace.events.at(0).kind, operation.kind);
  }
}

TEST(TextWriter, NeverGivesTwoThingsOneName) {
  Trace trace;
  for (const char* name : {"a b", "a%20b", "a|b", "a\nb", "x,y"}) {
    model::Event event{EventKind::kRead, model::AccessMode::kVolatile, model::ThreadId{trace.threads.number(name)}};
    event.object = trace.variables.number(name);
    event.site = model::SiteId{trace.sites.number("1")};
    trace.events.push_back(event);
  }
  EXPECT_EQ(text_of(trace),
            "a%20b_|r(a%20b_)|1\na%20b|r(a%20b)|1\na%7cb|r(a%7cb)|1\na%0ab|r(a%0ab)|1\nx%2cy|r(x,y)|1\n");
  const Loaded again = load_bytes(text_of(trace));
  EXPECT_TRUE(again.problems.none());
  EXPECT_EQ(again.trace.threads.size(), 5u);
  EXPECT_EQ(again.trace.variables.size(), 5u);
}

}  // namespace
}  // namespace deadheat::trace
