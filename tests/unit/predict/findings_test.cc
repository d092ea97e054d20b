// SPDX-License-Identifier: Apache-2.0
#include "predict/findings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "predict/brute_force.h"
#include "predict/program_units.h"
#include "random_runs.h"
#include "trace/location.h"

namespace deadheat::predict {
namespace {

using model::EventKind;
using Names = std::vector<std::string_view>;

trace::Trace make(const std::vector<std::tuple<std::uint32_t, EventKind, std::uint64_t, std::uint32_t>>& events) {
  trace::Trace trace;
  for (const auto& [thread, kind, object, site] : events) {
    trace.events.push_back(
        {.kind = kind, .thread = model::ThreadId{thread}, .site = model::SiteId{site}, .object = object});
  }
  return trace;
}

std::vector<const Finding*> of_kind(const Predictions& predictions, PatternKind kind) {
  std::vector<const Finding*> found;
  for (const Finding& finding : predictions.findings) {
    if (finding.pattern != nullptr && finding.pattern->kind == kind) found.push_back(&finding);
  }
  return found;
}

// The lock orders the two in this run; in another schedule the second section comes first.
TEST(FindingsTest, SaysWhoSeesARaceAndWhetherItCanBeFalse) {
  const trace::Trace trace = make({{1, EventKind::kWrite, 1, 10},
                                   {1, EventKind::kAcquire, 1, 11},
                                   {1, EventKind::kRelease, 1, 12},
                                   {2, EventKind::kAcquire, 1, 20},
                                   {2, EventKind::kRelease, 1, 21},
                                   {2, EventKind::kWrite, 1, 22},
                                   {2, EventKind::kWrite, 2, 23},
                                   {3, EventKind::kWrite, 2, 30}});
  const Predictions predictions = predict_all(trace, {.exact = true});
  const auto races = of_kind(predictions, PatternKind::kDataRace);
  ASSERT_EQ(races.size(), 2u);
  EXPECT_EQ(races[0]->seen_by, (Names{"wcp", "syncp", "exact", "patterns"}));
  EXPECT_EQ(races[0]->label, Label::kCannotBeFalse);
  EXPECT_EQ(races[0]->events, (std::vector<EventNumber>{1, 6}));
  ASSERT_TRUE(races[0]->schedule);
  EXPECT_EQ(races[1]->seen_by, (Names{"hb", "shb", "wcp", "syncp", "exact", "patterns"}));
}

TEST(FindingsTest, APairOfSitesIsOneFindingInWhateverOrder) {
  const trace::Trace trace =
      make({{1, EventKind::kWrite, 1, 10}, {2, EventKind::kWrite, 1, 20}, {1, EventKind::kWrite, 1, 10}});
  const Predictions predictions = predict_all(trace, {});
  const auto races = of_kind(predictions, PatternKind::kDataRace);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0]->count, 2u);
}

TEST(FindingsTest, ARaceOfTwoWritesIsCountedOnce) {
  const Predictions predictions = predict_all(make({{1, EventKind::kWrite, 1, 0}, {2, EventKind::kWrite, 1, 0}}), {});
  const auto races = of_kind(predictions, PatternKind::kDataRace);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0]->count, 1u);
}

