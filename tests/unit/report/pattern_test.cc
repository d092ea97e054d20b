// SPDX-License-Identifier: Apache-2.0
#include "report/pattern.h"

#include <gtest/gtest.h>

namespace deadheat::report {
namespace {

TEST(Pattern, FitsAnywhereUnlessTied) {
  EXPECT_TRUE(Pattern("Cache").matches("com.acme.Cache.get"));
  EXPECT_FALSE(Pattern("^Cache").matches("com.acme.Cache.get"));
  EXPECT_TRUE(Pattern("^com.acme").matches("com.acme.Cache.get"));
  EXPECT_TRUE(Pattern("get$").matches("com.acme.Cache.get"));
  EXPECT_FALSE(Pattern("Cache$").matches("com.acme.Cache.get"));
  EXPECT_TRUE(Pattern("^a$").matches("a"));
  EXPECT_FALSE(Pattern("^a$").matches("aa"));
}

TEST(Pattern, StarStandsForAnyText) {
  EXPECT_TRUE(Pattern("^com.*.get$").matches("com.acme.Cache.get"));
  EXPECT_TRUE(Pattern("^com*Cache").matches("com.acme.Cache.get"));
  EXPECT_FALSE(Pattern("^com*Cash").matches("com.acme.Cache.get"));
  EXPECT_TRUE(Pattern("a*b*c").matches("xxaxxbxxcxx"));
  EXPECT_FALSE(Pattern("a*b*c").matches("xxaxxcxxbxx"));
  // A first fit of "foo" that is too early must be given up (ThreadSanitizer's own matcher does not).
  EXPECT_TRUE(Pattern("foo$").matches("foofoo"));
}

TEST(Pattern, InnerClassDollarIsItself) {
  EXPECT_TRUE(Pattern("Outer$Inner.run").matches("a.Outer$Inner.run"));
  EXPECT_FALSE(Pattern("Outer$Inner.run").matches("a.Outer.run"));
  EXPECT_FALSE(Pattern("Outer$").matches("a.Outer$Inner.run"));
}

TEST(Pattern, EmptyName) {
  EXPECT_FALSE(Pattern("x").matches(""));
  EXPECT_TRUE(Pattern("^$").matches(""));
}

}  // namespace
}  // namespace deadheat::report
