// SPDX-License-Identifier: Apache-2.0
//
// Read sets: the concurrent reads of read-shared variables. A set is immutable and exists once per content, however
// many variables are in that state, so a million elements read by the same threads in the same epochs cost no memory of
// their own. A set keeps only reads that no later read of the set follows: a read ordered before the new one is
// dropped, since a write that is concurrent with it is concurrent with the new one too. So sets shrink back to single
// reads by themselves.
//
// Lifetime. A set is referenced by the variables whose R word names it and by the moves in threads' caches (pins). It
// is freed when both counts are zero; ids are never reused. Variables that die untold (garbage collection) leave
// references behind, so the total is bounded by a budget: beyond it, sets whose members are all ordered before every
// live thread are retired, then, if need be, the oldest. A retired set reads as "ordered before everybody": races may
// be lost (counted when so), none invented. A retirement of the first kind loses only races with threads that begin
// later from an older start word or from none.
//
// Any thread may call, with its own ThreadState; a call that misses the thread's cache locks a shard for a short while.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "engine/counts.h"
#include "engine/read_set_index.h"
#include "engine/thread_state.h"

namespace deadheat::engine {

class ThreadTable;

class ReadSets {
 public:
  ReadSets(std::uint64_t budget_bytes, ThreadTable& threads);
  ~ReadSets();

  // The R word of a variable in state `r` (one read not ordered before this one, or a set) after the read `self`.
  ShadowWord add_read(ThreadState& ts, ShadowWord r, ShadowWord self);
  // The W or R word of a variable in state `word` after the atomic access `self`: a set, with all plain accesses of
  // `word` in it.
  ShadowWord add_atomic(ThreadState& ts, ShadowWord word, ShadowWord self);
  // Which members of a set an access is in conflict with when it is not ordered after them.
  enum class Members { kAllReads, kAllWrites, kPlainReads, kPlainWrites };
  // A write ends the set `r`. Returns how many conflicts were noted, starting at ts.conflicts[conflicts].
  std::uint32_t clear(ThreadState& ts, ShadowWord r, std::uint32_t conflicts, Members members = Members::kAllReads);
  // The same without ending it.
  std::uint32_t check(ThreadState& ts, ShadowWord r, std::uint32_t conflicts, Members members = Members::kAllReads);
  // The variable is gone.
  void forget(ThreadState& ts, ShadowWord r);

  // Hands over all references the thread's cache still owes and lets go of its sets.
  void settle_all(ThreadState& ts);

  void add_to(EngineStats& stats) const;

 private:
  static constexpr std::uint32_t kShardBits = 4;
  static constexpr std::uint32_t kShards = 1u << kShardBits;
  struct Shard {
    std::mutex mutex;  // guards the rest
    std::uint64_t next_sequence = 0;
    ReadSetIndex<&ReadSet::id, &ReadSet::next_by_id> by_id;
    ReadSetIndex<&ReadSet::hash, &ReadSet::next_by_hash> by_hash;
  };

  ReadSetMove& fresh_move(ThreadState& ts, ShadowWord from, ShadowWord by);
  ReadSetMove& clearing_move(ThreadState& ts, ShadowWord r);
  ShadowWord known_move(ThreadState& ts, ReadSetMove& move, ShadowWord from);
  ShadowWord add_slow(ThreadState& ts, ShadowWord r, ShadowWord self);
  void settle(ReadSetMove& move);
  void adjust(ReadSet* set, std::int64_t refs, std::int32_t pins);

  ReadSet* pin(ShadowWord r);  // null: retired
  ReadSet* intern_pinned(const ShadowWord* members, std::uint32_t size);
  void remove(Shard& shard, ReadSet* set);
  Shard& shard_of_id(std::uint64_t id) { return shards_[id % kShards]; }

  void stay_within_budget();
  void retire_ordered();
  void retire_oldest();

  const std::uint64_t budget_;
  ThreadTable& threads_;
  std::array<Shard, kShards> shards_;
  std::mutex sweep_mutex_;  // one sweep at a time; taken before shard mutexes
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> live_{0};
  std::atomic<std::uint64_t> peak_{0};
  std::atomic<std::uint64_t> made_{0};
  std::atomic<std::uint64_t> retired_{0};
  std::atomic<std::uint64_t> retired_early_{0};
};

}  // namespace deadheat::engine