// Two readers of one piece of code. Only the flag that they read keeps them behind the writer, so neither place is
// sure: who tries one and sees the thread go another way tries the other, and the schedule for it leaves the first
// reader where it would stray.
TEST(FindingsTest, AnotherPlaceIsKeptForACandidate) {
  std::vector<std::tuple<std::uint32_t, EventKind, std::uint64_t, std::uint32_t>> events{
      {1, EventKind::kWrite, 1, 10},
      {1, EventKind::kAcquire, 1, 11},
      {1, EventKind::kWrite, 2, 12},
      {1, EventKind::kRelease, 1, 13}};
  for (const std::uint32_t reader : {2u, 3u}) {
    events.push_back({reader, EventKind::kAcquire, 1, 20});
    events.push_back({reader, EventKind::kRead, 2, 21});
    events.push_back({reader, EventKind::kRelease, 1, 22});
    events.push_back({reader, EventKind::kRead, 1, 23});
  }
  const trace::Trace trace = make(events);
  const Predictions predictions = predict_all(trace, {});
  const auto races = of_kind(predictions, PatternKind::kDataRace);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0]->label, Label::kCandidate);
  EXPECT_EQ(races[0]->events, (std::vector<EventNumber>{1, 8}));
  ASSERT_EQ(races[0]->others.size(), 1u);
  const Instance& other = races[0]->others[0];
  EXPECT_EQ(other.events, (std::vector<EventNumber>{1, 12}));
  const auto order = other.schedule.all();
  EXPECT_EQ(std::find(order.begin(), order.end(), EventNumber{8}), order.end());
  const TraceLinks links(trace);
  EXPECT_TRUE(is_feasible(trace, links, {order.data(), order.size() - 2}, Values::kFree));
}

TEST(FindingsTest, TwoSitesOfOneLineAreOnePlace) {
  trace::Trace trace = make({{1, EventKind::kRead, 1, 1}, {1, EventKind::kWrite, 1, 2}, {2, EventKind::kWrite, 1, 3}});
  ASSERT_EQ(trace.sites.number("C.m()V@1:C.java:5"), 1u);
  ASSERT_EQ(trace.sites.number("C.m()V@4:C.java:5"), 2u);
  ASSERT_EQ(trace.sites.number("C.n()V@1:C.java:9"), 3u);
  const Predictions predictions = predict_all(trace, {});
  EXPECT_EQ(of_kind(predictions, PatternKind::kDataRace).size(), 1u);
}

// A program that keeps to its lock has no race; the two sections of the one thread are two units of work.
TEST(FindingsTest, FindsTheStaleUpdateBetweenTwoSectionsOfARegion) {
  const trace::Trace trace = make({{1, EventKind::kRegionEnter, 0, 1},
                                   {1, EventKind::kAcquire, 1, 2},
                                   {1, EventKind::kRead, 1, 3},
                                   {1, EventKind::kRelease, 1, 4},
                                   {1, EventKind::kAcquire, 1, 5},
                                   {1, EventKind::kWrite, 1, 6},
                                   {1, EventKind::kRelease, 1, 7},
                                   {1, EventKind::kRegionExit, 0, 8},
                                   {2, EventKind::kAcquire, 1, 9},
                                   {2, EventKind::kWrite, 1, 10},
                                   {2, EventKind::kRelease, 1, 11}});
  const Predictions predictions = predict_all(trace, {});
  EXPECT_TRUE(of_kind(predictions, PatternKind::kDataRace).empty());
  const auto violations = of_kind(predictions, PatternKind::kAtomicityViolation);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0]->pattern->name, "stale-update");
  EXPECT_EQ(violations[0]->events, (std::vector<EventNumber>{3, 10, 6}));
  EXPECT_EQ(violations[0]->seen_by, Names{"patterns"});
  EXPECT_EQ(violations[0]->label, Label::kCannotBeFalse);
}

// The finding of this kind with these events.
const Finding* with_events(const Predictions& predictions, PatternKind kind, const std::vector<EventNumber>& events) {
  for (const Finding* finding : of_kind(predictions, kind)) {
    if (finding->events == events) return finding;
  }
  return nullptr;
}

