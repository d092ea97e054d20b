// SPDX-License-Identifier: Apache-2.0
//
// The controlled scheduler: at most one managed thread runs at a time (it holds the *turn*), and who goes on is decided
// at scheduling points by a Strategy among the threads whose pending operation can be executed in the modelled World.
//
//   host thread:   point(self, op)  ──►  waits until it is chosen; the model already shows op as done
//                  performs op for real, runs on to its next point
//
// What the host owes: every managed thread begins with a point of kBegin (else one is made for it at its first point,
// whatever that is) and ends with one of kEnd; between them it
// tells every operation that the model knows, in the order of the program. What can block in the model (kWaitEnd,
// kPark, kSleep, kJoin) has been waited for when point() returns: the host does not block again for it (for kJoin a
// real join then only waits for the last instructions of a thread that has ended). It performs all other operations.
//
// Thread rules: point, silent, wait, enter/leave_unscheduled are called by the managed thread they name. Everything
// else may be called from any thread, managed or not, but not from a Strategy or a Listener. Nothing here throws; a
// call about a thread that has ended, or after stop(), returns at once. So does one of a thread that its gate holds: a
// host whose way of waiting runs code of the program (an exception that is made and dropped) tells nothing by it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "schedule/decision_log.h"
#include "schedule/gate.h"
#include "schedule/listener.h"
#include "schedule/strategy.h"
#include "schedule/world.h"

namespace deadheat::schedule {

struct SchedulerOptions {
  std::uint64_t step_limit = ~std::uint64_t{0};
  std::uint64_t step_time = 1000;  // nanoseconds of virtual time an operation takes
  // So many silent operations of a thread in a row are followed by one that offers a switch: code that is not watched
  // may spin on something another thread has to do.
  std::uint32_t silent_limit = 10'000;
  // The same where no switch may be offered, and one is a last resort: whoever else initialises that class would block.
  std::uint32_t unscheduled_limit = 10'000'000;
  // The log stops growing here (bytes, about); what was decided after it is counted as unlogged_steps.
  std::size_t log_limit = std::size_t{512} << 20;
  // When nothing is enabled and a thread is aside: go on in virtual time instead of waiting for it.
  bool jump_time_while_aside = false;
  bool tell_operations = false;  // to the listener, which there is
};

// What a watchdog looks at. A holder whose `operations` does not move is blocked outside the model, or computes.
struct Pulse {
  std::uint64_t operations;  // points and silent operations so far
  std::uint64_t steps;
  ThreadIndex holder;               // kNoThread: nobody has the turn, see idle
  std::uint64_t holder_since_step;  // the step with which it got the turn
  bool holder_arrived;  // false: chosen before its kBegin was reached (the real thread is still being started)
  bool waking;          // a thread was let go and its Gate::wake has not returned: the holder may not know of its turn
  bool idle;            // waits for a thread that is aside (or for anybody outside), or the program has ended
  bool program_ended;
  std::uint32_t aside;  // threads outside the model
  bool stopped;
};

struct Outcome {
  StopReason reason = StopReason::kNone;
  bool program_ended = false;  // every user thread has ended; only daemons may be left, held at their points
  std::uint64_t steps = 0;
  std::uint64_t clock_steps = 0;  // of them: looks at the clock
  std::uint64_t switches = 0;     // steps made by another thread than the step before
  std::uint64_t silent_operations = 0;
  std::uint64_t forced_points = 0;  // silent_limit reached
  std::uint64_t put_aside = 0;      // by set_aside
  std::uint64_t unlogged_steps = 0;
  std::uint64_t time_jumps = 0;
  std::uint64_t virtual_time = 0;
  StrategyCounts strategy;
};

// Accesses that were made ahead, where it does not matter which they were: nobody keeps the decisions.
struct AccessCounts {
  std::uint64_t steps = 0;
  std::uint64_t silent = 0;
  std::uint64_t silent_last = 0;  // of these, behind the last step

