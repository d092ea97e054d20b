// SPDX-License-Identifier: Apache-2.0
#include "engine/atomic_access.h"

#include "base/check.h"
#include "engine/engine_parts.h"

namespace deadheat::engine {
namespace {

using Members = ReadSets::Members;

std::uint32_t note_plain(ThreadState& ts, ShadowWord word, Members members, std::uint32_t count) {
  if (is_read_set(word)) return ts.parts->read_sets.check(ts, word, count, members);
  if (count == kMaxConflicts || ts.is_ordered(word)) return count;
  ts.conflicts[count] = {word, members == Members::kPlainWrites};
  return count + 1;
}

// A plain access of this epoch in the word is in conflict with all that the atomic one would be.
ShadowWord with_atomic(ThreadState& ts, ShadowWord word, Epoch epoch, model::SiteId site) {
  if (!ts.watched || epoch_of(word) == epoch) return word;
  ts.dirty = true;
  return ts.parts->read_sets.add_atomic(ts, word, make_word(epoch, site));
}

}  // namespace

AccessResult on_atomic_read(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site) {
  DH_DCHECK(model::to_number(site) >= kFirstAtomicSite);
  ts.read_sets.last = nullptr;
  const std::uint32_t conflicts = note_plain(ts, w, Members::kPlainWrites, 0);
  if (!ts.watched) return {r, conflicts};
  return {with_atomic(ts, reads_of(r), ts.epoch, site), conflicts};
}

AccessResult on_atomic_write(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site) {
  DH_DCHECK(model::to_number(site) >= kFirstAtomicSite);
  ts.read_sets.last = nullptr;
  std::uint32_t conflicts = note_plain(ts, w, Members::kPlainWrites, 0);
  conflicts = note_plain(ts, reads_of(r), Members::kPlainReads, conflicts);
  return {with_atomic(ts, w, ts.epoch, site), conflicts};
}

// The plain writes were checked by on_atomic_read; those that have come since may follow the operation.
AccessResult on_atomic_update(ThreadState& ts, ShadowWord w, ShadowWord r, Epoch epoch, model::SiteId site) {
  DH_DCHECK(model::to_number(site) >= kFirstAtomicSite);
  ts.read_sets.last = nullptr;
  const std::uint32_t conflicts = note_plain(ts, reads_of(r), Members::kPlainReads, 0);
  return {with_atomic(ts, w, epoch, site), conflicts};
}

}  // namespace deadheat::engine
