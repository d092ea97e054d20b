// SPDX-License-Identifier: Apache-2.0
#include "schedule/deadlock.h"

#include <algorithm>

namespace deadheat::schedule {
namespace {

// Every thread waits for at most one other, so a walk from it ends or closes a circle within thread_count steps.
std::vector<ThreadIndex> cycle_through(const World& world, ThreadIndex start) {
  std::vector<ThreadIndex> path;
  for (ThreadIndex at = start; to_number(at) < world.thread_count(); at = world.waits_for(at)) {
    const auto seen = std::find(path.begin(), path.end(), at);
    if (seen != path.end()) return {seen, path.end()};
    path.push_back(at);
  }
  return {};
}

}  // namespace

Deadlock describe_deadlock(const World& world) {
  Deadlock deadlock;
  for (std::uint32_t i = 0; i < world.thread_count(); ++i) {
    const ThreadIndex thread{i};
    if (world.phase(thread) != Phase::kAtPoint) continue;
    deadlock.blocked.push_back({thread, world.pending(thread), world.waits_for(thread)});
    if (deadlock.cycle.empty()) deadlock.cycle = cycle_through(world, thread);
  }
  // The same cycle is told from the same thread on, wherever the walk met it.
  std::rotate(deadlock.cycle.begin(), std::min_element(deadlock.cycle.begin(), deadlock.cycle.end()),
              deadlock.cycle.end());
  return deadlock;
}

const char* stop_reason_name(StopReason reason) {
  switch (reason) {
    case StopReason::kNone:
      return "none";
    case StopReason::kDeadlock:
      return "deadlock";
    case StopReason::kStepLimit:
      return "step limit";
    case StopReason::kTimeLimit:
      return "time limit";
    case StopReason::kDiverged:
      return "diverged";
    case StopReason::kHost:
      return "host";
  }
  return "unknown";
}

}  // namespace deadheat::schedule
