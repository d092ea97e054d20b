// SPDX-License-Identifier: Apache-2.0
//
// The modelled world: threads with their pending operations, monitors with owner, depth and wait set, permits,
// interrupt marks, virtual time. A pure state machine without a lock of its own: the scheduler changes it under its
// lock, strategies and listeners look at it (const) from inside a call of the scheduler. It can be copied.
//
// One thread of the model is in one of these phases:
//   kNew      added, not started yet                          kAtPoint  stands before its pending operation
//   kRunning  was let go and is between two points             kAside   runs or blocks outside the model, without turn
//   kEnded
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/operation.h"

namespace deadheat::schedule {

enum class Phase : std::uint8_t { kNew, kAtPoint, kRunning, kAside, kEnded };

// How a thread looks to others that ask for its state: what a host's own threads would be in without the scheduler.
enum class Condition : std::uint8_t { kNew, kRunnable, kBlocked, kWaiting, kTimedWaiting, kOutside, kEnded };

// Answers "which of n?" (n > 1) with a number below n; given by the scheduler, which asks its strategy.
using ChooseOne = std::function<std::uint32_t(ThreadIndex thread, std::uint32_t n)>;

class World {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  // step_time: nanoseconds of virtual time that pass with every executed operation.
  explicit World(std::uint64_t step_time = 1000) : step_time_(step_time) {}

  // A thread nobody managed has started ("0", "1", …): it can be chosen at once, its first operation is kBegin.
  ThreadIndex add_root(bool daemon);
  // The n-th child of parent ("0.1", …); it is kNew until a kStart of it is executed.
  ThreadIndex add_child(ThreadIndex parent, bool daemon);

  // The thread, kRunning or kAside, now stands before op.
  void publish(ThreadIndex thread, const Operation& op);
  // Performs the pending operation of an enabled thread; choose is asked by kNotify. With a step time goes on; silent
  // operations take none, because how many there are may differ from run to run.
  Passage execute(ThreadIndex thread, const ChooseOne& choose, bool is_step = true);
  // A thread outside the model has notified everybody who waits on a monitor.
  void notify_from_outside(std::uint64_t monitor);
  // kRunning → kAside: from here on the thread is waited for, but not controlled.
  void put_aside(ThreadIndex thread);
  // A kNew thread whose start failed, or a thread that is gone without a kEnd.
  void abandon(ThreadIndex thread);
  // From outside the model (threads that are not managed).
  void give_permit(ThreadIndex thread);
  void interrupt(ThreadIndex thread);
  // Moves time to the earliest deadline; whoever has it can go or leaves its wait set. False when there is none.
  bool jump_to_next_deadline();

  // Threads whose pending operation can be executed now, ascending.
  std::span<const ThreadIndex> enabled() const { return enabled_; }
  bool is_enabled(ThreadIndex thread) const { return state(thread).enabled; }
  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(threads_.size()); }
  Phase phase(ThreadIndex thread) const { return state(thread).phase; }
  // A thread that could go on is kRunnable however long it is held; kOutside (aside) only its host can tell.
  Condition condition(ThreadIndex thread) const;
  // Meaningful in kAtPoint; the last one executed otherwise.
  const Operation& pending(ThreadIndex thread) const { return state(thread).pending; }
  bool is_daemon(ThreadIndex thread) const { return state(thread).daemon; }
  bool is_interrupted(ThreadIndex thread) const { return state(thread).interrupted; }
  // In code where no switch is offered (Scheduler::enter_unscheduled): how much of it there is may differ from run to
  // run.
  bool is_unscheduled(ThreadIndex thread) const { return state(thread).unscheduled; }
  void set_unscheduled(ThreadIndex thread, bool unscheduled) { state(thread).unscheduled = unscheduled; }
  const std::string& name(ThreadIndex thread) const { return state(thread).name; }
  ThreadIndex find(std::string_view name) const;  // kNoThread when there is none
  // Executed operations of one thread that were offered as steps (see count_step), and of all.
  std::uint64_t steps(ThreadIndex thread) const { return state(thread).steps; }
  std::uint64_t steps() const { return steps_; }
  ThreadIndex last() const { return last_; }  // who made the last step; kNoThread at first
  void count_step(ThreadIndex thread) {
    ++state(thread).steps;
    ++steps_;
    last_ = thread;
  }
  // A step that was an access of the thread that runs: nothing but time goes on. Whoever is due then is found by
  // expire_timers, which may be left until somebody looks at who is enabled.
  void count_access(ThreadIndex thread) { count_accesses(thread, 1); }
  void count_accesses(ThreadIndex thread, std::uint64_t count) {
    if (count == 0) return;
    now_ += count * step_time_;
    state(thread).steps += count;
    steps_ += count;
    last_ = thread;
  }
  void expire_timers() { expire(); }

