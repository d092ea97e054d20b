// SPDX-License-Identifier: Apache-2.0
//
// Eraser (Savage et al., TOCS 1997, section 2.2): each variable should have a lock that is held at every access once it
// is shared and written; a write counts only the locks held for writing (section 2.3). Knows no order between threads,
// so hand-over by start, join or volatile is reported too.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "engine/detector.h"
#include "engine/held_locks.h"

namespace deadheat::engine {

class Lockset final : public Detector {
 public:
  explicit Lockset(const RaceSink& sink) : sink_(sink) {}
  void on_event(const model::Event& event) override { handle(event); }

 private:
  void handle(const model::Event& event);
  // Figure 4 of the paper.
  enum class State : std::uint8_t { kVirgin, kExclusive, kShared, kSharedModified };
  struct Variable {
    State state = State::kVirgin;
    LocksetId candidates{};   // meaningful once shared
    AccessRecord last;        // the last access
    AccessRecord last_other;  // the last access of a thread other than last.thread: one of the two is not ours
  };
  void on_access(const model::Event& event);

  const RaceSink sink_;
  HeldLocks locks_;
  std::unordered_map<std::uint64_t, Variable> variables_;
};

}  // namespace deadheat::engine
