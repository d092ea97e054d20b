// SPDX-License-Identifier: Apache-2.0
//
// A trace that breaks the rules (a release of what is not held, a thread that joins itself, a wait without an end)
// gives some answer and never a crash: the readers name such traces, but analyses must not depend on it.
#include <gtest/gtest.h>

#include "predict/analysis.h"
#include "predict/pattern_search.h"
#include "predict/schedule_generation.h"
#include "tests/unit/predict/random_runs.h"

namespace deadheat::predict {
namespace {

using model::EventKind;

trace::Trace any_trace(Random& random, std::uint32_t events) {
  trace::Trace trace;
  const std::uint32_t kinds = static_cast<std::uint32_t>(EventKind::kMethodExit) + 1;
  for (std::uint32_t i = 0; i < events; ++i) {
    trace.events.push_back({.kind = static_cast<EventKind>(random.below(kinds)),
                            .mode = static_cast<model::AccessMode>(random.below(4)),
                            .thread = model::ThreadId{1 + random.below(4)},
                            .site = model::SiteId{random.below(5)},
                            .object = 1 + random.below(3),
                            .peer = model::ThreadId{random.below(5)}});
  }
  return trace;
}

TEST(AnyTraceTest, EveryAnalysisGivesSomeAnswer) {
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    Random random(seed);
    const trace::Trace trace = any_trace(random, random.below(80));
    for (const Analysis& analysis : analyses()) {
      if (analysis.name == "exact" && seed % 50 != 0) continue;  // slow
      const AnalysisResult result = analysis.run(trace, {.window = 30});
      for (const EventPair& pair : result.pairs) {
        ASSERT_LT(pair.first, pair.second);
        ASSERT_LE(pair.second, trace.events.size());
      }
    }
  }
}

TEST(AnyTraceTest, SoDoTheSearchAndTheSchedules) {
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    Random random(seed);
    const trace::Trace trace = any_trace(random, random.below(60));
    const Ptg ptg(trace);
    const ScheduleGenerator generator(ptg);
    for (const PatternMatch& match : search(ptg, known_patterns()).matches) {
      const auto schedule = generator.generate(*match.pattern, match.events, {.window = seed % 50 == 0 ? 60u : 0u});
      ASSERT_TRUE(!schedule || schedule->size() <= trace.events.size());
    }
  }
}

TEST(AnyTraceTest, AnEmptyTraceHasNothing) {
  const trace::Trace trace;
  for (const Analysis& analysis : analyses()) {
    const AnalysisResult result = analysis.run(trace, {});
    EXPECT_TRUE(result.pairs.empty() && result.racy.empty() && !result.violation && result.given_up.empty());
  }
  EXPECT_TRUE(search(Ptg(trace), known_patterns()).matches.empty());
}

}  // namespace
}  // namespace deadheat::predict
