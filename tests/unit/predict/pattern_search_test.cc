// SPDX-License-Identifier: Apache-2.0
#include "predict/pattern_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "predict/brute_force.h"
#include "tests/unit/predict/random_runs.h"

namespace deadheat::predict {
namespace {

using model::EventKind;
using model::SiteId;
using model::ThreadId;

// Every choice of accesses that has the shape of the pattern, tried in no clever order.
std::set<std::vector<EventNumber>> all_of_shape(const Ptg& ptg, const Pattern& pattern) {
  std::set<std::vector<EventNumber>> found;
  std::vector<const Ptg::Access*> chosen;
  const std::function<void()> extend = [&] {
    if (chosen.size() == pattern.steps.size()) {
      std::vector<EventNumber> events;
      for (const auto* a : chosen) events.push_back(a->event);
      if (can_be_ordered(ptg, pattern, events)) found.insert(events);
      return;
    }
    const PatternStep& step = pattern.steps[chosen.size()];
    for (const Ptg::Access& a : ptg.accesses()) {
      bool fits = a.is_write == step.is_write;
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        const PatternStep& other = pattern.steps[k];
        fits = fits && (other.thread == step.thread) == (chosen[k]->thread == a.thread) &&
               (other.variable == step.variable) == (chosen[k]->variable == a.variable) &&
               (other.unit == step.unit) == (chosen[k]->unit == a.unit) &&
               (other.thread != step.thread || chosen[k]->event < a.event);
      }
      if (!fits) continue;
      chosen.push_back(&a);
      extend();
      chosen.pop_back();
    }
  };
  extend();
  return found;
}

TEST(PatternSearchTest, FindsEveryMatchWhereEverySiteIsAnother) {
  auto patterns = parse_patterns(
      "pattern three\n"
      "E = a - b - c - d\nT = t - u - v - t\nSV = x - x - y - y\nAR = p - q - r - p\nAT = w - r - w - r\n"
      "pattern readers\n"
      "E = a - b\nT = t - u\nSV = x - x\nAR = p - q\nAT = r - r\n",
      "test");
  ASSERT_TRUE(patterns.ok()) << patterns.error().message;
  std::vector<Pattern> all = patterns.value();
  for (const Pattern& p : known_patterns()) all.push_back(p);
  std::map<PatternKind, std::size_t> matches;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    RunShape shape = random_shape(random, 24);
    shape.regions = true;
    shape.access_weight = 6;
    trace::Trace trace = random_run(random, shape);
    for (std::size_t i = 0; i < trace.events.size(); ++i)
      trace.events[i].site = SiteId{static_cast<std::uint32_t>(i + 1)};
    const Ptg ptg(trace);
    const auto accesses = std::count_if(trace.events.begin(), trace.events.end(), is_access);
    ASSERT_EQ(ptg.accesses().size(), static_cast<std::size_t>(accesses));
    for (const Pattern& pattern : all) {
      std::set<std::vector<EventNumber>> expected;
      for (auto events : all_of_shape(ptg, pattern)) {
        if (pattern.adjacent) std::sort(events.begin(), events.end());
        expected.insert(events);
      }
      std::set<std::vector<EventNumber>> found;
      for (auto match : search(ptg, {&pattern, 1}).matches) {
        if (pattern.adjacent) std::sort(match.events.begin(), match.events.end());
        found.insert(match.events);
      }
      ASSERT_EQ(found, expected) << "seed " << seed << ", " << pattern.name << "\n" << to_text(trace);
      matches[pattern.kind] += found.size();
    }
  }
  for (const PatternKind kind : {PatternKind::kDataRace, PatternKind::kAtomicityViolation,
                                 PatternKind::kAtomicSetViolation, PatternKind::kNotSerialisable, PatternKind::kUser}) {
    EXPECT_GT(matches[kind], 100u) << static_cast<int>(kind);
  }
}

// Sites and threads of a match: what the search tells apart.
using Told = std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;
std::set<Told> told(const Ptg& ptg, const Pattern& pattern, const std::set<std::vector<EventNumber>>& matches) {
  std::set<Told> result;
  for (const auto& events : matches) {
    Told one;
    for (const EventNumber e : events) {
      one.first.push_back(to_number(ptg.event(e).site));
      one.second.push_back(to_number(ptg.event(e).thread));
    }
    if (pattern.adjacent) {
      std::sort(one.first.begin(), one.first.end());
      std::sort(one.second.begin(), one.second.end());
    }
    result.insert(one);
  }
  return result;
}

