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
  ClassUses uses(words);
  KnownClasses a, b;
  Inits after;
  uses.use(b, kB, 5, after);
  EXPECT_EQ(after, Inits{}) << "nobody has begun";
  uses.on_begin(5, kA);
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
  ClassUses uses(words);
  KnownClasses b;
  Inits after;
  uses.on_begin(5, kA);
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
  ClassUses uses(words);
  KnownClasses b;
  Inits after;
  FieldUse field;
  const std::uint32_t init = words.add_init();
  uses.on_begin(init, kA);
  uses.on_end(init);
  uses.use(b, kB, field, after);
  EXPECT_EQ(after, Inits{}) << "not resolved yet";
  field.record = words.add_static(init);
  field.where = 1;
  uses.use(b, kB, field, after);
  uses.use(b, kB, field, after);
  EXPECT_EQ(after, Inits{init});
}

}  // namespace
}  // namespace deadheat::agent
