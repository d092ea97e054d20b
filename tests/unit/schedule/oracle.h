// SPDX-License-Identifier: Apache-2.0
//
// The slow obvious twin of World and Scheduler: straight-line programs of a few operations, and a model of what may
// happen that keeps nothing up to date, computes everything from scratch and copies its whole state for every step.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "schedule/operation.h"
#include "schedule/scheduler.h"

namespace deadheat::schedule {

// By thread; kBegin and kEnd are added by whoever runs it. Targets are positions in the program.
using TinyProgram = std::vector<std::vector<Operation>>;

struct TinyStep {
  std::uint32_t thread;
  Passage passage;
  std::uint32_t picked = 0;  // of a notify with more than one waiter
  std::uint32_t jumps = 0;   // of time, asked for by the strategy before this step
  bool operator==(const TinyStep&) const = default;
  auto operator<=>(const TinyStep&) const = default;
};
// What happened: the steps, and whether threads were left blocked.
struct TinyRun {
  std::vector<TinyStep> steps;
  bool deadlock = false;
  auto operator<=>(const TinyRun&) const = default;
};

class TinyModel {
 public:
  TinyModel(const TinyProgram& program, std::uint64_t step_time);

  // Threads that can go; time is moved on if it has to be. Empty: the program has ended or is deadlocked.
  std::vector<std::uint32_t> enabled();
  bool all_ended() const;
  // Time moves to the next deadline; false: there is none.
  bool jump();
  // How many ways the next step of the thread can go (waiters of a notify), at least 1.
  std::uint32_t ways(std::uint32_t thread) const;
  Passage step(std::uint32_t thread, std::uint32_t picked);
  const Operation& next_operation(std::uint32_t thread) const { return program_[thread][threads_[thread].at]; }

 private:
  struct Thread {
    std::size_t at = 0;
    bool permit = false;
    bool interrupted = false;
    bool waiting = false;  // in a wait set
    std::string woken_by;  // "notify", "time", "interrupt"
    std::uint64_t deadline = ~std::uint64_t{0};
    std::uint32_t saved_depth = 0;
    std::uint64_t waits_on = 0;
  };
  struct Monitor {
    int owner = -1;
    std::uint32_t depth = 0;
    std::vector<std::uint32_t> waiters;
  };
  bool ended(std::uint32_t thread) const { return threads_[thread].at == program_[thread].size(); }
  bool can_go(std::uint32_t thread) const;
  void arrive(std::uint32_t thread);
  void run_out();
  void leave_wait_set(std::uint32_t thread, const std::string& why);

  TinyProgram program_;  // with kBegin and kEnd
  std::uint64_t step_time_;
  std::uint64_t now_ = 0;
  std::vector<Thread> threads_;
  std::map<std::uint64_t, Monitor> monitors_;
};

// Every run the program can have without jumps that were asked for.
std::set<TinyRun> all_runs(const TinyProgram& program, std::uint64_t step_time);
// Empty when the model allows the run and cannot go on after it; else what is wrong.
std::string check_run(const TinyProgram& program, std::uint64_t step_time, const TinyRun& run);
// The program on real threads under the scheduler. All threads are roots, added before the first one runs.
TinyRun run_tiny(const TinyProgram& program, Strategy& strategy, const SchedulerOptions& options = {});

}  // namespace deadheat::schedule
