// SPDX-License-Identifier: Apache-2.0
#include "predict/pattern.h"

#include <gtest/gtest.h>

#include <map>

namespace deadheat::predict {
namespace {

TEST(KnownPatternsTest, TheTwoVariableShapesAreTheTwentySevenUnserialisableOnes) {
  std::map<PatternKind, int> count;
  for (const Pattern& pattern : known_patterns()) ++count[pattern.kind];
  EXPECT_EQ(count[PatternKind::kDataRace], 2);
  EXPECT_EQ(count[PatternKind::kAtomicityViolation], 5);
  EXPECT_EQ(count[PatternKind::kAtomicSetViolation], 9);
  EXPECT_EQ(count[PatternKind::kNotSerialisable], 18);
}

TEST(KnownPatternsTest, WriteSkewIsAmongThoseTheListsMiss) {
  bool found = false;
  for (const Pattern& pattern : known_patterns()) {
    if (pattern_text(pattern) == "R(l1) R'(l2) W'(l1) W(l2)") found = pattern.kind == PatternKind::kNotSerialisable;
  }
  EXPECT_TRUE(found);
}

constexpr std::string_view kGood =
    "# comment\n"
    "pattern stale-check\n"
    "E=e1-e2-e3\n"
    "T  = t1 - t2 - t1\n"
    "SV = s1 - s1 - s1   # all the same\n"
    "\n"
    "AR = u1 - u2 - u1\n"
    "AT = r - w - r\n"
    "pattern race adjacent\n"
    "AT = w - w\n"
    "AR = a - b\n"
    "SV = x - x\n"
    "T = m - n\n"
    "E = first - second\n";

TEST(PatternFileTest, ReadsPatternsOfAnyLength) {
  const auto patterns = parse_patterns(kGood, "my.patterns");
  ASSERT_TRUE(patterns.ok()) << patterns.error().message;
  ASSERT_EQ(patterns.value().size(), 2u);
  EXPECT_EQ(patterns.value()[0].name, "stale-check");
  EXPECT_EQ(pattern_text(patterns.value()[0]), "R(l1) W'(l1) R(l1)");
  EXPECT_FALSE(patterns.value()[0].adjacent);
  EXPECT_EQ(pattern_text(patterns.value()[1]), "W(l1) W'(l1)");
  EXPECT_TRUE(patterns.value()[1].adjacent);
}

struct Wrong {
  const char* name;
  std::string_view from;
  std::string_view to;
  std::string_view where;
};

class WrongPatternFileTest : public testing::TestWithParam<Wrong> {};

TEST_P(WrongPatternFileTest, IsNamedByLineAndColumn) {
  std::string text(kGood);
  const std::size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, GetParam().from.size(), GetParam().to);
  const auto patterns = parse_patterns(text, "my.patterns");
  ASSERT_FALSE(patterns.ok());
  EXPECT_TRUE(patterns.error().message.starts_with("my.patterns:" + std::string(GetParam().where) + ": "))
      << patterns.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongPatternFileTest,
    testing::Values(
        Wrong{"UnknownRow", "SV =", "XX =", "5:1"}, Wrong{"UnknownKind", "r - w - r", "r - q - r", "8:10"},
        Wrong{"Lengths", "r - w - r", "r - w", "8:6"}, Wrong{"MissingRow", "AT = r - w - r\n", "", "2:9"},
        Wrong{"TwoThreadsInAUnit", "u1 - u2 - u1", "u1 - u1 - u1", "7:11"},
        Wrong{"OneThread", "t1 - t2 - t1", "t1 - t1 - t1", "4:6"}, Wrong{"EventTwice", "e1-e2-e3", "e1-e2-e1", "3:9"},
        Wrong{"NoName", "pattern stale-check", "pattern", "2:1"}, Wrong{"TwoSigns", "r - w - r", "r - - r", "8:10"},
        Wrong{"EndsWithASign", "r - w - r", "r - w -", "8:12"}, Wrong{"NoEquals", "AT = r", "AT r", "8:4"},
        Wrong{"NoHeading", "pattern stale-check", "", "3:1"}, Wrong{"RowTwice", "AR = a - b", "AT = a - b", "11:1"},
        Wrong{"NotAdjacent", "race adjacent", "race nearby", "9:14"},
        Wrong{"AdjacentVariables", "x - x", "x - y", "9:9"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(PatternFileTest, AnEmptyFileIsAnError) {
  EXPECT_FALSE(parse_patterns("", "f").ok());
  EXPECT_FALSE(parse_patterns("# nothing\n", "f").ok());
}

}  // namespace
}  // namespace deadheat::predict
