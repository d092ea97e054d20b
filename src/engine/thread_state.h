// SPDX-License-Identifier: Apache-2.0
//
// The engine's view of one running thread. Made by Engine::begin_thread and valid until Engine::end_thread, at one
// address. Every field is written by its own thread only, inside engine calls; no other thread reads any but counts.
// (What others need of a thread's clock they take from its Slot, under the slot's lock.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/candidate_thread.h"
#include "engine/counts.h"
#include "engine/frozen.h"
#include "engine/read_set_cache.h"
#include "engine/shadow_word.h"
#include "engine/sync_word.h"

namespace deadheat::engine {

class Slot;
struct EngineParts;

// A previous access the current one conflicts with. `word` holds its slot, clock and site.
struct Conflict {
  ShadowWord word{};
  bool was_write = false;
};
inline constexpr std::uint32_t kMaxConflicts = 4;

struct ThreadState {
  // The first three fields are the ABI of a front end that reads them natively (offsets asserted below). They change
  // only inside engine calls made by this thread, so a copy taken after such a call stays right until the next one. +0:
  // compare with the epoch of W. kNoEpoch when the thread is not watched.
  Epoch epoch = kNoEpoch;
  // +8: the R word of a read set known to hold the current epoch, or kNoReadSet.
  ShadowWord last_shared_ok = kNoReadSet;
  // +16: vc[slot] is the newest clock of that slot ordered before this thread; vc[own slot] is the own clock. Readable
  // for every slot number a word can hold, without bounds check. The address does not change while the thread lives.
  const std::uint32_t* vc = nullptr;

  // The epoch that reads are remembered with: the first since the last release, where epoch may be a later one that a
  // freeze began (frozen.h).
  Epoch read_epoch = kNoEpoch;
  SyncWord last_release = kNeverReleased;  // what the previous release returned
  // Something happened since the last tick that a release must publish: an access was remembered, or the clock grew.
  bool dirty = true;
  bool watched = false;
  std::uint32_t clock = 0;
  std::uint32_t first_clock = 0;  // of this thread in its slot
  SlotId slot_id{};
  model::ThreadId id{};
  Slot* slot = nullptr;
  EngineParts* parts = nullptr;
  std::array<Conflict, kMaxConflicts> conflicts{};  // filled by the last access call that returned conflicts > 0
  // For a front end that tells of conflicts only when it is back from the access: what that one returned.
  ShadowWord untold_word = kNeverAccessed;
  std::uint32_t untold_conflicts = 0;
  ReadSetCache read_sets;
  std::unique_ptr<FrozenClock> frozen;  // null until a freeze is seen (frozen.h)
  RuleCounts counts;
  std::unique_ptr<CandidateThread> candidate;  // null unless EngineOptions::candidates

  // Whether the access (or release) behind the word happened before this thread's current operation. Not for read sets.
  bool is_ordered(ShadowWord word) const { return vc[slot_of(word)] >= clock_of(word); }
  bool is_ordered(Epoch e) const { return vc[slot_of(e)] >= clock_of(e); }
};

inline constexpr std::size_t kEpochOffset = 0;
inline constexpr std::size_t kLastSharedOkOffset = 8;
inline constexpr std::size_t kVectorClockOffset = 16;
static_assert(offsetof(ThreadState, epoch) == kEpochOffset);
static_assert(offsetof(ThreadState, last_shared_ok) == kLastSharedOkOffset);
static_assert(offsetof(ThreadState, vc) == kVectorClockOffset);

}  // namespace deadheat::engine