  std::uint64_t now() const { return now_; }
  bool has_timer(ThreadIndex thread) const { return state(thread).timed; }
  std::uint64_t next_deadline() const { return timers_.empty() ? kNever : timers_.begin()->first; }
  // Whose deadline that is, the lowest index among equals; kNoThread when there is none.
  ThreadIndex next_due() const { return timers_.empty() ? kNoThread : timers_.begin()->second; }
  std::uint32_t aside() const { return aside_; }            // threads in kAside
  std::uint32_t live_users() const { return live_users_; }  // started, not daemon, not ended

  // Why a blocked thread does not go on: who would have to act, kNoThread when that cannot be said (a notify, a
  // permit). For the deadlock report.
  ThreadIndex waits_for(ThreadIndex thread) const;
  ThreadIndex owner(std::uint64_t monitor) const;
  std::uint32_t depth(std::uint64_t monitor) const;
  std::span<const ThreadIndex> waiters(std::uint64_t monitor) const;  // in order of arrival
  // Who was notified by the operation that was executed last.
  std::span<const ThreadIndex> woken() const { return woken_; }
  // Monitors the thread owns, ascending; not fast.
  std::vector<std::uint64_t> held_by(ThreadIndex thread) const;

  // Recomputes from scratch what is kept up to date; false is a bug.
  bool consistent_for_testing() const;

 private:
  enum class Wake : std::uint8_t { kNone, kWaiting, kNotified, kTimedOut, kInterrupted };
  struct Thread {
    Operation pending;
    std::uint64_t deadline = kNever;
    std::uint64_t wait_object = 0;
    std::uint64_t steps = 0;
    std::uint32_t wait_depth = 0;
    std::uint32_t children = 0;
    std::uint32_t held = 0;  // monitors owned
    Phase phase = Phase::kNew;
    Wake wake = Wake::kNone;
    bool daemon = false;
    bool permit = false;
    bool interrupted = false;
    bool enabled = false;
    bool unscheduled = false;
    bool timed = false;  // in timers_
    std::string name;
  };
  struct Monitor {
    ThreadIndex owner = kNoThread;
    std::uint32_t depth = 0;
    std::vector<ThreadIndex> waiters;
  };

  ThreadIndex add(std::string name, bool daemon);
  Thread& state(ThreadIndex thread) { return threads_[to_number(thread)]; }
  const Thread& state(ThreadIndex thread) const { return threads_[to_number(thread)]; }
  bool can_go(const Thread& thread, ThreadIndex index) const;
  bool is_free_for(std::uint64_t monitor, ThreadIndex thread) const;
  void refresh(ThreadIndex thread);
  void refresh_lockers(std::uint64_t monitor);
  void set_enabled(ThreadIndex thread, bool enabled);
  void set_timer(ThreadIndex thread, std::uint64_t deadline);
  void clear_timer(ThreadIndex thread);
  void expire();
  void begin_life(ThreadIndex thread);
  void end_life(ThreadIndex thread);
  void acquire(ThreadIndex thread, std::uint64_t monitor, std::uint32_t depth);
  void release(ThreadIndex thread, std::uint64_t monitor, std::uint32_t levels);
  Passage begin_wait(ThreadIndex thread);
  Passage end_wait(ThreadIndex thread);
  void wake(ThreadIndex thread, Wake cause);
  void notify(ThreadIndex thread, std::uint64_t monitor, bool all, const ChooseOne& choose);
  Passage end_block(ThreadIndex thread, bool reached);
  bool has_known_target(const Operation& op) const { return to_number(op.target) < threads_.size(); }

  std::uint64_t step_time_;
  std::uint64_t now_ = 0;
  std::uint64_t steps_ = 0;
  std::uint32_t roots_ = 0;
  std::uint32_t aside_ = 0;
  std::uint32_t live_users_ = 0;
  ThreadIndex last_ = kNoThread;
  std::vector<ThreadIndex> woken_;
  std::vector<Thread> threads_;
  std::vector<ThreadIndex> enabled_;                        // sorted; kept equal to can_go over all kAtPoint threads
  std::vector<ThreadIndex> lockers_;                        // threads that stand before a monitor, in no order
  std::set<std::pair<std::uint64_t, ThreadIndex>> timers_;  // deadlines of blocked threads
  std::unordered_map<std::uint64_t, Monitor> monitors_;     // only those owned or waited on
  std::unordered_map<std::string, ThreadIndex> names_;
};

}  // namespace deadheat::schedule
