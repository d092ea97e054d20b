// SPDX-License-Identifier: Apache-2.0
#include "schedule/world.h"

#include <algorithm>

#include "base/check.h"

namespace deadheat::schedule {

using enum OperationKind;

ThreadIndex World::add(std::string name, bool daemon) {
  const ThreadIndex index{static_cast<std::uint32_t>(threads_.size())};
  names_.emplace(name, index);
  Thread& thread = threads_.emplace_back();
  thread.name = std::move(name);
  thread.daemon = daemon;
  thread.pending.kind = kBegin;
  return index;
}

ThreadIndex World::add_root(bool daemon) {
  const ThreadIndex index = add(std::to_string(roots_++), daemon);
  begin_life(index);
  return index;
}

ThreadIndex World::add_child(ThreadIndex parent, bool daemon) {
  std::string name = state(parent).name + '.' + std::to_string(++state(parent).children);
  return add(std::move(name), daemon);
}

ThreadIndex World::find(std::string_view name) const {
  const auto found = names_.find(std::string(name));
  return found == names_.end() ? kNoThread : found->second;
}

void World::begin_life(ThreadIndex index) {
  Thread& thread = state(index);
  thread.phase = Phase::kAtPoint;
  if (!thread.daemon) ++live_users_;
  set_enabled(index, true);
}

void World::end_life(ThreadIndex index) {
  Thread& thread = state(index);
  if (thread.phase == Phase::kEnded) return;
  if (thread.phase == Phase::kAside) --aside_;
  if (thread.phase != Phase::kNew && !thread.daemon) --live_users_;
  if (thread.wake == Wake::kWaiting) wake(index, Wake::kNone);
  thread.phase = Phase::kEnded;
  clear_timer(index);
  std::erase(lockers_, index);
  set_enabled(index, false);
  if (thread.held != 0) {
    for (const std::uint64_t monitor : held_by(index)) release(index, monitor, depth(monitor));
  }
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].pending.kind == kJoin) refresh(ThreadIndex{i});
  }
}

void World::abandon(ThreadIndex thread) { end_life(thread); }

void World::put_aside(ThreadIndex index) {
  Thread& thread = state(index);
  if (thread.phase != Phase::kRunning) return;
  thread.phase = Phase::kAside;
  ++aside_;
  set_enabled(index, false);
}

void World::publish(ThreadIndex index, const Operation& op) {
  Thread& thread = state(index);
  DH_DCHECK(thread.phase == Phase::kRunning || thread.phase == Phase::kAside);
  if (thread.phase == Phase::kAside) --aside_;
  thread.phase = Phase::kAtPoint;
  thread.pending = op;
  if (op.kind == kLock || op.kind == kEnd || (op.kind == kWaitEnd && thread.wake != Wake::kWaiting)) {
    lockers_.push_back(index);
  }
  if (op.timeout != kNoTimeout && (op.kind == kPark || op.kind == kJoin || op.kind == kSleep)) {
    set_timer(index, op.timeout < kNever - now_ ? now_ + op.timeout : kNever - 1);
    if (thread.deadline <= now_) expire();
  }
  refresh(index);
}

bool World::is_free_for(std::uint64_t key, ThreadIndex thread) const {
  const auto found = monitors_.find(key);
  return found == monitors_.end() || found->second.owner == kNoThread || found->second.owner == thread;
}

bool World::can_go(const Thread& thread, ThreadIndex index) const {
  const Operation& op = thread.pending;
  const bool expired = thread.deadline <= now_;
  switch (op.kind) {
    case kLock:
      return is_free_for(op.object, index);
    case kEnd:
      return op.object == 0 || is_free_for(op.object, index);
    case kWaitEnd:
      return thread.wake != Wake::kWaiting && is_free_for(op.object, index);
    case kPark:
      return thread.permit || thread.interrupted || expired;
    case kSleep:
      return thread.interrupted || expired;
    case kJoin:
      return !has_known_target(op) || state(op.target).phase == Phase::kEnded || thread.interrupted || expired;
    default:
      return true;
  }
}

