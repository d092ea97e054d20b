// SPDX-License-Identifier: Apache-2.0
//
// The schedule with the fewest context switches that still gives everybody a chance: what a strategy falls back to when
// it has no opinion of its own.
#pragma once

#include <algorithm>

#include "schedule/world.h"

namespace deadheat::schedule {

// The thread of the last step as long as it can go and does not yield; then the next enabled one in a circle, or in the
// circle the other way round: after a thread that has started others and waits for them, the last of them.
inline ThreadIndex run_on(const World& world, bool backwards = false) {
  const ThreadIndex last = world.last();
  if (last == kNoThread) return world.enabled().front();
  if (world.is_enabled(last) && !may_spin(world.pending(last).kind)) return last;
  const auto enabled = world.enabled();
  if (backwards) {
    const auto behind = std::lower_bound(enabled.begin(), enabled.end(), last);
    return behind == enabled.begin() ? enabled.back() : *(behind - 1);
  }
  const auto next = std::upper_bound(enabled.begin(), enabled.end(), last);
  return next == enabled.end() ? enabled.front() : *next;
}

}  // namespace deadheat::schedule
