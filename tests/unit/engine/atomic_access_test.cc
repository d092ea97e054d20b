// SPDX-License-Identifier: Apache-2.0
//
// Random runs of plain and atomic accesses against an oracle that keeps every access with its full vector clock. Until
// the first race of a variable both must agree at every access; after it each reported pair must be unordered.
#include "engine/atomic_access.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/sync.h"

namespace deadheat::engine {
namespace {

constexpr model::SiteId kPlainSite{7};
constexpr model::SiteId kAtomicSite{kFirstAtomicSite + 7};

enum class Kind { kRead, kWrite, kAtomicRead, kAtomicWrite, kCompareAndSet, kFailedCompareAndSet };
bool writes(Kind kind) { return kind == Kind::kWrite || kind == Kind::kAtomicWrite || kind == Kind::kCompareAndSet; }
bool atomic(Kind kind) { return kind != Kind::kRead && kind != Kind::kWrite; }

using Clock = std::vector<std::uint32_t>;

// What happened, by the book.
class Oracle {
 public:
  explicit Oracle(std::size_t threads) : clocks_(threads, Clock(threads, 0)) {
    for (std::size_t t = 0; t < threads; ++t) clocks_[t][t] = 1;
  }
  void release(std::size_t thread, int lock) {
    locks_[lock] = clocks_[thread];
    ++clocks_[thread][thread];
  }
  void acquire(std::size_t thread, int lock) {
    const Clock& from = locks_[lock];
    for (std::size_t i = 0; i < from.size(); ++i) clocks_[thread][i] = std::max(clocks_[thread][i], from[i]);
  }
  // Whether the access races with an earlier one.
  bool access(std::size_t thread, int variable, Kind kind) {
    bool races = false;
    for (const Access& before : accesses_[variable]) {
      const bool conflict = (writes(kind) || writes(before.kind)) && !(atomic(kind) && atomic(before.kind));
      races = races || (conflict && clocks_[thread][before.thread] < before.clock);
    }
    accesses_[variable].push_back({thread, clocks_[thread][thread], kind});
    return races;
  }