void World::refresh(ThreadIndex index) {
  const Thread& thread = state(index);
  if (thread.phase == Phase::kAtPoint) set_enabled(index, can_go(thread, index));
}

void World::refresh_lockers(std::uint64_t monitor) {
  for (const ThreadIndex locker : lockers_) {
    if (state(locker).pending.object == monitor) refresh(locker);
  }
}

void World::set_enabled(ThreadIndex index, bool enabled) {
  Thread& thread = state(index);
  if (thread.enabled == enabled) return;
  thread.enabled = enabled;
  const auto place = std::lower_bound(enabled_.begin(), enabled_.end(), index);
  if (enabled) {
    enabled_.insert(place, index);
  } else {
    enabled_.erase(place);
  }
}

void World::set_timer(ThreadIndex index, std::uint64_t deadline) {
  Thread& thread = state(index);
  thread.deadline = deadline;
  thread.timed = true;
  timers_.emplace(deadline, index);
}

// The deadline goes with the timer: kept, it would count for an operation that has no timeout.
void World::clear_timer(ThreadIndex index) {
  Thread& thread = state(index);
  if (thread.timed) timers_.erase({thread.deadline, index});
  thread.timed = false;
  thread.deadline = kNever;
}

void World::expire() {
  while (!timers_.empty() && timers_.begin()->first <= now_) {
    const ThreadIndex index = timers_.begin()->second;
    timers_.erase(timers_.begin());
    state(index).timed = false;
    // Out of the wait set at this moment, so that a later notify is not spent on it.
    if (state(index).wake == Wake::kWaiting) wake(index, Wake::kTimedOut);
    refresh(index);
  }
}

bool World::jump_to_next_deadline() {
  if (timers_.empty()) return false;
  now_ = std::max(now_, timers_.begin()->first);
  expire();
  return true;
}

void World::acquire(ThreadIndex thread, std::uint64_t key, std::uint32_t depth) {
  Monitor& monitor = monitors_[key];
  monitor.depth += depth;
  if (monitor.owner == thread) return;
  monitor.owner = thread;
  ++state(thread).held;
  refresh_lockers(key);
}

// A monitor the model does not know as the thread's own (taken before the thread was managed) is left alone.
void World::release(ThreadIndex thread, std::uint64_t key, std::uint32_t levels) {
  const auto found = monitors_.find(key);
  if (found == monitors_.end() || found->second.owner != thread) return;
  Monitor& monitor = found->second;
  monitor.depth -= std::min(levels, monitor.depth);
  if (monitor.depth != 0) return;
  monitor.owner = kNoThread;
  --state(thread).held;
  if (monitor.waiters.empty()) monitors_.erase(found);
  refresh_lockers(key);
}

Passage World::begin_wait(ThreadIndex index) {
  Thread& thread = state(index);
  const std::uint64_t key = thread.pending.object;
  thread.wait_depth = 0;
  thread.wake = Wake::kNone;
  if (owner(key) != index) return Passage::kGranted;  // the host's wait will fail
  if (thread.interrupted) {
    thread.interrupted = false;
    return Passage::kInterrupted;
  }
  thread.wait_depth = depth(key);
  thread.wait_object = key;
  thread.wake = Wake::kWaiting;
  monitors_[key].waiters.push_back(index);  // before the release, which forgets a monitor nobody needs
  const std::uint64_t timeout = thread.pending.timeout;
  if (timeout != kNoTimeout) set_timer(index, timeout < kNever - now_ ? now_ + timeout : kNever - 1);
  release(index, key, thread.wait_depth);
  return Passage::kGranted;
}

