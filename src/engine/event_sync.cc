// SPDX-License-Identifier: Apache-2.0
#include "engine/event_sync.h"

#include "engine/sync.h"

namespace deadheat::engine {

using model::EventKind;
using model::ThreadId;

namespace {

ThreadId thread_named_by(const model::Event& event) { return ThreadId{static_cast<std::uint32_t>(event.object)}; }

void join_into(ThreadState& ts, SyncWord& word) {
  const SyncWord old = word;
  word = release_join(ts, old);
  discard(ts, old, word);
}

}  // namespace

ThreadState& EventSync::thread(ThreadId id) {
  ThreadState*& ts = threads_[id];
  if (ts == nullptr) {
    ts = engine_.begin_thread(starts_[id], id);
    starts_.erase(id);
  }
  return *ts;
}

void EventSync::on_event(const model::Event& event) {
  ThreadState& ts = thread(event.thread);
  switch (event.kind) {
    case EventKind::kRead:
    case EventKind::kWrite:
    case EventKind::kBegin:
    case EventKind::kRegionEnter:
    case EventKind::kRegionExit:
    case EventKind::kMethodEnter:
    case EventKind::kMethodExit:
      return;
    case EventKind::kAcquire:
      if (!rules_.locks) return;
      acquire(ts, locks_[event.object]);
      if (const auto readers = readers_.find(event.object); readers != readers_.end()) acquire(ts, readers->second);
      return;
    case EventKind::kAcquireShared:
      if (rules_.locks) acquire(ts, locks_[event.object]);
      return;
    case EventKind::kReleaseShared:
      if (rules_.locks) join_into(ts, readers_[event.object]);
      return;
    case EventKind::kWaitBegin:
    case EventKind::kRelease:
      if (rules_.locks) locks_[event.object] = release(ts, locks_[event.object]);
      return;
    case EventKind::kWaitEnd:
      if (rules_.locks) acquire(ts, locks_[event.object]);
      if (rules_.notify) acquire(ts, wakes_[event.thread]);
      return;
    case EventKind::kNotify:
      if (rules_.notify && event.peer != ThreadId{}) join_into(ts, wakes_[event.peer]);
      return;
    case EventKind::kVolatileRead:
    case EventKind::kVolatileWrite:
    case EventKind::kVolatileUpdate:
      return on_volatile(event);
    case EventKind::kPark:
      acquire(ts, permits_[event.object]);
      return;
    case EventKind::kUnpark:
      return join_into(ts, permits_[event.object]);
    case EventKind::kFork:
      starts_[thread_named_by(event)] = engine_.fork(ts);
      return;
    case EventKind::kJoin:
      // In traces that do not say when a thread ends, the join says that it has, and that one without events began.
      if (starts_.count(thread_named_by(event)) != 0) thread(thread_named_by(event));
      end(thread_named_by(event));
      acquire(ts, ends_[thread_named_by(event)]);
      return;
    case EventKind::kEnd:
      return end(event.thread);
  }
}

void EventSync::end(ThreadId id) {
  const auto found = threads_.find(id);
  if (found == threads_.end()) return;
  ends_[id] = engine_.end_thread(found->second);
  threads_.erase(found);
}

void EventSync::on_volatile(const model::Event& event) {
  if (event.mode < model::AccessMode::kAcquireRelease) return;
  ThreadState& ts = thread(event.thread);
  SyncWord& word = volatiles_[event.object];
  if (event.kind != EventKind::kVolatileWrite) acquire(ts, word);
  if (event.kind == EventKind::kVolatileWrite) return join_into(ts, word);
  if (event.kind == EventKind::kVolatileUpdate) word = release(ts, word);
}

}  // namespace deadheat::engine