 private:
  struct Access {
    std::size_t thread;
    std::uint32_t clock;
    Kind kind;
  };
  std::vector<Clock> clocks_;
  std::map<int, Clock> locks_;
  std::map<int, std::vector<Access>> accesses_;
};

struct Words {
  ShadowWord w = kNeverAccessed;
  ShadowWord r = kNeverAccessed;
  bool raced = false;
};

std::uint32_t apply(ThreadState& ts, Words& words, Kind kind, bool fast_path) {
  if (fast_path && kind == Kind::kRead && (epoch_of(words.r) == ts.epoch || epoch_of(words.w) == ts.epoch)) return 0;
  if (fast_path && kind == Kind::kWrite && epoch_of(words.w) == ts.epoch) return 0;
  AccessResult result;
  switch (kind) {
    case Kind::kRead:
      result = on_read(ts, words.w, words.r, kPlainSite);
      words.r = result.word;
      break;
    case Kind::kWrite:
      result = on_write(ts, words.w, words.r, kPlainSite);
      words.w = result.word;
      if (result.clear_read) words.r = fast_path ? make_write_mark(ts.read_epoch) : kNeverAccessed;
      break;
    case Kind::kAtomicRead:
    case Kind::kFailedCompareAndSet:
      result = on_atomic_read(ts, words.w, words.r, kAtomicSite);
      words.r = result.word;
      break;
    case Kind::kAtomicWrite:
      result = on_atomic_write(ts, words.w, words.r, kAtomicSite);
      words.w = result.word;
      break;
    case Kind::kCompareAndSet: {
      const Epoch epoch = ts.epoch;
      const AccessResult read = on_atomic_read(ts, words.w, words.r, kAtomicSite);
      words.r = read.word;
      result = on_atomic_update(ts, words.w, words.r, epoch, kAtomicSite);
      words.w = result.word;
      result.conflicts += read.conflicts;
      break;
    }
  }
  return result.conflicts;
}

void run(std::uint32_t seed, bool fast_path) {
  std::mt19937 random(seed);
  const std::size_t threads = 2 + random() % 4;
  const int variables = 1 + static_cast<int>(random() % 2);
  const int locks = 1 + static_cast<int>(random() % 3);
  const std::uint32_t sync_share = 20 + random() % 60;
  Engine engine;
  std::vector<ThreadState*> states;
  for (std::size_t t = 0; t < threads; ++t) {
    states.push_back(engine.begin_thread(kNeverReleased, model::ThreadId{static_cast<std::uint32_t>(t + 1)}));
  }
  std::vector<SyncWord> lock_words(static_cast<std::size_t>(locks), kNeverReleased);
  std::vector<Words> words(static_cast<std::size_t>(variables));
  Oracle oracle(threads);
  for (int step = 0; step < 60; ++step) {
    const std::size_t t = random() % threads;
    ThreadState& ts = *states[t];
    if (random() % 100 < sync_share) {
      const auto lock = random() % static_cast<std::uint32_t>(locks);
      acquire(ts, lock_words[lock]);
      oracle.acquire(t, static_cast<int>(lock));
      lock_words[lock] = release(ts, lock_words[lock]);
      oracle.release(t, static_cast<int>(lock));
      continue;
    }
    const auto variable = random() % static_cast<std::uint32_t>(variables);
    const auto kind = static_cast<Kind>(random() % 6);
    const bool races = oracle.access(t, static_cast<int>(variable), kind);
    const std::uint32_t conflicts = apply(ts, words[variable], kind, fast_path);
    Words& v = words[variable];
    for (std::uint32_t i = 0; i < std::min(conflicts, kMaxConflicts) && kind != Kind::kCompareAndSet; ++i) {
      ASSERT_FALSE(ts.is_ordered(ts.conflicts[i].word)) << "seed " << seed << " step " << step;
      ASSERT_FALSE(atomic(kind) && is_atomic(ts.conflicts[i].word)) << "seed " << seed << " step " << step;
    }
    if (!v.raced) {
      ASSERT_EQ(conflicts > 0, races) << "seed " << seed << " step " << step << " fast path " << fast_path;
    }
    v.raced = v.raced || races;
  }
}

TEST(AtomicAccess, AgreesWithTheOracle) {
  for (std::uint32_t seed = 1; seed <= 40'000; ++seed) {
    run(seed, seed % 2 == 0);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

class AtomicAccessTest : public ::testing::Test {
 protected:
  Engine engine_;
  ThreadState& a_ = *engine_.begin_thread(kNeverReleased, model::ThreadId{1});
  ThreadState& b_ = *engine_.begin_thread(kNeverReleased, model::ThreadId{2});
  ThreadState& c_ = *engine_.begin_thread(kNeverReleased, model::ThreadId{3});
  Words v_;
};

TEST_F(AtomicAccessTest, AnAtomicReadDoesNotHideAPlainOneOfTheSameEpoch) {
  EXPECT_EQ(apply(a_, v_, Kind::kAtomicRead, true), 0u);
  EXPECT_EQ(apply(a_, v_, Kind::kRead, true), 0u);
  EXPECT_EQ(apply(b_, v_, Kind::kAtomicWrite, true), 1u);
}

TEST_F(AtomicAccessTest, APlainWriteBehindAnAtomicOneIsStillKnown) {
  SyncWord lock = kNeverReleased;
  apply(a_, v_, Kind::kWrite, true);
  lock = release(a_, lock);
  acquire(b_, lock);
  EXPECT_EQ(apply(b_, v_, Kind::kAtomicWrite, true), 0u);
  EXPECT_EQ(apply(c_, v_, Kind::kAtomicRead, true), 1u);
}

TEST_F(AtomicAccessTest, ACompareAndSetIsOfTheEpochItReleased) {
  const Epoch epoch = a_.epoch;
  v_.r = on_atomic_read(a_, v_.w, v_.r, kAtomicSite).word;
  SyncWord word = release(a_);
  v_.w = on_atomic_update(a_, v_.w, v_.r, epoch, kAtomicSite).word;
  acquire(b_, word);
  EXPECT_EQ(apply(b_, v_, Kind::kWrite, true), 0u) << "it has seen the operation";
  EXPECT_EQ(apply(c_, v_, Kind::kRead, true), 1u);
}

TEST_F(AtomicAccessTest, TheConflictsOfAWriteAreAtMostFour) {
  for (std::uint32_t i = 4; i < 12; ++i) {
    ThreadState& ts = *engine_.begin_thread(kNeverReleased, model::ThreadId{i});
    apply(ts, v_, Kind::kAtomicWrite, true);
    apply(ts, v_, Kind::kAtomicRead, true);
  }
  EXPECT_EQ(apply(a_, v_, Kind::kWrite, true), kMaxConflicts);
}

}  // namespace
}  // namespace deadheat::engine
