// SPDX-License-Identifier: Apache-2.0
#include "agent/asked_stacks.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/random.h"

namespace deadheat::agent {
namespace {

struct Pair {
  std::uint32_t context;
  std::uint32_t method;
};

std::vector<Pair> random_pairs(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<Pair> pairs(count);
  for (Pair& pair : pairs)
    pair = {static_cast<std::uint32_t>(random.next()), static_cast<std::uint32_t>(random.below(5000))};
  return pairs;
}

std::size_t known_among(const AskedStacks& stacks, const std::vector<Pair>& pairs) {
  std::size_t known = 0;
  for (const Pair& pair : pairs) known += stacks.looks_known(pair.context, pair.method) ? 1 : 0;
  return known;
}

TEST(AskedStacks, NothingIsKnownAtFirst) {
  const AskedStacks stacks;
  EXPECT_EQ(known_among(stacks, random_pairs(1, 10000)), 0u);
}

// Through every size of the table: nearly all of what was noted is there, nearly nothing else.
TEST(AskedStacks, KnowsWhatWasNotedAndLittleElse) {
  AskedStacks stacks;
  std::vector<Pair> noted;
  for (std::uint64_t round = 0; round < 10; ++round) {
    const std::vector<Pair> more = random_pairs(100 + round, std::size_t{500} << round);
    for (const Pair& pair : more) {
      stacks.note(pair.context, pair.method);
      EXPECT_TRUE(stacks.looks_known(pair.context, pair.method));
    }
    noted.insert(noted.end(), more.begin(), more.end());
    if (noted.size() < kMostAskedWords * 4 * 3 / 8) {
      EXPECT_GE(known_among(stacks, noted), noted.size() * 98 / 100);
    }
    const std::vector<Pair> others = random_pairs(1000 + round, 100'000);
    EXPECT_LE(known_among(stacks, others), others.size() / 2000);
  }
  EXPECT_GE(known_among(stacks, noted), noted.size() * 90 / 100);
}

TEST(AskedStacks, ThreadsMayNoteAndLookAtOnce) {
  AskedStacks stacks;
  std::vector<std::thread> threads;
  std::vector<std::vector<Pair>> pairs;
  for (std::uint64_t i = 0; i < 4; ++i) pairs.push_back(random_pairs(i, 10'000));
  for (const std::vector<Pair>& own : pairs) {
    threads.emplace_back([&stacks, &own] {
      for (const Pair& pair : own) {
        if (!stacks.looks_known(pair.context, pair.method)) stacks.note(pair.context, pair.method);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Pair>& own : pairs) EXPECT_GE(known_among(stacks, own), own.size() * 98 / 100);
}

}  // namespace
}  // namespace deadheat::agent
