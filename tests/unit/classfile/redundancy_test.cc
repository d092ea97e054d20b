// SPDX-License-Identifier: Apache-2.0
#include "classfile/redundancy.h"

#include <gtest/gtest.h>

namespace deadheat::classfile {
namespace {

constexpr Redundancy::Variable kField{1, 0, 7};
constexpr bool kRead = false, kWrite = true;

TEST(Redundancy, AReadCoversReadsOnly) {
  Redundancy seen;
  EXPECT_FALSE(seen.covers(kField, kRead));
  seen.add(kField, kRead);
  EXPECT_TRUE(seen.covers(kField, kRead));
  EXPECT_FALSE(seen.covers(kField, kWrite)) << "a write after a read must be checked";
}

TEST(Redundancy, AWriteCoversReadsAndWrites) {
  Redundancy seen;
  seen.add(kField, kWrite);
  EXPECT_TRUE(seen.covers(kField, kRead));
  EXPECT_TRUE(seen.covers(kField, kWrite));
  seen.add(kField, kRead);
  EXPECT_TRUE(seen.covers(kField, kWrite)) << "and a read behind it takes nothing away";
}

TEST(Redundancy, OtherVariablesAreNotCovered) {
  Redundancy seen;
  seen.add(kField, kWrite);
  EXPECT_FALSE(seen.covers({2, 0, 7}, kRead)) << "another object";
  EXPECT_FALSE(seen.covers({1, 0, 8}, kRead)) << "another field";
  EXPECT_FALSE(seen.covers({1, 3, 0}, kRead)) << "an element";
}

TEST(Redundancy, ForgetsAllOrAllButOne) {
  Redundancy seen;
  seen.add(kField, kWrite);
  seen.add({1, 0, 8}, kWrite);
  seen.clear_all_but(kField);
  EXPECT_TRUE(seen.covers(kField, kWrite));
  EXPECT_FALSE(seen.covers({1, 0, 8}, kRead));
  seen.clear();
  EXPECT_FALSE(seen.covers(kField, kRead));
}

TEST(Redundancy, WhereWaysComeTogetherBothHaveToCover) {
  Redundancy one, other;
  one.add(kField, kWrite);
  one.add({2, 0, 7}, kWrite);
  one.add({3, 0, 7}, kWrite);
  other.add(kField, kRead);
  other.add({2, 0, 7}, kWrite);
  other.add({4, 0, 7}, kWrite);
  one.meet(other);
  EXPECT_TRUE(one.covers(kField, kRead));
  EXPECT_FALSE(one.covers(kField, kWrite)) << "one way has only read it";
  EXPECT_TRUE(one.covers({2, 0, 7}, kWrite));
  EXPECT_FALSE(one.covers({3, 0, 7}, kRead));
  EXPECT_FALSE(one.covers({4, 0, 7}, kRead));
}

TEST(Redundancy, ForgettingIsAllowedCoveringTooMuchIsNot) {
  Redundancy seen;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_FALSE(seen.covers({i, 0, 7}, kRead));
    seen.add({i, 0, 7}, kRead);
  }
}

}  // namespace
}  // namespace deadheat::classfile
