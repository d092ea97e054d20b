// SPDX-License-Identifier: Apache-2.0
#include "engine/read_sets.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/check.h"

namespace deadheat::engine {
namespace {

// In ReadSetMove::by: any write; it ends every set the same way.
constexpr ShadowWord kByWrite = kNoReadSet;

std::uint64_t hash_of(const ShadowWord* members, std::uint32_t size) {
  std::uint64_t hash = size;
  for (std::uint32_t i = 0; i < size; ++i) {
    hash = (hash ^ bits(members[i])) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

std::uint64_t bytes_of(const ReadSet* set) {
  constexpr std::uint64_t kTableBytes = 32;  // its share of the two indices, and malloc's own
  return sizeof(ReadSet) + set->size * sizeof(ShadowWord) + kTableBytes;
}

std::uint32_t note_conflicts(ThreadState& ts, const ReadSet* set, std::uint32_t conflicts, ReadSets::Members members) {
  using Members = ReadSets::Members;
  if (set == nullptr) return conflicts;
  const bool writes = members == Members::kAllWrites || members == Members::kPlainWrites;
  const bool plain_only = members == Members::kPlainReads || members == Members::kPlainWrites;
  for (const ShadowWord member : *set) {
    if (plain_only && is_atomic(member)) continue;
    if (conflicts < kMaxConflicts && !ts.is_ordered(member)) ts.conflicts[conflicts++] = {member, writes};
  }
  return conflicts;
}

// Whether a member covers `self`: of the same thread, not older, and plain if self is.
bool covers(const ReadSet* set, ShadowWord self) {
  return std::any_of(set->begin(), set->end(), [self](ShadowWord member) {
    return slot_of(member) == slot_of(self) && clock_of(member) >= clock_of(self) &&
           (is_atomic(self) || !is_atomic(member));
  });
}

// Whether an access in conflict with `member` is in conflict with `self` too, so that `member` need not be kept. What a
// plain access follows goes; what an atomic access follows goes only if it is atomic, because other atomic accesses are
// in conflict with plain ones alone. Of an access in a past epoch (on_atomic_update) nothing more is known than what
// its own thread did before.
bool replaces(const ThreadState& ts, ShadowWord self, ShadowWord member) {
  if (member == kNeverAccessed) return true;
  if (is_atomic(self) && !is_atomic(member)) return false;
  const bool past = is_atomic(self) && epoch_of(self) != ts.epoch;
  return past ? slot_of(member) == slot_of(self) : ts.is_ordered(member);
}

bool comes_behind(ShadowWord member, ShadowWord self) {
  return slot_of(member) != slot_of(self) ? slot_of(member) > slot_of(self) : is_atomic(member) && !is_atomic(self);
}

// The members a set keeps when `self` joins them, ascending by slot, plain before atomic.
std::uint32_t merge(const ThreadState& ts, const ShadowWord* from, std::uint32_t size, ShadowWord self,
                    ShadowWord* out) {
  std::uint32_t count = 0;
  bool placed = false;
  for (std::uint32_t i = 0; i < size; ++i) {
    if (replaces(ts, self, from[i])) continue;  // true for the own slot
    if (!placed && comes_behind(from[i], self)) {
      out[count++] = self;
      placed = true;
    }
    out[count++] = from[i];
  }
  if (!placed) out[count++] = self;
  return count;
}

}  // namespace

ReadSets::ReadSets(std::uint64_t budget_bytes, ThreadTable& threads) : budget_(budget_bytes), threads_(threads) {}

ReadSets::~ReadSets() {
  for (Shard& shard : shards_) {
    shard.by_id.for_each([](ReadSet* set) { std::free(set); });
  }
}

ReadSetMove& ReadSets::fresh_move(ThreadState& ts, ShadowWord from, ShadowWord by) {
  ReadSetCache& cache = ts.read_sets;
  if (cache.entries == nullptr) cache.entries = std::make_unique<ReadSetMove[]>(cache.size);
  ReadSetMove& move = cache.at(from);
  settle(move);
  move = {from, by};
  move.from_set = is_read_set(from) ? pin(from) : nullptr;
  return move;
}

ShadowWord ReadSets::known_move(ThreadState& ts, ReadSetMove& move, ShadowWord from) {
  if (move.to != from) {
    ++move.moves;
    ts.read_sets.last = &move;
  }
  return move.to;
}

ShadowWord ReadSets::add_read(ThreadState& ts, ShadowWord r, ShadowWord self) {
  ShadowWord to;
  ReadSetMove* move = ts.read_sets.entries == nullptr ? nullptr : &ts.read_sets.at(r);
  if (move != nullptr && move->from == r &&
      (move->by == self || (move->to == r && epoch_of(move->by) == epoch_of(self) && !is_atomic(move->by)))) {
    to = known_move(ts, *move, r);
  } else {
    to = add_slow(ts, r, self);
  }
  if (is_read_set(to)) ts.last_shared_ok = to;
  return to;
}

ShadowWord ReadSets::add_atomic(ThreadState& ts, ShadowWord word, ShadowWord self) {
  ReadSetMove* move = ts.read_sets.entries == nullptr ? nullptr : &ts.read_sets.at(word);
  if (move != nullptr && move->from == word && move->by == self) return known_move(ts, *move, word);
  return add_slow(ts, word, self);
}

DH_NOINLINE ShadowWord ReadSets::add_slow(ThreadState& ts, ShadowWord r, ShadowWord self) {
  ReadSetMove& move = fresh_move(ts, r, self);
  if (move.from_set != nullptr && covers(move.from_set, self)) {
    move.to = r;
    return r;
  }
  const ShadowWord* from = &r;
  std::uint32_t size = is_read_set(r) ? 0 : 1;  // 0: retired
  if (move.from_set != nullptr) {
    from = move.from_set->members;
    size = move.from_set->size;
  }
  ShadowWord small[16];
  std::unique_ptr<ShadowWord[]> large;
  ShadowWord* members = small;
  if (size + 1 > std::size(small)) {
    large = std::make_unique<ShadowWord[]>(size + 1);
    members = large.get();
  }
  const std::uint32_t count = merge(ts, from, size, self, members);
  // An atomic access is always in a set, even alone: a plain access of the same epoch must not take it for its own.
  if (count == 1 && !is_atomic(self)) {
    move.to = self;
  } else {
    move.to_set = intern_pinned(members, count);
    move.to = make_read_set_word(move.to_set->id);
  }
  move.moves = 1;
  ts.read_sets.last = &move;
  return move.to;
}

ReadSetMove& ReadSets::clearing_move(ThreadState& ts, ShadowWord r) {
  ReadSetCache& cache = ts.read_sets;
  if (cache.entries != nullptr) {
    ReadSetMove& move = cache.at(r);
    if (move.from == r && move.by == kByWrite) return move;
  }
  return fresh_move(ts, r, kByWrite);
}

std::uint32_t ReadSets::clear(ThreadState& ts, ShadowWord r, std::uint32_t conflicts, Members members) {
  ReadSetMove& move = clearing_move(ts, r);
  ++move.moves;
  ts.read_sets.last = &move;
  return note_conflicts(ts, move.from_set, conflicts, members);
}

std::uint32_t ReadSets::check(ThreadState& ts, ShadowWord r, std::uint32_t conflicts, Members members) {
  return note_conflicts(ts, clearing_move(ts, r).from_set, conflicts, members);
}

void ReadSets::forget(ThreadState& ts, ShadowWord r) { ++clearing_move(ts, r).moves; }

void ReadSets::settle(ReadSetMove& move) {
  if (move.to_set != nullptr) adjust(move.to_set, move.moves, -1);
  if (move.from_set != nullptr) adjust(move.from_set, -move.moves, -1);
  move = {};
}

void ReadSets::settle_all(ThreadState& ts) {
  if (ts.read_sets.entries == nullptr) return;
  for (std::uint32_t i = 0; i < ts.read_sets.size; ++i) settle(ts.read_sets.entries[i]);
}

void ReadSets::adjust(ReadSet* set, std::int64_t refs, std::int32_t pins) {
  Shard& shard = shard_of_id(set->id);
  const std::lock_guard lock(shard.mutex);
  set->refs += refs;
  set->pins += static_cast<std::uint32_t>(pins);
  // Below zero when a front end stores words plainly and loses some.
  if (set->refs <= 0 && set->pins == 0) remove(shard, set);
}

ReadSet* ReadSets::pin(ShadowWord r) {
  Shard& shard = shard_of_id(read_set_id(r));
  const std::lock_guard lock(shard.mutex);
  ReadSet* const found = shard.by_id.find(read_set_id(r));
  if (found != nullptr) ++found->pins;
  return found;
}

ReadSet* ReadSets::intern_pinned(const ShadowWord* members, std::uint32_t size) {
  if (bytes_.load(std::memory_order_relaxed) > budget_) stay_within_budget();
  const std::uint64_t hash = hash_of(members, size);
  const std::uint32_t which = static_cast<std::uint32_t>(hash >> 60) % kShards;
  Shard& shard = shards_[which];
  const std::lock_guard lock(shard.mutex);
  const auto is_same = [members, size](const ReadSet& set) {
    return std::equal(set.begin(), set.end(), members, members + size);
  };
  if (ReadSet* const known = shard.by_hash.find(hash, is_same)) {
    ++known->pins;
    return known;
  }
  void* memory = std::malloc(sizeof(ReadSet) + size * sizeof(ShadowWord));
  DH_CHECK(memory != nullptr);
  const std::uint64_t id = ++shard.next_sequence << kShardBits | which;
  DH_CHECK(id <= kMaxReadSetId);
  ReadSet* set = new (memory) ReadSet{id, hash, 0, 1, size, nullptr, nullptr};
  std::memcpy(static_cast<void*>(set->members), members, size * sizeof(ShadowWord));
  shard.by_id.insert(set);
  shard.by_hash.insert(set);
  bytes_.fetch_add(bytes_of(set), std::memory_order_relaxed);
  made_.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t live = live_.fetch_add(1, std::memory_order_relaxed) + 1;
  std::uint64_t peak = peak_.load(std::memory_order_relaxed);
  while (peak < live && !peak_.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
  }
  return set;
}

void ReadSets::remove(Shard& shard, ReadSet* set) {
  shard.by_id.erase(set);
  shard.by_hash.erase(set);
  bytes_.fetch_sub(bytes_of(set), std::memory_order_relaxed);
  live_.fetch_sub(1, std::memory_order_relaxed);
  std::free(set);
}

void ReadSets::add_to(EngineStats& stats) const {
  stats.read_sets_live = live_.load(std::memory_order_relaxed);
  stats.read_sets_peak = peak_.load(std::memory_order_relaxed);
  stats.read_sets_made = made_.load(std::memory_order_relaxed);
  stats.read_sets_retired = retired_.load(std::memory_order_relaxed);
  stats.read_sets_retired_early = retired_early_.load(std::memory_order_relaxed);
}

}  // namespace deadheat::engine
