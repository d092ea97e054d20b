// SPDX-License-Identifier: Apache-2.0
//
// Scheduling points a second without a switch (by the number of threads that stand by), silent operations, lock and
// unlock, and switches a second between real threads.
#include <benchmark/benchmark.h>

#include <memory>
#include <thread>
#include <vector>

#include "schedule/pct.h"
#include "schedule/pos.h"
#include "schedule/race_directed.h"
#include "schedule/random_walk.h"
#include "schedule/scheduler.h"

namespace deadheat::schedule {
namespace {

using enum OperationKind;

// Thread 0 as long as it can go.
class Stay final : public Strategy {
 public:
  const char* name() const override { return "stay"; }
  ThreadIndex next(const World& world) override { return world.enabled().front(); }
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t) override { return 0; }
};

// Another thread at every point.
class Alternate final : public Strategy {
 public:
  const char* name() const override { return "alternate"; }
  ThreadIndex next(const World& world) override {
    for (const ThreadIndex thread : world.enabled()) {
      if (thread > world.last() && world.last() != kNoThread) return thread;
    }
    return world.enabled().front();
  }
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t) override { return 0; }
};

// Points of the only thread that can go.
void points(benchmark::State& state, Strategy& strategy, const Operation& op, bool silent = false) {
  SemaphoreGate gate;
  Scheduler scheduler({}, strategy, gate);
  const ThreadIndex self = scheduler.add_root(false);
  scheduler.point(self, {.kind = kBegin});
  // Children that are not started: they are in the model's tables, but cannot be chosen.
  for (std::int64_t i = 1; i < state.range(0); ++i) scheduler.add_child(self, false);
  for (auto _ : state) {
    benchmark::DoNotOptimize(silent ? scheduler.silent(self, op) : scheduler.point(self, op));
  }
  state.SetItemsProcessed(state.iterations());
}

const Operation kRead9{.kind = kRead, .site = model::SiteId{3}, .object = 9};

void BM_Point(benchmark::State& state) {
  Stay strategy;
  points(state, strategy, kRead9);
}
BENCHMARK(BM_Point)->Arg(1)->Arg(100);

void BM_PointRandomWalk(benchmark::State& state) {
  RandomWalk strategy(1);
  points(state, strategy, kRead9);
}
BENCHMARK(BM_PointRandomWalk)->Arg(1);

void BM_PointPct(benchmark::State& state) {
  Pct strategy(1, {});
  points(state, strategy, kRead9);
}
BENCHMARK(BM_PointPct)->Arg(1);

void BM_PointPos(benchmark::State& state) {
  Pos strategy(1);
  points(state, strategy, kRead9);
}
BENCHMARK(BM_PointPos)->Arg(1);

void BM_PointRaceDirected(benchmark::State& state) {
  RaceDirected strategy(1, {.pair = {model::SiteId{1}, model::SiteId{2}}}, nullptr);
  points(state, strategy, kRead9);
}
BENCHMARK(BM_PointRaceDirected)->Arg(1);

void BM_Silent(benchmark::State& state) {
  Stay strategy;
  points(state, strategy, kRead9, true);
}
BENCHMARK(BM_Silent)->Arg(1);

void BM_LockUnlock(benchmark::State& state) {
  Stay strategy;
  SemaphoreGate gate;
  Scheduler scheduler({}, strategy, gate);
  const ThreadIndex self = scheduler.add_root(false);
  scheduler.point(self, {.kind = kBegin});
  for (auto _ : state) {
    scheduler.point(self, {.kind = kLock, .object = 5});
    scheduler.point(self, {.kind = kUnlock, .object = 5});
  }
  state.SetItemsProcessed(2 * state.iterations());
}
BENCHMARK(BM_LockUnlock);

// Every point of this thread hands the turn to the next, round a circle of so many threads: an iteration is one round.
void BM_Switch(benchmark::State& state) {
  Alternate strategy;
  SemaphoreGate gate;
  Scheduler scheduler({}, strategy, gate);
  std::vector<ThreadIndex> all;
  for (std::int64_t i = 0; i < state.range(0); ++i) all.push_back(scheduler.add_root(false));
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < all.size(); ++i) {
    threads.emplace_back([&scheduler, self = all[i]] {
      if (scheduler.point(self, {.kind = kBegin}) == Passage::kFreeRun) return;
      while (scheduler.point(self, kRead9) != Passage::kFreeRun) continue;
    });
  }
  scheduler.point(all[0], {.kind = kBegin});
  for (auto _ : state) scheduler.point(all[0], kRead9);
  scheduler.stop(StopReason::kHost);
  for (std::thread& thread : threads) thread.join();
  state.SetItemsProcessed(state.range(0) * state.iterations());
}
BENCHMARK(BM_Switch)->Arg(2)->Arg(8)->UseRealTime();

}  // namespace
}  // namespace deadheat::schedule
