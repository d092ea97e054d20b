// SPDX-License-Identifier: Apache-2.0
//
// The exact predictor finds what brute force finds, no more and no less: by the formula alone, and with its shortcuts.
#include "predict/exact.h"

#include <gtest/gtest.h>

#include <set>

#include "predict/brute_force.h"
#include "tests/unit/predict/random_runs.h"

namespace deadheat::predict {
namespace {

std::set<EventPair> pairs_of(const AnalysisResult& result) { return {result.pairs.begin(), result.pairs.end()}; }

TEST(ExactTest, FindsExactlyWhatBruteForceFinds) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    const trace::Trace trace = random_run(random, random_shape(random, 12));
    const auto expected = brute_force(trace).races;
    if (seed % 4 == 0) {
      const AnalysisResult by_formula = exact_with(trace, {}, Shortcuts::kNone);
      ASSERT_EQ(pairs_of(by_formula), expected) << "formula, seed " << seed << "\n" << to_text(trace);
      ASSERT_TRUE(by_formula.given_up.empty());
    }
    ASSERT_EQ(pairs_of(exact_with(trace, {}, Shortcuts::kAll)), expected) << "shortcuts, seed " << seed << "\n"
                                                                          << to_text(trace);
  }
}

// The park of the second thread can take either permit.
TEST(ExactTest, AParkNeedsSomeUnparkAndNotThatOfTheTrace) {
  trace::Trace trace;
  const auto add = [&trace](std::uint32_t t, model::EventKind kind) {
    trace.events.push_back({.kind = kind, .thread = model::ThreadId{t}, .object = 1});
  };
  add(1, model::EventKind::kRead);
  add(1, model::EventKind::kUnpark);
  add(2, model::EventKind::kUnpark);
  add(2, model::EventKind::kPark);
  add(2, model::EventKind::kWrite);
  EXPECT_EQ(pairs_of(exact_with(trace, {}, Shortcuts::kAll)), (std::set<EventPair>{{1, 5}}));
}

TEST(ExactTest, FindsRacesBehindParks) {
  std::size_t more_than_sync_preserving = 0;
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    Random random(seed);
    RunShape shape;
    shape.events = 14;
    shape.threads = 2 + random.below(2);
    shape.variables = 4;
    shape.parks = true;
    shape.access_weight = 1;
    shape.lock_weight = 0;
    const trace::Trace trace = random_run(random, shape);
    const auto expected = brute_force(trace).races;
    ASSERT_EQ(pairs_of(exact_with(trace, {}, Shortcuts::kAll)), expected) << "seed " << seed << "\n" << to_text(trace);
    more_than_sync_preserving += find_analysis("syncp")->run(trace, {}).pairs.size() < expected.size();
    if (seed % 4 != 0) continue;
    // A window may begin with a permit.
    const auto found = pairs_of(exact_with(trace, {.window = 6}, Shortcuts::kAll));
    for (const EventPair& pair : exact_with(trace, {.window = 6}, Shortcuts::kNone).pairs) {
      ASSERT_TRUE(found.count(pair)) << "window, seed " << seed << "\n" << to_text(trace);
    }
  }
  EXPECT_GT(more_than_sync_preserving, 10u);
}

// Where the sections of a lock have to change places, only the exact predictor sees the race.
TEST(ExactTest, FindsRacesInReversedSections) {
  std::size_t more_than_sync_preserving = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    Random random(seed);
    RunShape shape;
    shape.events = 18;
    shape.threads = 2 + random.below(2);
    shape.locks = 2;
    shape.variables = 3;
    shape.access_weight = 4;
    shape.lock_weight = 6;
    const trace::Trace trace = random_run(random, shape);
    const auto expected = brute_force(trace).races;
    ASSERT_EQ(pairs_of(exact_with(trace, {}, Shortcuts::kAll)), expected) << "seed " << seed << "\n" << to_text(trace);
    more_than_sync_preserving += find_analysis("syncp")->run(trace, {}).pairs.size() < expected.size();
  }
  EXPECT_GT(more_than_sync_preserving, 10u);
}

// In small windows nothing is found that the whole trace does not have, and what is left out is counted.
TEST(ExactTest, WindowsAreSoundAndCountWhatTheyLeaveOut) {
  std::size_t given_up = 0;
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const trace::Trace trace = random_run(random, random_shape(random, 14));
    const auto expected = brute_force(trace).races;
    const AnalysisResult result = exact_with(trace, {.window = 6}, Shortcuts::kNone);
    for (const EventPair& pair : result.pairs) {
      ASSERT_TRUE(expected.count(pair)) << "seed " << seed << ", pair " << pair.first << " " << pair.second << "\n"
                                        << to_text(trace);
    }
    found += result.pairs.size();
    if (pairs_of(result) != expected) {
      ASSERT_FALSE(result.given_up.empty()) << "seed " << seed << "\n" << to_text(trace);
      ++given_up;
    }
  }
  EXPECT_GT(found, 150u);
  EXPECT_GT(given_up, 15u);
}

}  // namespace
}  // namespace deadheat::predict
