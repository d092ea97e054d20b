// SPDX-License-Identifier: Apache-2.0
//
// FastTrack's rules (Flanagan and Freund, PLDI 2009, figure 5). Leaf functions but for read sets, which are a tail call
// away.
#include "engine/access.h"

#include "base/check.h"
#include "engine/engine_parts.h"

namespace deadheat::engine {
namespace {

using Members = ReadSets::Members;

// A set in W holds atomic writes (atomic_access.h).
std::uint32_t note_conflict(ThreadState& ts, ShadowWord word, bool was_write, std::uint32_t count) {
  if (is_read_set(word)) [[unlikely]]
    return ts.parts->read_sets.check(ts, word, count, was_write ? Members::kAllWrites : Members::kAllReads);
  if (ts.is_ordered(word) || count == kMaxConflicts) return count;
  ts.conflicts[count] = {word, was_write};
  return count + 1;
}

DH_NOINLINE std::uint32_t without_frozen_slow(ThreadState& ts, std::uint32_t count) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!ts.frozen->covers(ts.conflicts[i].word)) ts.conflicts[kept++] = ts.conflicts[i];
  }
  if (kept < count) ts.counts.add(Rule::kFrozenRead);
  return kept;
}

// The write (or atomic writes) behind w, met by a read.
std::uint32_t note_write(ThreadState& ts, ShadowWord w) {
  const std::uint32_t conflicts = note_conflict(ts, w, true, 0);
  return conflicts > 0 && ts.frozen != nullptr ? without_frozen_slow(ts, conflicts) : conflicts;
}

// READ SHARE and READ SHARED.
DH_NOINLINE AccessResult on_read_shared_slow(ThreadState& ts, ShadowWord r, model::SiteId site,
                                             std::uint32_t conflicts) {
  ts.counts.add(is_read_set(r) ? Rule::kReadShared : Rule::kReadShare);
  return {ts.parts->read_sets.add_read(ts, r, make_word(ts.read_epoch, site)), conflicts};
}

// WRITE SHARED.
DH_NOINLINE AccessResult on_write_shared_slow(ThreadState& ts, ShadowWord r, model::SiteId site,
                                              std::uint32_t conflicts) {
  ts.counts.add(Rule::kWriteShared);
  conflicts = ts.parts->read_sets.clear(ts, r, conflicts);
  return {make_word(ts.epoch, site), conflicts, true};
}

DH_NOINLINE AccessResult on_write_unwatched_slow(ThreadState& ts, ShadowWord w, ShadowWord r, std::uint32_t conflicts) {
  return {w, note_conflict(ts, r, false, conflicts)};
}

}  // namespace

AccessResult on_read(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site) {
  DH_DCHECK(model::to_number(site) != 0);
  ts.read_sets.last = nullptr;
  if (epoch_of(r) == ts.read_epoch || epoch_of(w) == ts.epoch || r == ts.last_shared_ok) {
    ts.counts.add(Rule::kReadSameEpoch);
    return {r};
  }
  const std::uint32_t conflicts = note_write(ts, w);
  if (!ts.watched) return {r, conflicts};
  ts.dirty = true;
  r = reads_of(r);
  if (is_read_set(r) || !ts.is_ordered(r)) return on_read_shared_slow(ts, r, site, conflicts);
  ts.counts.add(Rule::kReadExclusive);
  return {make_word(ts.read_epoch, site), conflicts};
}

AccessResult on_write(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site) {
  DH_DCHECK(model::to_number(site) != 0);
  ts.read_sets.last = nullptr;
  if (epoch_of(w) == ts.epoch) {
    ts.counts.add(Rule::kWriteSameEpoch);
    return {w};
  }
  r = reads_of(r);
  std::uint32_t conflicts = note_conflict(ts, w, true, 0);
  if (!ts.watched) return on_write_unwatched_slow(ts, w, r, conflicts);
  ts.dirty = true;
  if (is_read_set(w)) [[unlikely]]
    ts.parts->read_sets.forget(ts, w);  // not undone by retract(): the set may be retired early, never kept for ever
  if (is_read_set(r)) return on_write_shared_slow(ts, r, site, conflicts);
  ts.counts.add(Rule::kWriteExclusive);
  conflicts = note_conflict(ts, r, false, conflicts);
  return {make_word(ts.epoch, site), conflicts, r == kNeverAccessed};
}

void retract(ThreadState& ts) {
  if (ts.read_sets.last != nullptr) --ts.read_sets.last->moves;
  ts.read_sets.last = nullptr;
}

std::uint32_t recheck_read(ThreadState& ts, ShadowWord w) { return note_write(ts, w); }

std::uint32_t recheck_write(ThreadState& ts, ShadowWord r) {
  ts.read_sets.last = nullptr;
  return note_conflict(ts, reads_of(r), false, 0);
}

void forget_read(ThreadState& ts, ShadowWord r) {
  if (is_read_set(r)) ts.parts->read_sets.forget(ts, r);
}

}  // namespace deadheat::engine
