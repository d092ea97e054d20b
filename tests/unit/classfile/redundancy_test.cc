// SPDX-License-Identifier: Apache-2.0
#include "classfile/redundancy.h"

#include <gtest/gtest.h>

namespace deadheat::classfile {
namespace {

TEST(Redundancy, AReadCoversReadsOnly) {
  Redundancy seen;
  EXPECT_FALSE(seen.covered(1, 0, 7, false));
  EXPECT_TRUE(seen.covered(1, 0, 7, false));
  EXPECT_FALSE(seen.covered(1, 0, 7, true)) << "a write after a read must be checked";
  EXPECT_TRUE(seen.covered(1, 0, 7, true));
}

TEST(Redundancy, AWriteCoversReadsAndWrites) {
  Redundancy seen;
  EXPECT_FALSE(seen.covered(1, 0, 7, true));
  EXPECT_TRUE(seen.covered(1, 0, 7, false));
  EXPECT_TRUE(seen.covered(1, 0, 7, true));
}

TEST(Redundancy, OtherVariablesAreNotCovered) {
  Redundancy seen;
  EXPECT_FALSE(seen.covered(1, 0, 7, true));
  EXPECT_FALSE(seen.covered(2, 0, 7, true)) << "another object";
  EXPECT_FALSE(seen.covered(1, 0, 8, true)) << "another field";
  EXPECT_FALSE(seen.covered(1, 3, 0, true)) << "an element";
  EXPECT_FALSE(seen.covered(1, 4, 0, true)) << "another element";
}

TEST(Redundancy, ANewRunForgetsAll) {
  Redundancy seen;
  EXPECT_FALSE(seen.covered(1, 0, 7, true));
  seen.clear();
  EXPECT_FALSE(seen.covered(1, 0, 7, true));
}

TEST(Redundancy, ForgettingIsAllowedCoveringTooMuchIsNot) {
  Redundancy seen;
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_FALSE(seen.covered(i, 0, 7, false));
}

}  // namespace
}  // namespace deadheat::classfile
