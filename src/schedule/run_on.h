// SPDX-License-Identifier: Apache-2.0
//
// The schedule with the fewest context switches that still gives everybody a chance: what a strategy falls back to when
// it has no opinion of its own.
#pragma once

#include <algorithm>
#include <span>

#include "schedule/world.h"

namespace deadheat::schedule {

// Whether the thread of the last step can go on and does not yield.
inline bool runs_on(const World& world) {
  const ThreadIndex last = world.last();
  return last != kNoThread && world.is_enabled(last) && !may_spin(world.pending(last).kind);
}

// The one behind `last` (which may be none) in the circle of those given, ascending and at least one; or in the circle
// the other way round: after a thread that has started others and waits for them, the last of them.
inline ThreadIndex next_in_circle(std::span<const ThreadIndex> threads, ThreadIndex last, bool backwards = false) {
  if (last == kNoThread) return threads.front();
  if (backwards) {
    const auto behind = std::lower_bound(threads.begin(), threads.end(), last);
    return behind == threads.begin() ? threads.back() : *(behind - 1);
  }
  const auto next = std::upper_bound(threads.begin(), threads.end(), last);
  return next == threads.end() ? threads.front() : *next;
}

// The thread of the last step as long as it runs on; then the next enabled one in a circle.
inline ThreadIndex run_on(const World& world) {
  return runs_on(world) ? world.last() : next_in_circle(world.enabled(), world.last());
}

}  // namespace deadheat::schedule
