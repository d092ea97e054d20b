// SPDX-License-Identifier: Apache-2.0
//
// What a thread keeps for its history and the shim (DeadheatHistory.java, DeadheatLockHistory.java) works with: the
// locks it holds, and the ways (way_table.h) it came lately. Written by its thread only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace deadheat::agent {

class ThreadHistory;

inline constexpr std::uint32_t kMostHeldLocks = 16;

struct HistoryView {
  ThreadHistory* owner = nullptr;
  std::uint64_t* recent = nullptr;  // entries as in WayTable's block, each at the place its hash says
  std::uint32_t recent_mask = 0;
  std::uint32_t until_growth = 0;  // so many ways more that are not among them, and they are to be given more room
  std::uint32_t pause = 0;         // so many ways more are to do without a stack (AccessHistory::way)
  std::uint32_t depth = 0;         // locks held, outermost first; beyond kMostHeldLocks they are only counted
  std::uint64_t locks_now = 0;     // locks_digest() of all those held
  // How often the thread came by a way for which there was no room, all of it or its locks, and which was not among its
  // recent ones. Others may read it.
  std::uint64_t not_kept = 0;
  std::uint64_t held[kMostHeldLocks] = {};
  std::uint64_t digests[kMostHeldLocks + 1] = {};  // of the outermost lock, of the outermost two, …; first 0, of none
};

// A lock's name in one word: the site where a monitor was entered, 0 in native code; or with the highest bit the number
// of a lock of java.util.concurrent (LockTable).
inline constexpr std::uint64_t kOwnedLock = std::uint64_t{1} << 63;
// Of a synchroniser that is nobody's lock.
inline constexpr std::uint64_t kLockWithoutName = ~std::uint64_t{0};

// The digest of some locks and one more within them. Of no lock: 0.
inline constexpr std::uint64_t kLocksDigestFactor = 0x9e3779b97f4a7c15;
constexpr std::uint64_t locks_digest(std::uint64_t outer, std::uint64_t name) {
  return (outer ^ (name + 1)) * kLocksDigestFactor;
}

}  // namespace deadheat::agent
