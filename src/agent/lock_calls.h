// SPDX-License-Identifier: Apache-2.0
//
// The methods of the JDK's own locks (ReentrantLock, ReentrantReadWriteLock and their conditions), which a recorded run
// tells as what they mean, and not as the atomic accesses and parking they are made of. A class of the program that
// extends AbstractQueuedSynchronizer, and StampedLock, are told as what they are made of.
#pragma once

#include <cstdint>
#include <string_view>

#include "classfile/plan.h"

namespace deadheat::agent {

inline constexpr std::string_view kLockCalls = "java/lang/DeadheatLockCalls";

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
};

// Of a class of the JDK.
LockCall lock_call(std::string_view class_name, std::string_view method);

// Rules for calls of such methods by watched code: the events get the site of the call.
void add_sited_lock_calls(classfile::Plan& plan);

}  // namespace deadheat::agent
