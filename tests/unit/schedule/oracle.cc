// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/schedule/oracle.h"

#include <algorithm>
#include <thread>

#include "schedule/gate.h"

namespace deadheat::schedule {

using enum OperationKind;

namespace {

// Every other thread has an object, which is the first monitor of the program.
Operation end_of(std::uint32_t thread) { return {.kind = kEnd, .object = thread % 2}; }

}  // namespace

TinyModel::TinyModel(const TinyProgram& program, std::uint64_t step_time)
    : program_(program), step_time_(step_time), threads_(program.size()) {
  for (std::uint32_t t = 0; t < program_.size(); ++t) {
    program_[t].insert(program_[t].begin(), Operation{.kind = kBegin});
    program_[t].push_back(end_of(t));
  }
}

// The moment a thread comes to stand before its next operation: timeouts count from here.
void TinyModel::arrive(std::uint32_t t) {
  if (ended(t)) return;
  const Operation& op = next_operation(t);
  if (op.kind == kWaitEnd) return;  // counts from its kWaitBegin
  threads_[t].deadline = ~std::uint64_t{0};
  const bool timed = op.kind == kPark || op.kind == kSleep || op.kind == kJoin;
  if (timed && op.timeout != kNoTimeout) threads_[t].deadline = now_ + op.timeout;
}

bool TinyModel::can_go(std::uint32_t t) const {
  if (ended(t)) return false;
  const Thread& thread = threads_[t];
  const Operation& op = next_operation(t);
  const auto monitor = monitors_.find(op.object);
  const bool free =
      monitor == monitors_.end() || monitor->second.owner < 0 || monitor->second.owner == static_cast<int>(t);
  const bool late = thread.deadline <= now_;
  if (op.kind == kLock) return free;
  if (op.kind == kEnd) return op.object == 0 || free;
  if (op.kind == kWaitEnd) return !thread.waiting && free;
  if (op.kind == kPark) return thread.permit || thread.interrupted || late;
  if (op.kind == kSleep) return thread.interrupted || late;
  if (op.kind == kJoin) return ended(to_number(op.target)) || thread.interrupted || late;
  return true;
}

void TinyModel::leave_wait_set(std::uint32_t t, const std::string& why) {
  std::erase(monitors_[threads_[t].waits_on].waiters, t);
  threads_[t].waiting = false;
  threads_[t].woken_by = why;
  threads_[t].deadline = ~std::uint64_t{0};
}

// In order of deadline, then thread.
void TinyModel::run_out() {
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    if (threads_[t].waiting && threads_[t].deadline <= now_) leave_wait_set(t, "time");
  }
}

bool TinyModel::jump() {
  std::uint64_t next = ~std::uint64_t{0};
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    if (!ended(t) && threads_[t].deadline > now_) next = std::min(next, threads_[t].deadline);
  }
  if (next == ~std::uint64_t{0}) return false;
  now_ = next;
  run_out();
  return true;
}

std::vector<std::uint32_t> TinyModel::enabled() {
  do {
    std::vector<std::uint32_t> result;
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
      if (can_go(t)) result.push_back(t);
    }
    if (!result.empty()) return result;
  } while (jump());
  return {};
}

bool TinyModel::all_ended() const {
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    if (!ended(t)) return false;
  }
  return true;
}

std::uint32_t TinyModel::ways(std::uint32_t t) const {
  const Operation& op = next_operation(t);
  const auto monitor = monitors_.find(op.object);
  if (op.kind != kNotify || monitor == monitors_.end() || monitor->second.owner != static_cast<int>(t)) return 1;
  return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(monitor->second.waiters.size()));
}

Passage TinyModel::step(std::uint32_t t, std::uint32_t picked) {
  Thread& thread = threads_[t];
  const Operation op = next_operation(t);
  Monitor& monitor = monitors_[op.object];
  const bool mine = monitor.owner == static_cast<int>(t);
  const auto target = op.target == kNoThread ? 0 : to_number(op.target);
  Passage passage = Passage::kGranted;
  ++thread.at;
  switch (op.kind) {
    case kLock:
      monitor.owner = static_cast<int>(t);
      ++monitor.depth;
      break;
    case kUnlock:
      if (mine && --monitor.depth == 0) monitor.owner = -1;
      break;
    case kWaitBegin:
      thread.saved_depth = 0;
      thread.woken_by = "";
      if (mine && thread.interrupted) {
        thread.interrupted = false;
        ++thread.at;  // no kWaitEnd follows
        passage = Passage::kInterrupted;
      } else if (mine) {
        thread.saved_depth = monitor.depth;
        thread.waiting = true;
        thread.waits_on = op.object;
        if (op.timeout != kNoTimeout) thread.deadline = now_ + op.timeout;
        monitor.waiters.push_back(t);
        monitor.owner = -1;
        monitor.depth = 0;
      }
      break;
    case kWaitEnd:
      if (thread.saved_depth != 0) {
        monitor.owner = static_cast<int>(t);
        monitor.depth += thread.saved_depth;
      }
      if (thread.woken_by == "time") passage = Passage::kTimedOut;
      if (thread.woken_by == "interrupt") {
        passage = Passage::kInterrupted;
        thread.interrupted = false;
      }
      thread.woken_by = "";
      break;
    case kNotify:
      if (mine && !monitor.waiters.empty()) leave_wait_set(monitor.waiters[picked], "notify");
      break;
    case kNotifyAll:
      while (mine && !monitor.waiters.empty()) leave_wait_set(monitor.waiters.front(), "notify");
      break;
    case kPark:
      if (!thread.permit) passage = thread.interrupted ? Passage::kInterrupted : Passage::kTimedOut;
      thread.permit = false;
      break;
    case kSleep:
      if (thread.interrupted) passage = Passage::kInterrupted;
      thread.interrupted = false;
      break;
    case kJoin:
      if (!ended(target)) {
        passage = thread.interrupted ? Passage::kInterrupted : Passage::kTimedOut;
        thread.interrupted = false;
      }
      break;
    case kUnpark:
      if (!ended(target)) threads_[target].permit = true;
      break;
    case kInterrupt:
      if (!ended(target)) {
        threads_[target].interrupted = true;
        if (threads_[target].waiting) leave_wait_set(target, "interrupt");
      }
      break;
    case kClearInterrupt:
      thread.interrupted = false;
      break;
    case kEnd:
      for (auto& [key, other] : monitors_) {
        if (other.owner == static_cast<int>(t)) other = Monitor{.waiters = other.waiters};
      }
      while (op.object != 0 && !monitor.waiters.empty()) leave_wait_set(monitor.waiters.front(), "notify");
      break;
    default:
      break;
  }
  now_ += step_time_;
  run_out();
  arrive(t);
  return passage;
}

