// SPDX-License-Identifier: Apache-2.0
//
// What a call of a method of StampedLock has done, as the events of a lock: pure, called by the thread that made the
// call, when the method ends (conductor_locks.cc).
#pragma once

#include <cstdint>
#include <vector>

#include "agent/lock_calls.h"
#include "agent/trace_recorder.h"

namespace deadheat::agent {

// stamp: the last one that the method got, 0 if none. before, after: who held the lock when the method began and ended
// (GateView::lock_holds); of methods that wait, only the stamp says what they did.
std::vector<LockEvent> stamped_events(LockCall call, std::int64_t stamp, int before, int after);

}  // namespace deadheat::agent
