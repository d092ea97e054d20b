// SPDX-License-Identifier: Apache-2.0
//
// Simulated programs for the scheduler's tests: real std::threads that run small functions and tell the scheduler every
// operation, as a host does. The shared state of such a program may be plain variables: the scheduler lets one thread
// run at a time and orders them (thread sanitizer checks that).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "schedule/scheduler.h"

namespace deadheat::schedule {

class Simulation;

// One thread of a simulated program. Thrown out of a call when the scheduler runs free: the program just ends.
struct FreeRun {};

class Actor {
 public:
  Actor(Simulation& simulation, ThreadIndex self) : simulation_(&simulation), self_(self) {}

  ThreadIndex self() const { return self_; }
  Simulation& simulation() const { return *simulation_; }
  Passage perform(const Operation& op) const;
  Passage perform_silently(const Operation& op) const;

  void read(std::uint64_t object, std::uint32_t site = 0) const { access(OperationKind::kRead, object, site); }
  void write(std::uint64_t object, std::uint32_t site = 0) const { access(OperationKind::kWrite, object, site); }
  void update(std::uint64_t object, std::uint32_t site = 0) const {
    access(OperationKind::kVolatileUpdate, object, site);
  }
  void access(OperationKind kind, std::uint64_t object, std::uint32_t site) const {
    perform({.kind = kind, .site = model::SiteId{site}, .object = object});
  }
  void lock(std::uint64_t m, std::uint32_t site = 0) const { access(OperationKind::kLock, m, site); }
  void unlock(std::uint64_t m, std::uint32_t site = 0) const { access(OperationKind::kUnlock, m, site); }
  Passage wait(std::uint64_t m, std::uint64_t timeout = kNoTimeout) const;
  void notify(std::uint64_t m) const { perform({.kind = OperationKind::kNotify, .object = m}); }
  void notify_all(std::uint64_t m) const { perform({.kind = OperationKind::kNotifyAll, .object = m}); }
  Passage park(std::uint64_t timeout = kNoTimeout) const {
    return perform({.kind = OperationKind::kPark, .timeout = timeout});
  }
  void unpark(ThreadIndex target) const { perform({.kind = OperationKind::kUnpark, .target = target}); }
  void interrupt(ThreadIndex target) const { perform({.kind = OperationKind::kInterrupt, .target = target}); }
  Passage sleep(std::uint64_t time) const { return perform({.kind = OperationKind::kSleep, .timeout = time}); }
  void yield() const { perform({.kind = OperationKind::kYield}); }
  ThreadIndex start(std::function<void(Actor&)> body, bool daemon = false) const;
  Passage join(ThreadIndex target, std::uint64_t timeout = kNoTimeout) const {
    return perform({.kind = OperationKind::kJoin, .target = target, .timeout = timeout});
  }

 private:
  Simulation* simulation_;
  ThreadIndex self_;
};

class Simulation {
 public:
  explicit Simulation(Strategy& strategy, const SchedulerOptions& options = {}, Listener* listener = nullptr)
      : scheduler_(options, strategy, gate_, listener) {}
  ~Simulation();

  // Runs the program with main as its first thread until all its user threads have ended, then lets the daemons go.
  void run(const std::function<void(Actor&)>& main);
  Scheduler& scheduler() { return scheduler_; }
  // The monitor that ends of threads notify on: key + index of the thread.
  static constexpr std::uint64_t kThreadObjects = 1'000'000;

 private:
  friend class Actor;
  void spawn(ThreadIndex index, bool daemon, std::function<void(Actor&)> body);

  SemaphoreGate gate_;
  Scheduler scheduler_;
  std::mutex mutex_;  // guards the two lists
  std::vector<std::thread> users_;
  std::vector<std::thread> daemons_;
};

// Runs main under the strategy and returns the log.
DecisionLog log_of(Strategy& strategy, const std::function<void(Actor&)>& main, const SchedulerOptions& options = {});

}  // namespace deadheat::schedule