// Thread 2 writes a once more before: a schedule that has that first makes the first read see it, and the thread might
// not come to its second one.
TEST(FindingsTest, OnlyTheLastReadOfAThreadMaySeeAnotherValue) {
  const trace::Trace trace = make({{1, EventKind::kRegionEnter, 0, 1},
                                   {1, EventKind::kRead, 1, 2},
                                   {1, EventKind::kRead, 2, 3},
                                   {1, EventKind::kRegionExit, 0, 4},
                                   {2, EventKind::kAcquire, 1, 5},
                                   {2, EventKind::kWrite, 1, 6},
                                   {2, EventKind::kRelease, 1, 7},
                                   {2, EventKind::kAcquire, 1, 8},
                                   {2, EventKind::kWrite, 1, 9},
                                   {2, EventKind::kWrite, 2, 10},
                                   {2, EventKind::kRelease, 1, 11}});
  const std::vector<EventNumber> events{2, 9, 10, 3};
  const Predictions predictions = predict_all(trace, {});
  const Finding* torn = with_events(predictions, PatternKind::kAtomicSetViolation, events);
  ASSERT_NE(torn, nullptr);
  EXPECT_EQ(torn->pattern->name, "asv-10");
  EXPECT_EQ(torn->label, Label::kCannotBeFalse);
  ASSERT_TRUE(torn->schedule);
  const std::vector<EventNumber> order = torn->schedule->all();
  EXPECT_TRUE(is_feasible(trace, TraceLinks(trace), order, Values::kKept, events));
  EXPECT_LT(std::find(order.begin(), order.end(), 2u), std::find(order.begin(), order.end(), 6u));
}

TEST(FindingsTest, ACheckThatStaleUpdatesFollowSeesItsValue) {
  const trace::Trace trace = make({{1, EventKind::kRegionEnter, 0, 1},
                                   {1, EventKind::kRead, 1, 2},
                                   {1, EventKind::kWrite, 1, 3},
                                   {1, EventKind::kRegionExit, 0, 4},
                                   {2, EventKind::kWrite, 1, 5},
                                   {2, EventKind::kWrite, 1, 6}});
  const Predictions predictions = predict_all(trace, {});
  const Finding* stale = with_events(predictions, PatternKind::kAtomicityViolation, {2, 6, 3});
  ASSERT_NE(stale, nullptr);
  EXPECT_EQ(stale->label, Label::kCannotBeFalse);
}

// The write of x has to wait for the read of x, and that for the empty section.
TEST(FindingsTest, AWriteWaitsForTheReadThatItWouldSpoil) {
  const trace::Trace trace = make({{1, EventKind::kAcquire, 1, 1},
                                   {1, EventKind::kRelease, 1, 2},
                                   {1, EventKind::kAcquire, 1, 3},
                                   {1, EventKind::kRead, 1, 4},
                                   {1, EventKind::kRead, 2, 5},
                                   {1, EventKind::kRelease, 1, 6},
                                   {2, EventKind::kAcquire, 1, 7},
                                   {2, EventKind::kRelease, 1, 8},
                                   {2, EventKind::kWrite, 1, 9},
                                   {2, EventKind::kWrite, 2, 10},
                                   {2, EventKind::kWrite, 1, 11}});
  const Predictions predictions = predict_all(trace, {});
  const Finding* race = with_events(predictions, PatternKind::kDataRace, {5, 10});
  ASSERT_NE(race, nullptr);
  EXPECT_EQ(race->label, Label::kCannotBeFalse);
  ASSERT_TRUE(race->schedule);
  EXPECT_FALSE(race->schedule->needed_solver);
}

// A loop that looks at n each time round: the update comes right before the last look, whichever places were matched.
TEST(FindingsTest, AnUpdateComesAsLateAsTheReadsBeforeItWant) {
  std::vector<std::tuple<std::uint32_t, EventKind, std::uint64_t, std::uint32_t>> events{
      {1, EventKind::kRegionEnter, 0, 1}};
  for (std::uint32_t round = 0; round < 4; ++round) {
    events.push_back({1, EventKind::kAcquire, 1, 10 + round});
    events.push_back({1, EventKind::kRead, 1, 20 + round});
    events.push_back({1, EventKind::kRelease, 1, 30 + round});
  }
  events.push_back({1, EventKind::kRegionExit, 0, 2});
  events.push_back({2, EventKind::kAcquire, 1, 40});
  events.push_back({2, EventKind::kRead, 1, 41});
  events.push_back({2, EventKind::kWrite, 1, 42});
  events.push_back({2, EventKind::kRelease, 1, 43});
  const trace::Trace trace = make(events);
  const Predictions predictions = predict_all(trace, {});
  const auto violations = of_kind(predictions, PatternKind::kAtomicityViolation);
  ASSERT_EQ(violations.size(), 6u) << "any two of the four";
  for (const Finding* violation : violations) {
    EXPECT_EQ(violation->label, Label::kCannotBeFalse);
    ASSERT_TRUE(violation->schedule);
    EXPECT_FALSE(violation->schedule->needed_solver);
  }
}

