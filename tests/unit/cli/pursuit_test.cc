// SPDX-License-Identifier: Apache-2.0
#include "cli/pursuit.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace deadheat::cli {
namespace {

report::Execution made(const Attempt& attempt, bool met) {
  report::Execution run;
  run.seed = attempt.seed;
  run.order = attempt.first;
  if (met) run.records.meetings.emplace_back();
  return run;
}

// All attempts of a pursuit in which the threads meet with the given seeds.
std::vector<Attempt> attempts(Pursuit pursuit, const std::vector<std::uint64_t>& meeting_seeds) {
  std::vector<Attempt> all;
  while (const auto next = pursuit.next()) {
    all.push_back(*next);
    const bool met = std::find(meeting_seeds.begin(), meeting_seeds.end(), next->seed) != meeting_seeds.end();
    pursuit.took(made(*next, met));
  }
  return all;
}

TEST(Pursuit, StopsWhenRealAndTriesBothOrders) {
  const std::vector<Attempt> expected = {{1, "coin"}, {2, "coin"}, {2, "1"}, {2, "2"}};
  EXPECT_EQ(attempts(Pursuit(std::nullopt, 20), {2, 3}), expected);
}

TEST(Pursuit, GivesUpAfterTheMost) { EXPECT_EQ(attempts(Pursuit(std::nullopt, 20), {}).size(), 20u); }

TEST(Pursuit, RunsEverySeedThatWasAskedFor) {
  const std::vector<Attempt> expected = {{1, "coin"}, {2, "coin"}, {3, "coin"}, {1, "1"}, {1, "2"}};
  EXPECT_EQ(attempts(Pursuit(3, 20), {1, 2}), expected);
}

TEST(Pursuit, HasTheOrdersOnlyWhenBothWereMade) {
  Pursuit pursuit(std::nullopt, 20);
  pursuit.took(made({1, "coin"}, true));
  pursuit.took(made({1, "1"}, true));
  EXPECT_FALSE(pursuit.orders());
  pursuit.took(made({1, "2"}, true));
  ASSERT_TRUE(pursuit.orders());
  EXPECT_EQ(pursuit.orders()->second.order, "2");
  EXPECT_FALSE(pursuit.next());
}

}  // namespace
}  // namespace deadheat::cli
