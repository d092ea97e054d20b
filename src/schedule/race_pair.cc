// SPDX-License-Identifier: Apache-2.0
#include "schedule/race_pair.h"

namespace deadheat::schedule {

std::vector<ThreadIndex> racing_with(const World& world, ThreadIndex thread, const RacePair& pair) {
  std::vector<ThreadIndex> racing;
  for (const ThreadIndex other : world.enabled()) {
    if (other != thread && pair.meet(world.pending(thread), world.pending(other))) racing.push_back(other);
  }
  return racing;
}

}  // namespace deadheat::schedule
