// SPDX-License-Identifier: Apache-2.0
#include "engine/read_sets.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/access.h"
#include "engine/engine.h"
#include "engine/sync.h"

namespace deadheat::engine {
namespace {

constexpr model::SiteId kSite{3};

struct Words {
  ShadowWord w = kNeverAccessed;
  ShadowWord r = kNeverAccessed;
};

std::uint32_t read(ThreadState& ts, Words& v, model::SiteId site = kSite) {
  const AccessResult result = on_read(ts, v.w, v.r, site);
  v.r = result.word;
  return result.conflicts;
}
std::uint32_t write(ThreadState& ts, Words& v) {
  const AccessResult result = on_write(ts, v.w, v.r, kSite);
  v.w = result.word;
  if (result.clear_read) v.r = kNeverAccessed;
  return result.conflicts;
}

class ReadSetsTest : public ::testing::Test {
 protected:
  ThreadState& begin(Engine& engine) { return *engine.begin_thread(kNeverReleased, model::ThreadId{++threads_}); }
  std::uint32_t threads_ = 0;
};

TEST_F(ReadSetsTest, AMillionVariablesInTheSameStateShareOneSet) {
  Engine engine;
  ThreadState& a = begin(engine);
  ThreadState& b = begin(engine);
  ThreadState& c = begin(engine);
  std::vector<Words> variables(1'000'000);
  for (ThreadState* ts : {&a, &b, &c}) {
    for (Words& v : variables) EXPECT_EQ(read(*ts, v), 0u);
  }
  EXPECT_EQ(engine.stats().read_sets_made, 2u) << "{a, b} and {a, b, c}";
  EXPECT_EQ(c.last_shared_ok, variables[0].r);
  // Two sets at most outlive the move, held by the caches of b and c.
  for (Words& v : variables) ASSERT_EQ(write(a, v), 2u) << "b and c; a's own read is no conflict";
  EXPECT_LE(engine.stats().read_sets_live, 2u);
}

TEST_F(ReadSetsTest, SetsAreFreedWhenTheirVariablesMoveOn) {
  Engine engine;
  ThreadState& a = begin(engine);
  ThreadState& b = begin(engine);
  SyncWord unused = kNeverReleased;
  Words v;
  for (int i = 0; i < 100'000; ++i) {
    read(i % 2 == 0 ? a : b, v);
    unused = release(i % 2 == 0 ? a : b, unused);
  }
  const EngineStats stats = engine.stats();
  EXPECT_GT(stats.read_sets_made, 90'000u);
  EXPECT_LE(stats.read_sets_peak, 4u * EngineOptions{}.read_set_moves);
}

TEST_F(ReadSetsTest, ThreadsThatEndLetGo) {
  Engine engine;
  ThreadState& a = begin(engine);
  ThreadState* b = &begin(engine);
  Words v;
  read(a, v);
  read(*b, v);
  ASSERT_TRUE(is_read_set(v.r));
  acquire(a, engine.end_thread(b));
  EXPECT_EQ(engine.stats().read_sets_live, 1u);
  EXPECT_EQ(read(a, v), 0u);
  EXPECT_EQ(write(a, v), 0u);
  engine.end_thread(&a);
  EXPECT_EQ(engine.stats().read_sets_live, 0u);
}

TEST_F(ReadSetsTest, AReadThatFollowsAllOthersEndsTheSet) {
  Engine engine;
  ThreadState& a = begin(engine);
  ThreadState& b = begin(engine);
  Words v;
  read(a, v);
  read(b, v);
  release(a);
  acquire(a, release(b));
  read(a, v);
  EXPECT_FALSE(is_read_set(v.r)) << "b's read is ordered before a's";
  EXPECT_EQ(epoch_of(v.r), a.epoch);
}

TEST_F(ReadSetsTest, ARetractedMoveLeavesNoReference) {
  Engine engine;
  ThreadState& a = begin(engine);
  ThreadState& b = begin(engine);
  Words v;
  read(a, v);
  on_read(b, v.w, v.r, kSite);  // the store fails:
  retract(b);
  EXPECT_EQ(engine.stats().read_sets_live, 1u);
  engine.end_thread(&b);
  EXPECT_EQ(engine.stats().read_sets_live, 0u);
}

TEST_F(ReadSetsTest, ForgettingVariablesFreesTheirSet) {
  Engine engine;
  ThreadState& a = begin(engine);
  ThreadState& b = begin(engine);
  std::vector<Words> variables(100);
  for (Words& v : variables) read(a, v);
  for (Words& v : variables) read(b, v);
  for (Words& v : variables) forget_read(a, v.r);
  engine.end_thread(&a);
  engine.end_thread(&b);
  EXPECT_EQ(engine.stats().read_sets_live, 0u);
}

TEST_F(ReadSetsTest, MemoryStaysWithinTheBudget) {
  Engine engine({.read_set_bytes = 1 << 20});
  ThreadState& a = begin(engine);
  ThreadState& b = begin(engine);
  // Variables that die untold, each pair of reads at a site of its own: every set is different and never released.
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    Words v;
    read(a, v, model::SiteId{i + 1});
    read(b, v, model::SiteId{i + 1});
  }
  const EngineStats stats = engine.stats();
  EXPECT_EQ(stats.read_sets_retired, 0u);
  EXPECT_GT(stats.read_sets_retired_early, 100'000u);
  EXPECT_LT(stats.read_sets_peak, 12'000u);

  // The same when the threads keep meeting: now nothing is lost.
  SyncWord meeting = kNeverReleased;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    Words v;
    read(a, v, model::SiteId{i + 1});
    read(b, v, model::SiteId{i + 1});
    if (i % 100 != 0) continue;
    for (ThreadState* ts : {&a, &b, &a}) {
      acquire(*ts, meeting);
      meeting = release(*ts, meeting);
    }
  }
  EXPECT_GT(engine.stats().read_sets_retired, 100'000u);
  EXPECT_LT(engine.stats().read_sets_retired_early, stats.read_sets_retired_early + 12'000u);
}

}  // namespace
}  // namespace deadheat::engine
