// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "predict/race_analyses.h"
#include "tests/unit/predict/definitions.h"
#include "tests/unit/predict/random_runs.h"

namespace deadheat::predict {
namespace {

using model::Event;
using model::EventKind;
using model::ThreadId;

void add(trace::Trace& trace, std::uint32_t t, EventKind kind, std::uint64_t object = 0) {
  trace.events.push_back({.kind = kind, .thread = ThreadId{t}, .object = object});
}

TEST(AtomicityTest, ClosesTheFirstCycleAtTheSameEventAsTheGraphOfTransactions) {
  std::size_t violations = 0;
  std::size_t late = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed);
    RunShape shape = random_shape(random, 50);
    shape.regions = true;
    shape.variables = 1 + random.below(8);
    const trace::Trace trace = random_run(random, shape);
    const auto expected = first_cycle_by_definition(trace);
    violations += expected.has_value();
    late += expected.value_or(0) > 20;
    ASSERT_EQ(atomicity(trace, {}).violation, expected) << "seed " << seed << "\n" << to_text(trace);
  }
  EXPECT_GT(violations, 5'000u);
  EXPECT_GT(late, 1'000u);
}

// The middle transaction is still going on when the cycle closes: an analysis that hands pasts on at the end of
// transactions alone says so three events later.
TEST(AtomicityTest, ACycleThroughAnEarlierEventOfARunningRegionIsSeenAtOnce) {
  trace::Trace trace;
  for (std::uint32_t t = 1; t <= 3; ++t) add(trace, t, EventKind::kRegionEnter);
  add(trace, 2, EventKind::kWrite, 1);
  add(trace, 3, EventKind::kRead, 1);  // 2 → 3
  add(trace, 1, EventKind::kWrite, 2);
  add(trace, 2, EventKind::kRead, 2);  // 1 → 2
  add(trace, 3, EventKind::kWrite, 3);
  add(trace, 1, EventKind::kRead, 3);  // 3 → 1
  EXPECT_EQ(atomicity(trace, {}).violation, EventNumber{9});
}

TEST(AtomicityTest, AWaitEndsWhatIsAtomic) {
  trace::Trace trace;
  add(trace, 1, EventKind::kRegionEnter);
  add(trace, 1, EventKind::kAcquire, 1);
  add(trace, 1, EventKind::kRead, 1);
  add(trace, 1, EventKind::kWaitBegin, 1);
  add(trace, 2, EventKind::kAcquire, 1);
  add(trace, 2, EventKind::kWrite, 1);
  add(trace, 2, EventKind::kRelease, 1);
  add(trace, 1, EventKind::kWaitEnd, 1);
  add(trace, 1, EventKind::kRead, 1);
  EXPECT_EQ(atomicity(trace, {}).violation, std::nullopt);
}

TEST(AtomicityTest, AJoinInsideTheRegionOfTheForkIsACycle) {
  trace::Trace trace;
  add(trace, 1, EventKind::kRegionEnter);
  add(trace, 1, EventKind::kFork, 2);
  add(trace, 2, EventKind::kWrite, 1);
  add(trace, 1, EventKind::kJoin, 2);
  EXPECT_EQ(atomicity(trace, {}).violation, EventNumber{4});
}

TEST(AtomicityTest, AThreadWithoutEventsIsOnNoCycle) {
  trace::Trace trace;
  add(trace, 1, EventKind::kRegionEnter);
  add(trace, 1, EventKind::kFork, 2);
  add(trace, 1, EventKind::kJoin, 2);
  add(trace, 1, EventKind::kRegionExit);
  EXPECT_EQ(atomicity(trace, {}).violation, std::nullopt);
}

// The fork and the join still order the regions that they are in.
TEST(AtomicityTest, AJoinOfAThreadWithoutEventsFollowsTheRegionOfItsFork) {
  trace::Trace trace;
  add(trace, 3, EventKind::kRegionEnter);
  add(trace, 3, EventKind::kWrite, 1);
  add(trace, 1, EventKind::kRegionEnter);
  add(trace, 1, EventKind::kRead, 1);  // 3 → 1
  add(trace, 1, EventKind::kFork, 2);
  add(trace, 3, EventKind::kJoin, 2);  // 1 → 3
  EXPECT_EQ(atomicity(trace, {}).violation, EventNumber{6});
}

}  // namespace
}  // namespace deadheat::predict
