// SPDX-License-Identifier: Apache-2.0
#include "engine/held_locks.h"

namespace deadheat::engine {

using model::EventKind;

void HeldLocks::on_event(const model::Event& event) {
  switch (event.kind) {
    case EventKind::kEnd:
      threads_.erase(event.thread);
      return;
    case EventKind::kAcquire:
      return threads_[event.thread].acquire(table_, event.object);
    case EventKind::kRelease:
      return threads_[event.thread].release(table_, event.object);
    case EventKind::kWaitBegin:
      return threads_[event.thread].begin_wait(table_, event.object);
    case EventKind::kWaitEnd:
      return threads_[event.thread].end_wait(table_, event.object);
    default:
      return;
  }
}

LocksetId HeldLocks::held_by(model::ThreadId thread) const {
  const auto found = threads_.find(thread);
  return found == threads_.end() ? LocksetId{} : found->second.id();
}

}  // namespace deadheat::engine
