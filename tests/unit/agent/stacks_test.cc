// SPDX-License-Identifier: Apache-2.0
//
// Interned stacks, the table of contexts with its budget, and the calls that need no context.
#include <gtest/gtest.h>

#include "agent/context_table.h"
#include "agent/leaf_calls.h"
#include "agent/stack_tree.h"
#include "base/random.h"

namespace deadheat::agent {
namespace {

TEST(StackTree, GivesBackWhatItWasGiven) {
  StackTree tree;
  Random random(7);
  std::vector<std::pair<StackId, std::vector<StackFrame>>> kept;
  for (int i = 0; i < 2000; ++i) {
    std::vector<StackFrame> frames(random.below(12));
    for (StackFrame& frame : frames) {
      frame = {static_cast<std::uint32_t>(random.below(4)), static_cast<std::uint32_t>(random.below(3))};
    }
    const auto id = tree.intern(frames);
    ASSERT_TRUE(id);
    kept.emplace_back(*id, frames);
  }
  for (const auto& [id, frames] : kept) {
    EXPECT_EQ(tree.frames(id), frames);
    EXPECT_EQ(tree.intern(frames), id) << "the same stack has the same number";
  }
}

TEST(StackTree, SharesOuterFramesAndStopsWhenFull) {
  StackTree tree(5);  // four nodes and the root
  const StackFrame outer[] = {{2, 2}, {1, 1}};
  const StackFrame deeper[] = {{3, 3}, {2, 2}, {1, 1}};
  const StackFrame other[] = {{9, 9}, {8, 8}};
  ASSERT_TRUE(tree.intern(outer));
  ASSERT_TRUE(tree.intern(deeper));
  EXPECT_EQ(tree.size(), 3u);
  EXPECT_FALSE(tree.intern(other));
  EXPECT_TRUE(tree.intern(deeper));
}

TEST(ContextTable, KeepsOneStackPerContextAndMethod) {
  ContextTable table;
  EXPECT_FALSE(table.find(1, 2));
  EXPECT_TRUE(table.affords(0));
  table.put(1, 2, StackId{5}, 10);
  table.put(1, 2, StackId{6}, 10);
  EXPECT_EQ(table.find(1, 2), StackId{5});
  EXPECT_FALSE(table.find(2, 1));
  EXPECT_EQ(table.stacks(), 1u);
  EXPECT_EQ(table.refused(), 0u);
}

TEST(ContextTable, KeepsToItsBudgetAndCountsWhatItRefuses) {
  ContextBudget budget;
  budget.most_stacks = 2;
  budget.grace_nanoseconds = 100;
  budget.share = 10;
  ContextTable table(budget);
  table.put(1, 1, StackId{1}, 150);
  EXPECT_FALSE(table.affords(0)) << "the time is spent";
  EXPECT_TRUE(table.affords(1000)) << "a tenth of the time since the start is allowed";
  table.put(2, 1, StackId{2}, 0);
  EXPECT_FALSE(table.affords(1'000'000, 64)) << "no more stacks";
  EXPECT_EQ(table.refused(), 65u);
}

TEST(LeafCalls, OnlyWhatCallsNobodyBack) {
  EXPECT_TRUE(is_leaf_call({"java/lang/Object", "<init>", "()V"}));
  EXPECT_TRUE(is_leaf_call({"java/lang/Math", "max", "(II)I"}));
  EXPECT_TRUE(is_leaf_call({"java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;"}));
  EXPECT_TRUE(is_leaf_call({"java/lang/String", "substring", "(II)Ljava/lang/String;"}));
  EXPECT_TRUE(is_leaf_call({"[I", "clone", "()Ljava/lang/Object;"}));
  EXPECT_FALSE(is_leaf_call({"java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;"}));
  EXPECT_FALSE(is_leaf_call({"java/lang/String", "contains", "(Ljava/lang/CharSequence;)Z"}));
  EXPECT_FALSE(is_leaf_call({"java/lang/Object", "toString", "()Ljava/lang/String;"}));
  EXPECT_FALSE(is_leaf_call({"java/lang/Number", "intValue", "()I"}));
  EXPECT_FALSE(is_leaf_call(
      {"java/util/Objects", "requireNonNull", "(Ljava/lang/Object;Ljava/util/function/Supplier;)Ljava/lang/Object;"}));
  EXPECT_FALSE(is_leaf_call({"app/Main", "<init>", "()V"}));
}

}  // namespace
}  // namespace deadheat::agent
