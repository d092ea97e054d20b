// SPDX-License-Identifier: Apache-2.0
//
// A variable's two words in native memory, and the access protocol of access.h over them. For front ends whose shadow
// is not inside managed objects (array shadow, C and C++), and for tests with real threads.
#pragma once

#include <atomic>

#include "engine/access.h"

namespace deadheat::engine {

struct ShadowCell {
  std::atomic<ShadowWord> w{kNeverAccessed};
  std::atomic<ShadowWord> r{kNeverAccessed};
};
static_assert(sizeof(ShadowCell) == 16);

// Returns the number of ts.conflicts filled. Of two concurrent conflicting accesses at least one gets a conflict.
std::uint32_t check_read(ThreadState& ts, ShadowCell& cell, model::SiteId site);
std::uint32_t check_write(ThreadState& ts, ShadowCell& cell, model::SiteId site);

// The same over any Word with sequentially consistent load() and compare_exchange_strong(); shadow_cell_test.cc runs
// them over one that lets it try every interleaving.
template <typename Word>
std::uint32_t check_read(ThreadState& ts, Word& w_word, Word& r_word, model::SiteId site) {
  for (;;) {
    const ShadowWord w = w_word.load();
    ShadowWord r = r_word.load();
    const AccessResult result = on_read(ts, w, r, site);
    if (result.word == r) return result.conflicts;
    if (!r_word.compare_exchange_strong(r, result.word)) {
      retract(ts);
      continue;
    }
    if (result.conflicts > 0) return result.conflicts;
    const ShadowWord now = w_word.load();
    return now == w ? 0 : recheck_read(ts, now);
  }
}

template <typename Word>
std::uint32_t check_write(ThreadState& ts, Word& w_word, Word& r_word, model::SiteId site) {
  for (;;) {
    ShadowWord w = w_word.load();
    const ShadowWord r = r_word.load();
    const AccessResult result = on_write(ts, w, r, site);
    if (result.word == w) return result.conflicts;
    if (!w_word.compare_exchange_strong(w, result.word)) {
      retract(ts);
      continue;
    }
    ShadowWord now = r;
    if (!result.clear_read) {
      now = r_word.load();
    } else if (!r_word.compare_exchange_strong(now, make_write_mark(ts.read_epoch))) {
      retract(ts);
    }
    return now == r || result.conflicts > 0 ? result.conflicts : recheck_write(ts, now);
  }
}

}  // namespace deadheat::engine
