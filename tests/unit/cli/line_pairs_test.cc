// SPDX-License-Identifier: Apache-2.0
#include "cli/line_pairs.h"

#include <gtest/gtest.h>

namespace deadheat::cli {
namespace {

report::Race race_of(const std::string& first, bool first_writes, const std::string& second, bool second_writes) {
  report::Race race;
  race.accesses.resize(2);
  race.accesses[0].site = first;
  race.accesses[0].write = first_writes;
  race.accesses[1].site = second;
  race.accesses[1].write = second_writes;
  return race;
}

report::WantedSite seen(const std::string& name, std::vector<report::AccessSite> beside) {
  return {.name = name, .found = true, .reached = true, .beside = std::move(beside)};
}

TEST(LinePairs, ARecordWithoutSitesHasNone) {
  EXPECT_TRUE(recorded_pair(race_of("", false, "w@9", true)).empty());
  EXPECT_TRUE(recorded_pair({}).empty());
  EXPECT_TRUE(further_pairs({}, {}).empty());
}

TEST(LinePairs, ALineWithOneAccessHasNoFurtherPair) {
  EXPECT_TRUE(further_pairs(race_of("r@1", false, "w@9", true), {seen("r@1", {}), seen("w@9", {})}).empty());
  EXPECT_TRUE(further_pairs(race_of("r@1", false, "w@9", true), {}).empty()) << "nothing is known of the lines";
}

TEST(LinePairs, ACheckAndAUseInOneLine) {
  const auto pairs =
      further_pairs(race_of("r@1", false, "w@9", true), {seen("r@1", {{"r@4", false}}), seen("w@9", {})});
  EXPECT_EQ(pairs, (std::vector<SitePair>{{"r@4", "w@9"}}));
}

TEST(LinePairs, AnIncrementOfBothThreadsInOneLine) {
  const auto pairs =
      further_pairs(race_of("w@4", true, "r@1", false), {seen("w@4", {{"r@1", false}}), seen("r@1", {{"w@4", true}})});
  EXPECT_EQ(pairs, (std::vector<SitePair>{{"w@4", "w@4"}})) << "two reads do not race, and each pair comes once";
}

TEST(LinePairs, ThoseThatShareASiteWithTheRecordedPairComeFirst) {
  const auto pairs = further_pairs(race_of("w@4", true, "w@14", true),
                                   {seen("w@4", {{"r@1", false}}), seen("w@14", {{"r@11", false}})});
  EXPECT_EQ(pairs, (std::vector<SitePair>{{"w@4", "r@11"}, {"r@1", "w@14"}}));
}

TEST(LinePairs, SeveralExecutionsTellTheSameLine) {
  const report::WantedSite line = seen("r@1", {{"r@4", false}});
  EXPECT_EQ(further_pairs(race_of("r@1", false, "w@9", true), {line, line}).size(), 1u);
}

}  // namespace
}  // namespace deadheat::cli
