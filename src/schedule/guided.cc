// SPDX-License-Identifier: Apache-2.0
#include "schedule/guided.h"

#include "schedule/run_on.h"

namespace deadheat::schedule {

Plan plan_of(const DecisionLog& log) {
  Plan plan;
  std::vector<std::uint64_t> steps(log.names().size(), 0);
  for (const DecisionLog::Run& run : log.runs()) {
    plan.runs.push_back({log.names()[run.thread], steps[run.thread] += run.steps});
  }
  for (const DecisionLog::Choice& choice : log.choices()) {
    plan.choices.push_back({log.names()[choice.thread], choice.index, choice.picked});
  }
  return plan;
}

ThreadIndex Guided::next(const World& world) {
  for (; at_ < plan_.runs.size(); ++at_) {
    const PlannedRun& run = plan_.runs[at_];
    const ThreadIndex thread = world.find(run.thread);
    if (thread == kNoThread || world.steps(thread) >= run.until) continue;
    if (world.phase(thread) == Phase::kAside) return kWaitForAside;
    if (world.is_enabled(thread)) return thread;
    if (world.has_timer(thread)) return kWaitForTime;
  }
  const ThreadIndex next = run_on(world);
  run_length_ = next == world.last() && world.enabled().size() > 1 ? run_length_ + 1 : 0;
  if (run_length_ < starvation_limit_) return next;
  ++gave_way_;
  run_length_ = 0;
  for (const ThreadIndex thread : world.enabled()) {
    if (thread > next) return thread;
  }
  return world.enabled().front();
}

StrategyCounts Guided::counts() const {
  StrategyCounts counts;
  counts.livelock_releases = gave_way_;
  counts.races = watch_.meetings();
  return counts;
}

std::uint32_t Guided::choose(const World& world, ThreadIndex thread, std::uint32_t n) {
  for (const Plan::Choice& choice : plan_.choices) {
    if (choice.index == world.steps(thread) && choice.thread == world.name(thread)) {
      return choice.picked < n ? choice.picked : 0;
    }
  }
  return 0;
}

}  // namespace deadheat::schedule
