// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "report/hunt_comparison.h"
#include "report/hunt_records.h"
#include "report/json_fields.h"
#include "report/race_json.h"
#include "report/source_lines.h"
#include "report/text.h"

namespace deadheat::report {
namespace {

HuntRun found(std::uint64_t seed, std::set<std::string> races, double seconds, std::uint64_t holds = 0,
              std::uint64_t thrashing = 0) {
  HuntRun run{seed, std::move(races), seconds, {}};
  run.outcome.holds = holds;
  run.outcome.thrashing = thrashing;
  return run;
}

HuntComparison example() {
  HuntComparison comparison;
  comparison.strategies = {{"native", {found(1, {"R1"}, 2), found(2, {"R1"}, 4)}},
                           {"drfinder", {found(1, {}, 3, 3, 1), found(2, {"R2", "R3"}, 3, 1, 0)}}};
  comparison.plain_seconds = 1.5;
  return comparison;
}

TEST(HuntComparison, TableHasTheColumnsOfThePaper) {
  const std::string table = comparison_table(example());
  EXPECT_NE(table.find("strategy  runs  races  new  missed           time  thrashing\n"), std::string::npos) << table;
  EXPECT_NE(table.find("native       2      1    1       2  3.00 s (2.0x)          -\n"), std::string::npos) << table;
  EXPECT_NE(table.find("drfinder     2      2    2       1  3.00 s (2.0x)      25.0%\n"), std::string::npos) << table;
  EXPECT_NE(table.find("all                 3\n"), std::string::npos) << table;
}

TEST(HuntComparison, RacesAddUpOverRuns) {
  StrategyRuns runs{"x", {found(1, {"R1"}, 1), found(2, {}, 1), found(3, {"R1", "R2"}, 1)}};
  EXPECT_EQ(cumulative_races(runs), (std::vector<std::size_t>{1, 1, 2}));
  EXPECT_EQ(runs.races().size(), 2u);
}

TEST(HuntComparison, PictureAndPageHaveEveryStrategy) {
  HuntComparison comparison = example();
  comparison.strategies[0].strategy = "<native>";
  const std::string svg = comparison_svg(comparison);
  EXPECT_EQ(svg.find("<svg "), 0u);
  EXPECT_NE(svg.find("&lt;native&gt;"), std::string::npos);
  EXPECT_NE(svg.find("<polyline points=\"56.0,312.0 490.0,20.0\""), std::string::npos) << svg;
  const std::string page = comparison_html(comparison, "a & b");
  EXPECT_NE(page.find("<h1>a &amp; b</h1>"), std::string::npos);
  EXPECT_NE(page.find(svg), std::string::npos);
}

// The depths of one strategy do not take each other's races away.
TEST(HuntComparison, DepthsAreSetAgainstTheOtherStrategies) {
  HuntComparison comparison;
  comparison.strategies = {{"native", {found(1, {"R1"}, 1)}},
                           {"drfinder, depth 2", {found(1, {"R1", "R2"}, 1)}, 2},
                           {"drfinder, depth 4", {found(1, {"R1", "R2", "R3"}, 1)}, 4}};
  const std::string table = comparison_table(comparison);
  EXPECT_NE(table.find("native                1      1    0       2"), std::string::npos) << table;
  EXPECT_NE(table.find("drfinder, depth 2     1      2    1       1"), std::string::npos) << table;
  EXPECT_NE(table.find("drfinder, depth 4     1      3    2       0"), std::string::npos) << table;
  const std::string svg = comparison_svg(comparison);
  EXPECT_NE(svg.find("races found, by depth"), std::string::npos);
  EXPECT_NE(svg.find("<polyline points=\"56.0,117.3 490.0,20.0\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("<polyline points=\"56.0,214.7 490.0,117.3\""), std::string::npos) << svg;
}

TEST(HuntComparison, NothingFoundIsDrawnToo) {
  EXPECT_NE(comparison_svg({}).find("</svg>"), std::string::npos);
  EXPECT_NE(comparison_table({}).find("all"), std::string::npos);
}

TEST(HuntRecords, AnExposureSurvivesJson) {
  Race race;
  race.id = "R1";
  race.exposure = Exposure{"drfinder", 7, {{"bank.Lock", "t3", "bank.A.f:1", "t1", "bank.B.g:2"}}};
  const Race read = race_from_json(race_to_json(race));
  ASSERT_TRUE(read.exposure.has_value());
  EXPECT_EQ(read.exposure->seed, 7u);
  EXPECT_EQ(read.exposure->reversed.at(0).held_at, "bank.B.g:2");
  SourceLines sources({});
  EXPECT_NE(race_text(read, sources)
                .find("Found by a hunt (drfinder, seed 7) that reversed these lock orders:\n"
                      "    bank.Lock: thread \"t3\" at bank.A.f:1 before thread \"t1\" at bank.B.g:2"),
            std::string::npos)
      << race_text(read, sources);
}

TEST(HuntRecords, OutcomesAddUp) {
  HuntOutcome sum = hunt_outcome_from_json(nlohmann::json{{"holds", 3}, {"thrashing", 1}, {"relations", 5}});
  sum.add(hunt_outcome_from_json(nlohmann::json{{"holds", 1}, {"thrashing", -4}, {"relations", 2}, {"reversed", 1}}));
  EXPECT_EQ(sum.holds, 4u);
  EXPECT_EQ(sum.thrashing, 1u);
  EXPECT_EQ(sum.reversed, 1u);
  EXPECT_EQ(sum.relations, 5u);
  EXPECT_EQ(thrashing_rate(sum), "25.0%");
  EXPECT_EQ(thrashing_rate({}), "-");
}

}  // namespace
}  // namespace deadheat::report
