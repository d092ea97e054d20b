// SPDX-License-Identifier: Apache-2.0
#include "trace/names.h"

#include <gtest/gtest.h>

#include <utility>

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

}  // namespace
}  // namespace deadheat::trace