Passage World::end_wait(ThreadIndex index) {
  Thread& thread = state(index);
  if (thread.wait_depth != 0) acquire(index, thread.pending.object, thread.wait_depth);
  thread.wait_depth = 0;
  const Wake cause = std::exchange(thread.wake, Wake::kNone);
  if (cause == Wake::kTimedOut) return Passage::kTimedOut;
  if (cause != Wake::kInterrupted) return Passage::kGranted;
  thread.interrupted = false;
  return Passage::kInterrupted;
}

void World::wake(ThreadIndex index, Wake cause) {
  Thread& thread = state(index);
  const auto found = monitors_.find(thread.wait_object);
  DH_DCHECK(found != monitors_.end());
  std::erase(found->second.waiters, index);
  if (found->second.waiters.empty() && found->second.owner == kNoThread) monitors_.erase(found);
  thread.wake = cause;
  clear_timer(index);
  if (thread.phase != Phase::kAtPoint) return;
  lockers_.push_back(index);
  refresh(index);
}

void World::notify(ThreadIndex thread, std::uint64_t key, bool all, const ChooseOne& choose) {
  while (true) {
    const auto found = monitors_.find(key);
    if (found == monitors_.end() || found->second.waiters.empty()) return;
    const std::vector<ThreadIndex>& waiters = found->second.waiters;
    std::size_t picked = 0;
    if (!all && waiters.size() > 1) picked = choose(thread, static_cast<std::uint32_t>(waiters.size()));
    woken_.push_back(waiters[std::min(picked, waiters.size() - 1)]);
    wake(woken_.back(), Wake::kNotified);
    if (!all) return;
  }
}

Passage World::end_block(ThreadIndex index, bool reached) {
  Thread& thread = state(index);
  if (reached) return Passage::kGranted;
  if (!thread.interrupted) return Passage::kTimedOut;
  if (thread.pending.kind != kPark) thread.interrupted = false;
  return Passage::kInterrupted;
}

void World::give_permit(ThreadIndex index) {
  Thread& thread = state(index);
  if (thread.phase == Phase::kNew || thread.phase == Phase::kEnded) return;
  thread.permit = true;
  refresh(index);
}

void World::interrupt(ThreadIndex index) {
  Thread& thread = state(index);
  if (thread.phase == Phase::kEnded) return;
  thread.interrupted = true;
  if (thread.wake == Wake::kWaiting) wake(index, Wake::kInterrupted);
  refresh(index);
}

void World::notify_from_outside(std::uint64_t monitor) { notify(kNoThread, monitor, true, nullptr); }

Passage World::execute(ThreadIndex index, const ChooseOne& choose, bool is_step) {
  Thread& thread = state(index);
  DH_DCHECK(thread.phase == Phase::kAtPoint && thread.enabled);
  const Operation& op = thread.pending;
  const bool expired = thread.deadline <= now_;
  thread.phase = Phase::kRunning;
  woken_.clear();
  if (can_time_out(op.kind)) clear_timer(index);
  Passage passage = Passage::kGranted;
  switch (op.kind) {
    case kLock:
      std::erase(lockers_, index);
      acquire(index, op.object, 1);
      break;
    case kUnlock:
      release(index, op.object, 1);
      break;
    case kWaitBegin:
      passage = begin_wait(index);
      break;
    case kWaitEnd:
      std::erase(lockers_, index);
      passage = end_wait(index);
      break;
    case kNotify:
    case kNotifyAll:
      if (owner(op.object) == index) notify(index, op.object, op.kind == kNotifyAll, choose);
      break;
    case kPark:
      passage = end_block(index, std::exchange(thread.permit, false));
      break;
    case kSleep:
      passage = end_block(index, expired && !thread.interrupted);
      break;
    case kJoin:
      passage = end_block(index, !has_known_target(op) || state(op.target).phase == Phase::kEnded);
      break;
    case kUnpark:
      if (has_known_target(op)) give_permit(op.target);
      break;
    case kStart:
      if (has_known_target(op) && state(op.target).phase == Phase::kNew) begin_life(op.target);
      break;
    case kInterrupt:
      if (has_known_target(op)) interrupt(op.target);
      break;
    case kClearInterrupt:
      thread.interrupted = false;
      break;
    case kExternal:
      put_aside(index);
      break;
    case kEnd:
      if (op.object != 0) notify(index, op.object, true, choose);
      end_life(index);
      break;
    default:
      break;
  }
  if (is_step) now_ += step_time_;
  expire();
  return passage;
}

