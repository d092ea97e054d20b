// SPDX-License-Identifier: Apache-2.0
//
// Real threads on one engine, words in std::atomic, real mutexes and atomics behind the events. Variables that are
// properly synchronised must never be reported; those that are not, must. Also run under ThreadSanitizer
// (DH_SANITIZE=thread).
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/engine.h"
#include "engine/shadow_cell.h"
#include "engine/sync.h"
#include "engine/volatile_sync.h"

namespace deadheat::engine {
namespace {

#ifdef __SANITIZE_THREAD__
constexpr std::uint32_t kRounds = 3'000;
#else
constexpr std::uint32_t kRounds = 60'000;
#endif
constexpr model::SiteId kSite{7};

// A mutex whose word is touched only while it is held, as a monitor's is.
struct WatchedMutex {
  std::mutex mutex;
  SyncWord word = kNeverReleased;

  void lock(ThreadState& ts) {
    mutex.lock();
    EXPECT_TRUE(acquire(ts, word));
  }
  void unlock(ThreadState& ts) {
    word = release(ts, word);
    mutex.unlock();
  }
};

struct WatchedAtomic {
  std::atomic<std::uint64_t> value{0};
  AtomicSyncWord word{kNeverReleased};

  std::uint64_t load(ThreadState& ts) {
    const std::uint64_t seen = value.load();
    VolatileSync::on_read(ts, word);
    return seen;
  }
  void store(ThreadState& ts, std::uint64_t next) {
    VolatileSync::on_write(ts, word);
    value.store(next);
  }
  bool compare_exchange(ThreadState& ts, std::uint64_t expected, std::uint64_t next) {
    const VolatileSync::Update update = VolatileSync::begin_update(ts, word);
    const bool done = value.compare_exchange_strong(expected, next);
    VolatileSync::end_update(ts, word, update, done);
    return done;
  }
};

class Threads {
 public:
  explicit Threads(const EngineOptions& options = {}) : engine_(options) {
    main_ = engine_.begin_thread(kNeverReleased, model::ThreadId{1});
  }
  Engine& engine() { return engine_; }
  ThreadState& main() { return *main_; }

  template <typename Body>
  void run(std::uint32_t count, Body body) {
    std::vector<std::thread> threads;
    std::vector<SyncWord> ends(count);
    std::barrier together(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const SyncWord start = engine_.fork(*main_);
      threads.emplace_back([this, i, start, &body, &ends, &together] {
        ThreadState* ts = engine_.begin_thread(start, model::ThreadId{i + 2});
        together.arrive_and_wait();
        body(*ts, i);
        ends[i] = engine_.end_thread(ts);
      });
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      threads[i].join();
      EXPECT_TRUE(acquire(*main_, ends[i]));
      free_sync(*main_, ends[i]);
    }
  }

