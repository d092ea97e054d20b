// SPDX-License-Identifier: Apache-2.0
//
// The ways by which threads come to places: site, calling context and locks held. Each has a number, which a shadow
// word carries where else it has the number of the site. So a word says of the last access not only where it was but
// how the thread got there, for as long as the word stands, and a thread that comes by a known way records nothing.
// Ways are never dropped; when there is no room for more the word has the site alone. Any thread may call; needs no
// JVM.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "agent/shim_layout.h"
#include "agent/zeroed_array.h"
#include "engine/shadow_word.h"

namespace deadheat::agent {

inline constexpr std::uint32_t kMostWays = engine::kFirstAtomicSite - kFirstWay;

// In place of the context in way_place(): it is not known.
inline constexpr std::uint64_t kNoContext = std::uint64_t{1} << 31;
constexpr std::uint64_t way_place(std::uint32_t context, std::uint32_t site) {
  return std::uint64_t{context} << 32 | site;
}

// In place of the digest of the locks: they are not told.
inline constexpr std::uint64_t kLocksUnknown = ~std::uint64_t{0};

inline constexpr std::uint64_t kWayFactor = 0x9e3779b97f4a7c15;
// Half way to the hash, and good enough to find a way among a thread's recent ones.
constexpr std::uint64_t way_key(std::uint64_t place, std::uint64_t locks) {
  const std::uint64_t product = (place ^ locks) * kWayFactor;
  return product ^ product >> 32;
}
// Two ways of one hash would be taken for one: among n of them that is n * n / 2^65 pairs on average.
constexpr std::uint64_t way_hash(std::uint64_t key) { return key * kWayFactor; }
constexpr std::uint64_t way_hash(std::uint64_t place, std::uint64_t locks) { return way_hash(way_key(place, locks)); }

struct Way {
  std::uint32_t site = 0;
  std::optional<std::uint32_t> context;
  std::optional<std::vector<std::uint64_t>> locks;  // outermost first
};

class WayTable {
 public:
  // The block's first two words: how many entries its table has (a power of two), and whether nothing is added any
  // more. A table of n entries begins at word n; larger tables come behind smaller ones, so that n alone says where to
  // look. An entry is the upper bits of the hash with the number in the lower ones; 0: there is none here. A way's
  // entry is at the place given by the lower bits of its hash, or behind it with no empty one between. The second half
  // of what is in front of the smallest table is a filter: a bit for each value of the upper bits of a hash, set if
  // there may be such a way. Where threads come by ever new ways it keeps the large table out of their caches.
  static constexpr std::uint64_t kFewestEntries = 1u << 14;
  static constexpr std::uint64_t kMostEntries = 2 * std::uint64_t{kMostWays};
  static constexpr std::uint64_t kFilterWords = kFewestEntries / 2;  // from that word on
  static constexpr int kFilterShift = 64 - 19;
  static_assert(kFilterWords * 64 == std::uint64_t{1} << (64 - kFilterShift));

  // `most`: ways. A quarter is kept for those whose locks are not told.
  explicit WayTable(std::uint32_t most);

  // The number of the way, new or known; 0 when there is no room for it. `hash` as way_hash() makes it.
  std::uint32_t intern(const Way& way, std::uint64_t hash);
  // What the shim does; 0: there is none.
  std::uint32_t find(std::uint64_t hash) const;

  // `number` is one that a shadow word may have: of a way, or of a site that stands for itself.
  static constexpr bool is_way(std::uint32_t number) {
    return number >= kFirstWay && number < engine::kFirstAtomicSite;
  }
  std::uint32_t site_of(std::uint32_t number) const {
    return is_way(number) ? ways_.get()[number - kFirstWay].site : number;
  }
  // Of a number that is_way().
  Way at(std::uint32_t number) const;

  const std::uint64_t* block() const { return block_.get(); }
  // Ways have been left out: all, or those with locks.
  bool is_full() const { return is_full_.load(std::memory_order_relaxed); }
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }

 private:
  struct Record {
    std::uint32_t site;
    std::uint32_t context;
    std::uint32_t locks;  // index of lock_lists_
    std::uint32_t flags;  // kHasContext, and the lower bits of the hash, for the next larger table
  };
  static constexpr std::uint32_t kHasContext = 1u << 31;
  static constexpr std::uint32_t kNoLockList = ~0u;

  void grow();
  std::uint64_t& filter_of(std::uint64_t hash) const {
    return block_.get()[kFilterWords + (hash >> kFilterShift) / 64];
  }
  void put(std::uint64_t hash, std::uint32_t number, std::uint64_t entries);
  std::uint32_t intern_locks(const std::vector<std::uint64_t>& locks);

  const std::uint32_t most_;
  mutable std::mutex mutex_;  // adding, and lock_lists_
  std::atomic<std::uint32_t> size_{0};
  std::atomic<bool> is_full_{false};
  std::deque<std::vector<std::uint64_t>> lock_lists_;
  std::unordered_map<std::uint64_t, std::uint32_t> locks_by_digest_;
  const ZeroedArray<Record> ways_;
  const ZeroedArray<std::uint64_t> block_{2 * kMostEntries};
};

}  // namespace deadheat::agent
