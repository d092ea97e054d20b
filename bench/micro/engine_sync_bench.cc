// SPDX-License-Identifier: Apache-2.0
//
// Nanoseconds per synchronisation call, by the number of threads in the program where that matters (the argument).
#include <benchmark/benchmark.h>

#include <memory>
#include <mutex>
#include <vector>

#include "engine/access.h"
#include "engine/engine.h"
#include "engine/sync.h"
#include "engine/volatile_sync.h"

namespace deadheat::engine {
namespace {

constexpr model::SiteId kSite{5};

ThreadState& begin(Engine& engine) { return *engine.begin_thread(kNeverReleased, model::ThreadId{1}); }
void touch(ThreadState& ts) { benchmark::DoNotOptimize(on_write(ts, kNeverAccessed, kNeverAccessed, kSite)); }

void BM_AcquireHit(benchmark::State& state) {
  Engine engine;
  ThreadState& ts = begin(engine);
  const SyncWord word = release(ts);
  for (auto _ : state) benchmark::DoNotOptimize(acquire(ts, word));
}
BENCHMARK(BM_AcquireHit);

void BM_ReleaseQuiet(benchmark::State& state) {
  Engine engine;
  ThreadState& ts = begin(engine);
  for (auto _ : state) benchmark::DoNotOptimize(release(ts));
}
BENCHMARK(BM_ReleaseQuiet);

void BM_WriteAndReleaseTick(benchmark::State& state) {
  Engine engine;
  ThreadState& ts = begin(engine);
  for (auto _ : state) {
    touch(ts);
    benchmark::DoNotOptimize(release(ts));
  }
}
BENCHMARK(BM_WriteAndReleaseTick);

// A lock handed to and fro: each acquire misses and joins.
void BM_LockHandOver(benchmark::State& state) {
  Engine engine;
  std::vector<ThreadState*> threads;
  for (int i = 0; i < state.range(0); ++i) threads.push_back(&begin(engine));
  SyncWord word = kNeverReleased;
  std::size_t turn = 0;
  for (auto _ : state) {
    ThreadState& ts = *threads[turn];
    turn = turn + 1 == threads.size() ? 0 : turn + 1;
    acquire(ts, word);
    touch(ts);
    word = release(ts, word);
  }
}
BENCHMARK(BM_LockHandOver)->Arg(2)->Arg(8)->Arg(64)->Arg(1000);

// A volatile written by two threads that never read it: every write joins.
void BM_VolatileWriteBlind(benchmark::State& state) {
  Engine engine;
  ThreadState* threads[] = {&begin(engine), &begin(engine)};
  AtomicSyncWord word{kNeverReleased};
  std::uint32_t turn = 0;
  for (auto _ : state) {
    ThreadState& ts = *threads[turn ^= 1];
    touch(ts);
    VolatileSync::on_write(ts, word);
  }
}
BENCHMARK(BM_VolatileWriteBlind);

void BM_AtomicUpdate(benchmark::State& state) {
  Engine engine;
  ThreadState& ts = begin(engine);
  AtomicSyncWord word{kNeverReleased};
  for (auto _ : state) VolatileSync::end_update(ts, word, VolatileSync::begin_update(ts, word), true);
}
BENCHMARK(BM_AtomicUpdate);

void BM_ThreadStartAndJoin(benchmark::State& state) {
  Engine engine;
  ThreadState& ts = begin(engine);
  for (auto _ : state) acquire(ts, engine.end_thread(engine.begin_thread(engine.fork(ts), model::ThreadId{2})));
}
BENCHMARK(BM_ThreadStartAndJoin);

class Contention : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& state) override {
    if (state.thread_index() != 0) return;
    engine_ = std::make_unique<Engine>();
    for (Lock& lock : locks_) lock.word = kNeverReleased;
  }
  struct alignas(64) Lock {
    std::mutex mutex;
    SyncWord word;
  };
  std::unique_ptr<Engine> engine_;
  std::array<Lock, 16> locks_;
};

// Real threads and mutexes; the mutex itself is in the figure.
BENCHMARK_DEFINE_F(Contention, SixteenLocks)(benchmark::State& state) {
  ThreadState* ts = nullptr;
  std::uint32_t which = static_cast<std::uint32_t>(state.thread_index());
  for (auto _ : state) {
    if (ts == nullptr) ts = &begin(*engine_);
    Lock& lock = locks_[which = (which * 5 + 1) % 16];
    const std::lock_guard guard(lock.mutex);
    acquire(*ts, lock.word);
    touch(*ts);
    lock.word = release(*ts, lock.word);
  }
}
BENCHMARK_REGISTER_F(Contention, SixteenLocks)->Threads(1)->Threads(2)->Threads(4)->UseRealTime();

}  // namespace
}  // namespace deadheat::engine