namespace {

void enumerate(const TinyModel& model, TinyRun& so_far, std::set<TinyRun>& runs) {
  TinyModel here = model;
  const std::vector<std::uint32_t> enabled = here.enabled();
  if (enabled.empty()) {
    so_far.deadlock = !here.all_ended();
    runs.insert(so_far);
    return;
  }
  for (const std::uint32_t t : enabled) {
    const std::uint32_t ways = here.ways(t);
    for (std::uint32_t picked = 0; picked < ways; ++picked) {
      TinyModel after = here;
      so_far.steps.push_back({t, after.step(t, picked), picked});
      enumerate(after, so_far, runs);
      so_far.steps.pop_back();
    }
  }
}

std::string name_of(const TinyStep& step) {
  return "thread " + std::to_string(step.thread) + " passage " + std::to_string(static_cast<int>(step.passage)) +
         " picked " + std::to_string(step.picked);
}

}  // namespace

std::set<TinyRun> all_runs(const TinyProgram& program, std::uint64_t step_time) {
  std::set<TinyRun> runs;
  TinyRun so_far;
  enumerate(TinyModel(program, step_time), so_far, runs);
  return runs;
}

std::string check_run(const TinyProgram& program, std::uint64_t step_time, const TinyRun& run) {
  TinyModel model(program, step_time);
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const TinyStep& step = run.steps[i];
    const std::string where = "step " + std::to_string(i) + ", " + name_of(step);
    for (std::uint32_t n = 0; n < step.jumps; ++n) {
      if (model.enabled().empty() || !model.jump()) return where + ": no reason to jump";
    }
    const std::vector<std::uint32_t> enabled = model.enabled();
    if (std::find(enabled.begin(), enabled.end(), step.thread) == enabled.end()) return where + ": cannot go";
    const std::string kind = operation_kind_name(model.next_operation(step.thread).kind);
    if (step.picked >= model.ways(step.thread)) return where + ": picked one too many";
    const Passage passage = model.step(step.thread, step.picked);
    if (passage != step.passage) return where + " " + kind + ": should be " + std::to_string(static_cast<int>(passage));
  }
  if (!model.enabled().empty()) return "stopped where the model can go on";
  if (run.deadlock == model.all_ended()) return "wrong about the deadlock";
  return "";
}

namespace {

// A circle that others do not take part in is no end of the program.
struct OnlyWholeDeadlocks final : Listener {
  AfterDeadlock on_deadlock(const World&, const Deadlock& deadlock) override {
    return deadlock.partial ? AfterDeadlock::kWait : AfterDeadlock::kFreeRun;
  }
};

}  // namespace

TinyRun run_tiny(const TinyProgram& program, Strategy& strategy, const SchedulerOptions& options) {
  SemaphoreGate gate;
  OnlyWholeDeadlocks listener;
  Scheduler scheduler(options, strategy, gate, &listener);
  std::vector<std::vector<Passage>> passages(program.size());
  for (std::size_t t = 0; t < program.size(); ++t) scheduler.add_root(false);
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < program.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto perform = [&](const Operation& op) {
        const Passage passage = scheduler.point(ThreadIndex{t}, op);
        if (passage != Passage::kFreeRun) passages[t].push_back(passage);
        return passage;
      };
      if (perform({.kind = kBegin}) == Passage::kFreeRun) return;
      for (std::size_t i = 0; i < program[t].size(); ++i) {
        const Operation& op = program[t][i];
        const Passage passage = perform(op);
        if (passage == Passage::kFreeRun) return;
        if (op.kind == kWaitBegin && passage == Passage::kInterrupted) ++i;
      }
      perform(end_of(t));
    });
  }
  for (std::thread& thread : threads) thread.join();
  TinyRun run;
  run.deadlock = scheduler.outcome().reason == StopReason::kDeadlock;
  const DecisionLog log = scheduler.log();
  std::vector<std::size_t> at(program.size(), 0);
  auto choice = log.choices().begin();
  for (DecisionLog::Cursor cursor(log); !cursor.at_end(); cursor.advance()) {
    const std::uint32_t t = cursor.thread();
    // The last kEnd before a deadlock is executed, but returns as free run.
    const std::size_t index = at[t]++;
    TinyStep step{t, index < passages[t].size() ? passages[t][index] : Passage::kGranted};
    if (choice != log.choices().end() && choice->thread == t && choice->index == index) step.picked = choice++->picked;
    step.jumps = static_cast<std::uint32_t>(std::count(log.jumps().begin(), log.jumps().end(), cursor.step()));
    run.steps.push_back(step);
  }
  return run;
}

}  // namespace deadheat::schedule
