// SPDX-License-Identifier: Apache-2.0
//
// Hybrid detection (O'Callahan and Choi, PPoPP 2003) as RaceFuzzer's first phase defines it (Sen, PLDI 2008,
// section 2.2): two accesses of different threads, one a write, without a common lock (held for writing by one of
// them), and not ordered by start, join, notify or a volatile. Lock edges do not order, so races of other schedules are
// predicted; some can never happen.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/detector.h"
#include "engine/event_sync.h"
#include "engine/held_locks.h"

namespace deadheat::engine {

struct HybridOptions {
  EngineOptions engine;
  // Accesses remembered per variable that differ in thread, epoch, lockset, site or kind; the oldest half goes first.
  std::uint32_t accesses_per_variable = 1024;
};

class Hybrid final : public Detector {
 public:
  Hybrid(const HybridOptions& options, const RaceSink& sink)
      : sink_(sink),
        capacity_(options.accesses_per_variable),
        sync_(options.engine, {.locks = false, .notify = true}) {}

  void on_event(const model::Event& event) override { handle(event); }
  // Accesses forgotten for lack of room: pairs with them were not looked at.
  std::uint64_t forgotten_accesses() const { return forgotten_; }

 private:
  void handle(const model::Event& event);
  struct Past {
    ShadowWord word;
    LocksetId locks;
    LocksetId write_locks;  // those held for writing
    bool is_write;
    bool operator==(const Past&) const = default;
  };
  void on_access(const model::Event& event);

  const RaceSink sink_;
  const std::uint32_t capacity_;
  EventSync sync_;
  HeldLocks locks_;
  std::unordered_map<std::uint64_t, std::vector<Past>> variables_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace deadheat::engine
