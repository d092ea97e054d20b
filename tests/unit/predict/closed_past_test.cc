// SPDX-License-Identifier: Apache-2.0
#include "predict/closed_past.h"

#include <gtest/gtest.h>

#include "tests/unit/predict/random_runs.h"

namespace deadheat::predict {
namespace {

// A look at the last events first refuses nothing else, and nothing more, than the whole set does.
TEST(ClosedPastTest, IsTheSameHoweverManyEventsAreLookedAtFirst) {
  std::size_t none = 0;
  std::size_t some = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const trace::Trace trace = random_run(random, random_shape(random, 40));
    const TraceLinks links(trace);
    std::vector<std::vector<EventNumber>> threads(links.sizes.threads + 1);
    for (EventNumber i = 1; i <= links.sizes.events; ++i) {
      threads[to_number(trace.events[i - 1].thread)].push_back(i);
    }
    const ClosedPast past(trace, links, threads);
    for (EventNumber a = 1; a <= links.sizes.events; ++a) {
      for (EventNumber b = a + 1; b <= links.sizes.events; ++b) {
        if (trace.events[a - 1].thread == trace.events[b - 1].thread) continue;
        const auto whole = past.of(a, b, links.sizes.events);
        (whole ? some : none) += 1;
        for (const EventNumber near : {0u, 1u, 3u, 10u}) {
          const auto found = past.of(a, b, near);
          ASSERT_EQ(found.has_value(), whole.has_value()) << "seed " << seed << "\n" << to_text(trace);
          if (!whole) continue;
          ASSERT_EQ(found->prefix, whole->prefix);
          ASSERT_EQ(found->events, whole->events);
        }
      }
    }
  }
  EXPECT_GT(none, 1'000u);
  EXPECT_GT(some, 1'000u);
}

}  // namespace
}  // namespace deadheat::predict
