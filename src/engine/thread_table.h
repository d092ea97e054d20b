// SPDX-License-Identifier: Apache-2.0
//
// Who runs in which slot. A thread that ended leaves its slot to the next thread whose starting clock covers the whole
// life of the one before; the clock numbers go on. To every observer the two are then one thread that was quiet for a
// while, so recycling changes no answer. When slots run out the engine degrades in this order, counting each:
//   a start is ordered after some ended thread it has nothing to do with (an edge too many);
//   the thread is not watched: its accesses are checked but not remembered, its synchronisation still counts.
// Neither makes a false alarm.
//
// Begin and end take one lock; lookups of a slot by number take none.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/counts.h"
#include "engine/slot.h"
#include "engine/thread_state.h"

namespace deadheat::engine {

struct EngineOptions;

class ThreadTable {
 public:
  ThreadTable(const EngineOptions& options, EngineParts* parts);

  ThreadState* begin(SyncWord start, model::ThreadId id);
  // Returns the word for joiners.
  SyncWord end(ThreadState* ts);
  // By a thread that has just released its last clock: goes on in another slot, or unwatched.
  void move_to_next_slot(ThreadState& ts);

  Slot& slot(std::uint32_t number) { return *slots_[number].load(std::memory_order_acquire); }
  std::uint32_t history_cap() const;
  std::uint32_t clock_length() const { return length_; }

  // minimum[i] for i < clock_length(): what every live thread knows of column i.
  void known_to_all(std::uint32_t* minimum);
  model::ThreadId thread_at(Epoch epoch);
  void add_to(EngineStats& stats);

 private:
  static constexpr std::uint32_t kLive = ~0u;  // in final_clock_: running, or never to be used again
  struct Tenant {
    std::uint32_t first_clock;
    model::ThreadId id;
  };

  ClockView recover(SyncWord start, bool& approximate);
  // These return a slot number, 0 for none. All under mutex_.
  std::uint32_t find_covered(ClockView clock);
  std::uint32_t make_slot();
  std::uint32_t find_ended();
  Slot* spare_slot();
  // Makes ts a thread of that slot (null: unwatched) from its next clock on; the vector clock is not touched.
  void enter(ThreadState& ts, std::uint32_t number);

  const std::uint32_t max_slots_;
  const std::uint32_t length_;  // columns of a vector clock, the unused 0 included
  const std::uint32_t history_per_thread_;
  const std::uint32_t history_total_;
  const std::uint32_t first_clock_;
  const std::uint32_t read_set_moves_;
  EngineParts* const parts_;
  std::unique_ptr<std::atomic<Slot*>[]> slots_;  // by number; set once, under mutex_
  std::atomic<std::uint32_t> slots_used_{0};     // numbers 1..slots_used_; written under mutex_

  std::mutex mutex_;  // guards everything below
  std::vector<std::unique_ptr<Slot>> owned_slots_;
  std::vector<std::uint32_t> final_clock_;    // by number: last clock of the ended thread, or kLive
  std::vector<std::vector<Tenant>> tenants_;  // by number: the last few
  std::vector<std::unique_ptr<ThreadState>> live_;
  std::vector<Slot*> spare_slots_;  // of unwatched threads that ended
  ClockMemory scratch_;
  EngineStats totals_;  // of ended threads, and the counters of this table
};

}  // namespace deadheat::engine
