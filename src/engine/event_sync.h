// SPDX-License-Identifier: Apache-2.0
//
// Offline: turns the synchronisation events of a trace into engine calls, keeping threads and sync words in maps as a
// front end would keep them in its objects. Used by the detectors that run over events; single-threaded.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "engine/engine.h"
#include "model/event.h"

namespace deadheat::engine {

// Which events order. The Java memory model's happens-before: locks, not notify (its monitor says it all). The hybrid
// detector's: notify, not locks (RaceFuzzer, PLDI 2008, section 2.2).
struct EdgeRules {
  bool locks = true;
  bool notify = false;
};

class EventSync {
 public:
  EventSync(const EngineOptions& options, EdgeRules rules) : engine_(options), rules_(rules) {}

  // Begins the thread if this is the first that is heard of it.
  ThreadState& thread(model::ThreadId id);
  // Every kind but kRead and kWrite.
  void on_event(const model::Event& event);

  const Engine& engine() const { return engine_; }

 private:
  void on_volatile(const model::Event& event);
  // Nothing if the thread has not begun, or has ended.
  void end(model::ThreadId id);

  Engine engine_;
  const EdgeRules rules_;
  std::unordered_map<model::ThreadId, ThreadState*> threads_;
  std::unordered_map<model::ThreadId, SyncWord> starts_;
  std::unordered_map<model::ThreadId, SyncWord> ends_;
  std::unordered_map<model::ThreadId, SyncWord> wakes_;
  std::unordered_map<std::uint64_t, SyncWord> locks_;
  std::unordered_map<std::uint64_t, SyncWord> readers_;  // of read-write locks: released by readers
  std::unordered_map<std::uint64_t, SyncWord> volatiles_;
  std::unordered_map<std::uint64_t, SyncWord> permits_;
};

}  // namespace deadheat::engine
