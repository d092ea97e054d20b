// SPDX-License-Identifier: Apache-2.0
//
// The access protocol under every interleaving of its loads and CASes: real threads that take one step each when a
// scripted schedule lets them, and a depth-first walk over all schedules.
#include "engine/shadow_cell.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/engine.h"
#include "engine/sync.h"

namespace deadheat::engine {
namespace {

constexpr model::SiteId kSite{1};

// Lets one thread go at a time. Choices come from a list that the walk below varies.
class Script {
 public:
  struct Choice {
    std::uint32_t taken;
    std::uint32_t of;
  };
  Script(std::uint32_t threads, std::vector<Choice> choices) : waiting_(threads), choices_(std::move(choices)) {}

  // By a scripted thread, before each step.
  void step(std::uint32_t self) {
    std::unique_lock lock(mutex_);
    waiting_[self] = true;
    pick_if_all_wait();
    changed_.wait(lock, [&] { return turn_ == static_cast<int>(self); });
    turn_ = -1;
    waiting_[self] = false;
  }
  void finish() {
    const std::lock_guard lock(mutex_);
    ++finished_;
    pick_if_all_wait();
  }
  // The schedule that was run.
  const std::vector<Choice>& choices() const { return choices_; }

 private:
  void pick_if_all_wait() {
    std::vector<int> ready;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (waiting_[i]) ready.push_back(static_cast<int>(i));
    }
    if (ready.empty() || ready.size() + finished_ < waiting_.size() || turn_ >= 0) return;
    if (position_ == choices_.size()) choices_.push_back({0, 0});
    choices_[position_].of = static_cast<std::uint32_t>(ready.size());
    turn_ = ready[choices_[position_++].taken];
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> waiting_;
  std::size_t finished_ = 0;
  int turn_ = -1;
  std::vector<Choice> choices_;
  std::size_t position_ = 0;
};

thread_local std::uint32_t this_thread_number;

struct ScriptedWord {
  Script* script = nullptr;  // null: no scheduling
  ShadowWord value = kNeverAccessed;

  ShadowWord load() {
    if (script != nullptr) script->step(this_thread_number);
    return value;
  }
  bool compare_exchange_strong(ShadowWord& expected, ShadowWord next) {
    if (script != nullptr) script->step(this_thread_number);
    const bool same = value == expected;
    (same ? value : expected) = same ? next : value;
    return same;
  }
};

struct Cell {
  ScriptedWord w, r;
};

enum class Access { kRead, kWrite };
enum class Before { kNothing, kOneRead, kReadSet, kWrite };

std::uint32_t check(ThreadState& ts, Cell& cell, Access access) {
  return access == Access::kRead ? check_read(ts, cell.w, cell.r, kSite) : check_write(ts, cell.w, cell.r, kSite);
}

// What happened to the variable before, all of it ordered before the scripted accesses.
void prepare(Engine& engine, ThreadState& main, Cell& cell, Before before) {
  if (before == Before::kOneRead) check(main, cell, Access::kRead);
  if (before == Before::kWrite) check(main, cell, Access::kWrite);
  if (before != Before::kReadSet) return;
  ThreadState* others[] = {engine.begin_thread(kNeverReleased, model::ThreadId{8}),
                           engine.begin_thread(kNeverReleased, model::ThreadId{9})};
  for (ThreadState* other : others) check(*other, cell, Access::kRead);
  for (ThreadState* other : others) acquire(main, engine.end_thread(other));
}

struct Result {
  std::uint32_t conflicts = 0;
  std::uint64_t sets_left = 0;
};

Result run_once(const std::vector<Access>& accesses, Before before, Script& script) {
  Engine engine({.max_slots = 8});
  ThreadState* main = engine.begin_thread(kNeverReleased, model::ThreadId{1});
  Cell cell;
  prepare(engine, *main, cell, before);
  cell.w.script = cell.r.script = &script;
  std::vector<ThreadState*> states;
  for (std::size_t i = 0; i < accesses.size(); ++i)
    states.push_back(engine.begin_thread(engine.fork(*main), model::ThreadId{2}));
  std::vector<std::uint32_t> conflicts(accesses.size());
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < accesses.size(); ++i) {
    threads.emplace_back([&, i] {
      this_thread_number = i;
      conflicts[i] = check(*states[i], cell, accesses[i]);
      script.finish();
    });
  }
  Result result;
  for (std::uint32_t i = 0; i < accesses.size(); ++i) {
    threads[i].join();
    result.conflicts += conflicts[i];
  }
  // A last write ends any read set; with all threads gone no reference may be left.
  for (ThreadState* ts : states) acquire(*main, engine.end_thread(ts));
  cell.w.script = cell.r.script = nullptr;
  release(*main);
  check(*main, cell, Access::kWrite);
  engine.end_thread(main);
  result.sets_left = engine.stats().read_sets_live;
  return result;
}

// Calls visit for every schedule, up to a limit; returns how many there were.
std::uint32_t for_all_schedules(const std::vector<Access>& accesses, Before before, std::uint32_t limit,
                                const std::function<void(const Result&)>& visit) {
  std::vector<Script::Choice> choices;
  std::uint32_t count = 0;
  while (count < limit) {
    Script script(static_cast<std::uint32_t>(accesses.size()), choices);
    visit(run_once(accesses, before, script));
    ++count;
    choices = script.choices();
    while (!choices.empty() && choices.back().taken + 1 == choices.back().of) choices.pop_back();
    if (choices.empty()) break;
    ++choices.back().taken;
  }
  return count;
}

constexpr Before kAllBefore[] = {Before::kNothing, Before::kOneRead, Before::kReadSet, Before::kWrite};

void expect_always_seen(const std::vector<Access>& accesses, std::uint32_t limit) {
  for (const Before before : kAllBefore) {
    std::uint32_t missed = 0, leaked = 0;
    const std::uint32_t schedules = for_all_schedules(accesses, before, limit, [&](const Result& result) {
      missed += result.conflicts == 0;
      leaked += result.sets_left != 0;
    });
    EXPECT_GT(schedules, 20u);
    EXPECT_EQ(missed, 0u) << "of " << schedules << " schedules";
    EXPECT_EQ(leaked, 0u) << "of " << schedules << " schedules";
  }
}

TEST(ShadowCell, AReadAndAWriteAlwaysMeet) { expect_always_seen({Access::kRead, Access::kWrite}, 5'000); }

TEST(ShadowCell, TwoWritesAlwaysMeet) { expect_always_seen({Access::kWrite, Access::kWrite}, 5'000); }

TEST(ShadowCell, TwoReadsAndAWriteAlwaysMeet) {
  expect_always_seen({Access::kRead, Access::kRead, Access::kWrite}, 2'000);
  expect_always_seen({Access::kWrite, Access::kRead, Access::kRead}, 2'000);
}

TEST(ShadowCell, ReadsAloneNeverConflict) {
  for (const Before before : kAllBefore) {
    for_all_schedules({Access::kRead, Access::kRead, Access::kRead}, before, 1'000, [](const Result& result) {
      EXPECT_EQ(result.conflicts, 0u);
      EXPECT_EQ(result.sets_left, 0u);
    });
  }
}

}  // namespace
}  // namespace deadheat::engine
