// SPDX-License-Identifier: Apache-2.0
//
// The slow half of a memory access: FastTrack's rules over the two words of a variable (shadow_word.h). Called by the
// accessing thread with its own ThreadState, between two of its synchronisation calls; never blocks but for the short
// table locks of read_sets.h (only when a variable's read set is one this thread has not met lately); no allocation
// otherwise.
//
// The words belong to the front end. Any number of threads may be in here for one variable at once; the engine only
// ever sees the values passed in. The protocol a front end follows, with CAS and plain loads (both words seq_cst or
// volatile):
//
//   read   again: w = W; r = R; a = on_read(ts, w, r, site);
//          if (a.word != r && !CAS(R, r, a.word)) { retract(ts); goto again; }
//          if (a.word != r && (w2 = W) != w) recheck_read(ts, w2);
//   write  again: w = W; r = R; a = on_write(ts, w, r, site);
//          if (a.word != w && !CAS(W, w, a.word)) { retract(ts); goto again; }
//          if (a.clear_read ? !CAS(R, r, make_write_mark(ts.read_epoch)) : R != r)
//            { retract(ts) if a.clear_read; recheck_write(ts, R); }
//
// A front end may do without the mark: it clears R where r is a set, and else only looks at it again.
//
// Each side publishes its own word and then looks at the other's, so of two conflicting accesses that really are
// concurrent at least one sees the other; two writes meet in the CAS of W. check_read/check_write (shadow_cell.h) are
// this protocol over std::atomic. A front end may instead store plainly, without retract and recheck. Updates can then
// be lost, and with them races; none is invented, because a word only ever holds accesses that took place, and "not
// ordered" is decided by the current thread's own clock alone.
#pragma once

#include <cstdint>

#include "engine/thread_state.h"
#include "model/ids.h"

namespace deadheat::engine {

struct AccessResult {
  ShadowWord word;              // the new R (on_read) or the new W (on_write); equal to the old one: nothing to store
  std::uint32_t conflicts = 0;  // how many of ts.conflicts are filled: previous accesses not ordered with this one
  bool clear_read = false;      // on_write: R is to become the mark; true iff r is a read set or no read, and word != w
};
static_assert(sizeof(AccessResult) == 16, "returned in two registers");

// site must fit in kSiteBits and is not 0, which marks have (shadow_word.h). An access of a thread that is not watched
// is checked but not remembered.
AccessResult on_read(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site);
AccessResult on_write(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site);

// The store that on_read/on_write's last result asked for did not take place. Only right after that call on this
// thread.
void retract(ThreadState& ts);

// The other word was found changed after the own word was published. Returns the number of ts.conflicts filled.
std::uint32_t recheck_read(ThreadState& ts, ShadowWord w);
std::uint32_t recheck_write(ThreadState& ts, ShadowWord r);

// A variable is gone (its object or its shadow block died); r was its R word. Optional: what is never told is bounded
// by the read sets' budget.
void forget_read(ThreadState& ts, ShadowWord r);

}  // namespace deadheat::engine
