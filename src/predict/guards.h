// SPDX-License-Identifier: Apache-2.0
//
// The locks that every access of a variable held (Eraser's candidate set, with its rule for read-write locks: a write
// counts only the locks it holds alone). While there is one, no two accesses of the variable that conflict can ever be
// next to each other, whatever the schedule: nothing needs to be looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/held_sections.h"

namespace deadheat::predict {

class Guards {
 public:
  explicit Guards(std::uint32_t variables) : variables_(variables + 1) {}

  // Whether all conflicting accesses so far, this one included, are kept apart by a lock or are of one thread.
  bool add(const model::Event& access, const HeldSections& held) {
    Guard& guard = variables_[access.object];
    const std::uint32_t thread = to_number(access.thread);
    const bool is_write = access.kind == model::EventKind::kWrite;
    if (guard.thread == 0) {
      guard.thread = thread;
      held.for_each_now(thread, [&](const Section& s) {
        if (!is_write || !s.shared) guard.locks[guard.count++] = s.lock;
        return guard.count < kMost;
      });
      return true;
    }
    if (guard.thread != thread) guard.is_shared = true;
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < guard.count; ++i) {
      const bool is_held = !held.for_each_now(
          thread, [&](const Section& s) { return s.lock != guard.locks[i] || (is_write && s.shared); });
      if (is_held) guard.locks[kept++] = guard.locks[i];
    }
    guard.count = kept;
    return kept != 0 || !guard.is_shared;
  }
  std::uint64_t memory_bytes() const { return variables_.capacity() * sizeof(Guard); }

 private:
  // More would never be wrong, only more often useful.
  static constexpr std::uint32_t kMost = 4;
  struct Guard {
    std::uint32_t thread = 0;  // of the first access; 0: none yet
    bool is_shared = false;    // between threads
    std::uint32_t count = 0;
    std::uint32_t locks[kMost] = {};
  };
  std::vector<Guard> variables_;
};

}  // namespace deadheat::predict
