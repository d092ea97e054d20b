// SPDX-License-Identifier: Apache-2.0
#include "agent/way_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <thread>

#include "agent/history_layout.h"
#include "agent/thread_history.h"
#include "base/random.h"

namespace deadheat::agent {
namespace {

using Locks = std::vector<std::uint64_t>;

std::uint64_t digest_of(const Locks& locks) {
  std::uint64_t digest = 0;
  for (const std::uint64_t name : locks) digest = locks_digest(digest, name);
  return digest;
}

Way make_way(std::uint32_t context, std::uint32_t site, const Locks& locks = {}) {
  return {.site = site, .context = context, .locks = locks};
}

std::uint64_t hash_of(const Way& way) { return way_hash(way_place(*way.context, way.site), digest_of(*way.locks)); }

std::uint32_t intern(WayTable& table, const Way& way) { return table.intern(way, hash_of(way)); }

TEST(WayTable, TellsWhatWasPutIn) {
  WayTable table(kMostWays);
  const Way way = make_way(7, 12, {1, kOwnedLock | 2});
  const std::uint32_t number = intern(table, way);
  ASSERT_TRUE(WayTable::is_way(number));
  EXPECT_EQ(intern(table, way), number);
  EXPECT_EQ(table.find(hash_of(way)), number);
  EXPECT_EQ(table.site_of(number), 12u);
  const Way found = table.at(number);
  EXPECT_EQ(found.context, 7u);
  EXPECT_EQ(found.locks, way.locks);

  const std::uint32_t without =
      table.intern({.site = 12, .context = {}, .locks = {}}, way_hash(kNoContext | 12, kLocksUnknown));
  EXPECT_NE(without, number);
  EXPECT_FALSE(table.at(without).context);
  EXPECT_FALSE(table.at(without).locks);
}

TEST(WayTable, SitesStandForThemselves) {
  const WayTable table(kMostWays);
  for (const std::uint32_t site : {1u, kFirstWay - 1, engine::kFirstAtomicSite, engine::kMaxSite}) {
    EXPECT_FALSE(WayTable::is_way(site));
    EXPECT_EQ(table.site_of(site), site);
  }
}

TEST(WayTable, ContextSiteAndLocksTellWaysApart) {
  WayTable table(kMostWays);
  std::map<std::uint32_t, int> numbers;
  for (std::uint32_t context : {0u, 1u, 2u, 0x80000000u, 0xffffffffu}) {
    for (std::uint32_t site : {1u, 2u, kFirstWay - 1}) {
      for (const Locks& locks : {Locks{}, Locks{1}, Locks{2}, Locks{1, 2}, Locks{2, 1}, Locks{1, 1}, Locks{0}}) {
        ++numbers[intern(table, make_way(context, site, locks))];
      }
    }
  }
  EXPECT_EQ(numbers.size(), 5u * 3 * 7);
}

TEST(WayTable, LeavesARestForWaysWithoutLocks) {
  WayTable table(8);
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_NE(intern(table, make_way(i, 1, {5})), 0u);
  EXPECT_FALSE(table.is_full());
  EXPECT_EQ(intern(table, make_way(6, 1, {5})), 0u);
  EXPECT_TRUE(table.is_full());
  EXPECT_NE(intern(table, make_way(6, 1)), 0u);
  EXPECT_NE(intern(table, make_way(7, 1)), 0u);
  EXPECT_EQ(table.block()[1], 0u);
  EXPECT_EQ(intern(table, make_way(8, 1)), 0u);
  EXPECT_EQ(table.block()[1], 1u) << "the shim need not ask any more";
  EXPECT_NE(intern(table, make_way(0, 1, {5})), 0u) << "what is there is found still";
}

// Through many sizes of the table, against a map.
TEST(WayTable, RandomAgainstAMap) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, Locks>;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    WayTable table(kMostWays);
    std::map<Key, std::uint32_t> known;
    for (int i = 0; i < 60'000; ++i) {
      Locks locks;
      while (random.below(3) == 0) locks.push_back(random.below(4));
      const auto context = static_cast<std::uint32_t>(random.below(5000));
      const auto site = static_cast<std::uint32_t>(1 + random.below(4));
      const Way way = make_way(context, site, locks);
      const auto place = known.find({context, site, locks});
      EXPECT_EQ(table.find(hash_of(way)), place == known.end() ? 0u : place->second);
      const std::uint32_t number = intern(table, way);
      if (place == known.end()) {
        known[{context, site, locks}] = number;
      } else {
        EXPECT_EQ(number, place->second);
      }
    }
    ASSERT_EQ(table.size(), known.size());
    ASSERT_GT(table.block()[0], WayTable::kFewestEntries) << "it has grown";
    for (const auto& [key, number] : known) {
      const Way found = table.at(number);
      EXPECT_EQ((Key{*found.context, found.site, *found.locks}), key);
    }
  }
}

TEST(WayTable, ThreadsMayAddAndLookAtOnce) {
  WayTable table(kMostWays);
  constexpr std::uint32_t kWays = 20'000;
  std::vector<std::vector<std::uint32_t>> numbers(4, std::vector<std::uint32_t>(kWays));
  std::vector<std::thread> threads;
  for (std::vector<std::uint32_t>& own : numbers) {
    threads.emplace_back([&table, &own] {
      for (std::uint32_t i = 0; i < kWays; ++i) {
        const Way way = make_way(i * 2654435761u, 1 + i % 7);
        own[i] = table.find(hash_of(way));
        if (own[i] == 0) own[i] = intern(table, way);
        EXPECT_EQ(table.at(own[i]).context, way.context);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(table.size(), kWays);
  for (const std::vector<std::uint32_t>& own : numbers) EXPECT_EQ(own, numbers.front());
}

TEST(ThreadHistory, RemembersUntilAnotherTakesThePlaceAndForgetsAllInParts) {
  ThreadHistory history;
  const auto recalls = [&history](std::uint64_t key) {
    const std::uint64_t entry = history.view.recent[key & history.view.recent_mask];
    return (entry ^ key) <= engine::kMaxSite ? static_cast<std::uint32_t>(entry & engine::kMaxSite) : 0;
  };
  Random random(3);
  while (history.view.recent_mask + 1 < ThreadHistory::kMostSize) history.enlarge();
  std::vector<std::uint64_t> keys;
  for (std::uint32_t i = 1; i < 1000; ++i) {
    keys.push_back(way_key(random.below(1u << 30), 0));
    history.remember(keys.back(), i);
    EXPECT_EQ(recalls(keys.back()), i);
  }
  const auto left = [&] {
    return std::count_if(keys.begin(), keys.end(), [&](auto key) { return recalls(key) != 0; });
  };
  EXPECT_GT(left(), 850);
  history.forget_some();
  EXPECT_GT(left(), 700);
  for (int i = 0; i < 7; ++i) history.forget_some();
  EXPECT_EQ(left(), 0);
}

TEST(ThreadHistory, TellsTheLocksHeld) {
  ThreadHistory history;
  EXPECT_EQ(history.held(), Locks());
  history.view.held[0] = 5;
  history.view.depth = 1;
  EXPECT_EQ(history.held(), Locks{5});
  history.view.depth = kMostHeldLocks + 3;
  EXPECT_EQ(history.held().size(), kMostHeldLocks);
}

}  // namespace
}  // namespace deadheat::agent
