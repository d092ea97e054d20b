// SPDX-License-Identifier: Apache-2.0
//
// FastTrack against the oracles on random traces: the same variables racy, first noticed at the same access, and every
// pair ever reported truly unordered. Where a limit made the engine approximate (it counts when), only the last is
// demanded.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "engine/fasttrack.h"
#include "tests/unit/engine/oracles.h"
#include "tests/unit/engine/random_traces.h"

namespace deadheat::engine {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kSlower = 50;  // fewer traces where each costs more
#else
constexpr std::uint64_t kSlower = 1;
#endif

struct Outcome {
  std::map<std::uint64_t, std::size_t> first;  // variable -> index of its first racy access
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  EngineStats stats;
  bool is_exact() const {
    return stats.rules[static_cast<std::size_t>(Rule::kApproximateAcquire)] == 0 && stats.approximate_starts == 0 &&
           stats.unwatched_threads == 0 && stats.read_sets_retired == 0 && stats.read_sets_retired_early == 0;
  }
};

Outcome run_fasttrack(const Trace& trace, const FastTrackOptions& options) {
  Outcome outcome;
  const RaceSink sink{[](void* context, const RaceReport& report) {
                        auto& result = *static_cast<Outcome*>(context);
                        const std::size_t current = to_number(report.current.site) - 1;
                        result.first.try_emplace(report.variable.base, current);
                        result.pairs.emplace(to_number(report.previous.site) - 1, current);
                      },
                      &outcome};
  FastTrack detector(options, sink);
  replay(trace, detector);
  outcome.stats = detector.stats();
  return outcome;
}

std::map<std::uint64_t, std::size_t> first_racy(const Trace& trace, const std::vector<bool>& racy) {
  std::map<std::uint64_t, std::size_t> first;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (racy[i]) first.try_emplace(trace[i].object, i);
  }
  return first;
}

// What is wrong with the detector's answer, or nothing. Small traces only.
std::optional<std::string> find_fault(const Trace& trace, const FastTrackOptions& options, bool* exact = nullptr) {
  const GraphOracle graph(trace, Order::kHappensBefore);
  std::vector<bool> racy(trace.size());
  for (std::size_t i = 0; i < trace.size(); ++i) racy[i] = graph.is_racy(i);
  if (racy != djit_racy_events(trace)) return "the oracles disagree";

  const Outcome outcome = run_fasttrack(trace, options);
  for (const auto& [previous, current] : outcome.pairs) {
    if (!graph.is_race(previous, current)) {
      return "false alarm: " + std::to_string(previous + 1) + " and " + std::to_string(current + 1);
    }
  }
  if (exact != nullptr) *exact = outcome.is_exact();
  if (outcome.is_exact() && outcome.first != first_racy(trace, racy)) return "first races differ";
  return std::nullopt;
}

struct Tally {
  std::uint64_t traces = 0;
  std::uint64_t exact = 0;
};

template <typename Vary>
Tally compare(std::uint64_t first_seed, std::uint64_t count, Vary vary) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < first_seed + count / kSlower; ++seed) {
    Random random(seed);
    TraceShape shape;
    shape.events = 10 + random.below(GraphOracle::kMaxEvents - 10);
    shape.threads = 2 + random.below(5);
    shape.variables = 1 + random.below(3);
    shape.locks = 1 + random.below(3);
    shape.volatiles = random.below(3);
    shape.access_weight = 3 + random.below(12);
    FastTrackOptions options;
    options.engine.max_slots = 40;
    options.fast_path = random.one_in(2);
    options.engine.read_set_moves = 1u << random.below(7);
    vary(random, shape, options);
    const Trace trace = random_trace(random, shape);
    bool exact = false;
    if (const auto fault = find_fault(trace, options, &exact)) {
      const Trace small = shrink(trace, [&](const Trace& t) { return find_fault(t, options).has_value(); });
      ADD_FAILURE() << *fault << ", seed " << seed << "; smallest: " << *find_fault(small, options) << "\n"
                    << to_text(small);
      return tally;
    }
    ++tally.traces;
    tally.exact += exact;
  }
  return tally;
}

