// SPDX-License-Identifier: Apache-2.0
//
// How threads look to others that ask for their state.
#include <gtest/gtest.h>

#include "schedule/world.h"

namespace deadheat::schedule {
namespace {

using enum OperationKind;

class ConditionTest : public ::testing::Test {
 protected:
  ConditionTest() {
    go(root_);
    child_ = world_.add_child(root_, false);
  }
  void go(ThreadIndex thread) { world_.execute(thread, nullptr); }
  void perform(ThreadIndex thread, const Operation& op) {
    world_.publish(thread, op);
    go(thread);
  }
  void start_child() {
    perform(root_, {.kind = kStart, .target = child_});
    go(child_);
  }

  World world_;
  ThreadIndex root_ = world_.add_root(false);
  ThreadIndex child_{};
};

TEST_F(ConditionTest, FromStartToEnd) {
  EXPECT_EQ(world_.condition(child_), Condition::kNew);
  perform(root_, {.kind = kStart, .target = child_});
  EXPECT_EQ(world_.condition(child_), Condition::kRunnable);  // it has not begun to run
  go(child_);
  EXPECT_EQ(world_.condition(child_), Condition::kRunnable);
  perform(child_, {.kind = kEnd});
  EXPECT_EQ(world_.condition(child_), Condition::kEnded);
}

TEST_F(ConditionTest, WhoIsHeldAtAnAccessOrAFreeMonitorLooksAsIfItRan) {
  start_child();
  world_.publish(child_, {.kind = kWrite, .object = 1});
  EXPECT_EQ(world_.condition(child_), Condition::kRunnable);
  go(child_);
  world_.publish(child_, {.kind = kLock, .object = 5});
  EXPECT_EQ(world_.condition(child_), Condition::kRunnable);
}

TEST_F(ConditionTest, BlockedWhileAnotherHasTheMonitor) {
  start_child();
  perform(root_, {.kind = kLock, .object = 5});
  world_.publish(child_, {.kind = kLock, .object = 5});
  EXPECT_EQ(world_.condition(child_), Condition::kBlocked);
  perform(root_, {.kind = kUnlock, .object = 5});
  EXPECT_EQ(world_.condition(child_), Condition::kRunnable);
}

TEST_F(ConditionTest, AWaitIsWaitingThenBlockedThenRunnable) {
  start_child();
  perform(child_, {.kind = kLock, .object = 5});
  perform(child_, {.kind = kWaitBegin, .object = 5});
  world_.publish(child_, {.kind = kWaitEnd, .object = 5});
  EXPECT_EQ(world_.condition(child_), Condition::kWaiting);
  perform(root_, {.kind = kLock, .object = 5});
  perform(root_, {.kind = kNotify, .object = 5});
  EXPECT_EQ(world_.condition(child_), Condition::kBlocked);
  perform(root_, {.kind = kUnlock, .object = 5});
  EXPECT_EQ(world_.condition(child_), Condition::kRunnable);
}

TEST_F(ConditionTest, WithATimeItIsTimedWaiting) {
  start_child();
  perform(child_, {.kind = kLock, .object = 5});
  perform(child_, {.kind = kWaitBegin, .object = 5, .timeout = 1'000'000'000});
  world_.publish(child_, {.kind = kWaitEnd, .object = 5});
  EXPECT_EQ(world_.condition(child_), Condition::kTimedWaiting);
  world_.jump_to_next_deadline();
  EXPECT_EQ(world_.condition(child_), Condition::kRunnable);
}

TEST_F(ConditionTest, ParksAndSleepsLastUntilThereIsAReasonToGoOn) {
  start_child();
  world_.publish(child_, {.kind = kPark});
  EXPECT_EQ(world_.condition(child_), Condition::kWaiting);
  perform(root_, {.kind = kUnpark, .target = child_});
  EXPECT_EQ(world_.condition(child_), Condition::kRunnable);
  go(child_);
  world_.publish(child_, {.kind = kPark, .timeout = 1'000'000'000});
  EXPECT_EQ(world_.condition(child_), Condition::kTimedWaiting);
  perform(root_, {.kind = kInterrupt, .target = child_});
  EXPECT_EQ(world_.condition(child_), Condition::kRunnable);
  go(child_);
  perform(child_, {.kind = kClearInterrupt});
  world_.publish(child_, {.kind = kSleep, .timeout = 1'000'000'000});
  EXPECT_EQ(world_.condition(child_), Condition::kTimedWaiting);
}

TEST_F(ConditionTest, OfAThreadOutsideTheModelNothingIsKnown) {
  start_child();
  perform(child_, {.kind = kExternal});
  EXPECT_EQ(world_.condition(child_), Condition::kOutside);
}

TEST_F(ConditionTest, LookingAtTheClockTakesTimeAndNothingElse) {
  const std::uint64_t before = world_.now();
  perform(root_, {.kind = kClock});
  EXPECT_GT(world_.now(), before);
  EXPECT_TRUE(world_.consistent_for_testing());
}

}  // namespace
}  // namespace deadheat::schedule
