// SPDX-License-Identifier: Apache-2.0
//
// Sees the meetings at a racing pair in an execution that follows a log or a plan, and tells them. Used by strategies,
// under the scheduler's lock.
#pragma once

#include "schedule/listener.h"
#include "schedule/race_pair.h"

namespace deadheat::schedule {

class PairWatch {
 public:
  // An empty pair: nothing is seen. listener may be null.
  PairWatch(const RacePair& pair, Listener* listener) : pair_(pair), listener_(listener) {}

  // `thread` will make the next step. True: it is one of two that stand at the pair with one location, both free to go.
  bool look(const World& world, ThreadIndex thread);
  std::uint64_t meetings() const { return meetings_; }

 private:
  const RacePair pair_;
  Listener* const listener_;
  std::uint64_t meetings_ = 0;
};

}  // namespace deadheat::schedule
