// SPDX-License-Identifier: Apache-2.0
//
// What a method of StampedLock has done.
#include "agent/stamped_lock.h"

#include <gtest/gtest.h>

namespace deadheat::agent {
namespace {

using Events = std::vector<LockEvent>;

constexpr std::int64_t kWrite = 256 + 128;
constexpr std::int64_t kRead = 256 + 3;

TEST(StampedEvents, AStampSaysWhatWasGot) {
  EXPECT_EQ(stamped_events(LockCall::kStamp, kWrite, 2, kHeldByWriter), Events{LockEvent::kWriteStamped});
  EXPECT_EQ(stamped_events(LockCall::kStamp, kRead, kHeldByWriter, 3), Events{LockEvent::kReadStamped});
  EXPECT_EQ(stamped_events(LockCall::kStamp, 0, 1, 1), Events{LockEvent::kLooked});
}

TEST(StampedEvents, TheLockSaysWhatWasGivenUp) {
  EXPECT_EQ(stamped_events(LockCall::kUnstamp, 0, kHeldByWriter, 0), Events{LockEvent::kWriteGone});
  EXPECT_EQ(stamped_events(LockCall::kUnstamp, 0, 2, 1), Events{LockEvent::kReadGone});
  EXPECT_EQ(stamped_events(LockCall::kUnstamp, 0, kHeldByWriter, kHeldByWriter), Events{LockEvent::kLooked});
  EXPECT_EQ(stamped_events(LockCall::kUnstamp, 0, 2, 2), Events{LockEvent::kLooked});
}

TEST(StampedEvents, Conversions) {
  EXPECT_EQ(stamped_events(LockCall::kConvertToWrite, kWrite, 1, kHeldByWriter), Events{LockEvent::kUpgraded});
  EXPECT_EQ(stamped_events(LockCall::kConvert, kRead, kHeldByWriter, 1), Events{LockEvent::kDowngraded});
  EXPECT_EQ(stamped_events(LockCall::kConvert, 256, kHeldByWriter, 0), Events{LockEvent::kWriteGone});
  EXPECT_EQ(stamped_events(LockCall::kConvert, 256, 2, 1), Events{LockEvent::kReadGone});
  EXPECT_EQ(stamped_events(LockCall::kConvertToWrite, kWrite, 0, kHeldByWriter), Events{LockEvent::kWriteValid});
  EXPECT_EQ(stamped_events(LockCall::kConvert, kRead, 2, 3), Events{LockEvent::kReadValid});
  EXPECT_EQ(stamped_events(LockCall::kConvert, 0, 0, 0), Events{LockEvent::kSeesVersion});
  EXPECT_EQ(stamped_events(LockCall::kConvertToWrite, 0, 2, 2), Events{LockEvent::kTried});
}

TEST(StampedEvents, LookingChangesNothing) {
  EXPECT_EQ(stamped_events(LockCall::kOptimistic, 0, 0, 0), Events{LockEvent::kSeesVersion});
  EXPECT_EQ(stamped_events(LockCall::kLook, 0, kHeldByWriter, kHeldByWriter), Events{LockEvent::kLooked});
}

}  // namespace
}  // namespace deadheat::agent
