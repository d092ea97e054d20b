// SPDX-License-Identifier: Apache-2.0
#include "trace/names.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "base/random.h"

namespace deadheat::trace {
namespace {

TEST(Names, AreNumberedFromOneInTheOrderOfFirstUse) {
  Names names;
  EXPECT_EQ(names.number("b"), 1u);
  EXPECT_EQ(names.number("a"), 2u);
  EXPECT_EQ(names.number("b"), 1u);
  EXPECT_EQ(names.size(), 2u);
  EXPECT_EQ(names.text(2), "a");
}

TEST(Names, NothingIsZeroAndHasNoName) {
  Names names;
  EXPECT_EQ(names.number(""), 0u);
  EXPECT_EQ(names.find("a"), 0u);
  EXPECT_EQ(names.text(0), "");
  EXPECT_EQ(names.text(77), "");
}

TEST(Names, StayFoundAfterAMoveAndManyMore) {
  Names first;
  for (int i = 0; i < 1000; ++i) first.number("n" + std::to_string(i));
  const Names second = std::move(first);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(second.find("n" + std::to_string(i)), static_cast<std::uint32_t>(i + 1));
}

// Names of every length around the ones that are told apart by their bytes alone, numbers dense and far apart, with and
// without leading zeros.
std::string random_name(Random& random) {
  switch (random.below(4)) {
    case 0:
      return std::to_string(random.below(1u << random.below(31)));
    case 1:
      return "0" + std::to_string(random.below(50));
    case 2:
      return std::to_string(random.below(3000));
    default: {
      std::string name;
      for (std::uint32_t i = 1 + random.below(20); i > 0; --i) name += static_cast<char>('a' + random.below(2));
      return name;
    }
  }
}

TEST(Names, AgreeWithAMap) {
  Random random(3);
  Names names;
  std::map<std::string, std::uint32_t> map;
  for (int i = 0; i < 200'000; ++i) {
    const std::string name = random_name(random);
    const auto known = map.find(name);
    ASSERT_EQ(names.find(name), known == map.end() ? 0 : known->second) << name;
    const auto number = map.emplace(name, static_cast<std::uint32_t>(map.size() + 1)).first->second;
    ASSERT_EQ(names.number(name), number) << name;
    ASSERT_EQ(names.text(number), name);
  }
  EXPECT_EQ(names.size(), map.size());
}

}  // namespace
}  // namespace deadheat::trace
