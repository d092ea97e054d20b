// SPDX-License-Identifier: Apache-2.0
//
// The race analyses against their definitions and against brute force, on random small traces.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/fasttrack.h"
#include "engine/lockset.h"
#include "predict/brute_force.h"
#include "predict/race_analyses.h"
#include "tests/unit/predict/definitions.h"
#include "tests/unit/predict/random_runs.h"

namespace deadheat::predict {
namespace {

using model::EventKind;

constexpr std::uint64_t kSeeds = 6'000;

void add(trace::Trace& trace, std::uint32_t t, EventKind kind, std::uint64_t object) {
  trace.events.push_back({.kind = kind, .thread = model::ThreadId{t}, .object = object});
}

std::set<EventPair> pairs_of(const AnalysisResult& result) { return {result.pairs.begin(), result.pairs.end()}; }

// racy is exactly the later halves of pairs, and asking for racy alone changes nothing.
void expect_consistent(const AnalysisResult& result, const AnalysisResult& racy_alone) {
  std::set<EventNumber> later;
  for (const EventPair& p : result.pairs) {
    EXPECT_LT(p.first, p.second);
    later.insert(p.second);
  }
  EXPECT_TRUE(std::is_sorted(result.pairs.begin(), result.pairs.end()));
  EXPECT_EQ(std::vector<EventNumber>(later.begin(), later.end()), result.racy);
  EXPECT_EQ(result.racy, racy_alone.racy);
  EXPECT_TRUE(racy_alone.pairs.empty());
}

using Definition = std::set<EventPair> (*)(const trace::Trace&);

struct Case {
  const char* name;
  Definition definition;
  std::uint32_t max_events;
};

class OrderTest : public testing::TestWithParam<Case> {};

TEST_P(OrderTest, FindsExactlyThePairsOfTheDefinition) {
  const Analysis* analysis = find_analysis(GetParam().name);
  ASSERT_NE(analysis, nullptr);
  std::size_t races = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const trace::Trace trace = random_run(random, random_shape(random, GetParam().max_events));
    const AnalysisResult result = analysis->run(trace, {});
    const auto expected = GetParam().definition(trace);
    races += expected.size();
    ASSERT_EQ(pairs_of(result), expected) << "seed " << seed << "\n" << to_text(trace);
    expect_consistent(result, analysis->run(trace, {.pairs = false}));
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << to_text(trace);
  }
  EXPECT_GT(races, kSeeds);
}

INSTANTIATE_TEST_SUITE_P(All, OrderTest,
                         testing::Values(Case{"hb", happens_before_by_definition, 60},
                                         Case{"shb", schedulable_by_definition, 60},
                                         Case{"wcp", weak_causal_by_definition, 40},
                                         Case{"syncp", sync_preserving_by_definition, 60}),
                         [](const auto& test) { return std::string(test.param.name); });

// Such are traces that do not say when threads start and exit.
TEST(JoinTest, AJoinComesAfterTheForkOfAThreadWithoutEvents) {
  trace::Trace trace;
  add(trace, 1, EventKind::kWrite, 1);
  add(trace, 1, EventKind::kFork, 2);
  add(trace, 3, EventKind::kJoin, 2);
  add(trace, 3, EventKind::kWrite, 1);
  for (const char* name : {"hb", "shb", "wcp", "syncp", "exact"}) {
    EXPECT_TRUE(find_analysis(name)->run(trace, {}).pairs.empty()) << name;
  }
  EXPECT_TRUE(brute_force(trace).races.empty());
}

class SoundTest : public testing::TestWithParam<const char*> {};

TEST_P(SoundTest, ReportsNothingThatBruteForceRefutes) {
  const Analysis* analysis = find_analysis(GetParam());
  ASSERT_NE(analysis, nullptr);
  ASSERT_EQ(analysis->label, Label::kCannotBeFalse);
  std::size_t found = 0;
  std::size_t real = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const trace::Trace trace = random_run(random, random_shape(random, 12));
    const auto races = brute_force(trace).races;
    real += races.size();
    for (const EventPair& pair : analysis->run(trace, {}).pairs) {
      ++found;
      ASSERT_TRUE(races.count(pair)) << "seed " << seed << ", pair " << pair.first << " " << pair.second << "\n"
                                     << to_text(trace);
    }
  }
  EXPECT_GT(found, kSeeds / 4);
  RecordProperty("found", static_cast<int>(found));
  RecordProperty("real", static_cast<int>(real));
}

INSTANTIATE_TEST_SUITE_P(All, SoundTest, testing::Values("shb", "syncp", "exact"),
                         [](const auto& test) { return std::string(test.param); });

