// SPDX-License-Identifier: Apache-2.0
#include "report/suppressions.h"

#include <gtest/gtest.h>

namespace deadheat::report {
namespace {

Race sample() {
  Race race;
  race.id = "Rabc";
  race.variable = {VariableKind::kField, "app.Box", "value", {}};
  race.accesses.resize(2);
  race.accesses[0].thread.name = "worker-1";
  race.accesses[0].stack = {{"app.Box", "set", "Box.java", 3}, {"app.Main", "run", "Main.java", 8}};
  race.accesses[1].thread.name = "main";
  race.accesses[1].stack = {{"app.Box", "get", "Box.java", 5}};
  return race;
}

bool suppressed(const std::string& line) {
  Result<Suppressions> list = Suppressions::parse(line, "list");
  EXPECT_TRUE(list.ok()) << line;
  return list.ok() && list.value().match(sample()) != nullptr;
}

std::string error_of(const std::string& text) {
  Result<Suppressions> list = Suppressions::parse(text, "list");
  return list.ok() ? "" : list.error().message;
}

TEST(Suppressions, Kinds) {
  EXPECT_TRUE(suppressed("race:app.Main.run"));
  EXPECT_TRUE(suppressed("race:Main.java"));
  EXPECT_TRUE(suppressed("race:app.Box.value"));
  EXPECT_TRUE(suppressed("race:^Rabc$"));
  EXPECT_FALSE(suppressed("race:worker"));
  EXPECT_TRUE(suppressed("race_top:Box.get"));
  EXPECT_FALSE(suppressed("race_top:app.Main.run"));
  EXPECT_FALSE(suppressed("race_top:app.Box.value"));
  EXPECT_TRUE(suppressed("thread:^worker-*$"));
  EXPECT_FALSE(suppressed("thread:app"));
}

TEST(Suppressions, CommentsAndSpace) {
  EXPECT_TRUE(suppressed("# comment\n\n  race:Box \r\n"));
  EXPECT_FALSE(suppressed("  # race:Box\n"));
  Result<Suppressions> list = Suppressions::parse("\nrace:nothing\nrace:Box", "dir/list");
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list.value().match(sample())->place, "dir/list:3");
}

TEST(Suppressions, WrongLinesNameTheirPlace) {
  EXPECT_EQ(error_of("race:x\n  oops").substr(0, 10), "list:2:3: ");
  EXPECT_EQ(error_of("rase:x"), "list:1:1: unknown kind 'rase'; deadheat knows race, race_top and thread");
  EXPECT_EQ(error_of("race:"), "list:1:6: the pattern is empty: it would suppress everything");
  EXPECT_EQ(error_of(" race:^*$"), "list:1:7: the pattern is empty: it would suppress everything");
  EXPECT_EQ(error_of("race:a^b"), "list:1:7: '^' is only allowed at the beginning of a pattern");
}

}  // namespace
}  // namespace deadheat::report
