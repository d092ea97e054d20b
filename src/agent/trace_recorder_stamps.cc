// SPDX-License-Identifier: Apache-2.0
//
// StampedLock in a trace. Beside what every lock of the JDK is (trace_recorder_locks.cc):
//
// - The version of its state, which optimistic stamps are compared with, is a location `version@17` that every write
//   section writes where it begins and where it ends, and that tryOptimisticRead() and validate() read. In another
//   order of the run each finds the write that it found, so a stamp is as valid there as it was. Readers leave the
//   version alone.
// - A conversion is atomic. An optimistic stamp is compared when its lock is held. The writer who becomes a reader
// reads
//   before it gives up writing. A trace has no lock that its reader takes alone, so the reader who becomes a writer
//   lets it go between; that nobody comes there, the lock keeps its order from then on.
// - A stamp belongs to nobody. When another thread than the one that took the lock gives it up, a trace has no words
// for
//   that: from then on the lock has no more sections in it, and all that is done with it keeps its order.
#include <algorithm>

#include "agent/trace_recorder.h"

namespace deadheat::agent {

using model::EventKind;

void TraceRecorder::on_stamped(Thread& thread, const StampedLock& stamped, LockEvent event) {
  JdkLock& lock = stamped.lock;
  if (lock.version == 0) lock.version = names_.syncs.number("version@" + std::to_string(stamped.key >> 32));
  switch (event) {
    case LockEvent::kWriteStamped:
      return take_stamped(thread, stamped, true);
    case LockEvent::kReadStamped:
      return take_stamped(thread, stamped, false);
    case LockEvent::kWriteGone:
      return give_stamped(thread, stamped, true);
    case LockEvent::kReadGone:
      return give_stamped(thread, stamped, false);
    case LockEvent::kWriteValid:
      return take_stamped(thread, stamped, true, true);
    case LockEvent::kReadValid:
      return take_stamped(thread, stamped, false, true);
    case LockEvent::kUpgraded:
      keep_order(thread, lock, stamped.key);
      give_stamped(thread, stamped, false);
      return take_stamped(thread, stamped, true);
    case LockEvent::kDowngraded:
      take_stamped(thread, stamped, false);
      return give_stamped(thread, stamped, true);
    default:  // at a site: a re-execution has to do it at its time
      return put(EventKind::kVolatileRead, thread, site_of(stamped.number), lock.version);
  }
}

void TraceRecorder::put_stamped(Thread& thread, const StampedLock& stamped, EventKind kind) {
  if (stamped.lock.handed_on) return keep_order(thread, stamped.lock, stamped.key);
  put_held(thread, stamped.lock, kind, site_of(stamped.number));
}

void TraceRecorder::hand_on(Thread& thread, const StampedLock& stamped) {
  if (!stamped.lock.handed_on) keep_order(thread, stamped.lock, stamped.key);
  stamped.lock.handed_on = true;
}

void TraceRecorder::take_stamped(Thread& thread, const StampedLock& stamped, bool write, bool validates) {
  JdkLock& lock = stamped.lock;
  const bool by_other = lock.owner != schedule::kNoThread && lock.owner != thread.index;
  // Given up by a thread that is not recorded.
  if (by_other || (write && (lock.owner == thread.index || !lock.readers.empty()))) hand_on(thread, stamped);
  const bool again = !write && std::find(lock.readers.begin(), lock.readers.end(), thread.index) != lock.readers.end();
  if (write) {
    lock.owner = thread.index;
  } else {
    lock.readers.push_back(thread.index);
  }
  const bool folded = again && !lock.handed_on;
  if (!folded) put_stamped(thread, stamped, write ? EventKind::kAcquire : EventKind::kAcquireShared);
  if (validates) put(EventKind::kVolatileRead, thread, {}, lock.version);
  if (folded) return;
  if (write) put(EventKind::kVolatileWrite, thread, {}, lock.version);
  put_unseen(thread, site_of(stamped.number), {.object = stamped.key, .cookie = stamped.number});
}

void TraceRecorder::give_stamped(Thread& thread, const StampedLock& stamped, bool write) {
  JdkLock& lock = stamped.lock;
  const auto hold = std::find(lock.readers.begin(), lock.readers.end(), thread.index);
  const bool own = write ? lock.owner == thread.index : hold != lock.readers.end();
  if (!own) hand_on(thread, stamped);
  if (write) {
    lock.owner = schedule::kNoThread;
    put(EventKind::kVolatileWrite, thread, {}, lock.version);
  } else if (own) {
    lock.readers.erase(hold);
    const bool still = std::find(lock.readers.begin(), lock.readers.end(), thread.index) != lock.readers.end();
    if (still && !lock.handed_on) return;
  }
  put_stamped(thread, stamped, write ? EventKind::kRelease : EventKind::kReleaseShared);
}

}  // namespace deadheat::agent
