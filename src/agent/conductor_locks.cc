// SPDX-License-Identifier: Apache-2.0
//
// Methods of the JDK's own locks while a trace is recorded: what they mean is told to the recorder, in the order in
// which it happens for real. That an exclusive lock was got is told behind the atomic update that takes it, and that it
// is given up before the write that frees it, so no two sections overlap.
#include "agent/conductor.h"
#include "agent/stamped_lock.h"

namespace deadheat::agent {

using schedule::OperationKind;

namespace {

// How often the thread holds the read side.
int read_holds(JNIEnv* jni, jobject synchroniser) {
  const jclass type = jni->GetObjectClass(synchroniser);
  const jmethodID count = jni->GetMethodID(type, "getReadHoldCount", "()I");
  const int holds = count == nullptr ? 0 : jni->CallIntMethod(synchroniser, count);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  jni->DeleteLocalRef(type);
  return holds;
}

}  // namespace

void Conductor::tell_lock(ManagedThread& self, LockEvent event, std::uint64_t lock, std::uint32_t site,
                          std::uint64_t condition) {
  catch_up(self);
  scheduler_->catch_up(self.index, [&](const schedule::World& world, const auto&) {
    if (!self.regions.empty()) recorder_->on_regions(world, self.index, self.regions);
    self.regions.clear();
    recorder_->on_lock(world, self.index, event, lock, site, condition);
  });
}

// False in a method that another one of the lock calls.
bool Conductor::begin_lock_call(ManagedThread& self, std::uint64_t lock, std::uint32_t site, bool looks) {
  if (recorder_ == nullptr || self.lock_calls++ != 0) return false;
  const std::uint32_t at = self.view.lock_site != 0 ? self.view.lock_site : site;
  self.lock_call_site = at;
  tell_lock(self, LockEvent::kEnters, lock, at);
  // Also before it is given up: others may look whether it is held.
  const OperationKind kind = looks ? OperationKind::kVolatileRead : OperationKind::kVolatileUpdate;
  perform(self, {.kind = kind, .object = lock | kSomeField}, at);
  unscheduled(self, true);
  return true;
}

// True in the outermost.
bool Conductor::leave_call(ManagedThread& self) {
  return recorder_ != nullptr && self.lock_calls != 0 && --self.lock_calls == 0;
}

void Conductor::end_lock_call(ManagedThread& self, std::uint64_t lock) {
  unscheduled(self, false);
  tell_lock(self, LockEvent::kLeaves, lock, self.lock_call_site);
  go_on(self);
}

void Conductor::enter_lock_call(JNIEnv* jni, ManagedThread& self, LockCall call, const JdkLock& lock,
                                std::uint32_t site) {
  if (!begin_lock_call(self, lock.key, site)) return;
  const std::uint32_t at = self.lock_call_site;
  if (call == LockCall::kAwait) {
    if (!lock.barging) tell_lock(self, LockEvent::kLooked, lock.key, at);
    tell_lock(self, LockEvent::kAwaits, lock.key, at, lock.subject);
  } else if (call == LockCall::kSignal) {
    tell_lock(self, LockEvent::kSignals, lock.key, at, lock.subject);
  } else if (call == LockCall::kReleaseShared && read_holds(jni, lock.synchroniser) == 1) {
    tell_lock(self, LockEvent::kSharedReleasing, lock.key, at);
  }
  go_on(self);
}

void Conductor::leave_lock_call(JNIEnv* jni, ManagedThread& self, LockCall call, const JdkLock& lock) {
  if (!leave_call(self)) return;
  const std::uint32_t at = self.lock_call_site;
  if (call == LockCall::kAwait) tell_lock(self, LockEvent::kAwaited, lock.key, at);
  if (call == LockCall::kLook) tell_lock(self, LockEvent::kLooked, lock.key, at);
  if (call == LockCall::kAcquire) tell_lock(self, LockEvent::kTried, lock.key, at);
  if (call == LockCall::kAcquireShared) {
    const bool got = read_holds(jni, lock.synchroniser) > 0;
    tell_lock(self, got ? LockEvent::kSharedAcquired : LockEvent::kLooked, lock.key, at);
  }
  end_lock_call(self, lock.key);
}

bool Conductor::enter_stamped_call(ManagedThread& self, LockCall call, std::uint64_t lock, std::uint32_t site) {
  if (!begin_lock_call(self, lock, site, call == LockCall::kOptimistic)) return false;
  go_on(self);
  return true;
}

void Conductor::leave_stamped_call(ManagedThread& self, LockCall call, std::uint64_t lock, int holds) {
  if (!leave_call(self)) return;
  for (const LockEvent event : stamped_events(call, self.view.lock_stamp, self.view.lock_holds, holds)) {
    tell_lock(self, event, lock, self.lock_call_site);
  }
  end_lock_call(self, lock);
}

void Conductor::lock_owned(ManagedThread& self, std::uint64_t lock, bool taken) {
  if (recorder_ == nullptr) return;
  tell_lock(self, taken ? LockEvent::kAcquired : LockEvent::kReleasing, lock, self.lock_call_site);
  go_on(self);
}

}  // namespace deadheat::agent
