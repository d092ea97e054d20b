// SPDX-License-Identifier: Apache-2.0
#include "agent/stamped_lock.h"

namespace deadheat::agent {

namespace {

constexpr std::int64_t kWriteBit = 1 << 7;  // of a stamp (StampedLock.java)

}  // namespace

std::vector<LockEvent> stamped_events(LockCall call, std::int64_t stamp, int before, int after) {
  if (call == LockCall::kOptimistic) return {LockEvent::kSeesVersion};
  if (call == LockCall::kStamp) {
    if (stamp == 0) return {LockEvent::kLooked};
    return {(stamp & kWriteBit) != 0 ? LockEvent::kWriteStamped : LockEvent::kReadStamped};
  }
  const bool wrote = before == kHeldByWriter;
  const bool writes = after == kHeldByWriter;
  if (before == after) {
    if (call == LockCall::kConvert)
      return {LockEvent::kSeesVersion};  // in vain for its version alone, or nothing to do
    return {call == LockCall::kConvertToWrite ? LockEvent::kTried : LockEvent::kLooked};
  }
  if (wrote) return {after == 0 ? LockEvent::kWriteGone : LockEvent::kDowngraded};
  // What was not held before was got by an optimistic stamp, which has to be valid.
  if (writes && before == 0) return {LockEvent::kWriteValid};
  if (writes) return {LockEvent::kUpgraded};
  if (after < before) return {LockEvent::kReadGone};
  return {LockEvent::kReadValid};
}

}  // namespace deadheat::agent