Condition World::condition(ThreadIndex index) const {
  const Thread& thread = state(index);
  if (thread.phase == Phase::kNew) return Condition::kNew;
  if (thread.phase == Phase::kEnded) return Condition::kEnded;
  if (thread.phase == Phase::kAside) return Condition::kOutside;
  if (thread.phase == Phase::kRunning || thread.enabled) return Condition::kRunnable;
  switch (thread.pending.kind) {
    case kLock:
    case kEnd:
      return Condition::kBlocked;
    case kWaitEnd:
      if (thread.wake != Wake::kWaiting) return Condition::kBlocked;
      return thread.timed ? Condition::kTimedWaiting : Condition::kWaiting;
    case kPark:
    case kSleep:
    case kJoin:
      return thread.timed ? Condition::kTimedWaiting : Condition::kWaiting;
    default:
      return Condition::kRunnable;
  }
}

ThreadIndex World::owner(std::uint64_t monitor) const {
  const auto found = monitors_.find(monitor);
  return found == monitors_.end() ? kNoThread : found->second.owner;
}

std::uint32_t World::depth(std::uint64_t monitor) const {
  const auto found = monitors_.find(monitor);
  return found == monitors_.end() ? 0 : found->second.depth;
}

std::span<const ThreadIndex> World::waiters(std::uint64_t monitor) const {
  const auto found = monitors_.find(monitor);
  return found == monitors_.end() ? std::span<const ThreadIndex>{} : found->second.waiters;
}

std::vector<std::uint64_t> World::held_by(ThreadIndex thread) const {
  std::vector<std::uint64_t> held;
  for (const auto& [key, monitor] : monitors_) {
    if (monitor.owner == thread) held.push_back(key);
  }
  std::sort(held.begin(), held.end());
  return held;
}

ThreadIndex World::waits_for(ThreadIndex index) const {
  const Thread& thread = state(index);
  if (thread.phase != Phase::kAtPoint || thread.enabled) return kNoThread;
  switch (thread.pending.kind) {
    case kLock:
    case kEnd:
      return owner(thread.pending.object);
    case kWaitEnd:
      return thread.wake == Wake::kWaiting ? kNoThread : owner(thread.pending.object);
    case kJoin:
      return thread.pending.target;
    default:
      return kNoThread;
  }
}

bool World::consistent_for_testing() const {
  std::vector<ThreadIndex> expected;
  std::uint32_t aside = 0;
  std::uint32_t users = 0;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    const Thread& thread = threads_[i];
    const ThreadIndex index{i};
    // A running thread keeps its mark: most often its next operation is enabled too.
    if (thread.phase == Phase::kRunning ? thread.enabled : thread.phase == Phase::kAtPoint && can_go(thread, index)) {
      expected.push_back(index);
    }
    if (thread.phase == Phase::kAside) ++aside;
    if (!thread.daemon && thread.phase != Phase::kNew && thread.phase != Phase::kEnded) ++users;
    if (thread.timed != timers_.contains({thread.deadline, index})) return false;
    if (thread.held != held_by(index).size()) return false;
  }
  for (const auto& [key, monitor] : monitors_) {
    if (monitor.owner == kNoThread && monitor.waiters.empty()) return false;
    if ((monitor.owner == kNoThread) != (monitor.depth == 0)) return false;
  }
  return expected == enabled_ && aside == aside_ && users == live_users_;
}

}  // namespace deadheat::schedule
