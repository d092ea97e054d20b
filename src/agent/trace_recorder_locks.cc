// SPDX-License-Identifier: Apache-2.0
//
// The JDK's own locks in a trace: acquire and release, where their code has atomic accesses, queues and parking. Other
// orders of such sections are other runs of the program as long as nobody looks at the lock in another way:
//
// - Who asks what others do with a lock, or does not get it, saw an order of its sections. From then on they keep their
//   order (an update of a location beside each acquire and release), and what was before is before. Looking has a site,
//   so that a re-execution does it at its time.
// - Conditions: all that waits for, wakes by and comes back from one keeps its order, likewise. With a fair lock or a
//   read-write lock it depends on who queues whether others get it, so there a wait makes the lock keep its order too.
// - A permit that was given from within a lock may end a park of the program's own: that is after the one who gave it.
#include <algorithm>

#include "agent/trace_recorder.h"

namespace deadheat::agent {

using model::EventKind;
using schedule::OperationKind;
using schedule::Passage;
using schedule::ThreadIndex;

namespace {

bool contains(const std::vector<ThreadIndex>& threads, ThreadIndex thread) {
  return std::find(threads.begin(), threads.end(), thread) != threads.end();
}

std::string numbered(const char* what, std::uint64_t key) { return what + std::to_string(key >> 32); }

}  // namespace

// Whether the operation is the inside of a lock.
bool TraceRecorder::leave_out(Thread& thread, const schedule::Operation& op, Passage passage) {
  const bool has_target = op.target != schedule::kNoThread && to_number(op.target) < threads_.size();
  if (op.kind == OperationKind::kUnpark && has_target) {
    threads_[to_number(op.target)].unparker = thread.in_lock_call ? thread.index : schedule::kNoThread;
  }
  if (!thread.in_lock_call) return false;
  switch (op.kind) {
    case OperationKind::kVolatileRead:
    case OperationKind::kVolatileWrite:
    case OperationKind::kVolatileUpdate:
      return op.object >> 32 != kInitialiserKey >> 32;
    case OperationKind::kPark:
      thread.unparker = schedule::kNoThread;
      return passage != Passage::kInterrupted;
    case OperationKind::kUnpark:
      return true;
    default:
      return false;
  }
}

// What the thread has done so far, for others to be after it; of one that waits or has ended, what it had done then.
void TraceRecorder::put_past(Thread& thread) {
  if (!thread.uses_locks) return;
  if (thread.past == 0) thread.past = names_.syncs.number("past:" + world_->name(thread.index));
  put(EventKind::kVolatileWrite, thread, {}, thread.past);
}

void TraceRecorder::order_after(const Thread& later, Thread& earlier) {
  earlier.uses_locks = true;
  if (!earlier.ended && earlier.waits_on == 0) put_past(earlier);
  if (earlier.past != 0) put(EventKind::kVolatileRead, later, {}, earlier.past);
}

void TraceRecorder::keep_order(Thread& thread, JdkLock& lock, std::uint64_t key, model::SiteId site) {
  if (lock.order == 0) {
    for (const ThreadIndex user : lock.users) {
      if (user != thread.index) order_after(thread, threads_[to_number(user)]);
    }
    lock.order = names_.syncs.number(numbered("order@", key));
  }
  put(EventKind::kVolatileUpdate, thread, site, lock.order);
}

void TraceRecorder::put_held(Thread& thread, JdkLock& lock, EventKind kind, model::SiteId site) {
  if (lock.order != 0) put(EventKind::kVolatileUpdate, thread, {}, lock.order);
  put(kind, thread, site, lock.name);
  if (lock.order != 0) put(EventKind::kVolatileUpdate, thread, {}, lock.order);
}

void TraceRecorder::put_condition(const Thread& thread, std::uint64_t key) {
  std::uint64_t& number = conditions_[key];
  if (number == 0) number = names_.syncs.number(numbered("condition@", key));
  put(EventKind::kVolatileUpdate, thread, {}, number);
}

void TraceRecorder::on_lock(const schedule::World& world, ThreadIndex index, LockEvent event, std::uint64_t key,
                            std::uint32_t number, std::uint64_t condition) {
  if (file_.is_closed()) return;
  Thread& thread = thread_of(world, index);
  world_ = &world;
  cookie_ = number;
  thread.uses_locks = true;
  if (event == LockEvent::kEnters || event == LockEvent::kLeaves) {
    // Where it is in unscheduled code by itself is told before what it is in by us begins.
    if (event == LockEvent::kEnters) mark_unscheduled(thread, world.is_unscheduled(index));
    thread.in_lock_call = event == LockEvent::kEnters;
    return;
  }
  const model::SiteId site = site_of(number);
  JdkLock& lock = locks_[key];
  if (lock.name == 0) lock.name = names_.syncs.number(numbered("lock@", key));
  const auto use = [&] {
    if (!contains(lock.users, index)) lock.users.push_back(index);
  };
  switch (event) {
    case LockEvent::kAcquired:
      if (lock.owner == index) return;
      use();
      if (thread.condition != 0) put_condition(thread, thread.condition);
      thread.condition = 0;
      lock.owner = index;
      put_held(thread, lock, EventKind::kAcquire, site);
      return put_unseen(thread, site, {.object = key, .cookie = number});
    case LockEvent::kReleasing:
      if (lock.owner != index) return;
      lock.owner = schedule::kNoThread;
      return put_held(thread, lock, EventKind::kRelease, site);
    case LockEvent::kSharedAcquired:
      if (contains(lock.readers, index)) return;
      use();
      lock.readers.push_back(index);
      put_held(thread, lock, EventKind::kAcquireShared, site);
      return put_unseen(thread, site, {.object = key, .cookie = number});
    case LockEvent::kSharedReleasing:
      if (std::erase(lock.readers, index) != 0) put_held(thread, lock, EventKind::kReleaseShared, site);
      return;
    case LockEvent::kTried:
      if (lock.owner != index) keep_order(thread, lock, key, site);
      return;
    case LockEvent::kLooked:
      return keep_order(thread, lock, key, site);
    case LockEvent::kAwaits:
      thread.condition = condition;
      return put_condition(thread, condition);
    case LockEvent::kAwaited:
      thread.condition = 0;
      return;
    case LockEvent::kSignals:
      return put_condition(thread, condition);
    case LockEvent::kWriteStamped:
    case LockEvent::kReadStamped:
    case LockEvent::kWriteValid:
    case LockEvent::kReadValid:
    case LockEvent::kUpgraded:
    case LockEvent::kDowngraded:
      use();
      [[fallthrough]];
    case LockEvent::kWriteGone:
    case LockEvent::kReadGone:
    case LockEvent::kSeesVersion:
      return on_stamped(thread, {lock, key, number}, event);
    case LockEvent::kEnters:
    case LockEvent::kLeaves:
      return;
  }
}

}  // namespace deadheat::agent