// The search passes over what cannot be completed, and looks at variables in rounds: nothing is lost by that. Few
// sites, so that many accesses stand for each other, and more of a variable than the first rounds reach.
TEST(PatternSearchTest, FindsTheSamePlacesAsATryOfEverything) {
  auto patterns = parse_patterns(
      "pattern three\n"
      "E = a - b - c - d\nT = t - u - v - t\nSV = x - x - y - y\nAR = p - q - r - p\nAT = w - r - w - r\n"
      "pattern two-units\n"
      "E = a - b - c\nT = t - u - t\nSV = x - x - x\nAR = p - q - r\nAT = r - w - r\n"
      "pattern far\n"
      "E = a - b - c\nT = t - u - t\nSV = x - x - y\nAR = p - q - p\nAT = w - r - w\n"
      "pattern around\n"
      "E = a - b - c - d\nT = t - u - v - u\nSV = x - y - x - y\nAR = p - q - r - q\nAT = w - w - r - r\n"
      "pattern touching adjacent\n"
      "E = a - b\nT = t - u\nSV = x - x\nAR = p - q\nAT = r - r\n",
      "test");
  ASSERT_TRUE(patterns.ok()) << patterns.error().message;
  std::vector<Pattern> all = patterns.value();
  for (const Pattern& p : known_patterns()) all.push_back(p);
  std::map<PatternKind, std::size_t> places;
  std::size_t longest = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    RunShape shape = random_shape(random, 90);
    shape.regions = random.one_in(2);
    shape.volatiles = !random.one_in(3);
    shape.access_weight = 3 + random.below(6);
    trace::Trace trace = random_run(random, shape);
    const std::uint32_t sites = 2 + random.below(12);
    for (model::Event& event : trace.events) event.site = SiteId{1 + random.below(sites)};
    const Ptg ptg(trace);
    for (std::uint32_t v = 1; v <= shape.variables; ++v) longest = std::max(longest, ptg.of_variable(v).size());
    for (const Pattern& pattern : all) {
      const SearchResult result = search(ptg, {&pattern, 1}, {.instances = 1'000});
      ASSERT_EQ(result.variables_cut_short, 0u);
      std::set<std::vector<EventNumber>> found;
      for (const auto& match : result.matches) {
        ASSERT_TRUE(can_be_ordered(ptg, pattern, match.events));
        found.insert(match.events);
      }
      const auto expected = told(ptg, pattern, all_of_shape(ptg, pattern));
      ASSERT_EQ(told(ptg, pattern, found), expected) << "seed " << seed << ", " << pattern.name << "\n"
                                                     << to_text(trace);
      places[pattern.kind] += expected.size();
    }
  }
  EXPECT_GT(longest, 16u);
  for (const PatternKind kind : {PatternKind::kDataRace, PatternKind::kAtomicityViolation,
                                 PatternKind::kAtomicSetViolation, PatternKind::kNotSerialisable, PatternKind::kUser}) {
    EXPECT_GT(places[kind], 1'000u) << static_cast<int>(kind);
  }
}

// Nothing real is left out by the mutation condition, for any choice of accesses.
TEST(PatternSearchTest, TheMutationConditionIsNecessary) {
  std::size_t real = 0;
  std::size_t candidates = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    Random random(seed);
    RunShape shape = random_shape(random, 16);
    shape.lock_weight = 4 + random.below(6);
    shape.threads = 2;
    trace::Trace trace = random_run(random, shape);
    for (std::size_t i = 0; i < trace.events.size(); ++i)
      trace.events[i].site = SiteId{static_cast<std::uint32_t>(i + 1)};
    const Ptg ptg(trace);
    for (const Pattern& pattern : known_patterns()) {
      const auto found = all_of_shape(ptg, pattern);
      candidates += found.size();
      // All choices, also those that the condition rules out.
      const Pattern& p = pattern;
      if (p.steps.size() > 3) continue;
      for (const Ptg::Access& a : ptg.accesses()) {
        for (const Ptg::Access& b : ptg.accesses()) {
          if (a.thread == b.thread || a.variable != b.variable || a.is_write != p.steps[0].is_write ||
              b.is_write != p.steps[1].is_write) {
            continue;
          }
          if (p.steps.size() == 2) {
            const bool is_real = can_show(trace, p, std::vector{a.event, b.event}, Values::kFree);
            real += is_real;
            ASSERT_TRUE(!is_real || found.count({a.event, b.event})) << "seed " << seed << "\n" << to_text(trace);
            continue;
          }
          for (const Ptg::Access& c : ptg.accesses()) {
            if (c.unit != a.unit || c.variable != a.variable || c.event <= a.event || c.is_write != p.steps[2].is_write)
              continue;
            const bool is_real = can_show(trace, p, std::vector{a.event, b.event, c.event}, Values::kFree);
            real += is_real;
            ASSERT_TRUE(!is_real || found.count({a.event, b.event, c.event}))
                << "seed " << seed << " " << p.name << "\n"
                << to_text(trace);
          }
        }
      }
    }
  }
  EXPECT_GT(real, 1'000u);
  EXPECT_GT(candidates, real);
}

trace::Trace looping_threads(std::uint32_t rounds) {
  trace::Trace trace;
  const auto add = [&](std::uint32_t t, EventKind kind, std::uint64_t object, std::uint32_t site) {
    trace.events.push_back({.kind = kind, .thread = ThreadId{t}, .site = SiteId{site}, .object = object});
  };
  for (std::uint32_t i = 0; i < rounds; ++i) {
    for (const std::uint32_t t : {1u, 2u}) {
      add(t, EventKind::kAcquire, 1, 1);
      add(t, EventKind::kRead, 1, 2);
      add(t, EventKind::kRelease, 1, 3);
      add(t, EventKind::kWrite, 2, 4);
    }
  }
  return trace;
}

// What a loop repeats is looked at once, and reported once.
TEST(PtgTest, UnitsThatLookTheSameStandForEachOther) {
  const trace::Trace trace = looping_threads(1'000);
  const Ptg ptg(trace);
  EXPECT_EQ(ptg.accesses().size(), 4u);
  const SearchResult result = search(ptg, known_patterns());
  ASSERT_EQ(result.matches.size(), 1u);
  EXPECT_EQ(result.matches[0].pattern->name, "race-write-write");
}

TEST(PtgTest, UnitsAreOutermostRegionsCutAtThreadCommunication) {
  trace::Trace trace;
  const auto add = [&](EventKind kind, std::uint64_t object) {
    trace.events.push_back({.kind = kind,
                            .thread = ThreadId{1},
                            .site = SiteId{static_cast<std::uint32_t>(trace.events.size() + 1)},
                            .object = object});
  };
  add(EventKind::kAcquire, 1);  // 1
  add(EventKind::kRead, 1);     // 2: unit A
  add(EventKind::kAcquire, 2);  // 3
  add(EventKind::kRead, 2);     // 4: unit A
  add(EventKind::kRelease, 2);  // 5
  add(EventKind::kFork, 2);     // 6
  add(EventKind::kRead, 3);     // 7: unit B
  add(EventKind::kRelease, 1);  // 8
  add(EventKind::kRead, 4);     // 9: unit C
  add(EventKind::kRead, 5);     // 10: unit D
  const Ptg ptg(trace);
  std::vector<std::uint32_t> units;
  for (const Ptg::Access& a : ptg.accesses()) units.push_back(a.unit);
  EXPECT_EQ(units, (std::vector<std::uint32_t>{0, 0, 1, 2, 3}));
  EXPECT_EQ(ptg.outermost_acquire(4), EventNumber{1});
  EXPECT_EQ(ptg.outermost_acquire(9), EventNumber{0});

  const Ptg without_sections(trace, {.sections_are_regions = false});
  EXPECT_EQ(without_sections.accesses().back().unit, 4u);
}

// Two threads that access one variable all the time, always under its lock, at ever new sites, and another one once
// each.
TEST(PatternSearchTest, AVariableThatIsAccessedOftenLeavesOthersTheirShare) {
  trace::Trace trace;
  std::uint32_t site = 0;
  const auto add = [&](std::uint32_t t, EventKind kind, std::uint64_t object) {
    trace.events.push_back({.kind = kind, .thread = ThreadId{t}, .site = SiteId{++site}, .object = object});
  };
  for (int i = 0; i < 500; ++i) {
    for (const std::uint32_t t : {1u, 2u}) {
      add(t, EventKind::kAcquire, 1);
      add(t, EventKind::kWrite, 1);
      add(t, EventKind::kRelease, 1);
    }
  }
  add(1, EventKind::kWrite, 2);
  add(2, EventKind::kWrite, 2);
  const SearchResult result = search(Ptg(trace), known_patterns(), {.steps = 20'000});
  ASSERT_EQ(result.matches.size(), 1u);
  EXPECT_EQ(result.matches[0].events, (std::vector<EventNumber>{3'001, 3'002}));
  EXPECT_EQ(result.variables, 2u);
  EXPECT_GT(result.variables_cut_short, 0u);
  EXPECT_EQ(result.variables_cut_short, result.patterns_cut_short) << "the one variable";
}

// The same two lines race at two places: each in units of its own.
TEST(PatternSearchTest, RepeatsAreOtherUnitsAndThoseApartStandForNoOthers) {
  trace::Trace trace;
  for (const std::uint64_t variable : {1u, 2u}) {
    for (const std::uint32_t t : {1u, 2u}) {
      trace.events.push_back({.kind = EventKind::kWrite, .thread = ThreadId{t}, .site = SiteId{t}, .object = variable});
    }
  }
  const Ptg ptg(trace);
  const auto places = [&](const SearchLimits& limits) {
    std::vector<std::vector<EventNumber>> found;
    for (const auto& match : search(ptg, known_patterns(), limits).matches) {
      found.push_back(match.events);
      std::sort(found.back().begin(), found.back().end());
    }
    return found;
  };
  using Places = std::vector<std::vector<EventNumber>>;
  EXPECT_EQ(places({}), (Places{{1, 2}}));
  EXPECT_EQ(places({.repeats = 3}), (Places{{1, 2}, {3, 4}}));
  std::vector<bool> apart(trace.events.size() + 1);
  apart[2] = true;
  EXPECT_EQ(places({.apart = &apart}), (Places{{1, 2}, {3, 4}}));
}

TEST(PatternSearchTest, ALimitIsCounted) {
  const trace::Trace trace = looping_threads(10);
  const SearchResult result = search(Ptg(trace), known_patterns(), {.matches = 10, .steps = 1});
  EXPECT_EQ(result.patterns_cut_short, known_patterns().size());
}

}  // namespace
}  // namespace deadheat::predict