TEST(FastTrackRandom, IsExact) {
  const Tally tally = compare(1, 400'000, [](Random&, TraceShape&, FastTrackOptions&) {});
  EXPECT_EQ(tally.exact, tally.traces);
}

TEST(FastTrackRandom, IsExactWithManyShortThreads) {
  const Tally tally = compare(10'000'000, 150'000, [](Random&, TraceShape& shape, FastTrackOptions&) {
    shape.threads = 14;
    shape.access_weight = 4;
    shape.volatiles = 0;
    shape.wait_and_park = false;
  });
  EXPECT_EQ(tally.exact, tally.traces);
}

TEST(FastTrackRandom, IsExactAtTheClockLimit) {
  const Tally tally = compare(20'000'000, 150'000, [](Random& random, TraceShape&, FastTrackOptions& options) {
    options.engine.first_clock_for_testing = kMaxClock - random.below(3);
    options.engine.max_slots = 70;
  });
  EXPECT_EQ(tally.exact, tally.traces);
}

TEST(FastTrackRandom, NoFalseAlarmWhenSlotsRunOut) {
  const Tally tally = compare(30'000'000, 150'000, [](Random& random, TraceShape& shape, FastTrackOptions& options) {
    shape.threads = 3 + random.below(6);
    options.engine.max_slots = 1 + random.below(4);
    if (random.one_in(2)) options.engine.first_clock_for_testing = kMaxClock - random.below(3);
  });
  EXPECT_LT(tally.exact, tally.traces * 9 / 10) << "the limit was hardly met";
  EXPECT_GT(tally.exact, tally.traces / 100);
}

TEST(FastTrackRandom, NoFalseAlarmWithTinyHistories) {
  const Tally tally = compare(40'000'000, 150'000, [](Random& random, TraceShape& shape, FastTrackOptions& options) {
    shape.threads = 3 + random.below(4);
    shape.access_weight = 3;
    options.engine.history_per_thread = random.below(4);
  });
  EXPECT_LT(tally.exact, tally.traces) << "the limit was never met";
  EXPECT_GT(tally.exact, tally.traces / 100);
}

TEST(FastTrackRandom, NoFalseAlarmWithoutRoomForReadSets) {
  const Tally tally = compare(50'000'000, 100'000, [](Random& random, TraceShape& shape, FastTrackOptions& options) {
    shape.access_weight = 20;
    shape.variables = 6;
    shape.threads = 3 + random.below(3);
    options.engine.read_set_bytes = random.below(300);
    options.engine.read_set_moves = 1;
  });
  EXPECT_LT(tally.exact, tally.traces * 49 / 50) << "the limit was hardly met";
  EXPECT_GT(tally.exact, tally.traces / 100);
}

TEST(FastTrackRandom, LongTracesMatchDjit) {
  for (std::uint64_t seed = 60'000'000; seed < 60'000'000 + 400 / kSlower; ++seed) {
    Random random(seed);
    TraceShape shape{.events = 3000, .threads = 2 + random.below(60), .variables = 20, .locks = 5, .volatiles = 3};
    const Trace trace = random_trace(random, shape);
    const Outcome outcome = run_fasttrack(trace, {.fast_path = random.one_in(2)});
    ASSERT_TRUE(outcome.is_exact()) << "seed " << seed;
    ASSERT_EQ(outcome.first, first_racy(trace, djit_racy_events(trace))) << "seed " << seed;
  }
}

TEST(FastTrackRandom, FastPathChangesNothing) {
  for (std::uint64_t seed = 70'000'000; seed < 70'000'000 + 20'000 / kSlower; ++seed) {
    Random random(seed);
    TraceShape shape{.events = 60, .threads = 4, .access_weight = 20};
    const Trace trace = random_trace(random, shape);
    const Outcome on = run_fasttrack(trace, {.engine = {.max_slots = 40}, .fast_path = true});
    const Outcome off = run_fasttrack(trace, {.engine = {.max_slots = 40}, .fast_path = false});
    ASSERT_EQ(on.pairs, off.pairs) << "seed " << seed;
    ASSERT_EQ(on.first, off.first) << "seed " << seed;
  }
}

}  // namespace
}  // namespace deadheat::engine
