// SPDX-License-Identifier: Apache-2.0
#include "schedule/lock_gate.h"

#include <algorithm>
#include <utility>

namespace deadheat::schedule {

namespace {

constexpr std::uint32_t kLoseLeadOneIn = 4;

}  // namespace

bool LockGate::request(GateThread thread, LockType type) {
  ++counts_.requests;
  if (escort_ && escort_->escorted == thread) return true;
  waiting_.push_back({thread, type});
  schedule();
  return !waits(thread);
}

bool LockGate::waits(GateThread thread) const {
  return std::any_of(waiting_.begin(), waiting_.end(), [&](const Waiting& one) { return one.thread == thread; });
}

std::vector<GateThread> LockGate::candidates(const Waiting& requester) {
  std::vector<GateThread> found = foresight_.running_towards(requester.type, requester.thread);
  for (const Waiting& other : waiting_) {
    if (other.thread != requester.thread && foresight_.waiting_may_trigger(other.thread, requester.type)) {
      found.push_back(other.thread);
    }
  }
  std::erase_if(found, [&](GateThread other) { return leads_.contains({requester.thread, other}); });
  return found;
}

void LockGate::schedule() {
  while (!waiting_.empty() && !escort_) {
    const Waiting chosen = waiting_[random_.below(static_cast<std::uint32_t>(waiting_.size()))];
    const std::vector<GateThread> towards = candidates(chosen);
    if (towards.empty()) {
      free(chosen.thread);
      continue;
    }
    const GateThread escorted = towards[random_.below(static_cast<std::uint32_t>(towards.size()))];
    escort_ = Escort{chosen.thread, escorted, chosen.type};
    ++counts_.escorts;
    if (waits(escorted)) free(escorted);
  }
}

void LockGate::free(GateThread thread) {
  std::erase_if(waiting_, [&](const Waiting& one) { return one.thread == thread; });
  freed_.push_back(thread);
}

void LockGate::end_escort(EscortEnd why) {
  ++counts_.ends[static_cast<std::size_t>(why)];
  const GateThread held = escort_->held;
  escort_.reset();
  free(held);
  schedule();
}

std::optional<Escort> LockGate::acquired(GateThread thread, LockType type) {
  if (!escort_ || escort_->escorted != thread || escort_->type != type) return std::nullopt;
  const Escort done = *escort_;
  leads_.erase({done.held, done.escorted});
  leads_.erase({done.escorted, done.held});
  if (!random_.one_in(kLoseLeadOneIn)) leads_.insert({done.escorted, done.held});
  end_escort(EscortEnd::kAcquired);
  return done;
}

void LockGate::ended(GateThread thread) {
  std::erase_if(leads_, [&](const auto& lead) { return lead.first == thread || lead.second == thread; });
  if (escort_ && escort_->escorted == thread) end_escort(EscortEnd::kEnded);
}

void LockGate::give_up(EscortEnd why) {
  if (escort_) end_escort(why);
}

void LockGate::leave(GateThread thread) {
  if (escort_ && escort_->held == thread) return end_escort(EscortEnd::kTime);
  if (waits(thread)) free(thread);
}

std::vector<GateThread> LockGate::take_freed() { return std::exchange(freed_, {}); }

}  // namespace deadheat::schedule
