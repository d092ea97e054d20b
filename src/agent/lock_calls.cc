// SPDX-License-Identifier: Apache-2.0
#include "agent/lock_calls.h"

#include <algorithm>
#include <span>
#include <string>

#include "agent/array_calls.h"

namespace deadheat::agent {

namespace {

using classfile::CallRule;

constexpr std::string_view kLock = "java/util/concurrent/locks/Lock";
constexpr std::string_view kReentrant = "java/util/concurrent/locks/ReentrantLock";
constexpr std::string_view kReadWrite = "java/util/concurrent/locks/ReentrantReadWriteLock";
constexpr std::string_view kReadSide = "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock";
constexpr std::string_view kWriteSide = "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock";
constexpr std::string_view kStamped = "java/util/concurrent/locks/StampedLock";
constexpr std::string_view kCondition = "java/util/concurrent/locks/Condition";
// Of the two kinds of synchroniser.
constexpr std::string_view kConditionObject = "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject";
constexpr std::string_view kLongConditionObject =
    "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject";

struct NamedCall {
  std::string_view method;
  LockCall call;
};
constexpr NamedCall kOfLocks[] = {
    {"lock", LockCall::kAcquire},
    {"lockInterruptibly", LockCall::kAcquire},
    {"tryLock", LockCall::kAcquire},
    {"unlock", LockCall::kRelease},
    {"isLocked", LockCall::kLook},
    {"isWriteLocked", LockCall::kLook},
    {"getReadLockCount", LockCall::kLook},
    {"getOwner", LockCall::kLook},
    {"hasQueuedThreads", LockCall::kLook},
    {"hasQueuedThread", LockCall::kLook},
    {"getQueueLength", LockCall::kLook},
    {"getQueuedThreads", LockCall::kLook},
    {"hasWaiters", LockCall::kLook},
    {"getWaitQueueLength", LockCall::kLook},
    {"getWaitingThreads", LockCall::kLook},
    {"getQueuedWriterThreads", LockCall::kLook},
    {"toString", LockCall::kLook},
    {"getQueuedReaderThreads", LockCall::kLook},
    {"getHoldCount", LockCall::kLookOwn},
    {"isHeldByCurrentThread", LockCall::kLookOwn},
    {"getReadHoldCount", LockCall::kLookOwn},
    {"getWriteHoldCount", LockCall::kLookOwn},
    {"isWriteLockedByCurrentThread", LockCall::kLookOwn},
};

constexpr NamedCall kOfStampedLock[] = {
    {"writeLock", LockCall::kStamp},
    {"tryWriteLock", LockCall::kStamp},
    {"writeLockInterruptibly", LockCall::kStamp},
    {"readLock", LockCall::kStamp},
    {"tryReadLock", LockCall::kStamp},
    {"readLockInterruptibly", LockCall::kStamp},
    {"unlock", LockCall::kUnstamp},
    {"unlockWrite", LockCall::kUnstamp},
    {"unlockRead", LockCall::kUnstamp},
    {"tryUnlockWrite", LockCall::kUnstamp},
    {"tryUnlockRead", LockCall::kUnstamp},
    {"unstampedUnlockWrite", LockCall::kUnstamp},  // of the views
    {"unstampedUnlockRead", LockCall::kUnstamp},
    {"tryConvertToReadLock", LockCall::kConvert},
    {"tryConvertToOptimisticRead", LockCall::kConvert},
    {"tryConvertToWriteLock", LockCall::kConvertToWrite},
    {"tryOptimisticRead", LockCall::kOptimistic},
    {"validate", LockCall::kOptimistic},
    {"isWriteLocked", LockCall::kLook},
    {"isReadLocked", LockCall::kLook},
    {"getReadLockCount", LockCall::kLook},
    {"toString", LockCall::kLook},
};

LockCall named(std::span<const NamedCall> calls, std::string_view method) {
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const NamedCall& c) { return c.method == method; });
  return found == calls.end() ? LockCall::kNone : found->call;
}

LockCall shared(LockCall call) {
  if (call == LockCall::kAcquire) return LockCall::kAcquireShared;
  return call == LockCall::kRelease ? LockCall::kReleaseShared : call;
}

void add_call(classfile::Plan& plan, std::string_view owner, std::string_view name, std::string_view descriptor,
              std::string_view instead) {
  std::string with_site(descriptor);
  with_site.insert(with_site.find(')'), "I");
  with_site.insert(1, "Ljava/lang/Object;");
  CallRule rule{owner, name, descriptor, CallRule::Action::kReplace, {instead, name, keep_name(std::move(with_site))},
                {}};
  rule.with_site = true;
  rule.anywhere = true;
  plan.add_call(rule);
}

}  // namespace

LockCall lock_call(std::string_view class_name, std::string_view method) {
  if (class_name == kConditionObject || class_name == kLongConditionObject) {
    if (method.starts_with("await")) return LockCall::kAwait;
    return method == "signal" || method == "signalAll" ? LockCall::kSignal : LockCall::kNone;
  }
  if (class_name == kStamped) return named(kOfStampedLock, method);
  if (class_name != kReentrant && class_name != kReadWrite && class_name != kReadSide && class_name != kWriteSide)
    return LockCall::kNone;
  const LockCall call = named(kOfLocks, method);
  return class_name == kReadSide ? shared(call) : call;
}

void add_sited_lock_calls(classfile::Plan& plan) {
  const auto add = [&plan](std::string_view owner, std::string_view name, std::string_view descriptor,
                           std::string_view instead = kLockCalls) { add_call(plan, owner, name, descriptor, instead); };
  for (const std::string_view owner : {kLock, kReentrant, kReadSide, kWriteSide}) {
    for (const char* name : {"lock", "lockInterruptibly", "unlock"}) add(owner, name, "()V");
    add(owner, "tryLock", "()Z");
    add(owner, "tryLock", "(JLjava/util/concurrent/TimeUnit;)Z");
  }
  add(kCondition, "await", "()V");
  add(kCondition, "awaitUninterruptibly", "()V");
  add(kCondition, "awaitNanos", "(J)J");
  add(kCondition, "await", "(JLjava/util/concurrent/TimeUnit;)Z");
  add(kCondition, "awaitUntil", "(Ljava/util/Date;)Z");
  for (const char* name : {"writeLock", "writeLockInterruptibly", "tryWriteLock", "readLock", "readLockInterruptibly",
                           "tryReadLock", "tryOptimisticRead"}) {
    add(kStamped, name, "()J", kStampedCalls);
  }
  for (const char* name : {"tryWriteLock", "tryReadLock"}) {
    add(kStamped, name, "(JLjava/util/concurrent/TimeUnit;)J", kStampedCalls);
  }
  for (const char* name : {"unlock", "unlockWrite", "unlockRead"}) add(kStamped, name, "(J)V", kStampedCalls);
  add(kStamped, "validate", "(J)Z", kStampedCalls);
  for (const char* name : {"tryUnlockWrite", "tryUnlockRead"}) add(kStamped, name, "()Z", kStampedCalls);
  for (const char* name : {"tryConvertToWriteLock", "tryConvertToReadLock", "tryConvertToOptimisticRead"}) {
    add(kStamped, name, "(J)J", kStampedCalls);
  }
}

void add_candidate_lock_calls(classfile::Plan& plan) {
  add_sited_lock_calls(plan);
  for (const char* name : {"signal", "signalAll"}) add_call(plan, kCondition, name, "()V", kLockModes);
}

}  // namespace deadheat::agent
