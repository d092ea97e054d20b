// SPDX-License-Identifier: Apache-2.0
//
// A thread's memory of the last moves of variables between read sets: "a variable in state `from`, touched by me as
// `by`, goes to state `to`". When a thread walks over a million variables in the same state, the first one asks the
// shared table (read_sets.h) and the others hit this cache: no lock, no shared cache line, the reference counts are
// settled in one go when the entry is replaced. Used by its own thread only.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/shadow_word.h"

namespace deadheat::engine {

struct ReadSet;

struct ReadSetMove {
  ShadowWord from{};  // an R word: one read, or a set
  ShadowWord by{};    // the access; kReadSetCleared for a write, which ends every set the same way
  ShadowWord to{};
  ReadSet* from_set = nullptr;  // pinned while the entry stands; null when `from` is a single read or retired
  ReadSet* to_set = nullptr;    // pinned likewise; null when `to` is no set
  std::int64_t moves = 0;       // variables that took this move since the entry was made: references to hand over
};

struct ReadSetCache {
  std::unique_ptr<ReadSetMove[]> entries;  // made when the thread first meets shared data
  ReadSetMove* last = nullptr;             // the move of the last access call, for retract()
  std::uint32_t size = 0;                  // of entries; a power of two

  // The only place a move from this state can be.
  ReadSetMove& at(ShadowWord from) {
    return entries[static_cast<std::uint32_t>(bits(from) * 0x9e3779b97f4a7c15u >> 48) & (size - 1)];
  }
};

}  // namespace deadheat::engine
