// SPDX-License-Identifier: Apache-2.0
#include "engine/counts.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/access.h"
#include "engine/engine.h"
#include "engine/sync.h"

namespace deadheat::engine {
namespace {

TEST(Counts, EachRuleIsCountedOnce) {
  Engine engine;
  ThreadState* a = engine.begin_thread(kNeverReleased, model::ThreadId{1});
  ThreadState* b = engine.begin_thread(kNeverReleased, model::ThreadId{2});
  const model::SiteId site{1};
  ShadowWord w = kNeverAccessed, r = kNeverAccessed;
  r = on_read(*a, w, r, site).word;  // exclusive
  r = on_read(*a, w, r, site).word;  // same epoch
  r = on_read(*b, w, r, site).word;  // share
  release(*a);
  r = on_read(*a, w, r, site).word;       // shared
  w = on_write(*a, w, r, site).word;      // shared
  w = on_write(*a, w, r, site).word;      // same epoch
  on_write(*b, w, kNeverAccessed, site);  // exclusive
  const RuleTotals rules = engine.stats().rules;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Rule::kWriteShared); ++i) {
    EXPECT_EQ(rules[i], 1u) << rule_name(Rule{static_cast<std::uint8_t>(i)});
  }
  engine.end_thread(b);
  EXPECT_EQ(engine.stats().rules[static_cast<std::size_t>(Rule::kReadShare)], 1u) << "a thread's counts outlive it";
}

TEST(Counts, TheTableGivesShares) {
  RuleTotals totals{};
  totals[static_cast<std::size_t>(Rule::kReadSameEpoch)] = 3;
  totals[static_cast<std::size_t>(Rule::kReadShared)] = 1;
  totals[static_cast<std::size_t>(Rule::kAcquire)] = 10;
  totals[static_cast<std::size_t>(Rule::kAcquireJoin)] = 5;
  totals[static_cast<std::size_t>(Rule::kRelease)] = 10;
  const auto table = rule_table(totals);
  EXPECT_EQ(std::string(table[0].name), "READ SAME EPOCH");
  EXPECT_EQ(table[0].percent, 75.0);
  EXPECT_EQ(table[static_cast<std::size_t>(Rule::kAcquireJoin)].percent, 25.0);
  EXPECT_EQ(table[static_cast<std::size_t>(Rule::kWriteShared)].percent, 0.0) << "no writes at all";
}

}  // namespace
}  // namespace deadheat::engine
