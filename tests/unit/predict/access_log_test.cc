// SPDX-License-Identifier: Apache-2.0
#include "predict/access_log.h"

#include <gtest/gtest.h>

#include "predict/race_analyses.h"
#include "tests/unit/predict/random_runs.h"

namespace deadheat::predict {
namespace {

// Clocks that cover the last few events of nobody, everybody or some: whatever they are, both forms give the same
// pairs, and those that a scan of the trace gives.
TEST(AccessLogTest, DenseAndSparseChainsGiveThePairsOfAScan) {
  std::size_t pairs_seen = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    RunShape shape = random_shape(random, 60);
    const trace::Trace trace = random_run(random, shape);
    const TraceSizes sizes = sizes_of(trace);
    AccessLog dense(sizes, true);
    AccessLog sparse(sizes, true, 0);
    for (EventNumber i = 1; i <= sizes.events; ++i) {
      const model::Event& e = trace.events[i - 1];
      if (!is_access(e)) continue;
      std::vector<std::uint32_t> clock;
      for (std::uint32_t t = 0; t <= sizes.threads; ++t) clock.push_back(random.below(i));
      std::vector<EventPair> expected;
      for (EventNumber k = 1; k < i; ++k) {
        const model::Event& earlier = trace.events[k - 1];
        if (is_conflict(earlier, e) && k > clock[to_number(earlier.thread)]) expected.push_back({k, i});
      }
      for (const AccessLog* log : {&dense, &sparse}) {
        AnalysisResult result;
        PairCollector pairs(result, {});
        log->collect(e, i, clock.data(), pairs);
        pairs.finish();
        ASSERT_EQ(result.pairs, expected) << "seed " << seed;
      }
      pairs_seen += expected.size();
      dense.add(e, i);
      sparse.add(e, i);
    }
  }
  EXPECT_GT(pairs_seen, 1'000u);
}

// The limit is kept to the pair by every analysis, and racy stays complete.
TEST(PairLimitTest, IsKeptAndCounted) {
  trace::Trace trace;
  for (std::uint32_t i = 0; i < 20; ++i) {
    trace.events.push_back({.kind = model::EventKind::kWrite, .thread = model::ThreadId{1 + i % 2}, .object = 1});
  }
  for (const Analysis& analysis : analyses()) {
    if (!analysis.gives_pairs) continue;
    const AnalysisResult all = analysis.run(trace, {});
    ASSERT_TRUE(all.given_up.empty()) << analysis.name;
    ASSERT_GT(all.pairs.size(), 5u) << analysis.name;
    const AnalysisResult exactly = analysis.run(trace, {.max_pairs = all.pairs.size()});
    EXPECT_TRUE(exactly.given_up.empty()) << analysis.name;
    const AnalysisResult few = analysis.run(trace, {.max_pairs = 5});
    EXPECT_EQ(few.pairs.size(), 5u) << analysis.name;
    EXPECT_EQ(few.racy, all.racy) << analysis.name;
    EXPECT_EQ(few.given_up.size(), 1u) << analysis.name;
  }
}

}  // namespace
}  // namespace deadheat::predict
