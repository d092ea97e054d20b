// SPDX-License-Identifier: Apache-2.0
#include "schedule/scheduler.h"

#include <algorithm>

#include "schedule/deadlock.h"

namespace deadheat::schedule {

using enum OperationKind;

Scheduler::Scheduler(const SchedulerOptions& options, Strategy& strategy, Gate& gate, Listener* listener)
    : options_(options),
      strategy_(strategy),
      gate_(gate),
      listener_(listener),
      world_(options.step_time),
      choose_([this](ThreadIndex thread, std::uint32_t n) { return choose(thread, n); }) {}

Scheduler::~Scheduler() { stop(StopReason::kHost); }

// ---- Registry

ThreadIndex Scheduler::add_member(ThreadIndex index) {
  members_.push_back(std::make_unique<Member>());
  log_.add_thread(world_.name(index));
  gate_.add(index);
  return index;
}

ThreadIndex Scheduler::add_root(bool daemon) {
  const Lock lock(mutex_);
  return add_member(world_.add_root(daemon));
}

ThreadIndex Scheduler::add_child(ThreadIndex parent, bool daemon) {
  const Lock lock(mutex_);
  return add_member(is_managed(parent) ? world_.add_child(parent, daemon) : world_.add_root(daemon));
}

void Scheduler::abandon(ThreadIndex thread) {
  Lock lock(mutex_);
  if (!is_managed(thread)) return;
  world_.abandon(thread);
  if (turn_ == thread) turn_ = kNoThread;
  member(thread).passage = Passage::kFreeRun;
  let_go(thread);
  decide_if_idle(lock);
}

bool Scheduler::has_ended(ThreadIndex thread) const {
  const Lock lock(mutex_);
  return is_managed(thread) && world_.phase(thread) == Phase::kEnded;
}

std::string Scheduler::name(ThreadIndex thread) const {
  const Lock lock(mutex_);
  return is_managed(thread) ? world_.name(thread) : std::string();
}

bool Scheduler::is_managed(ThreadIndex thread) const { return to_number(thread) < members_.size(); }

// ---- Points

bool Scheduler::counts(ThreadIndex self) const {
  return !stopped() && is_managed(self) && world_.phase(self) != Phase::kEnded && !members_[to_number(self)]->at_gate;
}

Passage Scheduler::point(ThreadIndex self, const Operation& op) {
  if (stopped()) return Passage::kFreeRun;
  Lock lock(mutex_);
  if (!counts(self)) return Passage::kFreeRun;
  ++operations_;
  if (!member(self).arrived && op.kind != kBegin) return begin_and(lock, self, op);
  if (member(self).unscheduled != 0) return silent_locked(lock, self, op);
  return point_locked(lock, self, op);
}

// A thread that was met in the middle of its life.
Passage Scheduler::begin_and(Lock& lock, ThreadIndex self, const Operation& op) {
  const Passage begun = point_locked(lock, self, {.kind = kBegin});
  if (lock.owns_lock()) lock.unlock();
  return begun == Passage::kFreeRun ? begun : point(self, op);
}

Passage Scheduler::silent(ThreadIndex self, const Operation& op) {
  if (stopped()) return Passage::kFreeRun;
  Lock lock(mutex_);
  if (!counts(self)) return Passage::kFreeRun;
  ++operations_;
  if (!member(self).arrived && op.kind != kBegin) return begin_and(lock, self, op);
  return silent_locked(lock, self, op);
}

bool Scheduler::took(ThreadIndex self, const Operation& op) {
  const Lock lock(mutex_);
  if (stopped() || turn_ != self) return false;
  const ThreadIndex owner = world_.owner(op.object);
  if (owner != kNoThread && owner != self) return false;
  ++operations_;
  ++counts_.silent_operations;
  world_.publish(self, op);
  tell(self, world_.execute(self, choose_, false));
  member(self).room = room_for(self);
  return true;
}

Passage Scheduler::wait(ThreadIndex self, const Operation& op) {
  const Passage begun = point(self, op);
  if (begun != Passage::kGranted) return begun;
  Operation end = op;
  end.kind = kWaitEnd;
  return point(self, end);
}

Passage Scheduler::point_locked(Lock& lock, ThreadIndex self, const Operation& op) {
  Member& me = member(self);
  me.silent_run = 0;
  if (!me.arrived) {
    // The pending kBegin is in the world since the thread was started; it may even have been chosen.
    me.arrived = true;
    if (turn_ == self) return me.passage;
    if (world_.phase(self) != Phase::kAside) {
      if (turn_ == kNoThread) decide();
      return wait_for_turn(lock, self);
    }
  }
  world_.publish(self, op);
  return offer(lock, self);
}

Passage Scheduler::silent_locked(Lock& lock, ThreadIndex self, const Operation& op) {
  Member& me = member(self);
  // Without the turn (it was aside, or begins) a thread has to wait for it first, silent or not.
  if (turn_ != self || !me.arrived) return point_locked(lock, self, op);
  if (++me.silent_run >= silent_limit(me)) {
    ++counts_.forced_points;
    return point_locked(lock, self, op);
  }
  world_.publish(self, op);
  const bool keeps_turn = op.kind != kEnd && op.kind != kExternal;
  if (keeps_turn && world_.is_enabled(self)) {
    ++counts_.silent_operations;
    const Passage passage = world_.execute(self, choose_, false);
    tell(self, passage);
    me.room = room_for(self);
    return passage;
  }
  return offer(lock, self);
}

// The operation is published: lets the strategy decide if it is anybody's turn to, and waits.
Passage Scheduler::offer(Lock& lock, ThreadIndex self) {
  if (!world_.is_enabled(self) && world_.waits_for(self) != kNoThread) {
    const Deadlock circle = closed_circle(world_, self);
    if (!circle.cycle.empty()) tell_deadlock(circle);
  }
  if (!stopped() && (turn_ == self || turn_ == kNoThread)) decide();
  return wait_for_turn(lock, self);
}

// Entered with the decision made. A thread that was let go in it (it has the turn, has ended or is off to block
// outside) returns at once.
Passage Scheduler::wait_for_turn(Lock& lock, ThreadIndex self) {
  Member& me = member(self);
  const Phase phase = world_.phase(self);
  const bool goes_on = (phase != Phase::kAtPoint && phase != Phase::kNew) || stopped();
  if (stopped()) {
    me.passage = Passage::kFreeRun;
    me.room = 0;
  }
  me.waiting = !goes_on;
  unlock_and_wake(lock);
  if (goes_on) return me.passage;
  me.at_gate = true;
  gate_.wait(self);
  me.at_gate = false;
  return me.passage;
}

void Scheduler::enter_unscheduled(ThreadIndex self) {
  const Lock lock(mutex_);
  if (!is_managed(self)) return;
  if (member(self).unscheduled++ == 0) world_.set_unscheduled(self, true);
  member(self).room = room_for(self);
}

void Scheduler::leave_unscheduled(ThreadIndex self) {
  const Lock lock(mutex_);
  if (!is_managed(self) || member(self).unscheduled == 0) return;
  if (--member(self).unscheduled == 0) world_.set_unscheduled(self, false);
  member(self).room = room_for(self);
}

// ---- Decisions

bool Scheduler::somebody_enabled() {
  while (true) {
    // Daemons are held from here on: how far they would get before the process exits is nobody's decision.
    if (world_.live_users() == 0) return false;
    if (!world_.enabled().empty()) return true;
    if (world_.aside() != 0 && !options_.jump_time_while_aside) return false;
    if (world_.jump_to_next_deadline()) {
      ++counts_.time_jumps;
    } else if (world_.aside() != 0 || !handle_deadlock()) {
      return false;
    }
  }
}

void Scheduler::decide() {
  turn_ = kNoThread;
  while (turn_ == kNoThread && !stopped() && somebody_enabled()) {
    if (world_.steps() >= options_.step_limit) return stop_locked(StopReason::kStepLimit);
    const ThreadIndex next = strategy_.next(world_);
    if (next == kHold || (next == kWaitForAside && world_.aside() != 0)) return;
    if (next == kWaitForTime && world_.jump_to_next_deadline()) {
      ++counts_.time_jumps;
      if (counts_.unlogged_steps == 0) log_.add_jump();
      continue;
    }
    if (!is_managed(next) || !world_.is_enabled(next)) return stop_locked(StopReason::kDiverged);
    execute_step(next);
  }
}

void Scheduler::execute_step(ThreadIndex thread) {
  const Operation& op = world_.pending(thread);
  strategy_.stepping(world_, thread);
  if (op.kind == kClock) ++counts_.clock_steps;
  if (world_.last() != thread && world_.last() != kNoThread) ++counts_.switches;
  log_step(thread, op);
  member(thread).passage = world_.execute(thread, choose_);
  tell(thread, member(thread).passage);
  world_.count_step(thread);
  if (world_.phase(thread) == Phase::kRunning) {
    turn_ = thread;
    turn_since_ = world_.steps();
  }
  member(thread).room = room_for(thread);
  let_go(thread);
}

void Scheduler::log_step(ThreadIndex thread, const Operation& op) {
  if (log_.size_in_bytes() < options_.log_limit) {
    log_.add_step(thread, {op.kind, op.site});
  } else {
    ++counts_.unlogged_steps;
  }
}

// ---- Running ahead

void Scheduler::ran(ThreadIndex thread, const Operation& op, bool silent) {
  ++operations_;
  Member& me = member(thread);
  // A thread that was put aside had no turn any more.
  if (silent || me.unscheduled != 0 || turn_ != thread) {
    ++me.silent_run;
    ++counts_.silent_operations;
    return;
  }
  me.silent_run = 0;
  log_step(thread, op);
  world_.count_access(thread);
}

void Scheduler::ran(ThreadIndex thread, const AccessCounts& counts) {
  operations_ += counts.steps + counts.silent;
  Member& me = member(thread);
  if (me.unscheduled != 0 || turn_ != thread) {
    me.silent_run += static_cast<std::uint32_t>(counts.steps + counts.silent);
    counts_.silent_operations += counts.steps + counts.silent;
    return;
  }
  me.silent_run = static_cast<std::uint32_t>((counts.steps == 0 ? me.silent_run : 0) + counts.silent_last);
  counts_.silent_operations += counts.silent;
  counts_.unlogged_steps += counts.steps;
  world_.count_accesses(thread, counts.steps);
}

void Scheduler::caught_up(std::uint64_t steps) {
  if (steps == 0) return;
  strategy_.ran_ahead(steps);
  world_.expire_timers();
  turn_since_ = world_.steps();
}

std::uint64_t Scheduler::room_for(ThreadIndex thread) const {
  if (turn_ != thread || stopped()) return 0;
  const Member& me = *members_[to_number(thread)];
  const std::uint64_t limit = silent_limit(me);
  const std::uint64_t silent_left = me.silent_run + 1 < limit ? limit - me.silent_run - 1 : 0;
  if (me.unscheduled != 0) return silent_left;
  if (world_.last() != thread) return 0;
  const std::uint64_t steps_left =
      world_.steps() < options_.step_limit ? options_.step_limit - world_.steps() : std::uint64_t{0};
  return std::min({strategy_.steps_ahead(), steps_left, silent_left});
}

std::uint32_t Scheduler::choose(ThreadIndex thread, std::uint32_t n) {
  const std::uint32_t picked = strategy_.choose(world_, thread, n);
  if (counts_.unlogged_steps == 0) log_.add_choice({to_number(thread), world_.steps(thread), n, picked});
  return picked;
}

// A thread that is not at its gate is the caller itself, or has not arrived yet.
void Scheduler::let_go(ThreadIndex thread) {
  if (!member(thread).waiting) return;
  member(thread).waiting = false;
  wakes_.push_back(thread);
}

void Scheduler::unlock_and_wake(Lock& lock) {
  if (wakes_.size() <= 1) {
    const ThreadIndex only = wakes_.empty() ? kNoThread : wakes_.front();
    wakes_.clear();
    if (only != kNoThread) waking_.fetch_add(1);
    lock.unlock();
    if (only == kNoThread) return;
    gate_.wake(only);
    waking_.fetch_sub(1);
    return;
  }
  std::vector<ThreadIndex> wakes;
  wakes.swap(wakes_);
  waking_.fetch_add(1);
  lock.unlock();
  for (const ThreadIndex thread : wakes) gate_.wake(thread);
  waking_.fetch_sub(1);
}

bool Scheduler::handle_deadlock() {
  if (deadlock_told_at_ == world_.steps()) return false;  // the host waits for help from outside, in vain so far
  deadlock_told_at_ = world_.steps();
  tell_deadlock(describe_deadlock(world_));
  return false;
}

void Scheduler::tell_deadlock(const Deadlock& deadlock) {
  if (listener_ != nullptr && listener_->on_deadlock(world_, deadlock) == AfterDeadlock::kWait) return;
  stop_locked(StopReason::kDeadlock);
}

// ---- From outside

void Scheduler::decide_if_idle(Lock& lock) {
  if (turn_ == kNoThread && !stopped()) decide();
  unlock_and_wake(lock);
}

bool Scheduler::set_aside(ThreadIndex thread, std::uint64_t operations) {
  Lock lock(mutex_);
  if (stopped() || turn_ != thread || operations_ != operations || !is_managed(thread)) return false;
  ++counts_.put_aside;
  world_.put_aside(thread);
  turn_ = kNoThread;
  decide_if_idle(lock);
  return true;
}

void Scheduler::unpark(ThreadIndex target) {
  Lock lock(mutex_);
  if (!is_managed(target)) return;
  world_.give_permit(target);
  decide_if_idle(lock);
}

void Scheduler::interrupt(ThreadIndex target) {
  Lock lock(mutex_);
  if (!is_managed(target)) return;
  world_.interrupt(target);
  decide_if_idle(lock);
}

void Scheduler::notify_all(std::uint64_t monitor) {
  Lock lock(mutex_);
  world_.notify_from_outside(monitor);
  decide_if_idle(lock);
}

bool Scheduler::jump_idle_time() {
  Lock lock(mutex_);
  if (stopped() || turn_ != kNoThread || world_.live_users() == 0 || !world_.enabled().empty()) return false;
  if (!world_.jump_to_next_deadline()) return false;
  ++counts_.time_jumps;
  decide_if_idle(lock);
  return true;
}

void Scheduler::nudge() {
  Lock lock(mutex_);
  if (stopped() || turn_ != kNoThread || world_.enabled().empty()) return;
  strategy_.nudge();
  decide_if_idle(lock);
}

void Scheduler::stop(StopReason reason) {
  Lock lock(mutex_);
  stop_locked(reason);
  unlock_and_wake(lock);
}

void Scheduler::stop_locked(StopReason reason) {
  if (stopped()) return;
  counts_.reason = reason;
  counts_.program_ended = !members_.empty() && world_.live_users() == 0;
  if (listener_ != nullptr) listener_->on_stop(world_, reason);
  stopped_.store(true, std::memory_order_release);
  turn_ = kNoThread;
  for (std::uint32_t i = 0; i < members_.size(); ++i) {
    if (!members_[i]->waiting) continue;
    members_[i]->passage = Passage::kFreeRun;
    members_[i]->room = 0;
    let_go(ThreadIndex{i});
  }
}

// ---- Looking

std::uint64_t Scheduler::now() const {
  const Lock lock(mutex_);
  return world_.now();
}

Condition Scheduler::condition(ThreadIndex thread) const {
  const Lock lock(mutex_);
  return stopped() || !is_managed(thread) ? Condition::kOutside : world_.condition(thread);
}

Pulse Scheduler::pulse() const {
  const Lock lock(mutex_);
  const bool held = turn_ != kNoThread;
  return {.operations = operations_,
          .steps = world_.steps(),
          .holder = turn_,
          .holder_since_step = turn_since_,
          .holder_arrived = held && members_[to_number(turn_)]->arrived,
          .waking = waking_.load() != 0,
          .idle = !held && !members_.empty() && !stopped(),
          .program_ended = !members_.empty() && world_.live_users() == 0,
          .aside = world_.aside(),
          .stopped = stopped()};
}

Outcome Scheduler::outcome() const {
  const Lock lock(mutex_);
  Outcome outcome = counts_;
  outcome.program_ended = stopped() ? counts_.program_ended : !members_.empty() && world_.live_users() == 0;
  outcome.steps = world_.steps();
  outcome.virtual_time = world_.now();
  outcome.strategy = strategy_.counts();
  return outcome;
}

DecisionLog Scheduler::log() const {
  const Outcome seen = outcome();
  const Lock lock(mutex_);
  DecisionLog copy = log_;
  copy.set_complete(seen.program_ended && seen.unlogged_steps == 0);
  return copy;
}

}  // namespace deadheat::schedule