  void add(bool is_silent) {
    silent += is_silent;
    steps += !is_silent;
    silent_last = is_silent ? silent_last + 1 : 0;
  }
};

class Scheduler {
 public:
  // All three are the host's and outlive the scheduler; listener may be null.
  Scheduler(const SchedulerOptions& options, Strategy& strategy, Gate& gate, Listener* listener = nullptr);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // ---- Registry. A root is a thread that nobody managed has started. A child is added by its parent, which then
  // makes a point of kStart; the child can be chosen from that step on, and gets the turn when it arrives at kBegin.
  ThreadIndex add_root(bool daemon);
  ThreadIndex add_child(ThreadIndex parent, bool daemon);
  // The start of a child failed, or a thread is known to be gone without a kEnd.
  void abandon(ThreadIndex thread);
  std::string name(ThreadIndex thread) const;
  // Its kEnd was executed, or it was abandoned.
  bool has_ended(ThreadIndex thread) const;

  // ---- Points.
  Passage point(ThreadIndex self, const Operation& op);
  // The model is brought up to date without offering a switch, unless op cannot be executed now.
  Passage silent(ThreadIndex self, const Operation& op);
  // The thread has taken the monitor of op (kLock) already, before anybody could be asked. False, and nothing done, if
  // the model cannot be told: the thread has lost its turn meanwhile, or the model has promised the monitor to another.
  bool took(ThreadIndex self, const Operation& op);
  // Both halves of a wait, for hosts that have no real monitor to let go of in between. op: kWaitBegin.
  Passage wait(ThreadIndex self, const Operation& op);
  // ---- Running ahead: accesses (kRead … kVolatileUpdate) that the thread whose turn it is may make without asking, if
  // it tells of them later and in order: before its next point and everything else here that is about it. The outcome
  // is the same as that of a point for each.
  //
  // How many in a row it may make after each call above that has returned: its thread's to read.
  const std::uint64_t& room(ThreadIndex thread) const {
    const Lock lock(mutex_);
    return members_[to_number(thread)]->room;
  }
  // each(const World&, tell) is called under the lock and calls tell(op, silent) for every access that was not told of
  // yet, or, if log_limit is 0, tell(counts) for all of them; the listener is not. From any thread, so that a host can
  // look after one that does not come by.
  template <typename Each>
  void catch_up(ThreadIndex thread, Each&& each) {
    const Lock lock(mutex_);
    if (stopped() || !is_managed(thread) || !member(thread).arrived || world_.phase(thread) == Phase::kEnded) return;
    const std::uint64_t before = world_.steps();
    each(static_cast<const World&>(world_), Teller{*this, thread});
    caught_up(world_.steps() - before);
  }
  // Between the two every point of the thread is silent (class initialisers, class loading), up to
  // `unscheduled_limit`. Nests.
  void enter_unscheduled(ThreadIndex self);
  void leave_unscheduled(ThreadIndex self);

  // ---- From outside.
  // The holder of the turn is blocked outside the model: the turn passes on, the thread rejoins at its next point.
  // False, and nothing done, unless thread still holds the turn and has done nothing since that Pulse::operations.
  bool set_aside(ThreadIndex thread, std::uint64_t operations);
  // By threads that are not managed.
  void unpark(ThreadIndex target);
  void interrupt(ThreadIndex target);
  // A notify of one waiter may reach any of them, so all are told: a wait may end for no reason.
  void notify_all(std::uint64_t monitor);
  // Idle with timers running: moves virtual time to the next deadline. False when there was nothing to do.
  bool jump_idle_time();
  // Idle, and the strategy waits for a thread that is aside although others could go, or holds everybody: it has
  // waited long enough.
  void nudge();
  // Free run: all waiting threads are let go, all later points return at once. The first reason stays.
  void stop(StopReason reason);
  bool stopped() const { return stopped_.load(std::memory_order_acquire); }

