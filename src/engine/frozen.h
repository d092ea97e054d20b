// SPDX-License-Identifier: Apache-2.0
//
// Objects that are safe to read though they were published without synchronisation, because they are reached through a
// final field (JLS 17.5; other languages have publication by dependency). The front end keeps one word for such an
// owner:
//
//   when the owner is complete     F = freeze(ts)            its thread, once; others may read F meanwhile
//   when its field is read         on_frozen_read(ts, F)     may be left out when F is 0 or ordered before the reader
//
// What happened before the freeze is then ordered before *reads* of the thread that saw it, and before nothing else: it
// is no acquire. Writes after the freeze, writes of the reader, and whoever synchronises with the reader are judged as
// if there were no freeze. Not tracked is which read went through the field: a thread that has seen a freeze may read
// all that is older than it. That is an order too many, never one too few; reads excused by it are counted
// (Rule::kFrozenRead).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/shadow_word.h"
#include "engine/slot.h"
#include "engine/sync_word.h"

namespace deadheat::engine {

struct ThreadState;

// The freezes one thread has seen, joined. Used by that thread only.
class FrozenClock {
 public:
  void join(ClockView clock);
  bool covers(ShadowWord write) const {
    return slot_of(write) < columns_.size() && columns_[slot_of(write)] >= clock_of(write);
  }

 private:
  std::vector<std::uint32_t> columns_;
};

// All this thread wrote so far is older than the freeze, all it writes from now on is not: a new epoch begins. For
// reads it does not: nobody can be ordered after a freeze, so a read before it and one behind it are ordered before the
// same things, and the reads of data that many threads share stay on record as they are (ThreadState::read_epoch;
// docs/engine.md). 0 from a thread that is not watched. (In sync.cc.)
SyncWord freeze(ThreadState& ts);

// `freeze` is a word that freeze() returned on some thread, or 0.
void on_frozen_read(ThreadState& ts, SyncWord freeze);

}  // namespace deadheat::engine
