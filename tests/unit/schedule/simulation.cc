// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/schedule/simulation.h"

#include <utility>

namespace deadheat::schedule {

Passage Actor::perform(const Operation& op) const {
  const Passage passage = simulation_->scheduler_.point(self_, op);
  if (passage == Passage::kFreeRun) throw FreeRun{};
  return passage;
}

Passage Actor::perform_silently(const Operation& op) const {
  const Passage passage = simulation_->scheduler_.silent(self_, op);
  if (passage == Passage::kFreeRun) throw FreeRun{};
  return passage;
}

Passage Actor::wait(std::uint64_t m, std::uint64_t timeout) const {
  const Passage passage =
      simulation_->scheduler_.wait(self_, {.kind = OperationKind::kWaitBegin, .object = m, .timeout = timeout});
  if (passage == Passage::kFreeRun) throw FreeRun{};
  return passage;
}

ThreadIndex Actor::start(std::function<void(Actor&)> body, bool daemon) const {
  const ThreadIndex child = simulation_->scheduler_.add_child(self_, daemon);
  perform({.kind = OperationKind::kStart, .target = child});
  simulation_->spawn(child, daemon, std::move(body));
  return child;
}

void Simulation::spawn(ThreadIndex index, bool daemon, std::function<void(Actor&)> body) {
  std::thread thread([this, index, body = std::move(body)] {
    Actor actor(*this, index);
    try {
      actor.perform({.kind = OperationKind::kBegin});
      body(actor);
      actor.perform({.kind = OperationKind::kEnd, .object = kThreadObjects + to_number(index)});
    } catch (const FreeRun&) {
    }
  });
  const std::lock_guard lock(mutex_);
  (daemon ? daemons_ : users_).push_back(std::move(thread));
}

void Simulation::run(const std::function<void(Actor&)>& main) {
  spawn(scheduler_.add_root(false), false, main);
  // A thread adds its children before it ends, so the list is complete when its last thread has been joined.
  for (std::size_t i = 0;; ++i) {
    std::thread next;
    {
      const std::lock_guard lock(mutex_);
      if (i == users_.size()) break;
      next = std::move(users_[i]);
    }
    next.join();
  }
  scheduler_.stop(StopReason::kHost);
  for (std::thread& daemon : daemons_) daemon.join();
  daemons_.clear();
}

Simulation::~Simulation() {
  scheduler_.stop(StopReason::kHost);
  for (std::thread& thread : users_) {
    if (thread.joinable()) thread.join();
  }
  for (std::thread& thread : daemons_) thread.join();
}

DecisionLog log_of(Strategy& strategy, const std::function<void(Actor&)>& main, const SchedulerOptions& options) {
  Simulation simulation(strategy, options);
  simulation.run(main);
  return simulation.scheduler().log();
}

}  // namespace deadheat::schedule
