// SPDX-License-Identifier: Apache-2.0
//
// Nanoseconds per memory access in the slow half of FastTrack, one benchmark per rule, and how it scales: the threads
// of a scaling run share the engine and, where the name says so, the variables.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "engine/access.h"
#include "engine/engine.h"
#include "engine/shadow_cell.h"
#include "engine/sync.h"

namespace deadheat::engine {
namespace {

constexpr model::SiteId kSite{5};

ThreadState& begin(Engine& engine) { return *engine.begin_thread(kNeverReleased, model::ThreadId{1}); }

void BM_ReadSameEpoch(benchmark::State& state) {
  Engine engine;
  ThreadState& ts = begin(engine);
  const ShadowWord r = make_word(ts.epoch, kSite);
  for (auto _ : state) benchmark::DoNotOptimize(on_read(ts, kNeverAccessed, r, kSite));
}
BENCHMARK(BM_ReadSameEpoch);

void BM_ReadExclusive(benchmark::State& state) {
  Engine engine;
  ThreadState& ts = begin(engine);
  for (auto _ : state) benchmark::DoNotOptimize(on_read(ts, kNeverAccessed, kNeverAccessed, kSite));
}
BENCHMARK(BM_ReadExclusive);

void BM_WriteExclusive(benchmark::State& state) {
  Engine engine;
  ThreadState& ts = begin(engine);
  for (auto _ : state) benchmark::DoNotOptimize(on_write(ts, kNeverAccessed, kNeverAccessed, kSite));
}
BENCHMARK(BM_WriteExclusive);

void BM_WriteConflict(benchmark::State& state) {
  Engine engine;
  const ShadowWord w = make_word(begin(engine).epoch, kSite);
  ThreadState& ts = begin(engine);
  for (auto _ : state) benchmark::DoNotOptimize(on_write(ts, w, kNeverAccessed, kSite));
}
BENCHMARK(BM_WriteConflict);

// Many variables in the same state: after the first, the thread's cache of moves answers.
void BM_ReadShareCached(benchmark::State& state) {
  Engine engine;
  const ShadowWord r = make_word(begin(engine).epoch, kSite);
  ThreadState& ts = begin(engine);
  for (auto _ : state) benchmark::DoNotOptimize(on_read(ts, kNeverAccessed, r, kSite));
}
BENCHMARK(BM_ReadShareCached);

void BM_WriteSharedCached(benchmark::State& state) {
  Engine engine;
  const ShadowWord first = make_word(begin(engine).epoch, kSite);
  const ShadowWord r = on_read(begin(engine), kNeverAccessed, first, kSite).word;
  ThreadState& ts = begin(engine);
  for (auto _ : state) benchmark::DoNotOptimize(on_write(ts, kNeverAccessed, r, kSite));
}
BENCHMARK(BM_WriteSharedCached);

// A new set each time: two threads read one variable by turns, each in a new epoch.
void BM_ReadSharedNewSet(benchmark::State& state) {
  Engine engine;
  ThreadState* threads[] = {&begin(engine), &begin(engine)};
  ShadowWord r = kNeverAccessed;
  std::uint32_t turn = 0;
  for (auto _ : state) {
    ThreadState& ts = *threads[turn ^= 1];
    r = on_read(ts, kNeverAccessed, r, kSite).word;
    release(ts);
  }
}
BENCHMARK(BM_ReadSharedNewSet);

class Scaling : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& state) override {
    if (state.thread_index() != 0) return;
    engine_ = std::make_unique<Engine>();
    cells_ = std::make_unique<std::vector<ShadowCell>>(kCells * 4);
  }
  static constexpr std::uint32_t kCells = 4096;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<std::vector<ShadowCell>> cells_;
};

// Each thread on its own variables, a new epoch for every pass: all accesses take the slow half and its CAS.
BENCHMARK_DEFINE_F(Scaling, PrivateVariables)(benchmark::State& state) {
  ThreadState* ts = nullptr;
  for (auto _ : state) {
    if (ts == nullptr) ts = &begin(*engine_);
    for (std::uint32_t i = 0; i < kCells; ++i) {
      ShadowCell& cell = (*cells_)[static_cast<std::uint32_t>(state.thread_index()) * kCells + i];
      benchmark::DoNotOptimize(check_read(*ts, cell, kSite));
      benchmark::DoNotOptimize(check_write(*ts, cell, kSite));
    }
    release(*ts);
  }
  state.SetItemsProcessed(state.iterations() * kCells * 2);
}
BENCHMARK_REGISTER_F(Scaling, PrivateVariables)->Threads(1)->Threads(2)->Threads(4)->UseRealTime();

// All threads read all variables, a new epoch for every pass: the worst case for read sets.
BENCHMARK_DEFINE_F(Scaling, SharedReads)(benchmark::State& state) {
  ThreadState* ts = nullptr;
  for (auto _ : state) {
    if (ts == nullptr) ts = &begin(*engine_);
    for (std::uint32_t i = 0; i < kCells; ++i) benchmark::DoNotOptimize(check_read(*ts, (*cells_)[i], kSite));
    release(*ts);
  }
  state.SetItemsProcessed(state.iterations() * kCells);
}
BENCHMARK_REGISTER_F(Scaling, SharedReads)->Threads(1)->Threads(2)->Threads(4)->UseRealTime();

}  // namespace
}  // namespace deadheat::engine