 private:
  Engine engine_;
  ThreadState* main_;
};

// Cells 0..7 each guarded by mutex i % 4; 8..15 written before the start and read by all; 16+i private to thread i.
void use_properly(ThreadState& ts, std::uint32_t self, std::vector<ShadowCell>& cells,
                  std::vector<WatchedMutex>& mutexes, std::atomic<std::uint64_t>& alarms) {
  Random random(self + 1);
  for (std::uint32_t i = 0; i < kRounds; ++i) {
    const std::uint32_t which = random.below(8);
    WatchedMutex& mutex = mutexes[which % 4];
    mutex.lock(ts);
    alarms += check_read(ts, cells[which], kSite);
    if (random.one_in(2)) alarms += check_write(ts, cells[which], kSite);
    mutex.unlock(ts);
    alarms += check_read(ts, cells[8 + random.below(8)], kSite);
    alarms += check_write(ts, cells[16 + self], kSite);
  }
}

void expect_no_alarm(const EngineOptions& options, std::uint32_t thread_count) {
  Threads threads(options);
  std::vector<ShadowCell> cells(40);
  std::vector<WatchedMutex> mutexes(4);
  std::atomic<std::uint64_t> alarms{0};
  for (ShadowCell& cell : cells) alarms += check_write(threads.main(), cell, kSite);
  for (int round = 0; round < 3; ++round) {
    threads.run(thread_count, [&](ThreadState& ts, std::uint32_t i) { use_properly(ts, i, cells, mutexes, alarms); });
    for (ShadowCell& cell : cells) alarms += check_write(threads.main(), cell, kSite);
  }
  EXPECT_EQ(alarms.load(), 0u);
}

TEST(ThreadsStress, ProperLockingIsNeverReported) { expect_no_alarm({}, 6); }

TEST(ThreadsStress, ProperLockingIsNeverReportedAtTheLimits) {
  expect_no_alarm({.history_per_thread = 4}, 4);
  expect_no_alarm({.read_set_bytes = 1000}, 4);
  expect_no_alarm({.max_slots = 200, .first_clock_for_testing = kMaxClock - 300}, 4);
  expect_no_alarm({.max_slots = 3}, 6);
}

TEST(ThreadsStress, SlotsAreRecycled) {
  Threads threads;
  std::vector<ShadowCell> cells(40);
  std::vector<WatchedMutex> mutexes(4);
  for (int round = 0; round < 50; ++round) {
    threads.run(4, [&](ThreadState& ts, std::uint32_t i) {
      mutexes[0].lock(ts);
      check_write(ts, cells[i], kSite);
      mutexes[0].unlock(ts);
    });
  }
  EXPECT_LE(threads.engine().stats().slots_used, 5u);
}

// A sequence lock of sorts: the writer publishes through an atomic, the readers look only after they saw it.
TEST(ThreadsStress, PublicationThroughAVolatileIsNeverReported) {
  Threads threads;
  std::vector<ShadowCell> cells(64);
  std::vector<WatchedAtomic> ready(64);
  std::atomic<std::uint64_t> alarms{0};
  std::atomic<std::uint64_t> seen{0};
  threads.run(4, [&](ThreadState& ts, std::uint32_t self) {
    for (std::uint32_t i = 0; i < 64; ++i) {
      if (self == 0) {
        alarms += check_write(ts, cells[i], kSite);
        ready[i].store(ts, 1);
      } else {
        while (ready[i].load(ts) == 0) std::this_thread::yield();
        alarms += check_read(ts, cells[i], kSite);
        ++seen;
      }
    }
  });
  EXPECT_EQ(alarms.load(), 0u);
  EXPECT_EQ(seen.load(), 3u * 64);
}

// Several blind writers to one volatile: each must be heard by whoever saw all of them count down.
TEST(ThreadsStress, BlindWritesAccumulate) {
  for (int round = 0; round < 200; ++round) {
    Threads threads;
    std::vector<ShadowCell> cells(4);
    WatchedAtomic flag;
    std::atomic<int> unseen{0};  // not an event: an order the engine must learn from `flag` alone
    std::atomic<std::uint64_t> alarms{0};
    threads.run(4, [&](ThreadState& ts, std::uint32_t self) {
      alarms += check_write(ts, cells[self], kSite);
      flag.store(ts, self);
      if (unseen.fetch_add(1) != 3) return;
      flag.load(ts);
      for (ShadowCell& cell : cells) alarms += check_write(ts, cell, kSite);
    });
    ASSERT_EQ(alarms.load(), 0u);
  }
}

TEST(ThreadsStress, CasLockIsNeverReported) {
  Threads threads;
  ShadowCell cell;
  WatchedAtomic lock;
  std::atomic<std::uint64_t> alarms{0};
  threads.run(4, [&](ThreadState& ts, std::uint32_t) {
    for (std::uint32_t i = 0; i < kRounds / 2; ++i) {
      while (!lock.compare_exchange(ts, 0, 1)) std::this_thread::yield();
      alarms += check_read(ts, cell, kSite);
      alarms += check_write(ts, cell, kSite);
      lock.store(ts, 0);
    }
  });
  EXPECT_EQ(alarms.load(), 0u);
  EXPECT_LE(threads.engine().stats().joined_clocks_live, 1u) << "joined clocks leak";
}

// Two threads, one access each, at the same moment: one of them must see the other, every time.
TEST(ThreadsStress, ConcurrentConflictIsAlwaysSeen) {
  constexpr std::uint32_t kCells = kRounds;
  Threads threads;
  for (const bool both_write : {true, false}) {
    std::vector<ShadowCell> cells(kCells);
    std::vector<std::atomic<std::uint32_t>> seen(kCells);
    threads.run(2, [&](ThreadState& ts, std::uint32_t self) {
      for (std::uint32_t i = 0; i < kCells; ++i) {
        seen[i] += self == 0 || both_write ? check_write(ts, cells[i], kSite) : check_read(ts, cells[i], kSite);
      }
    });
    std::uint32_t missed = 0;
    for (const std::atomic<std::uint32_t>& count : seen) missed += count == 0;
    EXPECT_EQ(missed, 0u);
  }
}

// Four readers and a writer without any order: every cell must be reported.
TEST(ThreadsStress, ReadSharedThenWrittenIsAlwaysSeen) {
  constexpr std::uint32_t kCells = kRounds / 3;
  Threads threads;
  std::vector<ShadowCell> cells(kCells);
  std::vector<std::atomic<std::uint32_t>> seen(kCells);
  threads.run(5, [&](ThreadState& ts, std::uint32_t self) {
    for (std::uint32_t i = 0; i < kCells; ++i) {
      seen[i] += self == 0 ? check_write(ts, cells[i], kSite) : check_read(ts, cells[i], kSite);
    }
  });
  std::uint32_t missed = 0;
  for (const std::atomic<std::uint32_t>& count : seen) missed += count == 0;
  EXPECT_EQ(missed, 0u);
  for (ShadowCell& cell : cells) check_write(threads.main(), cell, kSite);
}

}  // namespace
}  // namespace deadheat::engine
