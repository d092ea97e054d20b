// SPDX-License-Identifier: Apache-2.0
#include "engine/sync.h"

#include <gtest/gtest.h>

#include "engine/access.h"
#include "engine/engine.h"
#include "engine/volatile_sync.h"

namespace deadheat::engine {
namespace {

constexpr model::SiteId kSite{1};

class SyncTest : public ::testing::Test {
 protected:
  explicit SyncTest(const EngineOptions& options = {}) : engine_(options) {}
  ThreadState& begin() { return *engine_.begin_thread(kNeverReleased, model::ThreadId{++threads_}); }
  static ShadowWord write(ThreadState& ts) { return on_write(ts, kNeverAccessed, kNeverAccessed, kSite).word; }
  std::uint64_t count(Rule rule) { return engine_.stats().rules[static_cast<std::size_t>(rule)]; }

  Engine engine_;
  std::uint32_t threads_ = 0;
};

TEST_F(SyncTest, AnEpochStandsForTheWholeClockOfItsMoment) {
  ThreadState &a = begin(), &b = begin(), &c = begin();
  const ShadowWord early = write(a);
  acquire(b, release(a));
  const SyncWord word = release(b);  // knows a's early write
  const ShadowWord late = write(a);
  acquire(b, release(a));  // what b learns later is not in the word
  acquire(c, word);
  EXPECT_TRUE(c.is_ordered(early));
  EXPECT_FALSE(c.is_ordered(late));
}

TEST_F(SyncTest, BlindReleasesAccumulate) {
  ThreadState &a = begin(), &b = begin(), &c = begin();
  const ShadowWord by_a = write(a);
  const ShadowWord by_b = write(b);
  const SyncWord first = release_join(a, kNeverReleased);
  EXPECT_FALSE(is_inflated(first));
  const SyncWord both = release_join(b, first);
  EXPECT_TRUE(is_inflated(both));
  const ShadowWord after = write(b);
  ASSERT_TRUE(acquire(c, both));
  EXPECT_TRUE(c.is_ordered(by_a));
  EXPECT_TRUE(c.is_ordered(by_b));
  EXPECT_FALSE(c.is_ordered(after));

  // Who covers the joined clock replaces it by its own epoch.
  const SyncWord replaced = release_join(c, both);
  EXPECT_FALSE(is_inflated(replaced));
  discard(c, both, replaced);
  EXPECT_EQ(engine_.stats().joined_clocks_live, 0u);
}

TEST_F(SyncTest, AFreedWordIsToldFromItsSuccessor) {
  ThreadState &a = begin(), &b = begin();
  write(a);
  write(b);
  const SyncWord old_word = release_join(b, release(a));
  free_sync(a, old_word);
  write(b);
  const SyncWord new_word = release_join(b, release(a));
  EXPECT_EQ(inflated_index(old_word), inflated_index(new_word)) << "same place, another generation";
  ThreadState& c = begin();
  EXPECT_FALSE(acquire(c, old_word));
  EXPECT_EQ(release_join(c, old_word), old_word);
  free_sync(c, old_word);
  EXPECT_TRUE(acquire(c, new_word)) << "freeing twice harms nobody";
}

TEST_F(SyncTest, AFailedUpdateTakesItsReleaseBack) {
  ThreadState &a = begin(), &b = begin();
  AtomicSyncWord word{kNeverReleased};
  const ShadowWord by_a = write(a);
  const VolatileSync::Update update = VolatileSync::begin_update(a, word);
  VolatileSync::end_update(a, word, update, false);
  VolatileSync::on_read(b, word);
  EXPECT_FALSE(b.is_ordered(by_a)) << "a compareAndSet that failed wrote nothing";
  VolatileSync::end_update(a, word, VolatileSync::begin_update(a, word), true);
  VolatileSync::on_read(b, word);
  EXPECT_TRUE(b.is_ordered(by_a));
}

TEST_F(SyncTest, QuietReleasesAfterAJoinDoTick) {
  ThreadState &a = begin(), &b = begin(), &c = begin();
  const SyncWord first = release(a);
  acquire(c, first);
  const ShadowWord by_b = write(b);
  acquire(a, release(b));  // no access of a's own, but more to say
  const SyncWord second = release(a);
  EXPECT_NE(first, second);
  acquire(c, second);
  EXPECT_TRUE(c.is_ordered(by_b));
}

class TinyHistoryTest : public SyncTest {
 protected:
  TinyHistoryTest() : SyncTest({.history_per_thread = 2}) {}
};

// What an approximate acquire gives must be the state of one moment. Mixing u's old clock with what u learnt later
// would let t believe it knows v wholly and skip v's word below, which carries u's second write: a false alarm.
TEST_F(TinyHistoryTest, AnApproximateClockIsOfOneMoment) {
  ThreadState &u = begin(), &v = begin(), &t = begin();
  write(u);
  const SyncWord old_of_u = release(u);
  const ShadowWord second = write(u);
  acquire(v, release(u));
  write(v);
  const SyncWord word_of_v = release(v);
  acquire(u, word_of_v);
  for (int i = 0; i < 4; ++i) {  // push the join with v out of u's history
    ThreadState& other = begin();
    write(other);
    release(u);
    acquire(u, release(other));
  }
  release(u);
  acquire(t, old_of_u);
  EXPECT_EQ(count(Rule::kApproximateAcquire), 1u);
  acquire(t, word_of_v);
  EXPECT_TRUE(t.is_ordered(second)) << "u's second write, v's release, t's acquire";
}

TEST_F(TinyHistoryTest, RecentReleasesStayExact) {
  ThreadState &a = begin(), &b = begin(), &c = begin();
  for (int i = 0; i < 100; ++i) {
    write(b);
    acquire(a, release(b));
    const SyncWord word = release(a);
    const ShadowWord later = write(a);
    acquire(c, word);
    ASSERT_FALSE(c.is_ordered(later));
  }
  EXPECT_EQ(count(Rule::kApproximateAcquire), 0u);
  EXPECT_LE(engine_.stats().history_entries, 3u * 3);
}

}  // namespace
}  // namespace deadheat::engine
