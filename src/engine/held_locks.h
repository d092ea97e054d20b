// SPDX-License-Identifier: Apache-2.0
//
// Offline: the locks each thread of a trace holds. Used by the lockset and hybrid detectors; single-threaded.
#pragma once

#include <unordered_map>

#include "engine/locksets.h"
#include "model/event.h"

namespace deadheat::engine {

class HeldLocks {
 public:
  // kAcquire, kRelease and the two halves of a wait; others are ignored.
  void on_event(const model::Event& event);
  LocksetId held_by(model::ThreadId thread) const;
  LocksetId intersect(LocksetId a, LocksetId b) { return table_.intersect(a, b); }

 private:
  LocksetTable table_;
  std::unordered_map<model::ThreadId, HeldSet> threads_;
};

}  // namespace deadheat::engine
