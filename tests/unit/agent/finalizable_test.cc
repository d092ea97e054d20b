// SPDX-License-Identifier: Apache-2.0
#include "agent/finalizable.h"

#include <gtest/gtest.h>

#include <memory>

namespace deadheat::agent {
namespace {

constexpr LoaderId kBoot{0};
constexpr LoaderId kApp{1};
constexpr LoaderId kOther{2};

void add(ClassTable& classes, std::string_view name, std::string_view super, LoaderId loader, bool declares = false) {
  auto info = std::make_unique<ClassInfo>();
  info->name = name;
  info->super = super;
  info->loader = loader;
  if (declares) info->methods.push_back({"finalize", "()V"});
  classes.add(std::move(info));
}

// Of a class with this superclass that declares none itself.
bool inherits(const ClassTable& classes, std::string_view super, LoaderId loader = kApp) {
  classfile::ClassFile cls;
  cls.this_class = cls.pool.add_class("app/Sub");
  cls.super_class = cls.pool.add_class(super);
  return may_be_finalized(cls, loader, classes);
}

TEST(Finalizable, WhoDeclaresAFinalizerHasOne) {
  classfile::ClassFile cls;
  cls.this_class = cls.pool.add_class("app/Sub");
  cls.super_class = cls.pool.add_class("java/lang/Object");
  const ClassTable classes;
  EXPECT_FALSE(may_be_finalized(cls, kApp, classes));
  cls.methods.push_back({classfile::kAccProtected, cls.pool.add_utf8("finalize"), cls.pool.add_utf8("(I)V"), {}});
  EXPECT_FALSE(may_be_finalized(cls, kApp, classes));
  cls.methods.push_back({classfile::kAccProtected, cls.pool.add_utf8("finalize"), cls.pool.add_utf8("()V"), {}});
  EXPECT_TRUE(may_be_finalized(cls, kApp, classes));
}

TEST(Finalizable, SuperclassesAreLookedThroughAsFarAsTheyAreKnown) {
  ClassTable classes;
  add(classes, "app/Plain", "java/lang/Object", kApp);
  add(classes, "app/PlainToo", "app/Plain", kApp);
  add(classes, "app/Base", "java/lang/Object", kApp, true);
  add(classes, "app/Middle", "app/Base", kApp);
  add(classes, "app/Half", "app/Unknown", kApp);
  EXPECT_FALSE(inherits(classes, "app/PlainToo"));
  EXPECT_TRUE(inherits(classes, "app/Middle"));
  EXPECT_TRUE(inherits(classes, "app/Half"));
  EXPECT_TRUE(inherits(classes, "app/Unknown"));
}

TEST(Finalizable, AnotherLoadersClassSaysNothingUnlessItIsTheJdks) {
  ClassTable classes;
  add(classes, "app/Plain", "java/lang/Object", kApp);
  add(classes, "java/io/Plain", "java/lang/Object", kBoot);
  add(classes, "java/awt/Declares", "java/lang/Object", kBoot, true);
  EXPECT_TRUE(inherits(classes, "app/Plain", kOther));
  EXPECT_FALSE(inherits(classes, "java/io/Plain", kOther));
  EXPECT_TRUE(inherits(classes, "java/awt/Declares", kOther));
  EXPECT_FALSE(inherits(classes, "java/util/AbstractList", kOther));
}

}  // namespace
}  // namespace deadheat::agent
