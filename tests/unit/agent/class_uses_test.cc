// SPDX-License-Identifier: Apache-2.0
#include "agent/class_uses.h"

#include <gtest/gtest.h>

namespace deadheat::agent {
namespace {

constexpr schedule::ThreadIndex kA{0};
constexpr schedule::ThreadIndex kB{1};
using Inits = std::vector<std::uint32_t>;

TEST(ClassUses, AThreadIsOrderedOnceAfterAnotherThreadsInitialiser) {
  NativeWords words;
  ClassTable classes;
  ClassUses uses(words, classes);
  KnownClasses a, b;
  Inits after;
  uses.use(b, kB, 5, after);
  EXPECT_EQ(after, Inits{}) << "nobody has begun";
  uses.on_begin(a, kA, 5, after);
  uses.use(a, kA, 5, after);
  EXPECT_EQ(after, Inits{}) << "its own initialiser";
  uses.on_end(5);
  uses.use(a, kA, 5, after);
  EXPECT_EQ(after, Inits{});
  uses.use(b, kB, 5, after);
  uses.use(b, kB, 5, after);
  EXPECT_EQ(after, Inits{5});
}

TEST(ClassUses, WhoMetAnInitialiserUnderWayIsOrderedWhenItHasEnded) {
  NativeWords words;
  ClassTable classes;
  ClassUses uses(words, classes);
  KnownClasses a, b;
  Inits after;
  uses.on_begin(a, kA, 5, after);
  uses.use(b, kB, 5, after);
  uses.settle(b, kB, after);
  EXPECT_EQ(after, Inits{});
  uses.on_end(5);
  uses.settle(b, kB, after);
  EXPECT_EQ(after, Inits{5});
  EXPECT_TRUE(b.pending.empty());
}

TEST(ClassUses, AFieldLeadsToTheInitialiserOfTheClassThatDeclaresIt) {
  NativeWords words;
  ClassTable classes;
  ClassUses uses(words, classes);
  KnownClasses a, b;
  Inits after;
  FieldUse field;
  const std::uint32_t init = words.add_init();
  uses.on_begin(a, kA, init, after);
  uses.on_end(init);
  uses.use(b, kB, field, after);
  EXPECT_EQ(after, Inits{}) << "not resolved yet";
  field.record = words.add_static(init);
  field.where = 1;
  uses.use(b, kB, field, after);
  uses.use(b, kB, field, after);
  EXPECT_EQ(after, Inits{init});
}

ClassInfo* add_class(ClassTable& classes, NativeWords& words, const char* name, const char* super, bool has_init) {
  auto info = std::make_unique<ClassInfo>();
  info->name = name;
  info->super = super;
  if (has_init) info->init = words.add_init();
  return classes.add(std::move(info));
}

// Plugin has an initialiser; Middle has not, and no number; Special has none, and says whose it inherits.
TEST(ClassUses, AClassInheritsTheInitialiserOfItsSuperclass) {
  NativeWords words;
  ClassTable classes;
  ClassUses uses(words, classes);
  const std::uint32_t plugin = add_class(classes, words, "Plugin", "java/lang/Object", true)->init;
  add_class(classes, words, "Middle", "Plugin", false);
  const ClassInfo* special = add_class(classes, words, "Special", "Middle", true);
  const ClassInfo* other = add_class(classes, words, "Other", "Plugin", true);
  for (const ClassInfo* info : {special, other}) {
    words.init_words()[info->init] = init_word_of(kInitInherits, info->id);
  }
  KnownClasses a, b;
  Inits after;
  uses.on_begin(a, kA, plugin, after);
  uses.on_end(plugin);
  uses.use(a, kA, special->init, after);
  EXPECT_EQ(after, Inits{}) << "its own";
  uses.use(b, kB, special->init, after);
  uses.use(b, kB, special->init, after);
  EXPECT_EQ(after, Inits{plugin});
  KnownClasses c;
  Inits before;
  uses.on_begin(c, kB, other->init, before);
  EXPECT_EQ(before, Inits{plugin}) << "an initialiser begins after that of the superclass";
}

}  // namespace
}  // namespace deadheat::agent
