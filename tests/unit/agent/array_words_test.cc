// SPDX-License-Identifier: Apache-2.0
#include "agent/array_words.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.h"

namespace deadheat::agent {
namespace {

TEST(ArrayWords, AreZeroAlsoWhenTheyAreUsedAgain) {
  ArrayWords words;
  for (int round = 0; round < 3; ++round) {
    std::uint64_t* some = words.allocate(64, 1 << 20);
    ASSERT_NE(some, nullptr);
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(some[i], 0u) << "round " << round;
      some[i] = ~std::uint64_t{0};
    }
    EXPECT_EQ(words.in_use(), 64u);
    words.free(some, 64);
  }
  EXPECT_EQ(words.in_use(), 0u);
}

TEST(ArrayWords, EndAtTheLimitAndGoOnWhenSomeAreGivenBack) {
  ArrayWords words;
  std::uint64_t* first = words.allocate(48, 100);
  std::uint64_t* second = words.allocate(48, 100);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(words.allocate(16, 100), nullptr);
  EXPECT_EQ(words.in_use(), 96u) << "what was refused does not count";
  words.free(first, 48);
  first = words.allocate(16, 100);
  EXPECT_NE(first, nullptr);
  words.free(first, 16);
  words.free(second, 48);
}

// Blocks of all sizes, small and large, freed by other threads than took them: each is its owner's alone, and zero.
TEST(ArrayWords, BlocksOfManyThreadsNeverMeet) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  struct Block {
    std::uint64_t* words;
    std::size_t bytes;
  };
  ArrayWords words;
  std::mutex mutex;
  std::vector<Block> handed_over;
  std::atomic<std::uint64_t> wrong{0};
  const auto work = [&](std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 20'000; ++i) {
      const std::size_t bytes = 16 * (1 + random.below(i % 10 == 0 ? 200 : 9));
      Block block{words.allocate(bytes, kMost), bytes};
      for (std::size_t at = 0; at < bytes / 8; ++at) wrong += std::exchange(block.words[at], seed) != 0;
      {
        const std::lock_guard<std::mutex> lock(mutex);
        handed_over.push_back(block);
        if (handed_over.size() < 500) continue;
        std::swap(handed_over[random.below(500)], handed_over.back());
        block = handed_over.back();
        handed_over.pop_back();
      }
      for (std::size_t at = 1; at < block.bytes / 8; ++at) wrong += block.words[at] != block.words[0];
      words.free(block.words, block.bytes);
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  for (const Block& block : handed_over) words.free(block.words, block.bytes);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(words.in_use(), 0u);
}

}  // namespace
}  // namespace deadheat::agent
