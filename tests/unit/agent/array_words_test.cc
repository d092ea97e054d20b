// SPDX-License-Identifier: Apache-2.0
#include "agent/array_words.h"

#include <gtest/gtest.h>

namespace deadheat::agent {
namespace {

TEST(ArrayWords, AreZeroAlsoWhenTheyAreUsedAgain) {
  ArrayWords words;
  for (int round = 0; round < 3; ++round) {
    std::uint64_t* some = words.allocate(64, 1 << 20);
    ASSERT_NE(some, nullptr);
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(some[i], 0u) << "round " << round;
      some[i] = ~std::uint64_t{0};
    }
    EXPECT_EQ(words.in_use(), 64u);
    words.free(some, 64);
  }
  EXPECT_EQ(words.in_use(), 0u);
}

TEST(ArrayWords, EndAtTheLimitAndGoOnWhenSomeAreGivenBack) {
  ArrayWords words;
  std::uint64_t* first = words.allocate(48, 100);
  std::uint64_t* second = words.allocate(48, 100);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(words.allocate(16, 100), nullptr);
  EXPECT_EQ(words.in_use(), 96u) << "what was refused does not count";
  words.free(first, 48);
  first = words.allocate(16, 100);
  EXPECT_NE(first, nullptr);
  words.free(first, 16);
  words.free(second, 48);
}

}  // namespace
}  // namespace deadheat::agent
