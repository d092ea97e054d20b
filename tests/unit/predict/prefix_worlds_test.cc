// SPDX-License-Identifier: Apache-2.0
//
// States that are kept and gone on from are those that one comes to from the start.
#include "predict/prefix_worlds.h"

#include <gtest/gtest.h>

#include "tests/unit/predict/random_runs.h"

namespace deadheat::predict {
namespace {

TEST(PrefixWorldsTest, AStateIsWhatTheEventsBeforeItLeft) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const trace::Trace trace = random_run(random, random_shape(random, 60));
    const TraceLinks links(trace);
    PrefixWorlds prefixes(trace, links, 1 + random.below(9));
    const auto events = static_cast<EventNumber>(trace.events.size());
    for (int asked = 0; asked < 12; ++asked) {
      const EventNumber count = random.below(events + 1);
      const Values values = random.one_in(2) ? Values::kKept : Values::kFree;
      ASSERT_EQ(prefixes.usable(count), count) << "seed " << seed;
      World world = prefixes.after(count, values);
      World expected(trace, links, values);
      for (EventNumber e = 1; e <= count; ++e) expected.take(e);
      // The same may come next, now and after whatever came.
      for (EventNumber i = count + 1; i <= events; ++i) {
        for (EventNumber e = 1; e <= events; ++e) ASSERT_EQ(world.can_take(e), expected.can_take(e)) << "seed " << seed;
        if (random.one_in(4) || !world.can_take(i)) continue;
        world.take(i);
        expected.take(i);
      }
    }
  }
}

TEST(PrefixWorldsTest, ATraceThatBreaksARuleIsUsedUpToThere) {
  trace::Trace trace;
  for (const std::uint32_t thread : {1u, 2u, 2u}) {
    trace.events.push_back({.kind = model::EventKind::kAcquire, .thread = model::ThreadId{thread}, .object = 1});
  }
  const TraceLinks links(trace);
  PrefixWorlds prefixes(trace, links, 1);
  EXPECT_EQ(prefixes.usable(3), 1u);
  EXPECT_EQ(prefixes.usable(2), 1u);
  EXPECT_EQ(prefixes.usable(1), 1u);
  EXPECT_TRUE(prefixes.after(1, Values::kKept).is_taken(1));
}

}  // namespace
}  // namespace deadheat::predict
