// SPDX-License-Identifier: Apache-2.0
//
// The tally against a set of all variables.
#include "agent/variable_tally.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "base/random.h"

namespace deadheat::agent {
namespace {

TEST(VariableTally, CountsWhatASetDoes) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    VariableTally tally;
    std::set<std::pair<std::uint32_t, std::uint32_t>> all;
    for (int i = 0; i < 2'000; ++i) {
      const trace::AccessKey key{random.below(20), random.below(random.one_in(2) ? 10 : 1'000)};
      const std::uint32_t count = random.one_in(4) ? random.below(300) : 1;
      if (count == 1) {
        tally.add(key);
      } else {
        tally.add_range(key, count);
      }
      for (std::uint32_t j = 0; j < count; ++j) all.insert({key.object, key.part + j});
      ASSERT_EQ(tally.count(), all.size()) << "seed " << seed;
    }
  }
}

TEST(VariableTally, KnowsTheLastPartThereIs) {
  VariableTally tally;
  tally.add({0, ~0u});
  tally.add_range({0, ~0u - 1}, 2);
  EXPECT_EQ(tally.count(), 2u);
}

}  // namespace
}  // namespace deadheat::agent
