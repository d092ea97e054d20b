// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include "engine/engine_parts.h"
#include "engine/sync.h"

namespace deadheat::engine {

Engine::Engine(const EngineOptions& options) : parts_(std::make_unique<EngineParts>(options)) {}
Engine::~Engine() = default;

SyncWord Engine::fork(ThreadState& parent) { return release(parent); }

ThreadState* Engine::begin_thread(SyncWord start, model::ThreadId id) { return parts_->threads.begin(start, id); }

SyncWord Engine::end_thread(ThreadState* ts) { return parts_->threads.end(ts); }

model::ThreadId Engine::thread_at(Epoch epoch) const { return parts_->threads.thread_at(epoch); }

EngineStats Engine::stats() const {
  EngineStats stats;
  parts_->threads.add_to(stats);
  parts_->read_sets.add_to(stats);
  stats.joined_clocks_live = parts_->joined_clocks.live();
  stats.joined_clocks_peak = parts_->joined_clocks.peak();
  if (const CandidateParts* candidates = parts_->candidates.get()) {
    stats.locksets = candidates->locksets.size();
    stats.locksets_refused = candidates->locksets.refused();
    stats.variables_inflated = candidates->pasts.made() + candidates->erasers.made();
    stats.variables_forgotten = candidates->pasts.forgotten() + candidates->erasers.forgotten();
    stats.accesses_forgotten = candidates->accesses_forgotten.load(std::memory_order_relaxed);
  }
  return stats;
}

}  // namespace deadheat::engine
