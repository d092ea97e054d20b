// SPDX-License-Identifier: Apache-2.0
#include "agent/watch_list.h"

#include <gtest/gtest.h>

namespace deadheat::agent {
namespace {

TEST(Pattern, StarsMatchAnyRun) {
  EXPECT_TRUE(matches_pattern("a/b/C", "a/b/C"));
  EXPECT_FALSE(matches_pattern("a/b/C", "a/b/CD"));
  EXPECT_TRUE(matches_pattern("a/*", "a/b/C"));
  EXPECT_TRUE(matches_pattern("*Test", "x/MyTest"));
  EXPECT_FALSE(matches_pattern("*Test", "x/MyTests"));
  EXPECT_TRUE(matches_pattern("*a*b*c*", "xxaybzzc"));
  EXPECT_FALSE(matches_pattern("*a*b*c*", "xxaybzz"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_FALSE(matches_pattern("", "x"));
}

TEST(WatchList, ApplicationClassesAreWatchedFullyAndTheJdkForItsSynchronisation) {
  const WatchList list({}, {});
  EXPECT_EQ(list.watch("app/Main", false), Watch::kFull);
  EXPECT_EQ(list.watch("java/util/HashMap$Node", true), Watch::kFull);
  EXPECT_EQ(list.watch("java/util/concurrent/ConcurrentHashMap", true), Watch::kSync);
  EXPECT_EQ(list.watch("java/lang/Object", true), Watch::kNone);
  EXPECT_EQ(list.watch("java/lang/DeadheatSync", true), Watch::kNone);
}

TEST(WatchList, ExcludedClassesStillSynchronise) {
  const WatchList list({}, {"app.gen.*"});
  EXPECT_EQ(list.watch("app/gen/Parser", false), Watch::kSync);
  EXPECT_EQ(list.watch("app/Main", false), Watch::kFull);
}

TEST(WatchList, IncludeNarrowsToWhatItNames) {
  const WatchList list({"app.*"}, {"app.gen.*"});
  EXPECT_EQ(list.watch("app/Main", false), Watch::kFull);
  EXPECT_EQ(list.watch("lib/Main", false), Watch::kSync);
  EXPECT_EQ(list.watch("app/gen/Parser", false), Watch::kSync) << "exclude wins";
}

}  // namespace
}  // namespace deadheat::agent
