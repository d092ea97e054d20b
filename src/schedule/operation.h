// SPDX-License-Identifier: Apache-2.0
//
// What a managed thread is about to do: the vocabulary between a host (which owns the real threads) and the scheduler.
// A thread publishes its operation at a scheduling point *before* it performs it; the model is changed when the
// scheduler lets the thread go, the real operation follows in the host. Plain data, no thread rules of its own.
#pragma once

#include <cstdint>

#include "model/ids.h"

namespace deadheat::schedule {

// A managed thread: dense, in order of registration, never reused within a run. Names (World::name) are what is stable
// between runs.
enum class ThreadIndex : std::uint32_t {};
constexpr std::uint32_t to_number(ThreadIndex thread) { return static_cast<std::uint32_t>(thread); }
inline constexpr ThreadIndex kNoThread{~0u};

enum class OperationKind : std::uint8_t {
  kBegin,          // first operation of every thread
  kEnd,            // last one; object: the monitor of the thread object, 0 for none. Enabled when that is free: the end
                   // takes it, notifies all its waiters and lets it go, in one step, so that nobody who has seen the
                   // thread alive under the monitor misses the notify
  kRead,           // object: location; a plain read at a watched site
  kWrite,          // object: location
  kVolatileRead,   // object: location; volatile, atomic, or any other ordered access
  kVolatileWrite,  // object: location
  kVolatileUpdate,  // object: location; read-modify-write, whether it will succeed or not
  kLock,            // object: monitor; enabled when it is free or the thread's own (recursion is counted)
  kUnlock,          // object: monitor; one level
  kWaitBegin,       // object: monitor, released at all levels; timeout. The thread *keeps the turn*: it lets go of the
                    // real monitor, then publishes kWaitEnd
  kWaitEnd,    // object: the same monitor; enabled once woken (notify, timeout, interrupt) and the monitor is free;
               // re-acquires it at the old depth
  kNotify,     // object: monitor; which waiter is woken is a choice of the strategy
  kNotifyAll,  // object: monitor
  kPark,       // enabled by a permit, the interrupt mark or the timeout; consumes the permit
  kUnpark,     // target
  kStart,      // target: a thread added before; it can be chosen from now on
  kJoin,       // target; timeout
  kSleep,      // timeout
  kYield,
  kInterrupt,       // target
  kTestInterrupt,   // target: reads the mark
  kClearInterrupt,  // clears the thread's own mark (and reads it)
  kExternal,  // goes off to block outside the model: returns at once *without* the turn, rejoins at its next point
  kClock,     // looks at the clock: nothing but time goes on, so that a loop until some time ends
  kLook,      // comes by with no wish to wait: looks at the state of target, or is back from outside (no target)
};
inline constexpr std::uint8_t kOperationKinds = static_cast<std::uint8_t>(OperationKind::kLook) + 1;

const char* operation_kind_name(OperationKind kind);

inline constexpr std::uint64_t kNoTimeout = ~std::uint64_t{0};

struct Operation {
  OperationKind kind = OperationKind::kYield;
  model::SiteId site{};
  // A key that is stable between runs of one program: the host numbers objects in order of first use; 0 is none.
  // Locations and monitors are different spaces, told apart by the kind.
  std::uint64_t object = 0;
  // An access covers the locations [object, object + extent).
  std::uint32_t extent = 1;
  ThreadIndex target = kNoThread;
  // Nanoseconds of virtual time, from the moment the operation is published (kWaitBegin: executed).
  std::uint64_t timeout = kNoTimeout;
  // The host's own; nobody here looks at it.
  std::uint32_t cookie = 0;
};

// How an operation ended.
enum class Passage : std::uint8_t {
  kGranted,
  kTimedOut,     // kWaitEnd, kPark, kJoin, kSleep (a sleep that was slept out is kGranted)
  kInterrupted,  // kWaitBegin (then nothing was released and no kWaitEnd follows), kWaitEnd, kJoin, kSleep: the mark is
                 // cleared, the host throws; kPark: the mark stays
  kFreeRun,      // the scheduler has stopped: nothing is modelled any more, the host does as it would without it
};

bool is_access(OperationKind kind);  // kRead … kVolatileUpdate
bool writes(OperationKind kind);     // of the accesses: may change the location
bool can_time_out(OperationKind kind);
bool may_spin(OperationKind kind);  // what loops are made of that wait without blocking: kYield, kLook

// A data race if both could go next: accesses that overlap, at least one writes, at least one is plain.
bool races(const Operation& a, const Operation& b);
// The order of the two matters (they do not commute): races, ordered accesses, same monitor, same permit or thread.
bool conflicts(ThreadIndex thread_a, const Operation& a, ThreadIndex thread_b, const Operation& b);

}  // namespace deadheat::schedule
