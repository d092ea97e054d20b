// SPDX-License-Identifier: Apache-2.0
//
// Happens-before detection over events: access.h and sync.h with the words kept in maps. The very code the front ends
// call.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "engine/detector.h"
#include "engine/event_sync.h"

namespace deadheat::engine {

struct FastTrackOptions {
  EngineOptions engine;
  bool fast_path = true;  // take the exits a front end inlines (shadow_word.h)
};

class FastTrack final : public Detector {
 public:
  FastTrack(const FastTrackOptions& options, const RaceSink& sink)
      : fast_path_(options.fast_path), sink_(sink), sync_(options.engine, EdgeRules{}) {}

  void on_event(const model::Event& event) override { handle(event); }
  EngineStats stats() const { return sync_.engine().stats(); }

 private:
  void handle(const model::Event& event);
  struct Words {
    ShadowWord w = kNeverAccessed;
    ShadowWord r = kNeverAccessed;
  };
  void on_read_event(const model::Event& event);
  void on_write_event(const model::Event& event);
  void report(const ThreadState& ts, const AccessResult& result, const model::Event& event);

  const bool fast_path_;
  const RaceSink sink_;
  EventSync sync_;
  std::unordered_map<std::uint64_t, Words> variables_;
};

}  // namespace deadheat::engine
