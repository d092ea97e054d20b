// SPDX-License-Identifier: Apache-2.0
#include "engine/sync.h"

#include <algorithm>

#include "base/check.h"
#include "engine/engine_parts.h"
#include "engine/frozen.h"

namespace deadheat::engine {
namespace {

// The clock behind a word, copied to `out`. False: the word is out of date.
bool recover(ThreadState& ts, SyncWord word, std::uint32_t* out, std::uint32_t& width) {
  if (is_inflated(word)) return ts.parts->joined_clocks.copy(word, out, width);
  bool approximate = false;
  width = ts.parts->threads.slot(slot_of(epoch_of(word))).state_at(clock_of(epoch_of(word)), out, approximate);
  if (approximate) ts.counts.add(Rule::kApproximateAcquire);
  return true;
}

bool covers(const ThreadState& ts, ClockView clock) {
  for (std::uint32_t i = 1; i < clock.width; ++i) {
    if (ts.vc[i] < clock.columns[i]) return false;
  }
  return true;
}

// What the thread has released so far, joined into `out`. Its own column is the last clock that ended, not the running
// one.
std::uint32_t join_released(const ThreadState& ts, std::uint32_t* out, std::uint32_t width) {
  const std::uint32_t mine = ts.slot->width();
  std::fill(out + std::min(width, mine), out + mine, 0);
  const auto own = static_cast<std::uint32_t>(ts.slot_id);
  for (std::uint32_t i = 1; i < mine; ++i) {
    const std::uint32_t clock = i == own ? ts.clock - 1 : ts.vc[i];
    out[i] = std::max(out[i], clock);
  }
  return std::max(width, mine);
}

SyncWord make_joined(ThreadState& ts, std::uint32_t width) {
  return ts.parts->joined_clocks.make({ts.slot->scratch(), width}, static_cast<std::uint32_t>(ts.slot_id));
}

// A thread without a slot has no epoch to name, so its clock is stored.
DH_NOINLINE SyncWord release_unwatched_slow(ThreadState& ts) {
  return make_joined(ts, join_released(ts, ts.slot->scratch(), 0));
}

void tick(ThreadState& ts) {
  ts.last_release = make_sync_word(ts.epoch);
  ts.dirty = false;
  if (ts.clock == kMaxClock) return ts.parts->threads.move_to_next_slot(ts);
  ++ts.clock;
  ts.slot->vc()[static_cast<std::uint32_t>(ts.slot_id)] = ts.clock;
  ts.epoch = make_epoch(ts.slot_id, ts.clock);
}

// Ends the epoch if it has anything to publish. docs/engine.md, "Ticks", says why it is exact not to when it has not:
// the first access of an epoch always gets here or to access.cc, which sets dirty.
void publish(ThreadState& ts) {
  ts.counts.add(Rule::kRelease);
  if (ts.dirty) {
    ts.counts.add(Rule::kReleaseTick);
    tick(ts);
  }
  if (ts.read_epoch == ts.epoch) return;
  // Also when a freeze has ended the last epoch: reads from now on are not those that this release publishes.
  ts.read_epoch = ts.epoch;
  ts.last_shared_ok = kNoReadSet;
}

void change_locks(ThreadState& ts, HeldSet CandidateThread::*mode,
                  void (HeldSet::*change)(LocksetTable&, std::uint64_t), std::uint64_t lock) {
  LocksetTable& table = ts.parts->candidates->locksets;
  CandidateThread& thread = *ts.candidate;
  ((thread.*mode).*change)(table, lock);
  thread.held = table.unite(thread.held_for_writing.id(), thread.held_for_reading.id());
}

}  // namespace

DH_NOINLINE bool acquire_slow(ThreadState& ts, SyncWord word) {
  std::uint32_t* const scratch = ts.slot->scratch();
  std::uint32_t width = 0;
  if (!recover(ts, word, scratch, width)) return false;
  if (ts.slot->join({scratch, width}, ts.clock, ts.parts->threads.history_cap())) {
    ts.dirty = true;
    ts.counts.add(Rule::kAcquireJoin);
  }
  return true;
}

SyncWord release(ThreadState& ts) {
  if (!ts.watched) return release_unwatched_slow(ts);
  publish(ts);
  return ts.last_release;
}

SyncWord freeze(ThreadState& ts) {
  if (!ts.watched) return kNeverReleased;
  if (ts.dirty) tick(ts);
  return ts.last_release;
}

SyncWord release(ThreadState& ts, SyncWord old_word) {
  const SyncWord word = release(ts);
  discard(ts, old_word, word);
  return word;
}

SyncWord release_join(ThreadState& ts, SyncWord word) {
  if (ts.watched) publish(ts);
  std::uint32_t* const scratch = ts.slot->scratch();
  std::uint32_t width = 0;
  bool covered = !is_inflated(word) && ts.is_ordered(epoch_of(word));
  if (!covered) {
    if (!recover(ts, word, scratch, width)) return word;
    covered = is_inflated(word) && covers(ts, {scratch, width});
  }
  if (covered) return ts.watched ? ts.last_release : release_unwatched_slow(ts);
  ts.counts.add(Rule::kReleaseJoin);
  return make_joined(ts, join_released(ts, scratch, width));
}

void on_lock(ThreadState& ts, std::uint64_t lock) {
  change_locks(ts, &CandidateThread::held_for_writing, &HeldSet::acquire, lock);
}
void on_unlock(ThreadState& ts, std::uint64_t lock) {
  change_locks(ts, &CandidateThread::held_for_writing, &HeldSet::release, lock);
}
void on_lock_shared(ThreadState& ts, std::uint64_t lock) {
  change_locks(ts, &CandidateThread::held_for_reading, &HeldSet::acquire, lock);
}
void on_unlock_shared(ThreadState& ts, std::uint64_t lock) {
  change_locks(ts, &CandidateThread::held_for_reading, &HeldSet::release, lock);
}
void on_wait_begin(ThreadState& ts, std::uint64_t lock) {
  change_locks(ts, &CandidateThread::held_for_writing, &HeldSet::begin_wait, lock);
}
void on_wait_end(ThreadState& ts, std::uint64_t lock) {
  change_locks(ts, &CandidateThread::held_for_writing, &HeldSet::end_wait, lock);
}

void discard(ThreadState& ts, SyncWord unused, SyncWord kept) {
  if (is_inflated(unused) && unused != kept) ts.parts->joined_clocks.free(unused);
}

void free_sync(ThreadState& ts, SyncWord word) { discard(ts, word, kNeverReleased); }

}  // namespace deadheat::engine
