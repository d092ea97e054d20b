// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_history.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <thread>

#include "agent/histories.h"
#include "base/random.h"

namespace deadheat::agent {
namespace {

using Locks = std::vector<std::uint64_t>;

void hold(ThreadHistory& history, const Locks& locks) {
  history.view.depth = static_cast<std::uint32_t>(locks.size());
  std::copy(locks.begin(), locks.end(), history.view.held);
  history.view.locks_changed = 1;
}

TEST(ThreadHistory, TellsContextAndLocks) {
  ThreadHistory history(1024);
  history.append(100, 7);
  hold(history, {1, 2});
  history.append(101, 8);
  hold(history, {});
  history.append(102, 9);

  const auto first = history.find(100);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->context, 7u);
  EXPECT_EQ(first->contexts, 1u);
  EXPECT_EQ(first->locks, Locks());
  EXPECT_EQ(history.find(101)->locks, (Locks{1, 2}));
  EXPECT_EQ(history.find(102)->locks, Locks());
  EXPECT_FALSE(history.find(103));
  EXPECT_FALSE(history.overwritten());
}

TEST(ThreadHistory, GivesTheLastOfSeveralContexts) {
  ThreadHistory history(1024);
  for (const std::uint32_t context : {5u, 6u, 5u, 7u}) history.append(100, context);
  const auto found = history.find(100);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->context, 7u);
  EXPECT_EQ(found->contexts, 3u);
}

TEST(ThreadHistory, IsEmptyAfterItsThreadLeftNothing) {
  ThreadHistory history(1024);
  history.close();
  EXPECT_FALSE(history.find(1));
}

// Against the whole record of what was appended: whatever is found is right, the newest are always found, and nothing
// is lost before the ring has its full size.
TEST(ThreadHistory, RandomAgainstAFullRecord) {
  struct Written {
    std::uint64_t word;
    std::uint32_t context;
    Locks locks;
  };
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const std::uint32_t most = 64u << random.below(4);
    ThreadHistory history(most);
    std::deque<Written> all;
    Locks locks;
    const std::uint64_t steps = random.below(4 * most) + 1;
    for (std::uint64_t i = 0; i < steps; ++i) {
      if (random.below(10) == 0) {
        if (!locks.empty() && random.below(2) == 0) {
          locks.pop_back();
        } else if (locks.size() < kMostHeldLocks) {
          locks.push_back(1000 + random.below(3));
        }
        hold(history, locks);
      }
      all.push_back({i + 1, static_cast<std::uint32_t>(random.below(1000)), locks});
      history.append(all.back().word, all.back().context);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto found = history.find(all[i].word);
      if (!found) {
        EXPECT_TRUE(history.overwritten()) << "seed " << seed;
        // Half a ring of accesses is there at the very least, each with a group of locks.
        EXPECT_GT(all.size() - i, most / (2 * (kMostHeldLocks + 2))) << "seed " << seed;
        continue;
      }
      EXPECT_EQ(found->context, all[i].context) << "seed " << seed;
      if (found->locks) {
        EXPECT_EQ(*found->locks, all[i].locks) << "seed " << seed;
      }
    }
  }
}

// One thread appends, another looks: what it finds was written so.
TEST(ThreadHistory, LookedAtWhileItIsWritten) {
  ThreadHistory history(256);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (std::uint32_t i = 1; !stop.load(std::memory_order_relaxed); ++i) history.append(i, i * 31);
  });
  std::uint64_t found = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t word = 1 + static_cast<std::uint64_t>(round) % 300;
    if (const auto access = history.find(word)) {
      ++found;
      ASSERT_EQ(access->context, static_cast<std::uint32_t>(word * 31));
    }
  }
  stop.store(true);
  writer.join();
  SUCCEED() << found;
}

TEST(Histories, KeepThoseOfEndedThreadsWhileThereIsRoom) {
  Histories histories(1024, std::size_t{64} << 10);
  PastAccess found;
  ThreadHistory* first = histories.begin(model::ThreadId{1});
  first->append(42, 3);
  histories.end(model::ThreadId{1});
  ASSERT_EQ(histories.find(model::ThreadId{1}, 42, found), Lookup::kFound);
  EXPECT_EQ(found.context, 3u);
  EXPECT_EQ(histories.find(model::ThreadId{1}, 43, found), Lookup::kUnknown);
  for (std::uint32_t i = 2; i < 1000; ++i) {
    histories.begin(model::ThreadId{i});
    histories.end(model::ThreadId{i});
  }
  EXPECT_EQ(histories.find(model::ThreadId{1}, 42, found), Lookup::kUnknown) << "the oldest goes first";
}

TEST(Histories, SayWhatWasOverwritten) {
  Histories histories(64);
  ThreadHistory* history = histories.begin(model::ThreadId{1});
  for (std::uint32_t i = 1; i <= 1000; ++i) history->append(i, i);
  PastAccess found;
  EXPECT_EQ(histories.find(model::ThreadId{1}, 1, found), Lookup::kOverwritten);
  EXPECT_EQ(histories.find(model::ThreadId{1}, 1000, found), Lookup::kFound);
}

TEST(Histories, NoneAtAll) {
  Histories histories(0);
  EXPECT_FALSE(histories.enabled());
  EXPECT_EQ(histories.begin(model::ThreadId{1}), nullptr);
}

}  // namespace
}  // namespace deadheat::agent
