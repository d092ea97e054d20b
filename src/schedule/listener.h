// SPDX-License-Identifier: Apache-2.0
//
// What the scheduler and its strategies tell the host. Every method is called under the scheduler's lock, on whichever
// thread reached a point (or called stop): the host may look at the world and at its own threads, which all stand
// still, and may take its time; it must not call the scheduler.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/strategy.h"

namespace deadheat::schedule {

enum class StopReason : std::uint8_t {
  kNone,       // still running, or every user thread has ended
  kDeadlock,   // nothing can go on
  kStepLimit,  // SchedulerOptions::step_limit
  kTimeLimit,  // said by the host
  kDiverged,   // the strategy gave up
  kHost,       // said by the host: shutdown, or anything else
};
const char* stop_reason_name(StopReason reason);

// Nobody can go on, nobody is outside the model, no timer runs. Or (partial) some threads hold each other's monitors
// for ever while others can go on: told at the moment the circle closes.
struct Deadlock {
  struct Blocked {
    ThreadIndex thread;
    Operation op;           // the pending operation: kLock, kWaitEnd, kPark, kJoin, kEnd
    ThreadIndex waits_for;  // owner of the monitor or target of the join; kNoThread: a notify or a permit
  };
  bool partial = false;
  std::vector<Blocked> blocked;    // all threads that stand still, ascending; of a partial one those of the cycle
  std::vector<ThreadIndex> cycle;  // each waits for the next, the last for the first; empty: threads wait for a notify
                                   // or a permit that nobody can give
};
enum class AfterDeadlock : std::uint8_t {
  kFreeRun,
  kWait,  // the host knows of unmanaged threads that may still unpark or interrupt somebody
};

// Two threads stand at the two accesses of a pair, both free to go: a real race.
struct Meeting {
  std::uint64_t step;
  ThreadIndex arrived;    // was about to go on
  ThreadIndex postponed;  // stood there
  Operation arrived_op;
  Operation postponed_op;
  ThreadIndex first;  // who goes first
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual AfterDeadlock on_deadlock(const World&, const Deadlock&) { return AfterDeadlock::kFreeRun; }
  virtual void on_race(const World&, const Meeting&) {}
  // The thread is at a step of the anomaly that a schedule of events is made for (event_script.h).
  virtual void on_step(const World&, ThreadIndex, std::uint32_t /*step*/) {}
  // An operation was executed, as a step or silently: the world shows it as done. Told with
  // SchedulerOptions::tell_operations only, in the order of execution.
  virtual void on_operation(const World&, ThreadIndex, const Operation&, Passage) {}
  // Before the threads are let go.
  virtual void on_stop(const World&, StopReason) {}
};

}  // namespace deadheat::schedule
