// SPDX-License-Identifier: Apache-2.0
#include "schedule/pos.h"

namespace deadheat::schedule {

ThreadIndex Pos::next(const World& world) {
  priorities_.resize(world.thread_count(), kNotDrawn);
  ThreadIndex best = world.enabled().front();
  for (const ThreadIndex thread : world.enabled()) {
    std::uint64_t& priority = priorities_[to_number(thread)];
    if (priority == kNotDrawn) priority = random_.next() | 1;
    if (priority > priorities_[to_number(best)]) best = thread;
  }
  return best;
}

void Pos::stepping(const World& world, ThreadIndex thread) {
  priorities_[to_number(thread)] = kNotDrawn;
  for (const ThreadIndex other : world.enabled()) {
    if (other != thread && conflicts(thread, world.pending(thread), other, world.pending(other))) {
      priorities_[to_number(other)] = kNotDrawn;
    }
  }
}

}  // namespace deadheat::schedule
