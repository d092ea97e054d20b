// SPDX-License-Identifier: Apache-2.0
#include "agent/leaking_supers.h"

#include <gtest/gtest.h>

#include <memory>

namespace deadheat::agent {
namespace {

constexpr LoaderId kApp{1};
constexpr LoaderId kOther{2};

void add(ClassTable& classes, std::string_view name, std::string_view super, bool leaks) {
  auto info = std::make_unique<ClassInfo>();
  info->name = name;
  info->super = super;
  info->loader = kApp;
  info->leaks_this = leaks;
  classes.add(std::move(info));
}

TEST(LeakingSupers, SuperclassesAreLookedThroughAsFarAsTheyAreKnown) {
  ClassTable classes;
  add(classes, "app/Plain", "java/lang/Object", false);
  add(classes, "app/PlainToo", "app/Plain", false);
  add(classes, "app/Leaks", "java/lang/Object", true);
  add(classes, "app/Middle", "app/Leaks", false);
  add(classes, "app/Half", "app/Unknown", false);
  EXPECT_FALSE(super_may_leak("app/PlainToo", kApp, classes));
  EXPECT_TRUE(super_may_leak("app/Middle", kApp, classes));
  EXPECT_TRUE(super_may_leak("app/Half", kApp, classes));
  EXPECT_TRUE(super_may_leak("app/Unknown", kApp, classes));
}

TEST(LeakingSupers, TheJdkIsTakenToKeepWhatItMakes) {
  const ClassTable classes;
  EXPECT_FALSE(super_may_leak("java/lang/Object", kApp, classes));
  EXPECT_FALSE(super_may_leak("java/util/TimerTask", kApp, classes));
}

TEST(LeakingSupers, AnotherLoadersClassSaysNothing) {
  ClassTable classes;
  add(classes, "app/Plain", "java/lang/Object", false);
  EXPECT_TRUE(super_may_leak("app/Plain", kOther, classes));
}

}  // namespace
}  // namespace deadheat::agent
