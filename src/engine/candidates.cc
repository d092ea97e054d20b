// SPDX-License-Identifier: Apache-2.0
#include "engine/candidates.h"

#include <algorithm>

#include "engine/engine_parts.h"

namespace deadheat::engine {
namespace {

struct Earlier {
  ShadowWord word;
  bool was_write;
};

bool is_none(ShadowWord word) { return word == kNeverAccessed; }

// Whether the access was made by this very thread; a slot has had others before.
bool is_own(const ThreadState& ts, ShadowWord word) {
  return slot_of(word) == static_cast<std::uint32_t>(ts.slot_id) && clock_of(word) >= ts.first_clock;
}

bool is_same_place(const CandidateParts& parts, const PastAccess& a, const PastAccess& b) {
  return a.locks == b.locks && a.write_locks == b.write_locks && slot_of(a.word) == slot_of(b.word) &&
         parts.place_of(site_of(a.word)) == parts.place_of(site_of(b.word));
}

// No lock of a table is held here: the receiver may take its time.
void send(ThreadState& ts, const std::vector<Earlier>& found, model::SiteId site, const CandidateSink& sink) {
  const CandidateParts& parts = *ts.parts->candidates;
  for (const Earlier& earlier : found) {
    const std::uint64_t pair =
        std::uint64_t{to_number(parts.place_of(site))} << 32 | to_number(parts.place_of(site_of(earlier.word)));
    std::uint64_t& sent = ts.candidate->sent[(pair ^ pair >> 32) % ts.candidate->sent.size()];
    if (sent == pair) continue;
    sent = pair;
    ts.conflicts[0] = {earlier.word, earlier.was_write};
    sink.receive(sink.context, ts);
  }
}

PastAccess access_of(const ThreadState& ts, Epoch epoch, model::SiteId site) {
  return {make_word(epoch, site), ts.candidate->held, ts.candidate->held_for_writing.id()};
}

// Two readers of a lock do not exclude each other.
bool have_common_lock(ThreadState& ts, const PastAccess& past) {
  LocksetTable& table = ts.parts->candidates->locksets;
  const LocksetId held_for_writing = ts.candidate->held_for_writing.id();
  if (!table.are_disjoint(past.locks, held_for_writing)) return true;
  // Without readers this would be the same question again.
  if (past.locks == past.write_locks && ts.candidate->held == held_for_writing) return false;
  return !table.are_disjoint(past.write_locks, ts.candidate->held);
}

// What an access conflicts with.
struct Found {
  const bool is_atomic;  // the access
  std::vector<Earlier> earlier;
};

// Adds the access if it is neither ordered before this thread nor made with one of its locks.
void look_at(ThreadState& ts, const PastAccess& past, bool was_write, Found& found) {
  if ((found.is_atomic && is_atomic(past.word)) || ts.is_ordered(past.word) || have_common_lock(ts, past)) return;
  found.earlier.push_back({past.word, was_write});
}

void look_at_all(ThreadState& ts, const std::vector<PastAccess>& pasts, bool was_write, Found& found) {
  for (const PastAccess& past : pasts) look_at(ts, past, was_write, found);
}

// The accesses behind the word.
void find_candidates(ThreadState& ts, ShadowWord word, bool was_write, Found& found) {
  if (is_none(word)) return;
  if (!is_record_word(word)) return look_at(ts, {word}, was_write, found);
  ts.parts->candidates->pasts.with(
      word, [&](const std::vector<PastAccess>& pasts) { look_at_all(ts, pasts, was_write, found); });
}

void add_past(CandidateParts& parts, std::vector<PastAccess>& pasts, const PastAccess& now) {
  for (PastAccess& past : pasts) {
    if (is_same_place(parts, past, now)) {
      past.word = now.word;
      return;
    }
  }
  if (pasts.size() >= parts.accesses_per_variable) {
    const std::size_t drop = std::max<std::size_t>(pasts.size() / 2, 1);
    pasts.erase(pasts.begin(), pasts.begin() + static_cast<std::ptrdiff_t>(drop));
    parts.accesses_forgotten.fetch_add(drop, std::memory_order_relaxed);
  }
  pasts.push_back(now);
}

// The word that holds what `word` did and this access. Accesses behind `word` that are candidates are added to
// `conflicting` if it is given: in the same step, so that of two threads here at once the later one finds the earlier.
ShadowWord remember(ThreadState& ts, ShadowWord word, const PastAccess& now, Found* conflicting) {
  if (!ts.watched) {
    if (conflicting != nullptr) find_candidates(ts, word, true, *conflicting);
    return word;
  }
  ts.dirty = true;
  CandidateParts& parts = *ts.parts->candidates;
  if (is_record_word(word)) {
    const bool known = parts.pasts.with(word, [&](std::vector<PastAccess>& pasts) {
      if (conflicting != nullptr) look_at_all(ts, pasts, true, *conflicting);
      add_past(parts, pasts, now);
    });
    if (known) return word;
    word = kNeverAccessed;  // the record was given to another variable
  }
  const PastAccess before{word};
  if (conflicting != nullptr && !is_none(word)) look_at(ts, before, true, *conflicting);
  if (now.locks == LocksetId{} && (is_none(word) || is_same_place(parts, before, now))) return now.word;
  return parts.pasts.make([&](std::vector<PastAccess>& pasts) {
    if (!is_none(word)) pasts.push_back(before);
    add_past(parts, pasts, now);
  });
}

// Of the accesses of the one thread so far, the last; of two in the same epoch the write.
Earlier last_of(ShadowWord w, ShadowWord r) {
  const bool write = is_none(r) || (!is_none(w) && clock_of(w) >= clock_of(r));
  return write ? Earlier{w, true} : Earlier{r, false};
}

ShadowWord begin_sharing(ThreadState& ts, const Earlier& before, const EraserRecord& record,
                         std::vector<Earlier>& found) {
  if (record.is_modified && record.candidates == LocksetId{}) found.push_back(before);
  return ts.parts->candidates->erasers.make([&](EraserRecord& fresh) { fresh = record; });
}

void go_on_sharing(ThreadState& ts, EraserRecord& record, const PastAccess& now, LocksetId protecting, bool is_write,
                   std::vector<Earlier>& found) {
  record.is_modified |= is_write;
  record.candidates = ts.parts->candidates->locksets.intersect(record.candidates, protecting);
  if (!is_own(ts, record.last.word)) {
    record.last_other = record.last;
    record.last_other_was_write = record.last_was_write;
  }
  if (record.is_modified && record.candidates == LocksetId{} && !is_own(ts, record.last_other.word))
    found.push_back({record.last_other.word, record.last_other_was_write});
  record.last = now;
  record.last_was_write = is_write;
}

ShadowWord on_lockset_access(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site, bool is_write,
                             const CandidateSink& sink) {
  if (!ts.watched) return is_write ? w : r;
  const PastAccess now = access_of(ts, ts.epoch, site);
  const LocksetId protecting = is_write ? now.write_locks : now.locks;
  ts.dirty = true;
  std::vector<Earlier> found;
  ShadowWord result = is_record_word(w) ? w : r;
  if (is_record_word(result)) {
    const bool known = ts.parts->candidates->erasers.with(
        result, [&](EraserRecord& record) { go_on_sharing(ts, record, now, protecting, is_write, found); });
    if (!known) result = now.word;
  } else if ((is_none(w) || is_own(ts, w)) && (is_none(r) || is_own(ts, r))) {
    result = now.word;
  } else {
    const Earlier before = last_of(is_own(ts, w) ? kNeverAccessed : w, is_own(ts, r) ? kNeverAccessed : r);
    result = begin_sharing(ts, before, {is_write, protecting, now, {before.word}, is_write, before.was_write}, found);
  }
  send(ts, found, site, sink);
  return result;
}

}  // namespace

CandidateParts::CandidateParts(std::uint32_t most_records, std::uint32_t per_variable,
                               model::SiteId (*site_place)(model::SiteId))
    : pasts(most_records),
      erasers(most_records),
      accesses_per_variable(std::max(per_variable, 2u)),
      place(site_place) {}

// Remembers first and looks at the other word's accesses then, as whoever makes one of these does the other way round.
ShadowWord on_hybrid_read(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site, const CandidateSink& sink) {
  const PastAccess now = access_of(ts, ts.epoch, site);
  Found found{is_atomic(now.word), {}};
  const ShadowWord next = remember(ts, r, now, nullptr);
  find_candidates(ts, w, true, found);
  send(ts, found.earlier, site, sink);
  return next;
}

ShadowWord on_hybrid_write(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site, const CandidateSink& sink) {
  return on_hybrid_update(ts, w, r, ts.epoch, site, sink);
}

ShadowWord on_hybrid_update(ThreadState& ts, ShadowWord w, ShadowWord r, Epoch epoch, model::SiteId site,
                            const CandidateSink& sink) {
  const PastAccess now = access_of(ts, epoch, site);
  Found found{is_atomic(now.word), {}};
  const ShadowWord next = remember(ts, w, now, &found);
  find_candidates(ts, r, false, found);
  send(ts, found.earlier, site, sink);
  return next;
}

ShadowWord on_lockset_read(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site, const CandidateSink& sink) {
  return on_lockset_access(ts, w, r, site, false, sink);
}

ShadowWord on_lockset_write(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site,
                            const CandidateSink& sink) {
  return on_lockset_access(ts, w, r, site, true, sink);
}

}  // namespace deadheat::engine
