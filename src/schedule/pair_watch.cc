// SPDX-License-Identifier: Apache-2.0
#include "schedule/pair_watch.h"

namespace deadheat::schedule {

bool PairWatch::look(const World& world, ThreadIndex thread) {
  if (!stands_at(world, thread, pair_)) return false;
  const std::vector<ThreadIndex> racing = racing_with(world, thread, pair_);
  if (racing.empty()) return false;
  ++meetings_;
  const ThreadIndex other = racing.front();
  if (listener_ != nullptr) {
    listener_->on_race(world, {world.steps(), thread, other, world.pending(thread), world.pending(other), thread});
  }
  return true;
}

}  // namespace deadheat::schedule