// Theorem 1 of the paper: whoever has a race by this order can have a race, or a deadlock, in some schedule.
TEST(WeakCausalTest, ARaceMeansThatSomeScheduleHasARaceOrADeadlock) {
  std::size_t traces_with_races = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const trace::Trace trace = random_run(random, random_shape(random, 14));
    if (weak_causal(trace, {}).racy.empty()) continue;
    ++traces_with_races;
    const BruteForceResult all = brute_force(trace);
    ASSERT_TRUE(!all.races.empty() || all.deadlock) << "seed " << seed << "\n" << to_text(trace);
  }
  EXPECT_GT(traces_with_races, kSeeds / 8);
}

// The theorem is for sections without forks: no rule sees that the last write needs the second section.
TEST(WeakCausalTest, AForkInASectionBreaksThePromise) {
  trace::Trace trace;
  add(trace, 1, EventKind::kAcquire, 1);
  add(trace, 1, EventKind::kFork, 2);
  add(trace, 1, EventKind::kWrite, 1);
  add(trace, 1, EventKind::kRelease, 1);
  add(trace, 2, EventKind::kAcquire, 1);
  add(trace, 2, EventKind::kFork, 3);
  add(trace, 3, EventKind::kWrite, 1);
  add(trace, 2, EventKind::kRelease, 1);
  EXPECT_EQ(pairs_of(weak_causal(trace, {})), (std::set<EventPair>{{3, 7}}));
  const BruteForceResult all = brute_force(trace);
  EXPECT_TRUE(all.races.empty() && !all.deadlock);
}

// The engine's detector and this one are written apart; the first race of each variable is where both must agree.
TEST(HappensBeforeTest, AgreesWithTheEngineOnTheFirstRaceOfEachVariable) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    RunShape shape = random_shape(random, 60);
    const trace::Trace trace = random_run(random, shape);
    struct Seen {
      std::set<std::uint64_t> variables;
      std::vector<EventNumber> first;
      EventNumber now = 0;
    } seen;
    const engine::RaceSink sink{[](void* context, const engine::RaceReport& report) {
                                  auto& s = *static_cast<Seen*>(context);
                                  if (s.variables.insert(report.variable.base).second) s.first.push_back(s.now);
                                },
                                &seen};
    engine::FastTrack detector({}, sink);
    for (model::Event e : trace.events) {
      e.site = model::SiteId{1};  // random runs have none, and the engine wants one
      ++seen.now;
      detector.on_event(e);
    }
    std::set<std::uint64_t> variables;
    std::vector<EventNumber> first;
    for (const EventNumber e : happens_before(trace, {}).racy) {
      if (variables.insert(trace.events[e - 1].object).second) first.push_back(e);
    }
    ASSERT_EQ(first, seen.first) << "seed " << seed << "\n" << to_text(trace);
  }
}

TEST(LocksetTest, AgreesWithTheEngineWhereThereAreNoReadWriteLocks) {
  std::size_t racy = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    RunShape shape = random_shape(random, 60);
    shape.shared_locks = false;
    const trace::Trace trace = random_run(random, shape);
    struct Seen {
      std::vector<EventNumber> racy;
      EventNumber now = 0;
    } seen;
    const engine::RaceSink sink{[](void* context, const engine::RaceReport&) {
                                  auto& s = *static_cast<Seen*>(context);
                                  s.racy.push_back(s.now);
                                },
                                &seen};
    engine::Lockset detector(sink);
    for (const model::Event& e : trace.events) {
      ++seen.now;
      detector.on_event(e);
    }
    racy += seen.racy.size();
    ASSERT_EQ(lockset(trace, {}).racy, seen.racy) << "seed " << seed << "\n" << to_text(trace);
  }
  EXPECT_GT(racy, kSeeds);
}

// A write under a read lock is kept from nobody else under the read lock.
TEST(LocksetTest, AWriteCountsOnlyTheLocksHeldAlone) {
  const auto racy = [](EventKind acquire, EventKind release) {
    trace::Trace trace;
    for (const std::uint32_t t : {1u, 2u}) {
      trace.events.push_back({.kind = acquire, .thread = model::ThreadId{t}, .object = 1});
      trace.events.push_back({.kind = EventKind::kWrite, .thread = model::ThreadId{t}, .object = 1});
      trace.events.push_back({.kind = release, .thread = model::ThreadId{t}, .object = 1});
    }
    return lockset(trace, {}).racy;
  };
  EXPECT_EQ(racy(EventKind::kAcquire, EventKind::kRelease), std::vector<EventNumber>{});
  EXPECT_EQ(racy(EventKind::kAcquireShared, EventKind::kReleaseShared), std::vector<EventNumber>{5});
}

}  // namespace
}  // namespace deadheat::predict