  // ---- Looking.
  std::uint64_t now() const;
  Condition condition(ThreadIndex thread) const;
  Pulse pulse() const;
  Outcome outcome() const;
  // The decisions so far. Of a run that goes on it is a copy of its beginning.
  DecisionLog log() const;
  // The world, while no managed thread runs or can be let go (tests, deadlock printers after the run).
  const World& world_for_testing() const { return world_; }

 private:
  // What belongs to one managed thread. Written under mutex_; passage and room are also read by its thread after its
  // gate let it go, which orders it.
  struct Member {
    Passage passage = Passage::kGranted;
    std::uint64_t room = 0;
    bool arrived = false;  // its kBegin was reached
    bool waiting = false;  // at its gate; whoever clears it owes a wake
    bool at_gate = false;  // its thread's own: it is in Gate::wait, which may take longer than `waiting`
    std::uint32_t unscheduled = 0;
    std::uint32_t silent_run = 0;
  };
  using Lock = std::unique_lock<std::mutex>;
  struct Teller {
    Scheduler& scheduler;
    ThreadIndex thread;
    void operator()(const Operation& op, bool silent) const { scheduler.ran(thread, op, silent); }
    void operator()(const AccessCounts& counts) const { scheduler.ran(thread, counts); }
  };

  ThreadIndex add_member(ThreadIndex index);
  // Called by the thread itself, under the lock.
  bool counts(ThreadIndex self) const;
  // These are entered with the lock held; they let go of it before they wait.
  Passage begin_and(Lock& lock, ThreadIndex self, const Operation& op);
  Passage point_locked(Lock& lock, ThreadIndex self, const Operation& op);
  Passage silent_locked(Lock& lock, ThreadIndex self, const Operation& op);
  Passage offer(Lock& lock, ThreadIndex self);
  Passage wait_for_turn(Lock& lock, ThreadIndex self);
  // Chooses until somebody has the turn, nobody can have it, or the scheduler stops; fills wakes_.
  void decide();
  // False: nobody is enabled and nothing can be done about it here (idle, ended or stopped).
  bool somebody_enabled();
  void execute_step(ThreadIndex thread);
  void tell(ThreadIndex thread, Passage passage) {
    if (options_.tell_operations) listener_->on_operation(world_, thread, world_.pending(thread), passage);
  }
  void ran(ThreadIndex thread, const Operation& op, bool silent);
  void ran(ThreadIndex thread, const AccessCounts& counts);
  std::uint32_t silent_limit(const Member& member) const {
    return member.unscheduled != 0 ? options_.unscheduled_limit : options_.silent_limit;
  }
  void caught_up(std::uint64_t steps);
  // How far the thread can go without a decision.
  std::uint64_t room_for(ThreadIndex thread) const;
  void log_step(ThreadIndex thread, const Operation& op);
  void decide_if_idle(Lock& lock);
  void stop_locked(StopReason reason);
  bool handle_deadlock();
  void tell_deadlock(const Deadlock& deadlock);
  void let_go(ThreadIndex thread);
  void unlock_and_wake(Lock& lock);
  Member& member(ThreadIndex thread) { return *members_[to_number(thread)]; }
  bool is_managed(ThreadIndex thread) const;
  std::uint32_t choose(ThreadIndex thread, std::uint32_t n);

  const SchedulerOptions options_;
  Strategy& strategy_;
  Gate& gate_;
  Listener* const listener_;
  std::atomic<bool> stopped_{false};      // written under mutex_
  std::atomic<std::uint32_t> waking_{0};  // wakes begun (under mutex_) and not done

  mutable std::mutex mutex_;  // guards everything below
  World world_;
  DecisionLog log_;
  Outcome counts_;
  const ChooseOne choose_;
  ThreadIndex turn_ = kNoThread;
  std::uint64_t turn_since_ = 0;
  std::uint64_t operations_ = 0;
  std::uint64_t deadlock_told_at_ = ~std::uint64_t{0};
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<ThreadIndex> wakes_;  // to be woken as soon as the lock is let go
};

}  // namespace deadheat::schedule
