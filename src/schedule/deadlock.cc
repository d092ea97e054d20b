// SPDX-License-Identifier: Apache-2.0
#include "schedule/deadlock.h"

#include <algorithm>

namespace deadheat::schedule {
namespace {

// Every thread waits for at most one other, so a walk from it ends or closes a circle within thread_count steps.
template <typename WaitsFor>
std::vector<ThreadIndex> cycle_through(ThreadIndex start, std::size_t threads, WaitsFor waits_for) {
  std::vector<ThreadIndex> path;
  for (ThreadIndex at = start; to_number(at) < threads; at = waits_for(at)) {
    const auto seen = std::find(path.begin(), path.end(), at);
    if (seen != path.end()) return {seen, path.end()};
    path.push_back(at);
  }
  return {};
}

std::vector<ThreadIndex> cycle_through(const World& world, ThreadIndex start) {
  return cycle_through(start, world.thread_count(), [&](ThreadIndex thread) { return world.waits_for(thread); });
}

void add_blocked(const World& world, ThreadIndex thread, Deadlock& deadlock) {
  deadlock.blocked.push_back({thread, world.pending(thread), world.waits_for(thread)});
}

// The same cycle is told from the same thread on, wherever the walk met it.
void begin_with_lowest(std::vector<ThreadIndex>& cycle) {
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
}

}  // namespace

std::vector<ThreadIndex> cycle_in(std::span<const ThreadIndex> waits_for) {
  std::vector<ThreadIndex> cycle;
  for (std::uint32_t i = 0; i < waits_for.size() && cycle.empty(); ++i) {
    cycle = cycle_through(ThreadIndex{i}, waits_for.size(), [&](ThreadIndex at) { return waits_for[to_number(at)]; });
  }
  begin_with_lowest(cycle);
  return cycle;
}

Deadlock closed_circle(const World& world, ThreadIndex thread) {
  Deadlock deadlock{.partial = true};
  std::vector<ThreadIndex> cycle = cycle_through(world, thread);
  // An interrupt can end a join; a request for a monitor ends with the monitor only.
  const bool for_ever = std::none_of(cycle.begin(), cycle.end(), [&](ThreadIndex member) {
    return world.pending(member).kind == OperationKind::kJoin;
  });
  if (cycle.empty() || !for_ever) return deadlock;
  begin_with_lowest(cycle);
  for (const ThreadIndex member : cycle) add_blocked(world, member, deadlock);
  deadlock.cycle = std::move(cycle);
  return deadlock;
}

Deadlock describe_deadlock(const World& world) {
  Deadlock deadlock;
  for (std::uint32_t i = 0; i < world.thread_count(); ++i) {
    const ThreadIndex thread{i};
    if (world.phase(thread) != Phase::kAtPoint) continue;
    add_blocked(world, thread, deadlock);
    if (deadlock.cycle.empty()) deadlock.cycle = cycle_through(world, thread);
  }
  begin_with_lowest(deadlock.cycle);
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
