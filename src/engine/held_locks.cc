// SPDX-License-Identifier: Apache-2.0
#include "engine/held_locks.h"

namespace deadheat::engine {

using model::EventKind;

void HeldLocks::on_event(const model::Event& event) {
  const auto both = [&](void (HeldSet::*change)(LocksetTable&, std::uint64_t)) {
    Thread& thread = threads_[event.thread];
    (thread.all.*change)(table_, event.object);
    (thread.for_writing.*change)(table_, event.object);
  };
  switch (event.kind) {
    case EventKind::kEnd:
      threads_.erase(event.thread);
      return;
    case EventKind::kAcquire:
      return both(&HeldSet::acquire);
    case EventKind::kRelease:
      return both(&HeldSet::release);
    case EventKind::kWaitBegin:
      return both(&HeldSet::begin_wait);
    case EventKind::kWaitEnd:
      return both(&HeldSet::end_wait);
    case EventKind::kAcquireShared:
      return threads_[event.thread].all.acquire(table_, event.object);
    case EventKind::kReleaseShared:
      return threads_[event.thread].all.release(table_, event.object);
    default:
      return;
  }
}

LocksetId HeldLocks::held_by(model::ThreadId thread) const {
  const auto found = threads_.find(thread);
  return found == threads_.end() ? LocksetId{} : found->second.all.id();
}

LocksetId HeldLocks::held_for_writing_by(model::ThreadId thread) const {
  const auto found = threads_.find(thread);
  return found == threads_.end() ? LocksetId{} : found->second.for_writing.id();
}

}  // namespace deadheat::engine
