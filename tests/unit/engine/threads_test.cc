// SPDX-License-Identifier: Apache-2.0
//
// Thread life cycle: slots, their recycling, and what happens when they or the clocks run out.
#include <gtest/gtest.h>

#include <vector>

#include "engine/access.h"
#include "engine/engine.h"
#include "engine/sync.h"

namespace deadheat::engine {
namespace {

constexpr model::SiteId kSite{1};

model::ThreadId id(std::uint32_t n) { return model::ThreadId{n}; }
ShadowWord write_once(ThreadState& ts) { return on_write(ts, kNeverAccessed, kNeverAccessed, kSite).word; }

TEST(Threads, JoinedThreadsShareOneSlot) {
  Engine engine;
  ThreadState* main = engine.begin_thread(kNeverReleased, id(1));
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    ThreadState* child = engine.begin_thread(engine.fork(*main), id(2 + i));
    write_once(*child);
    acquire(*main, engine.end_thread(child));
  }
  const EngineStats stats = engine.stats();
  EXPECT_EQ(stats.slots_used, 2u);
  EXPECT_EQ(stats.slots_recycled, 49'999u);
  EXPECT_EQ(stats.threads_live_peak, 2u);
}

TEST(Threads, AThreadThatNobodyJoinedKeepsItsSlot) {
  Engine engine;
  ThreadState* main = engine.begin_thread(kNeverReleased, id(1));
  ThreadState* first = engine.begin_thread(engine.fork(*main), id(2));
  const ShadowWord w = write_once(*first);
  engine.end_thread(first);
  ThreadState* second = engine.begin_thread(engine.fork(*main), id(3));
  EXPECT_EQ(engine.stats().slots_used, 3u);
  EXPECT_EQ(on_write(*second, w, kNeverAccessed, kSite).conflicts, 1u) << "the two really are concurrent";
}

TEST(Threads, TheStartIsTheMomentOfTheFork) {
  Engine engine;
  ThreadState* main = engine.begin_thread(kNeverReleased, id(1));
  const ShadowWord before = write_once(*main);
  const SyncWord start = engine.fork(*main);
  const ShadowWord after = write_once(*main);
  release(*main);
  ThreadState* child = engine.begin_thread(start, id(2));
  EXPECT_EQ(on_read(*child, before, kNeverAccessed, kSite).conflicts, 0u);
  EXPECT_EQ(on_read(*child, after, kNeverAccessed, kSite).conflicts, 1u);
}

TEST(Threads, TwoThousandAtOnce) {
  Engine engine;
  ThreadState* main = engine.begin_thread(kNeverReleased, id(1));
  SyncWord lock = kNeverReleased;
  for (int round = 0; round < 3; ++round) {
    std::vector<ThreadState*> children;
    for (std::uint32_t i = 0; i < 2000; ++i) children.push_back(engine.begin_thread(engine.fork(*main), id(2 + i)));
    for (ThreadState* child : children) {
      acquire(*child, lock);
      write_once(*child);
      lock = release(*child, lock);
    }
    for (ThreadState* child : children) acquire(*main, engine.end_thread(child));
  }
  EXPECT_EQ(engine.stats().slots_used, 2001u);
}

TEST(Threads, WordsNameTheThreadTheyCameFrom) {
  Engine engine;
  ThreadState* main = engine.begin_thread(kNeverReleased, id(1));
  std::vector<ShadowWord> words;
  for (std::uint32_t i = 0; i < 10; ++i) {
    ThreadState* child = engine.begin_thread(engine.fork(*main), id(100 + i));
    words.push_back(write_once(*child));
    acquire(*main, engine.end_thread(child));
  }
  EXPECT_EQ(engine.stats().slots_used, 2u);
  for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(engine.thread_at(epoch_of(words[i])), id(100 + i));
}

TEST(Threads, OutOfSlotsIsCountedAndStillSynchronises) {
  Engine engine({.max_slots = 2});
  ThreadState* a = engine.begin_thread(kNeverReleased, id(1));
  ThreadState* b = engine.begin_thread(kNeverReleased, id(2));
  const ShadowWord w = write_once(*a);
  ThreadState* unwatched = engine.begin_thread(engine.fork(*a), id(3));
  EXPECT_FALSE(unwatched->watched);
  EXPECT_EQ(engine.stats().unwatched_threads, 1u);

  const AccessResult result = on_write(*unwatched, w, kNeverAccessed, kSite);
  EXPECT_EQ(result.word, w) << "not remembered";
  EXPECT_EQ(result.conflicts, 0u);
  const SyncWord passed_on = release(*unwatched);
  acquire(*b, passed_on);
  EXPECT_EQ(on_write(*b, w, kNeverAccessed, kSite).conflicts, 0u) << "a's write is ordered before b through the third";
  free_sync(*b, passed_on);
  free_sync(*b, engine.end_thread(unwatched));
  EXPECT_EQ(engine.stats().joined_clocks_live, 0u);
}

TEST(Threads, AnUnwatchedThreadStillSeesRaces) {
  Engine engine({.max_slots = 1});
  const ShadowWord w = write_once(*engine.begin_thread(kNeverReleased, id(1)));
  EXPECT_EQ(on_read(*engine.begin_thread(kNeverReleased, id(2)), w, kNeverAccessed, kSite).conflicts, 1u);
}

TEST(Threads, TheClockLimitMovesAThreadToTheNextSlot) {
  Engine engine({.max_slots = 4, .first_clock_for_testing = kMaxClock - 1});
  ThreadState* ts = engine.begin_thread(kNeverReleased, id(1));
  const std::uint32_t* const clocks = ts->vc;
  std::vector<ShadowWord> words;
  while (ts->watched) {
    words.push_back(write_once(*ts));
    for (const ShadowWord word : words) EXPECT_EQ(on_write(*ts, word, kNeverAccessed, kSite).conflicts, 0u);
    release(*ts);
    ASSERT_EQ(ts->vc, clocks) << "the front end holds this address";
    ASSERT_LE(words.size(), 8u);
  }
  EXPECT_EQ(words.size(), 8u) << "two clocks in each of four slots";
  EXPECT_EQ(engine.stats().slots_exhausted, 4u);
  EXPECT_EQ(engine.stats().unwatched_threads, 1u);
  ThreadState* other = engine.begin_thread(engine.end_thread(ts), id(2));
  for (const ShadowWord word : words) EXPECT_EQ(on_write(*other, word, kNeverAccessed, kSite).conflicts, 0u);
}

TEST(Threads, ReleasesWithNothingToSayDoNotTick) {
  Engine engine;
  ThreadState* a = engine.begin_thread(kNeverReleased, id(1));
  write_once(*a);
  const SyncWord first = release(*a);
  const Epoch epoch = a->epoch;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(release(*a), first);
  EXPECT_EQ(a->epoch, epoch);
  write_once(*a);
  EXPECT_NE(release(*a), first);
}

}  // namespace
}  // namespace deadheat::engine
