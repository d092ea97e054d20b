// SPDX-License-Identifier: Apache-2.0
//
// Cells that begin in a history are those that one comes to from the start.
#include "predict/cells.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace deadheat::predict {
namespace {

TEST(CellsTest, BeginWhereAHistoryWasAndKeepTheirOwnChanges) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const std::uint32_t objects = 1 + random.below(300);
    CellHistory history;
    std::vector<std::vector<std::uint32_t>> states{std::vector<std::uint32_t>(objects)};
    for (EventNumber event = 1; event <= 500; ++event) {
      states.push_back(states.back());
      if (random.one_in(3)) continue;
      const std::uint32_t object = random.below(objects);
      states.back()[object] = random.below(1'000);
      history.add(object, event, states.back()[object]);
    }
    history.finish(objects);
    for (int asked = 0; asked < 20; ++asked) {
      const EventNumber count = random.below(501);
      std::vector<std::uint32_t> expected = states[count];
      Cells cells(history, count);
      Cells plain(objects);
      for (std::uint32_t k = 0; k < objects; ++k) plain.set(k, expected[k]);
      for (std::uint32_t changes = random.below(400); changes != 0; --changes) {
        const std::uint32_t object = random.below(objects);
        expected[object] = random.below(1'000);
        cells.set(object, expected[object]);
        plain.set(object, expected[object]);
      }
      const Cells copy = cells;
      for (std::uint32_t k = 0; k < objects; ++k) {
        ASSERT_EQ(cells[k], expected[k]) << "seed " << seed;
        ASSERT_EQ(copy[k], expected[k]) << "seed " << seed;
      }
      ASSERT_EQ(plain.all(), expected) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace deadheat::predict
