// SPDX-License-Identifier: Apache-2.0
//
// The engine: threads and their slots, and what they share (histories, joined clocks, read sets). Knows no language, no
// variables and no locks: the words of those are the front end's (shadow_word.h, sync_word.h). One instance per run;
// its methods may be called on any thread at any time, except that a ThreadState is used by its own thread only.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/counts.h"
#include "engine/sync_word.h"
#include "engine/thread_state.h"
#include "model/ids.h"

namespace deadheat::engine {

struct EngineOptions {
  std::uint32_t max_slots = kMaxSlot;           // threads that live at once, or ended but unordered with the others
  std::uint32_t history_per_thread = 1u << 16;  // clock changes a thread remembers (12 bytes each)
  std::uint32_t history_total = 1u << 20;       // the same over all threads
  std::uint64_t read_set_bytes = 32u << 20;     // beyond this read sets are retired
  std::uint32_t read_set_moves = 256;           // that a thread remembers (read_set_cache.h); a power of two
  // For the detectors of candidates (candidates.h): whether they are to be used, variables with a record, and accesses
  // that such a record holds.
  bool candidates = false;
  std::uint32_t candidate_records = 1u << 20;
  std::uint32_t candidate_accesses = 256;
  // A front end may give one place in the program several numbers: the one that stands for all of them. Null: each is a
  // place of its own.
  model::SiteId (*candidate_place)(model::SiteId) = nullptr;
  std::uint32_t first_clock_for_testing = 1;  // of a fresh slot; near kMaxClock to test the limit
};

class Engine {
 public:
  explicit Engine(const EngineOptions& options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The starting edge: called by the parent just before the child can run; the word is consumed by begin_thread.
  SyncWord fork(ThreadState& parent);
  // Called by the new thread itself, or for it before it runs. start = 0: nothing is known to be ordered before it (the
  // first thread, a thread attached from outside). id names the thread in reports.
  ThreadState* begin_thread(SyncWord start, model::ThreadId id);
  // Called by the thread as its last engine call; ts is gone afterwards. The word is for joiners to acquire.
  SyncWord end_thread(ThreadState* ts);

  // Whose access a word of this slot and clock was; ThreadId{} when it was too long ago (slots are recycled).
  model::ThreadId thread_at(Epoch epoch) const;

  // A consistent-enough picture: counters of running threads are read while they go on counting.
  EngineStats stats() const;

 private:
  std::unique_ptr<EngineParts> parts_;
};

}  // namespace deadheat::engine