TEST(FindingsTest, TheRunItselfMayNotBeSerialisable) {
  // The write of thread 2, in its own section, comes between the two of thread 1's outer section.
  const trace::Trace trace = make({{1, EventKind::kAcquire, 1, 1},
                                   {1, EventKind::kRead, 1, 2},
                                   {2, EventKind::kWrite, 1, 3},
                                   {1, EventKind::kWrite, 1, 4},
                                   {1, EventKind::kRelease, 1, 5}});
  const Predictions predictions = predict_all(trace, {});
  ASSERT_FALSE(predictions.findings.empty());
  const Finding& cycle = predictions.findings.back();
  EXPECT_EQ(cycle.pattern, nullptr);
  EXPECT_EQ(cycle.events, (std::vector<EventNumber>{1, 4}))
      << "where the region was entered, and what closes the cycle";
  EXPECT_EQ(cycle.label, Label::kCannotBeFalse);
}

TEST(FindingsTest, UserPatternsAreLookedFor) {
  const auto patterns = parse_patterns(
      "pattern lost\nE = a - b - c\nT = t - u - t\nSV = x - x - x\nAR = p - q - p\nAT = r - w - w\n", "f");
  ASSERT_TRUE(patterns.ok());
  const trace::Trace trace = make({{1, EventKind::kAcquire, 1, 1},
                                   {1, EventKind::kRead, 1, 2},
                                   {1, EventKind::kWrite, 1, 3},
                                   {1, EventKind::kRelease, 1, 4},
                                   {2, EventKind::kWrite, 1, 5}});
  const Predictions predictions = predict_all(trace, {.user_patterns = patterns.value()});
  const auto found = of_kind(predictions, PatternKind::kUser);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]->events, (std::vector<EventNumber>{2, 5, 3}));
}

TEST(FindingsTest, WhatAnAnalysisGaveUpIsHandedOn) {
  trace::Trace trace = make({});
  for (std::uint32_t i = 0; i < 20; ++i) {
    trace.events.push_back({.kind = EventKind::kWrite, .thread = model::ThreadId{1 + i % 2}, .object = 1});
  }
  EXPECT_FALSE(predict_all(trace, {.max_pairs = 3}).given_up.empty());
}

// Locks of the VM order what is done in class loading, and the trace does not have them.
TEST(FindingsTest, WhatIsNotScheduledIsLeftOutAndCounted) {
  trace::Trace trace = make({{1, EventKind::kMethodEnter, 1, 0},
                             {1, EventKind::kWrite, 1, 10},
                             {1, EventKind::kMethodExit, 1, 0},
                             {1, EventKind::kWrite, 2, 11},
                             {2, EventKind::kWrite, 1, 20},
                             {2, EventKind::kWrite, 2, 21}});
  ASSERT_EQ(trace.regions.number(trace::kUnscheduled), 1u);
  const Predictions predictions = predict_all(trace, {});
  const auto races = of_kind(predictions, PatternKind::kDataRace);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0]->events, (std::vector<EventNumber>{4, 6}));
  ASSERT_EQ(predictions.given_up.size(), 1u);
  EXPECT_GT(predictions.given_up[0].count, 0u);
}

std::vector<EventKind> kinds_of(const ProgramUnits& units) {
  std::vector<EventKind> kinds;
  for (const model::Event& e : units.trace.events) kinds.push_back(e.kind);
  return kinds;
}

