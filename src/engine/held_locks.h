// SPDX-License-Identifier: Apache-2.0
//
// The locks each thread holds, as small numbers: equal sets have equal numbers, and intersections are remembered. Used
// by the lockset and hybrid detectors; single-threaded.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "model/event.h"

namespace deadheat::engine {

enum class LocksetId : std::uint32_t {};  // 0: the empty set

class HeldLocks {
 public:
  HeldLocks();

  // kAcquire, kRelease and the two halves of a wait; others are ignored. Nested acquires of one lock count.
  void on_event(const model::Event& event);
  LocksetId held_by(model::ThreadId thread);
  LocksetId intersect(LocksetId a, LocksetId b);

 private:
  using Locks = std::vector<std::uint64_t>;  // ascending
  struct Thread {
    std::map<std::uint64_t, std::uint32_t> depth;
    std::map<std::uint64_t, std::uint32_t> given_up;  // depth of a monitor while its owner waits on it
    LocksetId held{};
  };

  LocksetId number_of(Locks locks);

  std::unordered_map<model::ThreadId, Thread> threads_;
  std::map<Locks, LocksetId> numbers_;
  std::vector<Locks> sets_;  // by number
  std::map<std::pair<LocksetId, LocksetId>, LocksetId> intersections_;
};

}  // namespace deadheat::engine
