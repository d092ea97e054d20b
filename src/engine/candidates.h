// SPDX-License-Identifier: Apache-2.0
//
// The detectors of *candidates*, over the two words of a variable, for a front end that runs them beside the program:
// the same verdicts as Hybrid (hybrid.h) and Lockset (lockset.h) give over events, which are the oracles of their
// tests. What they find need not be a race of this run, nor of any.
//
//   hybrid   W holds the writes and R the reads of a variable that differ in thread, site or locks. One access without
//            locks is kept in the word itself; more are in a record (record_table.h). A newer access of the same
//            thread, site and locks replaces the older: whatever is not ordered after the older is not ordered after
//            it.
//   lockset  while one thread alone has used the variable, W and R are its last write and read; then a record, named by
//            either word, with Eraser's state.
//
// Atomic accesses (told by their site, shadow_word.h) are candidates with plain ones, never with each other; to lockset
// they are not told.
//
// The protocol: the result replaces R after a read and W after a write, by CAS, and no word is ever cleared. If it was
// stored, and the other word is a record or has changed since, or if it was not stored and the other word has changed,
// the access is made again (with the same outcome for what was seen before): then of two accesses made at the same
// instant at least one finds the other. The front end keeps the locks of each thread by on_lock and its like (sync.h),
// tells the order it wants to count by sync.h, and takes no fast path.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/locksets.h"
#include "engine/record_table.h"
#include "engine/thread_state.h"
#include "model/ids.h"

namespace deadheat::engine {

struct PastAccess {
  ShadowWord word;
  LocksetId locks{};        // in any mode
  LocksetId write_locks{};  // those held for writing
};

// Figure 4 of the Eraser paper, from the moment a second thread came.
struct EraserRecord {
  bool is_modified = false;
  LocksetId candidates{};
  PastAccess last;
  PastAccess last_other;  // the last access of a thread other than last's
  bool last_was_write = false;
  bool last_other_was_write = false;
};

struct CandidateParts {
  CandidateParts(std::uint32_t most_records, std::uint32_t accesses_per_variable,
                 model::SiteId (*place)(model::SiteId));

  model::SiteId place_of(model::SiteId site) const { return place == nullptr ? site : place(site); }

  LocksetTable locksets;
  RecordTable<std::vector<PastAccess>> pasts;
  RecordTable<EraserRecord> erasers;
  const std::uint32_t accesses_per_variable;
  model::SiteId (*const place)(model::SiteId);
  std::atomic<std::uint64_t> accesses_forgotten{0};  // of variables with too many different ones
};

// Called for each candidate, on the accessing thread: the earlier access is ts.conflicts[0]. Pairs of sites that this
// thread has sent lately are not sent again.
struct CandidateSink {
  void (*receive)(void* context, ThreadState& ts) = nullptr;
  void* context = nullptr;
};

ShadowWord on_hybrid_read(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site, const CandidateSink& sink);
ShadowWord on_hybrid_write(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site, const CandidateSink& sink);
// The write of a compare-and-set that has succeeded, which was made in `epoch`: before the release that came with it.
ShadowWord on_hybrid_update(ThreadState& ts, ShadowWord w, ShadowWord r, Epoch epoch, model::SiteId site,
                            const CandidateSink& sink);

// Returns the new R.
ShadowWord on_lockset_read(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site, const CandidateSink& sink);
// Returns the new W.
ShadowWord on_lockset_write(ThreadState& ts, ShadowWord w, ShadowWord r, model::SiteId site, const CandidateSink& sink);

}  // namespace deadheat::engine
