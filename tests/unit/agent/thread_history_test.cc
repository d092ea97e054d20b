// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_history.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <map>
#include <set>
#include <thread>

#include "agent/histories.h"
#include "base/random.h"
#include "engine/shadow_word.h"

namespace deadheat::agent {
namespace {

using Locks = std::vector<std::uint64_t>;

void hold(ThreadHistory& history, const Locks& locks) {
  history.view.depth = static_cast<std::uint32_t>(locks.size());
  std::copy(locks.begin(), locks.end(), history.view.held);
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

std::uint64_t word_of(std::uint32_t clock, std::uint32_t site) {
  return engine::bits(engine::make_word(engine::make_epoch(engine::SlotId{3}, clock), model::SiteId{site}));
}

TEST(ThreadHistory, AppendsNothingWhileAThreadComesInTheSameWay) {
  ThreadHistory history(1024);
  for (std::uint32_t clock = 1; clock <= 300; ++clock) history.append(word_of(clock, 9), 7);
  EXPECT_EQ(history.view.head, 1u);
  EXPECT_EQ(history.find(word_of(1, 9))->context, 7u);
  EXPECT_EQ(history.find(word_of(300, 9))->context, 7u);
  history.append(word_of(301, 9), 8);
  EXPECT_EQ(history.find(word_of(300, 9))->context, 7u);
  EXPECT_EQ(history.find(word_of(301, 9))->context, 8u);
  EXPECT_EQ(history.find(word_of(301, 9))->contexts, 1u) << "in this epoch it came in one way only";
  history.append(word_of(301, 9), 7);
  EXPECT_EQ(history.find(word_of(301, 9))->contexts, 2u);
  EXPECT_FALSE(history.find(word_of(1, 10)));
}

TEST(ThreadHistory, KeepsAnEntryThatIsStillNeeded) {
  ThreadHistory history(64);
  for (std::uint32_t i = 1; i <= 500; ++i) {
    history.append(word_of(i, 9), 7);
    history.append(word_of(i, 10), i);  // never in the same way
  }
  for (std::uint32_t i = 490; i <= 500; ++i) {
    ASSERT_TRUE(history.find(word_of(i, 9))) << i;
    EXPECT_EQ(history.find(word_of(i, 9))->context, 7u);
    EXPECT_EQ(history.find(word_of(i, 10))->context, i);
  }
}

// Few places, contexts and locks, many epochs; places that share an entry of the table of known ones too. What is found
// is the last access of its epoch and place.
TEST(ThreadHistory, RandomPlacesAgainstAFullRecord) {
  struct Written {
    std::vector<std::uint32_t> contexts;
    Locks locks;
  };
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const std::uint32_t most = 64u << random.below(5);
    ThreadHistory history(most);
    std::map<std::uint64_t, Written> all;
    std::uint32_t clock = 1;
    std::uint64_t last = 0;
    const std::uint64_t steps = random.below(6 * most) + 1;
    for (std::uint64_t i = 0; i < steps; ++i) {
      if (random.below(4) == 0) ++clock;
      if (random.below(8) == 0) hold(history, random.below(2) == 0 ? Locks{} : Locks{1000 + random.below(2)});
      const std::uint32_t sites[] = {1, 2, 3, 1 + (1u << 12), 2 + (1u << 12)};
      last = word_of(clock, sites[random.below(5)]);
      const auto context = static_cast<std::uint32_t>(random.below(3));
      Written& written = all[last];
      written.contexts.push_back(context);
      written.locks.assign(history.view.held, history.view.held + history.view.depth);
      history.append(last, context);
    }
    EXPECT_TRUE(history.find(last)) << "seed " << seed;
    for (const auto& [word, written] : all) {
      const auto found = history.find(word);
      if (!found) {
        EXPECT_TRUE(history.overwritten()) << "seed " << seed;
        continue;
      }
      const std::set<std::uint32_t> contexts(written.contexts.begin(), written.contexts.end());
      EXPECT_EQ(found->context, written.contexts.back()) << "seed " << seed;
      // The way before this epoch counts where it may have been one of this epoch too.
      EXPECT_LE(found->contexts, contexts.size() + 1) << "seed " << seed;
      if (!history.overwritten()) {
        EXPECT_GE(found->contexts, contexts.size()) << "seed " << seed;
      }
      if (found->locks) {
        EXPECT_EQ(*found->locks, written.locks) << "seed " << seed;
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
