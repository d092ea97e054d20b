// SPDX-License-Identifier: Apache-2.0
#include "base/number_map.h"

#include <gtest/gtest.h>

#include <unordered_map>

#include "base/random.h"

namespace deadheat {
namespace {

TEST(NumberMap, IsAMap) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    NumberMap<std::uint32_t> map;
    std::unordered_map<std::uint64_t, std::uint32_t> expected;
    // Few bits, so that keys come again; in the upper half, the lower, or both.
    const int shift = static_cast<int>(random.below(40));
    for (std::uint32_t i = 1; i < 20'000; ++i) {
      const std::uint64_t key = std::uint64_t{random.below(8'000)} << shift;
      std::uint32_t& number = map[key];
      ASSERT_EQ(number, expected[key]) << "seed " << seed;
      if (number == 0) number = expected[key] = i;
    }
  }
}

}  // namespace
}  // namespace deadheat
