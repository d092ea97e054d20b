// SPDX-License-Identifier: Apache-2.0
//
// A Java thread under the controlled scheduler. Its address is in the thread's `$dh$gate` field, so that hooks have it
// at hand; it lives as long as the agent.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "agent/class_uses.h"
#include "agent/gate_view.h"
#include "agent/held_locks.h"
#include "agent/region_mark.h"
#include "agent/turn_signal.h"
#include "schedule/operation.h"

namespace deadheat::agent {

struct ManagedThread {
  GateView view;                        // first: the shim looks into it
  const std::uint64_t* room = nullptr;  // Scheduler::room; null when it does not run ahead
  schedule::ThreadIndex index{};
  std::atomic<int> os_thread{0};  // gettid(), once it runs
  jobject thread = nullptr;       // global reference to the Thread object
  std::uint32_t unscheduled = 0;  // regions it is in where no switch is offered; its own
  bool parks_freely = false;      // it has parked since control ended; its own
  bool bound = false;  // a virtual thread with a thread of its own: its hooks tell its begin and end, not the VM
  std::uint64_t monitor_key = 0;  // of the Thread object, on which join() waits
  TurnSignal turn;                // given by Gate::wake
  KnownClasses known_classes;     // when a trace is recorded; its thread's own
  // While the thread is in Object.wait: the object (a global reference), and how far it is. A thread that waits there
  // gives the real monitor up as it would without us, whatever its depth.
  enum class Wait : std::uint8_t {
    kNotYet,  // it still has the monitor
    kWaits,   // it is in a real wait, or on the way into it with the monitor held
    kWoken,
    kNotified,  // and whoever wakes it is done with its monitor
  };
  std::atomic<jobject> waits_on{nullptr};
  std::atomic<std::uint64_t> waits_on_key{0};
  std::atomic<Wait> wait{Wait::kNotYet};
  HeldLocks locks;
  std::uint32_t lock_calls = 0;      // when a trace is recorded: methods of locks that it is in (lock_calls.h)
  std::uint32_t lock_call_site = 0;  // where the outermost was called
  // The state that programs see was written into the Thread object by another thread while this one was held; it puts
  // it right when it goes on.
  std::atomic<bool> state_shown{false};
  // Atomic regions entered and left since its last operation; its thread's own, and the scheduler's while it waits.
  std::vector<RegionMark> regions;
};

}  // namespace deadheat::agent
