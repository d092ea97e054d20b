// SPDX-License-Identifier: Apache-2.0
//
// The two sites of a suspected race, and who stands there. Used by strategies, under the scheduler's lock.
#pragma once

#include <vector>

#include "schedule/world.h"

namespace deadheat::schedule {

struct RacePair {
  model::SiteId first{};
  model::SiteId second{};  // may be the same

  bool has(model::SiteId site) const { return site != model::SiteId{} && (site == first || site == second); }
  // RaceFuzzer, Algorithm 2: one operation at each site, the same location, at least one of them writes.
  bool meet(const Operation& a, const Operation& b) const {
    return ((a.site == first && b.site == second) || (a.site == second && b.site == first)) && races(a, b);
  }
};

inline bool stands_at(const World& world, ThreadIndex thread, const RacePair& pair) {
  const Operation& op = world.pending(thread);
  return pair.has(op.site) && is_access(op.kind);
}

// The enabled threads besides thread whose pending operation races with its own, ascending.
std::vector<ThreadIndex> racing_with(const World& world, ThreadIndex thread, const RacePair& pair);

}  // namespace deadheat::schedule
