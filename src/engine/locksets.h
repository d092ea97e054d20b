// SPDX-License-Identifier: Apache-2.0
//
// Sets of locks as small numbers: equal sets have equal numbers, so that a variable's past needs four bytes for the
// locks of an access, and intersections are remembered. LocksetTable may be used by any thread; a HeldSet is its
// thread's own.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace deadheat::engine {

enum class LocksetId : std::uint32_t {};  // 0: the empty set
// A set there was no room for. It has a lock in common with every set: silence, never a false alarm.
inline constexpr LocksetId kUnknownLocks{UINT32_MAX};

using Locks = std::vector<std::uint64_t>;  // ascending

class LocksetTable {
 public:
  explicit LocksetTable(std::uint32_t most_sets = 1u << 20);

  LocksetId number_of(const Locks& locks);
  LocksetId intersect(LocksetId a, LocksetId b);
  LocksetId unite(LocksetId a, LocksetId b);
  bool are_disjoint(LocksetId a, LocksetId b) { return intersect(a, b) == LocksetId{}; }

  std::uint64_t size() const;
  std::uint64_t refused() const;  // sets that became kUnknownLocks

 private:
  LocksetId number_locked(const Locks& locks);

  const std::uint32_t most_sets_;
  mutable std::mutex mutex_;
  std::map<Locks, LocksetId> numbers_;  // all under mutex_
  std::vector<const Locks*> sets_;      // by number: keys of numbers_
  std::map<std::pair<LocksetId, LocksetId>, LocksetId> intersections_;
  std::uint64_t refused_ = 0;
};

// The locks one thread holds. Nested acquires of one lock count.
class HeldSet {
 public:
  void acquire(LocksetTable& table, std::uint64_t lock);
  void release(LocksetTable& table, std::uint64_t lock);
  // The monitor is given up whole while its owner waits on it, and taken back as it was.
  void begin_wait(LocksetTable& table, std::uint64_t lock);
  void end_wait(LocksetTable& table, std::uint64_t lock);
  LocksetId id() const { return id_; }

 private:
  void renumber(LocksetTable& table);

  std::map<std::uint64_t, std::uint32_t> depth_;
  std::map<std::uint64_t, std::uint32_t> given_up_;
  // (set, lock taken) → set: most threads take the same few locks over and over.
  std::map<std::pair<LocksetId, std::uint64_t>, LocksetId> moves_;
  LocksetId id_{};
};

}  // namespace deadheat::engine