TEST(ProgramUnitsTest, OnlyTheOutermostCounts) {
  const trace::Trace trace = make({{1, EventKind::kAcquire, 1, 1},
                                   {1, EventKind::kRegionEnter, 0, 2},
                                   {1, EventKind::kRead, 1, 3},
                                   {1, EventKind::kRelease, 1, 4},
                                   {1, EventKind::kRegionExit, 0, 5},
                                   {2, EventKind::kRead, 1, 6}});
  const ProgramUnits units = program_units(trace);
  EXPECT_EQ(kinds_of(units), (std::vector<EventKind>{EventKind::kRegionEnter, EventKind::kRead, EventKind::kRegionExit,
                                                     EventKind::kRead}));
  EXPECT_EQ(units.original, (std::vector<EventNumber>{0, 1, 3, 5, 6}));
}

TEST(ProgramUnitsTest, AreCutWhereAThreadStartsOrAwaitsAnother) {
  const trace::Trace trace = make({{1, EventKind::kAcquire, 1, 1},
                                   {1, EventKind::kFork, 2, 2},
                                   {1, EventKind::kRelease, 1, 3},
                                   {1, EventKind::kJoin, 2, 4}});
  EXPECT_EQ(kinds_of(program_units(trace)), (std::vector<EventKind>{EventKind::kRegionEnter, EventKind::kRegionExit,
                                                                    EventKind::kRegionEnter, EventKind::kRegionExit}));
}

// Who waits for a condition of a lock, or is parked, does not mean what comes before and behind to be one.
TEST(ProgramUnitsTest, AreCutWhereAThreadWaitsForACondition) {
  trace::Trace trace = make({{1, EventKind::kRegionEnter, 0, 1},
                             {1, EventKind::kRead, 1, 1},
                             {1, EventKind::kVolatileUpdate, 1, 0},
                             {1, EventKind::kRead, 1, 1},
                             {1, EventKind::kPark, 2, 1},
                             {1, EventKind::kRead, 1, 1},
                             {1, EventKind::kRegionExit, 0, 1},
                             {2, EventKind::kWrite, 1, 2}});
  for (const char* name : {"condition@1", "permit:1"}) trace.syncs.number(name);
  const auto unit = {EventKind::kRegionEnter, EventKind::kRead, EventKind::kRegionExit};
  std::vector<EventKind> wanted;
  for (int i = 0; i < 3; ++i) wanted.insert(wanted.end(), unit);
  wanted.push_back(EventKind::kWrite);
  EXPECT_EQ(kinds_of(program_units(trace)), wanted);
  for (const Finding& finding : predict_all(trace, {}).findings) {
    ASSERT_NE(finding.pattern, nullptr);
    EXPECT_EQ(finding.pattern->kind, PatternKind::kDataRace);
  }
}

// A queue of the JDK: its sections are no units, its counter no conflict; nor is what only says that an order stays.
TEST(ProgramUnitsTest, WhatMakesTheJdkThreadSafeDoesNotCount) {
  trace::Trace trace = make({{1, EventKind::kAcquire, 1, 1},
                             {1, EventKind::kVolatileUpdate, 2, 2},
                             {2, EventKind::kVolatileUpdate, 2, 2},
                             {1, EventKind::kVolatileUpdate, 2, 2},
                             {1, EventKind::kRelease, 1, 1},
                             {1, EventKind::kAcquire, 4, 3},
                             {1, EventKind::kVolatileUpdate, 3, 3},
                             {2, EventKind::kVolatileUpdate, 3, 3},
                             {1, EventKind::kVolatileUpdate, 3, 3},
                             {1, EventKind::kRelease, 4, 3}});
  ASSERT_EQ(trace.sites.number("java/util/concurrent/LinkedBlockingQueue.take()Ljava/lang/Object;@9:x.java:4"), 1u);
  ASSERT_EQ(trace.sites.number("java/util/concurrent/atomic/AtomicInteger.getAndDecrement()I@8:x.java:4"), 2u);
  ASSERT_EQ(trace.sites.number("C.m()V@4:C.java:5"), 3u);
  for (const char* name : {"lock@1", "fields@2", "order@3", "monitor@4"}) trace.syncs.number(name);
  EXPECT_EQ(kinds_of(program_units(trace)), (std::vector<EventKind>{EventKind::kRegionEnter, EventKind::kRegionExit}));
  EXPECT_TRUE(predict_all(trace, {}).findings.empty());
}

