// SPDX-License-Identifier: Apache-2.0
//
// The methods of the JDK's own locks (ReentrantLock, ReentrantReadWriteLock, their conditions, StampedLock), which a
// recorded run tells as what they mean, and not as the atomic accesses and parking they are made of. So do the
// detectors of candidates where the program calls them; in the JDK's own hands they order. A class of the program that
// extends AbstractQueuedSynchronizer is told as what it is made of.
#pragma once

#include <cstdint>
#include <string_view>

#include "classfile/plan.h"

namespace deadheat::agent {

inline constexpr std::string_view kLockCalls = "java/lang/DeadheatLockCalls";
inline constexpr std::string_view kStampedCalls = "java/lang/DeadheatStampedCalls";
inline constexpr std::string_view kLockModes = "java/lang/DeadheatLockModes";

enum class LockCall : std::uint8_t {
  kNone,
  kAcquire,        // of the lock, or of the write side of a read-write lock; that it was got is told by its owner
  kRelease,        // the same
  kAcquireShared,  // of the read side
  kReleaseShared,
  kLook,     // at what other threads do with the lock
  kLookOwn,  // at what the thread itself does with it
  kAwait,
  kSignal,
  // Of a StampedLock, which has no owner.
  kStamp,           // a method that may wait, or not, and returns a stamp, or 0
  kUnstamp,         // gives up the lock; whether it did is told by the lock
  kConvert,         // to a read stamp, or an optimistic one
  kConvertToWrite,  // fails if others read
  kOptimistic,      // sees which write sections there were, and nothing else
};

// Of a class of the JDK.
LockCall lock_call(std::string_view class_name, std::string_view method);

// Rules for calls of such methods by watched code: the events get the site of the call.
void add_sited_lock_calls(classfile::Plan& plan);
// The same for the detectors of candidates, to whom signals are not told otherwise.
void add_candidate_lock_calls(classfile::Plan& plan);

}  // namespace deadheat::agent
