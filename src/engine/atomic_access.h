// SPDX-License-Identifier: Apache-2.0
//
// Atomic accesses of a variable that is also accessed plainly: opaque, acquire, release and volatile modes, atomic
// updates. An atomic access races with a plain one (of the two at least one a write) that it is not ordered with, never
// with another atomic one. Whether it orders anything is sync.h's business, not this header's.
//
// The words are those of shadow_word.h. Atomic accesses are known by their site (kFirstAtomicSite and above) and are
// only ever members of sets, in R (atomic reads) and in W (atomic writes): a set has no epoch, so the exits that a
// front end inlines never take an atomic access for a plain one, and plain accesses pay nothing for this. A set holds
// the plain accesses it would hold without the atomic ones, and of the atomic ones those that no later one follows.
// docs/engine.md, "Atomic accesses", says why nothing more is needed.
//
// Calling rules as in access.h; `site` must be an atomic one. The new word goes into W or R by compare-and-set:
//
//   again: w = W; r = R; a = on_atomic_…; if (a.word != old && !CAS(old, a.word)) { retract(ts); goto again; }
//
// Order against synchronisation, so that a thread which acquires what the access released is ordered after the access:
//   store           on_atomic_write, release, the store
//   load            the load, acquire, on_atomic_read
//   update          acquire, on_atomic_write, release, the update, acquire
//   compare-and-set acquire, on_atomic_read (the new R and the epoch kept), release, the operation, acquire; if it
//   succeeded
//                   on_atomic_update with what was kept
// The early acquire is no edge too many: it takes what the one behind the operation takes.
#pragma once

#include "engine/access.h"

namespace deadheat::engine {

// AccessResult::word is the new R.
AccessResult on_atomic_read(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site);
// AccessResult::word is the new W.
AccessResult on_atomic_write(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site);
// A compare-and-set at `site` that has succeeded, and before which the thread's epoch was `epoch` and on_atomic_read
// had returned `r`: reads that came later may follow the operation and are no conflict. AccessResult::word is the new
// W.
AccessResult on_atomic_update(ThreadState& ts, ShadowWord w, ShadowWord r, Epoch epoch, model::SiteId site);

}  // namespace deadheat::engine
