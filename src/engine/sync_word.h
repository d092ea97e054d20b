// SPDX-License-Identifier: Apache-2.0
//
// What is remembered of a synchronisation object (monitor, volatile, permit, class being initialised): one u64 kept by
// the front end.
//
//   0                               nothing was released here yet
//   [0:22 | slot:14 | clock:28]     the epoch of the last release; the releaser's vector clock as it was at that epoch
//   is
//                                   recovered from its slot (slot.h), so that no object needs a clock of its own
//   [1 | generation:31 | index:32]  inflated: a joined clock in the engine, several releases none of which covers the
//   others
//
// The exit a front end may inline, exact: if (word >= 0 && vc[word >>> 28] >= (word & 0xfffffff)) nothing to acquire.
// (word as a signed number; the word 0 passes because vc[0] is 0.)
#pragma once

#include <cstdint>

#include "engine/shadow_word.h"

namespace deadheat::engine {

enum class SyncWord : std::uint64_t {};

inline constexpr SyncWord kNeverReleased{0};

constexpr std::uint64_t bits(SyncWord word) { return static_cast<std::uint64_t>(word); }
constexpr bool is_inflated(SyncWord word) { return bits(word) >> 63 != 0; }

constexpr SyncWord make_sync_word(Epoch epoch) { return SyncWord{bits(epoch)}; }
constexpr Epoch epoch_of(SyncWord word) { return Epoch{bits(word)}; }

constexpr SyncWord make_inflated_word(std::uint32_t generation, std::uint32_t index) {
  return SyncWord{std::uint64_t{1} << 63 | std::uint64_t{generation & 0x7fffffff} << 32 | index};
}
constexpr std::uint32_t inflated_index(SyncWord word) { return static_cast<std::uint32_t>(bits(word)); }
constexpr std::uint32_t inflated_generation(SyncWord word) {
  return static_cast<std::uint32_t>(bits(word) >> 32) & 0x7fffffff;
}

}  // namespace deadheat::engine
