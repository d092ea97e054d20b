// SPDX-License-Identifier: Apache-2.0
//
// The schedule with the fewest context switches that still gives everybody a chance: what a strategy falls back to when
// it has no opinion of its own.
#pragma once

#include "schedule/world.h"

namespace deadheat::schedule {

// The thread of the last step as long as it can go and does not yield; then the next enabled one in a circle.
inline ThreadIndex run_on(const World& world) {
  const ThreadIndex last = world.last();
  if (last == kNoThread) return world.enabled().front();
  if (world.is_enabled(last) && !may_spin(world.pending(last).kind)) return last;
  for (const ThreadIndex thread : world.enabled()) {
    if (thread > last) return thread;
  }
  return world.enabled().front();
}

}  // namespace deadheat::schedule
