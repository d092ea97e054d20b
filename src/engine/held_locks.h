// SPDX-License-Identifier: Apache-2.0
//
// Offline: the locks each thread of a trace holds. Used by the lockset and hybrid detectors; single-threaded.
//
// A read-write lock held for reading protects reads only (Eraser, section 2.3): other readers may be there as well.
#pragma once

#include <unordered_map>

#include "engine/locksets.h"
#include "model/event.h"

namespace deadheat::engine {

class HeldLocks {
 public:
  // Acquires, releases and the two halves of a wait; others are ignored.
  void on_event(const model::Event& event);
  // In any mode, and for writing.
  LocksetId held_by(model::ThreadId thread) const;
  LocksetId held_for_writing_by(model::ThreadId thread) const;
  LocksetId intersect(LocksetId a, LocksetId b) { return table_.intersect(a, b); }

 private:
  struct Thread {
    HeldSet all;  // a lock held in both modes counts twice
    HeldSet for_writing;
  };

  LocksetTable table_;
  std::unordered_map<model::ThreadId, Thread> threads_;
};

}  // namespace deadheat::engine
