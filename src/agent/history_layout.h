// SPDX-License-Identifier: Apache-2.0
//
// The part of a thread's history that the shim writes (DeadheatHistory.java) and the agent reads: a ring of the
// accesses that were put into shadow words, and the locks the thread holds. thread_history.h has the rest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace deadheat::agent {

class ThreadHistory;

// From here on the thread comes to a place (the site of the word) in this context and with the locks held here, until
// the next entry for that place; or one of the locks held from here on.
struct HistoryEntry {
  std::uint64_t word;     // access: the shadow word (epoch and site); lock: its name, see below
  std::uint32_t context;  // access: the calling context
  std::uint32_t tag;      // see below
};
static_assert(sizeof(HistoryEntry) == 16);

inline constexpr std::uint32_t kAccessTag = 0;
// An access, and the thread may have been at its place in the same epoch before, as the entry before this one says.
inline constexpr std::uint32_t kAgainTag = 1;
// The locks held are written as one group, in front of the first access under them: kLocksTag + n for n locks that
// follow in entries with kLockTag. So loops over locks that record no access write nothing, and those that hold the
// same locks at each access write them once.
inline constexpr std::uint32_t kLockTag = 2;
inline constexpr std::uint32_t kLocksTag = 3;

// How the thread came last to a place, by a few bits of its site: while it comes in the same way, and the entry that
// says so stays in the ring for long, nothing is appended, whatever the epoch.
struct KnownAccess {
  std::uint64_t word;  // of the last access
  std::uint32_t context;
  std::uint32_t position;  // of the entry
  std::uint64_t locks;     // locks_digest()
  // Of another place and its context, by a few bits of both: their stack was asked for. (0: of none.)
  std::uint64_t asked;
};
static_assert(sizeof(KnownAccess) == 32);

inline constexpr std::uint32_t kMostHeldLocks = 16;

// Written by its thread only. `entries`, `known` and `known_mask` change under ThreadHistory's mutex as well.
struct HistoryView {
  ThreadHistory* owner = nullptr;
  HistoryEntry* entries = nullptr;
  KnownAccess* known = nullptr;
  std::uint32_t known_mask = 0;
  std::uint32_t head = 0;   // entries of this lap; stored with release order behind the entry itself
  std::uint32_t limit = 0;  // at which the shim asks for more room
  std::uint32_t pause = 0;  // so many stacks are not to be asked for (AccessHistory::keep_stack)
  std::uint32_t depth = 0;  // locks held, outermost first; beyond kMostHeldLocks they are only counted
  std::uint64_t held[kMostHeldLocks] = {};
  std::uint64_t digests[kMostHeldLocks + 1] = {};  // of the outermost lock, of the outermost two, …; first 0, of none
  std::uint64_t locks_now = 0;                     // locks_digest() of those held
  std::uint64_t locks_written = 0;                 // and of those in the ring
};

// A lock's name in one word: the site where a monitor was entered, 0 in native code; or with the highest bit the number
// of a lock of java.util.concurrent (LockTable).
inline constexpr std::uint64_t kOwnedLock = std::uint64_t{1} << 63;
// Of a synchroniser that is nobody's lock.
inline constexpr std::uint64_t kLockWithoutName = ~std::uint64_t{0};

// Of no lock: 0.
inline constexpr std::uint64_t kLocksDigestFactor = 0x9e3779b97f4a7c15;
inline constexpr std::uint64_t kNoLocksDigest = ~std::uint64_t{0};
inline std::uint64_t locks_digest(const HistoryView& view) {
  std::uint64_t digest = 0;
  for (std::uint32_t i = 0; i < view.depth && i < kMostHeldLocks; ++i) {
    digest = (digest ^ (view.held[i] + 1)) * kLocksDigestFactor;
  }
  return digest;
}

}  // namespace deadheat::agent
