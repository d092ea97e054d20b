// SPDX-License-Identifier: Apache-2.0
//
// What is remembered of a variable: two words kept by the front end, W (last write) and R (last read), one u64 each.
//
//   63        50 49                  22 21            0
//   [ slot:14  |      clock:28        |    site:22    ]   one access; 0 = never accessed; slot 0 is nobody's
//   [ all ones |              id:50                   ]   R: several concurrent reads, a ReadSet (read_sets.h); W: a
//                                                         set with atomic writes in it (atomic_access.h)
//   [ slot:14  |      clock:28        |       0       ]   R: no read, but a mark beside the last write, of the epoch
//                                                         that the reads of its thread had then
//
// epoch(word) = word >> 22 = slot << 28 | clock names an interval of one thread's life between two releases. No read
// set has an epoch equal to a thread's, so the front end compares epochs without asking which form it holds:
//
//   read:   if (epoch(R) == E || epoch(W) == E || R == last_shared_ok) return;     E, last_shared_ok: thread_state.h
//   write:  if (epoch(W) == E) return;
//
// Where writes leave their mark, the first comparison alone is enough for nearly all reads.
//
// Why these exits are exact (they never change which variables are reported, nor at which access the first report
// comes): docs/engine.md, "Fast paths".
#pragma once

#include <cstdint>

#include "model/ids.h"

namespace deadheat::engine {

enum class SlotId : std::uint16_t {};  // a column of the vector clocks; 0 is never used
enum class Epoch : std::uint64_t {};   // slot << 28 | clock
enum class ShadowWord : std::uint64_t {};

inline constexpr int kSlotBits = 14;
inline constexpr int kClockBits = 28;
inline constexpr int kSiteBits = 22;
static_assert(kSlotBits + kClockBits + kSiteBits == 64 && sizeof(ShadowWord) == 8);

inline constexpr std::uint32_t kMaxClock = (1u << kClockBits) - 1;
inline constexpr std::uint32_t kMaxSite = (1u << kSiteBits) - 1;
// Sites from this number on are of atomic accesses (atomic_access.h).
inline constexpr std::uint32_t kFirstAtomicSite = kMaxSite + 1 - (1u << 20);
inline constexpr std::uint32_t kReadSetTag = (1u << kSlotBits) - 1;  // in the place of a slot
inline constexpr std::uint32_t kMaxSlot = kReadSetTag - 1;           // 16382 usable slots
inline constexpr std::uint64_t kMaxReadSetId = (std::uint64_t{1} << 50) - 2;

inline constexpr ShadowWord kNeverAccessed{0};
// Equal to no R word ever: the value of last_shared_ok that matches nothing (id 2^50 - 1 is never handed out).
inline constexpr ShadowWord kNoReadSet{~std::uint64_t{0}};
// Equal to the epoch of no word ever: the epoch of a thread that is not watched.
inline constexpr Epoch kNoEpoch{~std::uint64_t{0}};

constexpr std::uint64_t bits(ShadowWord word) { return static_cast<std::uint64_t>(word); }
constexpr std::uint64_t bits(Epoch epoch) { return static_cast<std::uint64_t>(epoch); }

constexpr Epoch make_epoch(SlotId slot, std::uint32_t clock) {
  return Epoch{static_cast<std::uint64_t>(slot) << kClockBits | clock};
}
constexpr std::uint32_t slot_of(Epoch epoch) { return static_cast<std::uint32_t>(bits(epoch) >> kClockBits); }
constexpr std::uint32_t clock_of(Epoch epoch) { return static_cast<std::uint32_t>(bits(epoch)) & kMaxClock; }

constexpr ShadowWord make_word(Epoch epoch, model::SiteId site) {
  return ShadowWord{bits(epoch) << kSiteBits | model::to_number(site)};
}
constexpr Epoch epoch_of(ShadowWord word) { return Epoch{bits(word) >> kSiteBits}; }
constexpr std::uint32_t slot_of(ShadowWord word) {
  return static_cast<std::uint32_t>(bits(word) >> (kClockBits + kSiteBits));
}
constexpr std::uint32_t clock_of(ShadowWord word) {
  return static_cast<std::uint32_t>(bits(word) >> kSiteBits) & kMaxClock;
}
constexpr model::SiteId site_of(ShadowWord word) {
  return model::SiteId{static_cast<std::uint32_t>(bits(word)) & kMaxSite};
}

constexpr bool is_atomic_site(model::SiteId site) { return model::to_number(site) >= kFirstAtomicSite; }
// Not for read sets.
constexpr bool is_atomic(ShadowWord word) { return is_atomic_site(site_of(word)); }

constexpr bool is_read_set(ShadowWord word) { return slot_of(word) == kReadSetTag; }
// What a write leaves in R; `reads`: the epoch that its thread's reads have.
constexpr ShadowWord make_write_mark(Epoch reads) { return make_word(reads, model::SiteId{0}); }
// The reads in an R word: none where there is a mark.
constexpr ShadowWord reads_of(ShadowWord r) {
  return model::to_number(site_of(r)) == 0 && !is_read_set(r) ? kNeverAccessed : r;
}
constexpr ShadowWord make_read_set_word(std::uint64_t id) {
  return ShadowWord{std::uint64_t{kReadSetTag} << (kClockBits + kSiteBits) | id};
}
constexpr std::uint64_t read_set_id(ShadowWord word) { return bits(word) & (kMaxReadSetId + 1); }

}  // namespace deadheat::engine
