// SPDX-License-Identifier: Apache-2.0
//
// PECAN's theorem 1, and more: for every match of every known pattern in random small traces, a schedule is generated
// iff brute force finds one, it is feasible, and it shows the pattern.
#include "predict/schedule_generation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "predict/brute_force.h"
#include "predict/pattern_search.h"
#include "tests/unit/predict/random_runs.h"

namespace deadheat::predict {
namespace {

// The steps in their order; adjacent ones at the very end.
bool shows(const std::vector<EventNumber>& schedule, const Pattern& pattern, const std::vector<EventNumber>& events) {
  if (pattern.adjacent) {
    return schedule.size() >= 2 && std::equal(events.begin(), events.end(), schedule.end() - 2);
  }
  auto at = schedule.begin();
  for (const EventNumber e : events) {
    at = std::find(at, schedule.end(), e);
    if (at == schedule.end()) return false;
  }
  return at + 1 == schedule.end();
}

// Long enough for sections that are in each other's way.
RunShape lock_heavy_shape(Random& random, bool nested) {
  RunShape shape = random_shape(random, 18);
  shape.events = 12 + random.below(7);
  shape.threads = 2 + random.below(2);
  shape.locks = 2 + random.below(2);
  shape.lock_weight = 4 + random.below(6);
  shape.fork_join = random.one_in(2);
  shape.nested = nested;
  shape.regions = random.one_in(3);
  return shape;
}

struct Count {
  std::size_t matches = 0;
  std::size_t real = 0;
  std::size_t solved = 0;
};

void check_trace(const trace::Trace& trace, Count& count) {
  const Ptg ptg(trace);
  const ScheduleGenerator generator(ptg);
  for (const PatternMatch& match : search(ptg, known_patterns()).matches) {
    const bool is_kept = can_show(trace, *match.pattern, match.events, Values::kKept);
    const bool is_real = is_kept || can_show(trace, *match.pattern, match.events, Values::kFree);
    const auto schedule = generator.generate(*match.pattern, match.events);
    ++count.matches;
    count.real += is_real;
    ASSERT_EQ(schedule.has_value(), is_real) << match.pattern->name;
    if (!schedule) continue;
    count.solved += schedule->needed_solver;
    ASSERT_EQ(schedule->values == Values::kKept, is_kept) << match.pattern->name;
    ASSERT_TRUE(shows(schedule->all(), *match.pattern, match.events)) << match.pattern->name;
    ASSERT_TRUE(is_feasible(trace, ptg.links(), schedule->all(), schedule->values, match.events))
        << match.pattern->name;
  }
}

TEST(ScheduleGenerationTest, EveryRealAnomalyOfNestedLocksGetsAFeasibleSchedule) {
  Count count;
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    Random random(seed);
    const trace::Trace trace = random_run(random, lock_heavy_shape(random, true));
    check_trace(trace, count);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << to_text(trace);
  }
  EXPECT_GT(count.real, 2'000u);
}

TEST(ScheduleGenerationTest, SoDoesEveryRealAnomalyOfOtherLocks) {
  Count count;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed + 10'000);
    const trace::Trace trace = random_run(random, lock_heavy_shape(random, false));
    check_trace(trace, count);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << to_text(trace);
  }
  EXPECT_GT(count.real, 250u);
}

}  // namespace
}  // namespace deadheat::predict