// Against brute force on random traces: what cannot be false is shown by a correct reordering in which every thread
// comes to its events whatever the program does; every race that brute force finds is there; what has no schedule is
// shown by none.
TEST(FindingsTest, RandomTracesAgreeWithBruteForce) {
  Random random(7);
  std::uint64_t sure = 0;
  for (int round = 0; round < 400; ++round) {
    const trace::Trace trace = random_run(random, random_shape(random, 12));
    const BruteForceResult truth = brute_force(trace);
    const Predictions predictions = predict_all(trace, {.exact = true});
    std::size_t races = 0;
    for (const Finding& finding : predictions.findings) {
      if (finding.pattern == nullptr) continue;
      if (finding.pattern->kind == PatternKind::kDataRace) {
        const auto [first, second] = std::minmax(finding.events[0], finding.events[1]);
        const bool real = truth.races.contains({first, second});
        if (finding.label == Label::kCannotBeFalse) {
          ASSERT_TRUE(real) << to_text(trace);
        }
        races += real;
      }
      const bool kept = can_show(trace, *finding.pattern, finding.events, Values::kKept);
      if (finding.label == Label::kCannotBeFalse) {
        ASSERT_TRUE(kept) << finding.pattern->name << "\n" << to_text(trace);
        ++sure;
      }
      if (!finding.schedule) {
        ASSERT_FALSE(can_show(trace, *finding.pattern, finding.events, Values::kFree)) << to_text(trace);
      }
    }
    // The sites of these traces are their events' own, or none: each race is a finding.
    const bool has_sites = std::any_of(trace.events.begin(), trace.events.end(),
                                       [](const model::Event& e) { return e.site != model::SiteId{}; });
    if (!has_sites) {
      ASSERT_EQ(races, truth.races.size()) << to_text(trace);
    }
  }
  EXPECT_GT(sure, 50u);
}

bool is_plain(const trace::Trace& trace, const Finding& finding) {
  return std::all_of(finding.events.begin(), finding.events.end(), [&](EventNumber e) {
    return trace.events[e - 1].kind == EventKind::kRead || trace.events[e - 1].kind == EventKind::kWrite;
  });
}

// Without --exact: what brute force proves, by a reordering in which no read but a thread's last sees another value, is
// called so, and nothing else is.
TEST(FindingsTest, EverythingThatIsProvableIsSaidToBeSure) {
  std::uint64_t sure = 0;
  std::uint64_t solved = 0;
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    Random random(seed + 500);
    RunShape shape = random_shape(random, 16);
    if (random.one_in(2)) {
      shape.lock_weight = 4 + random.below(4);
      shape.regions = true;
    }
    const trace::Trace trace = random_run(random, shape);
    const Predictions predictions = predict_all(trace, {});
    for (const Finding& finding : predictions.findings) {
      if (finding.pattern == nullptr || !is_plain(trace, finding)) continue;
      const bool is_provable = can_show(trace, *finding.pattern, finding.events, Values::kKept);
      ASSERT_EQ(finding.label == Label::kCannotBeFalse, is_provable)
          << "seed " << seed << " " << finding.pattern->name << "\n"
          << to_text(trace);
      sure += is_provable;
      solved += is_provable && finding.schedule && finding.schedule->needed_solver;
    }
  }
  EXPECT_GT(sure, 3'000u);
  EXPECT_LT(solved, sure / 100) << "few need the solver";
  RecordProperty("sure", static_cast<int>(sure));
  RecordProperty("solved", static_cast<int>(solved));
}

}  // namespace
}  // namespace deadheat::predict
