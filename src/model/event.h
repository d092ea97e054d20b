// SPDX-License-Identifier: Apache-2.0
//
// One step of an execution as the detectors see it; a run is a sequence of these in an order that agrees with every
// thread's program order and with every synchronisation object's own order. Plain data: the meaning (which events are
// ordered) is given by the detectors, and for happens-before by docs/engine.md.
#pragma once

#include <cstdint>

#include "model/ids.h"

namespace deadheat::model {

enum class EventKind : std::uint8_t {
  kRead,            // object: VariableId
  kWrite,           // object: VariableId
  kAcquire,         // object: SyncId; a monitor or lock was entered (outermost level only)
  kRelease,         // object: SyncId; is about to be left
  kVolatileRead,    // object: SyncId; mode says how strong
  kVolatileWrite,   // object: SyncId; mode says how strong
  kVolatileUpdate,  // object: SyncId; an atomic read-modify-write that succeeded
  kFork,            // object: ThreadId of the child, which begins later
  kJoin,            // object: ThreadId that has ended
  kBegin,           // first event of a thread
  kEnd,             // last event of a thread
  kWaitBegin,       // object: SyncId; the monitor is released and the thread waits
  kWaitEnd,         // object: SyncId; the monitor is held again
  kNotify,          // object: SyncId; peer: ThreadId woken, or 0 when nobody waited
  kPark,            // object: SyncId of the own permit; park returned
  kUnpark,          // object: SyncId of the other's permit
  kAcquireShared,   // object: SyncId; one of several readers holds a read-write lock
  kReleaseShared,   // object: SyncId
  kRegionEnter,     // object: a number for the region, or 0; what follows is meant to be atomic
  kRegionExit,      // object: as entered
  kMethodEnter,     // object: a number for the method
  kMethodExit,      // object: as entered
};

const char* event_kind_name(EventKind kind);

// The access mode of a volatile-like operation (VarHandle modes; a volatile field is kVolatile). kPlain and kOpaque
// order nothing.
enum class AccessMode : std::uint8_t { kPlain, kOpaque, kAcquireRelease, kVolatile };

struct Event {
  EventKind kind;
  AccessMode mode = AccessMode::kVolatile;
  ThreadId thread{};
  SiteId site{};
  std::uint64_t object = 0;
  ThreadId peer{};
};

}  // namespace deadheat::model
