// SPDX-License-Identifier: Apache-2.0
#include "report/records.h"

#include <gtest/gtest.h>

#include <fstream>
#include <tuple>

#include "report/summary.h"
#include "report/utf8.h"
#include "tests/unit/report/scratch_folder.h"

namespace deadheat::report {
namespace {

class Records : public testing::Test {
 protected:
  JvmRecords read(const std::string& text, const std::string& jvm = "jvm-77") {
    scratch_.write("run/" + jvm + "/records.jsonl", text);
    Result<JvmRecords> records = read_jvm_records(run() / jvm / "records.jsonl");
    EXPECT_TRUE(records.ok());
    return std::move(records).value();
  }
  std::filesystem::path run() const { return scratch_.path() / "run"; }

  ScratchFolder scratch_;
};

TEST_F(Records, EndedInOrder) {
  const JvmRecords jvm =
      read("{\"type\":\"start\",\"pid\":5,\"java\":\"17\"}\n{\"type\":\"end\",\"counters\":{\"n\":3}}\n");
  EXPECT_EQ(jvm.pid, 5);
  EXPECT_EQ(jvm.java, "17");
  EXPECT_TRUE(jvm.ended);
  EXPECT_FALSE(jvm.torn_tail);
  EXPECT_EQ(jvm.counters.at("n"), 3);
}

TEST_F(Records, EveryPrefixIsReadable) {
  const std::string whole =
      "{\"type\":\"race\",\"id\":\"R1\"}\n{\"type\":\"race\",\"id\":\"R2\"}\n{\"type\":\"end\"}\n";
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string prefix = whole.substr(0, length);
    const JvmRecords jvm = read(prefix);
    const bool at_line_end = prefix.empty() || prefix.back() == '\n' || prefix.back() == '}';
    EXPECT_EQ(jvm.torn_tail, !at_line_end) << prefix;
    EXPECT_EQ(jvm.bad_lines, 0u) << prefix;
    EXPECT_EQ(jvm.ended, length >= whole.size() - 1) << prefix;
    EXPECT_EQ(jvm.races.size(), length < 25 ? 0u : length < 51 ? 1u : 2u) << prefix;
  }
}

TEST_F(Records, BadLinesAreCounted) {
  const JvmRecords jvm =
      read("nonsense\n[]\n{\"type\":3}\n\n{\"type\":\"race\"}\n{\"type\":\"new thing\"}\n{\"a\":\"\xff\"}\n");
  EXPECT_EQ(jvm.bad_lines, 5u);
  EXPECT_EQ(jvm.pid, 77) << "from the folder's name";
}

TEST_F(Records, LaterRecordBringsTheCountUpToDate) {
  const JvmRecords jvm =
      read("{\"type\":\"race\",\"id\":\"R1\",\"count\":1}\n{\"type\":\"race\",\"id\":\"R1\",\"count\":9}\n");
  ASSERT_EQ(jvm.races.size(), 1u);
  EXPECT_EQ(jvm.races[0].count, 9u);
}

TEST_F(Records, CountsAndRulesOfTheEnd) {
  const JvmRecords jvm = read(
      "{\"type\":\"race\",\"id\":\"R1\"}\n{\"type\":\"race_counts\",\"counts\":{\"R1\":12,\"R2\":3}}\n"
      "{\"type\":\"end\",\"rules\":{\"read same epoch\":4}}\n");
  EXPECT_EQ(jvm.races.at(0).count, 12u);
  EXPECT_EQ(jvm.counters.at("rule read same epoch"), 4);
}

TEST_F(Records, PlacesOfARaceInTheJdk) {
  const JvmRecords jvm = read(
      "{\"type\":\"race\",\"id\":\"R1\",\"accesses\":[{\"stack\":[{\"class\":\"java.util.ArrayList\"},{\"class\":\"a."
      "B\","
      "\"method\":\"m\",\"line\":1}]}]}\n"
      "{\"type\":\"race_counts\",\"counts\":{\"R1\":2},\"places\":{\"R1\":[{\"class\":\"a.B\",\"method\":\"m\","
      "\"line\":1},"
      "{\"class\":\"a.C\",\"method\":\"n\",\"line\":2}]}}\n");
  const Race& race = jvm.races.at(0);
  EXPECT_EQ(race.places.size(), 2u);
  const std::vector<const Frame*> further = further_places(race);
  ASSERT_EQ(further.size(), 1u) << "the one on its stack is no other place";
  EXPECT_EQ(further[0]->class_name, "a.C");
  EXPECT_EQ(merge_races({jvm, jvm}).at(0).places, race.places);
}

TEST_F(Records, ContentOfTheTraceIsKnownAtItsEnd) {
  EXPECT_FALSE(read("{\"type\":\"start\",\"pid\":5}\n").schedule.trace);
  const JvmRecords jvm = read("{\"type\":\"trace\",\"events\":9,\"threads\":2,\"variables\":4,\"unnamed\":1}\n");
  ASSERT_TRUE(jvm.schedule.trace);
  const auto& [events, threads, variables, unnamed] = *jvm.schedule.trace;
  EXPECT_EQ(std::tuple(events, threads, variables, unnamed), std::tuple(9u, 2u, 4u, 1u));
  EXPECT_EQ(jvm.folder.filename(), "jvm-77");
}

TEST_F(Records, BytesThatAreNoUtf8DoNotLoseTheRecord) {
  const JvmRecords jvm = read("{\"type\":\"race\",\"id\":\"R1\",\"variable\":{\"class\":\"a\xed\xa0\x80\xff\"}}\n");
  ASSERT_EQ(jvm.races.size(), 1u);
  EXPECT_EQ(jvm.races[0].variable.class_name, "a\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(Utf8, ValidTextIsKept) {
  for (const std::string text : {"", "plain", "grün", "数据竞争", "🏁", "\u07ff\u0800\uffff\U00010000\U0010ffff"}) {
    EXPECT_EQ(valid_utf8(text), text);
  }
  EXPECT_EQ(valid_utf8("\xc0\x80"), "\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond Unicode";
  EXPECT_EQ(valid_utf8("a\xe6\x95"), "a\uFFFD\uFFFD") << "cut off";
}

TEST_F(Records, RunHasAllJvmsAndMergesTheirRaces) {
  read("{\"type\":\"race\",\"id\":\"R2\",\"count\":2}\n", "jvm-20");
  read("{\"type\":\"race\",\"id\":\"R1\"}\n{\"type\":\"race\",\"id\":\"R2\",\"count\":3}\n", "jvm-9");
  std::filesystem::create_directory(run() / "jvm-30");
  std::filesystem::create_directory(run() / "other");
  Result<std::vector<JvmRecords>> jvms = read_run(run());
  ASSERT_TRUE(jvms.ok());
  ASSERT_EQ(jvms.value().size(), 3u);
  EXPECT_EQ(jvms.value()[0].pid, 9);
  EXPECT_EQ(jvms.value()[2].pid, 30);
  EXPECT_FALSE(jvms.value()[2].ended);
  const std::vector<Race> races = merge_races(jvms.value());
  ASSERT_EQ(races.size(), 2u);
  EXPECT_EQ(races[0].id, "R1");
  EXPECT_EQ(races[1].count, 5u);
}

TEST_F(Records, MissingFileIsAnError) { EXPECT_FALSE(read_run(run()).ok()); }

TEST(Summary, WithCommas) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(-1234567), "-1,234,567");
}

TEST(Summary, NeverSilentAboutGaps) {
  RunReport report;
  report.jvms.resize(2);
  report.jvms[0].pid = 4;
  report.jvms[1].pid = 6;
  report.jvms[0].unwatched = {{"a.B", "m", "too long"}};
  report.jvms[0].counters["classes_watched"] = 1000;
  report.jvms[0].ended = true;
  EXPECT_EQ(summary_line(report, "runs/1"),
            "no races found in 2 JVMs, 1,000 classes watched (1 method skipped: see runs/1)");
  const auto lines = caveats(report, [](std::int64_t) { return false; });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "JVM 6 was killed or crashed: the races it found until then are in this report");
  EXPECT_NE(caveats(report, [](std::int64_t) { return true; })[0].find("still running"), std::string::npos);
}

}  // namespace
}  // namespace deadheat::report
