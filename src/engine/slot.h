// SPDX-License-Identifier: Apache-2.0
//
// A slot: one column of the vector clocks, with the vector clock of the thread in it *and that clock's past*. Threads
// come and go in a slot, each ordered after the one before (thread_table.h), so a slot reads like one long thread.
//
// The past is a log of what joins overwrote: (own clock, column, old value). The vector clock as it was when clock c
// ended is the present one with every entry of a later clock undone. This is what lets a lock's word be a mere epoch:
// whoever acquires it recovers the releaser's whole clock from here. The log is bounded; what was trimmed is answered
// by the oldest state still known, which holds the true one and more: an edge too many, never one too few.
//
// Locking: `mutex` guards the array's other columns, width and log. The thread in the slot is the only writer and may
// read without the lock; it alone touches its own column, at any time, and everyone else skips it.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "engine/clock_memory.h"
#include "engine/shadow_word.h"
#include "model/ids.h"

namespace deadheat::engine {

// A vector clock as a plain array: columns [0, width), zero beyond.
struct ClockView {
  const std::uint32_t* columns = nullptr;
  std::uint32_t width = 0;
};

class Slot {
 public:
  // length: columns of a full vector clock. id 0: for a thread that is not watched; keeps no past.
  Slot(SlotId id, std::uint32_t length);

  SlotId id() const { return id_; }
  std::uint32_t* vc() { return vc_; }
  std::uint32_t width() const { return width_; }
  // As long as a vector clock, for the calls below; used by the slot's thread only.
  std::uint32_t* scratch() { return memory_.array(2); }

  // By the thread in the slot, whose clock is `now`: joins `other` into the vector clock; its own column is left alone.
  // history_cap bounds the log. Returns whether anything grew.
  bool join(ClockView other, std::uint32_t now, std::uint32_t history_cap);

  // By any thread: the vector clock as it was when `clock` ended, copied to `out`, own column included. Returns its
  // width; sets approximate when the past was trimmed and a later state was given.
  std::uint32_t state_at(std::uint32_t clock, std::uint32_t* out, bool& approximate);

  // The thread of `from`, whose clock is exhausted, goes on in this slot, whose next clock is `now`: the array (and
  // with it the address) moves along, and `from` keeps a copy for those who still acquire its past. This slot's own
  // past is covered by the thread's clock, or empty.
  void take_over(Slot& from, std::uint32_t now, std::uint32_t history_cap);

  // By any thread: minimum[i] becomes at most what this slot's thread knows of column i. Its own column it knows
  // wholly.
  void lower(std::uint32_t* minimum, std::uint32_t length);

  // Zeroes an unwatched thread's slot for the next one.
  void reset();

  std::size_t history_size();

 private:
  struct Change {
    std::uint32_t clock;  // own clock during which the join took place
    std::uint32_t column;
    std::uint32_t old_value;
  };
  bool join_locked(ClockView other, std::uint32_t now, std::uint32_t history_cap);
  void raise(std::uint32_t column, std::uint32_t value, std::uint32_t now);
  void trim(std::uint32_t now, std::uint32_t history_cap);

  const SlotId id_;
  ClockMemory memory_;  // vector clock, stamps, scratch
  std::uint32_t* vc_;   // usually memory_.array(0); another slot's after take_over (slots live as long as the engine)
  std::uint32_t* stamps_;  // per column: own clock of its newest log entry. One entry per clock and column is enough.
  std::uint32_t width_;    // own column included
  std::mutex mutex_;
  std::vector<Change> log_;       // by ascending clock
  std::uint32_t known_from_ = 0;  // states of this clock and later are exact
};

}  // namespace deadheat::engine
