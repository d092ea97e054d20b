// SPDX-License-Identifier: Apache-2.0
#include "engine/shadow_cell.h"

namespace deadheat::engine {

std::uint32_t check_read(ThreadState& ts, ShadowCell& cell, model::SiteId site) {
  for (;;) {
    const ShadowWord w = cell.w.load();
    ShadowWord r = cell.r.load();
    const AccessResult result = on_read(ts, w, r, site);
    if (result.word == r) return result.conflicts;
    if (!cell.r.compare_exchange_strong(r, result.word)) {
      retract(ts);
      continue;
    }
    const ShadowWord now = cell.w.load();
    return now == w || result.conflicts > 0 ? result.conflicts : recheck_read(ts, now);
  }
}

std::uint32_t check_write(ThreadState& ts, ShadowCell& cell, model::SiteId site) {
  for (;;) {
    ShadowWord w = cell.w.load();
    ShadowWord r = cell.r.load();
    const AccessResult result = on_write(ts, w, r, site);
    if (result.word == w) return result.conflicts;
    if (!cell.w.compare_exchange_strong(w, result.word)) {
      retract(ts);
      continue;
    }
    ShadowWord now = r;
    if (!result.clear_read) {
      now = cell.r.load();
    } else if (!cell.r.compare_exchange_strong(now, kNeverAccessed)) {
      retract(ts);
    }
    return now == r || result.conflicts > 0 ? result.conflicts : recheck_write(ts, now);
  }
}

}  // namespace deadheat::engine
