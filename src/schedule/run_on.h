// SPDX-License-Identifier: Apache-2.0
//
// The schedule with the fewest context switches that still gives everybody a chance: what a strategy falls back to when
// it has no opinion of its own.
#pragma once

#include <algorithm>

#include "schedule/world.h"

namespace deadheat::schedule {

// Whether the thread of the last step can go on and does not yield.
inline bool runs_on(const World& world) {
  const ThreadIndex last = world.last();
  return last != kNoThread && world.is_enabled(last) && !may_spin(world.pending(last).kind);
}

// The thread of the last step as long as it runs on; then the next enabled one in a circle, or in the
// circle the other way round: after a thread that has started others and waits for them, the last of them.
inline ThreadIndex run_on(const World& world, bool backwards = false) {
  const ThreadIndex last = world.last();
  if (runs_on(world)) return last;
  if (last == kNoThread) return world.enabled().front();
  const auto enabled = world.enabled();
  if (backwards) {
    const auto behind = std::lower_bound(enabled.begin(), enabled.end(), last);
    return behind == enabled.begin() ? enabled.back() : *(behind - 1);
  }
  const auto next = std::upper_bound(enabled.begin(), enabled.end(), last);
  return next == enabled.end() ? enabled.front() : *next;
}

}  // namespace deadheat::schedule
