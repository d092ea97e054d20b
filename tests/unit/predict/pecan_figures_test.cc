// SPDX-License-Identifier: Apache-2.0
//
// Figures 1 and 3 to 7 of PECAN (Huang and Zhang, ISSTA 2011). Event n of a figure's trace has site n of the figure.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "predict/brute_force.h"
#include "predict/pattern_search.h"
#include "predict/schedule_generation.h"

namespace deadheat::predict {
namespace {

using model::EventKind;
using model::SiteId;
using model::ThreadId;
using Sites = std::vector<std::uint32_t>;

class Figure {
 public:
  // In the order of the trace.
  Figure& add(std::uint32_t site, std::uint32_t thread, EventKind kind, std::uint64_t object = 0) {
    trace_.events.push_back({.kind = kind, .thread = ThreadId{thread}, .site = SiteId{site}, .object = object});
    return *this;
  }
  const trace::Trace& trace() const { return trace_; }
  EventNumber event(std::uint32_t site) const {
    for (EventNumber i = 1; i <= trace_.events.size(); ++i) {
      if (to_number(trace_.events[i - 1].site) == site) return i;
    }
    return 0;
  }
  std::vector<EventNumber> events(const Sites& sites) const {
    std::vector<EventNumber> events;
    for (const std::uint32_t site : sites) events.push_back(event(site));
    return events;
  }
  Sites sites(const std::vector<EventNumber>& events) const {
    Sites sites;
    for (const EventNumber e : events) sites.push_back(to_number(trace_.events[e - 1].site));
    return sites;
  }

  // What the search finds of one kind, by sites.
  std::set<Sites> find(PatternKind kind) const {
    const Ptg ptg(trace_);
    std::set<Sites> found;
    for (const PatternMatch& match : search(ptg, known_patterns()).matches) {
      if (match.pattern->kind != kind) continue;
      Sites s = sites(match.events);
      if (match.pattern->adjacent) std::sort(s.begin(), s.end());
      found.insert(s);
    }
    return found;
  }
  // The schedule for the sites in this order; empty: there is none.
  Sites schedule(const std::string& pattern, const Sites& wanted) const {
    const Ptg ptg(trace_);
    const auto events_wanted = events(wanted);
    const auto result = ScheduleGenerator(ptg).generate(known(pattern), events_wanted);
    if (!result) return {};
    EXPECT_TRUE(is_feasible(trace_, ptg.links(), result->all(), result->values, events_wanted));
    return sites(result->all());
  }
  static const Pattern& known(const std::string& name) {
    return *std::find_if(known_patterns().begin(), known_patterns().end(),
                         [&](const Pattern& p) { return p.name == name; });
  }

 private:
  trace::Trace trace_;
};

constexpr std::uint64_t kX = 1;
constexpr std::uint64_t kY = 2;
constexpr std::uint64_t kLock = 1;

// Three races on two variables; the one between 3 and 7 shows the error when 7 comes first.
TEST(PecanFigure1, TheThreeRacesAreFoundAndTheErrorIsScheduled) {
  Figure figure;
  figure.add(1, 1, EventKind::kRead, 3)
      .add(5, 2, EventKind::kRead, kX)
      .add(2, 1, EventKind::kWrite, kX)
      .add(3, 1, EventKind::kRead, kY)
      .add(6, 2, EventKind::kRead, kX)
      .add(7, 2, EventKind::kWrite, kY);
  EXPECT_EQ(figure.find(PatternKind::kDataRace), (std::set<Sites>{{2, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(figure.schedule("race-read-write", {7, 3}), (Sites{1, 5, 2, 6, 7, 3}));
}

// The remote access holds the lock of both local ones; between them the lock is free, before v4.
Figure figure3() {
  Figure figure;
  figure.add(10, 1, EventKind::kRegionEnter)
      .add(1, 1, EventKind::kAcquire, kLock)
      .add(2, 1, EventKind::kRead, kX)
      .add(3, 1, EventKind::kRelease, kLock)
      .add(4, 1, EventKind::kAcquire, kLock)
      .add(5, 1, EventKind::kWrite, kX)
      .add(6, 1, EventKind::kRelease, kLock)
      .add(11, 1, EventKind::kRegionExit)
      .add(7, 2, EventKind::kAcquire, kLock)
      .add(8, 2, EventKind::kWrite, kX)
      .add(9, 2, EventKind::kRelease, kLock);
  return figure;
}

TEST(PecanFigure3, TheRemoteAccessFitsBeforeV4) {
  const Figure figure = figure3();
  EXPECT_EQ(figure.find(PatternKind::kAtomicityViolation), (std::set<Sites>{{2, 8, 5}}));
  EXPECT_TRUE(figure.find(PatternKind::kDataRace).empty());
  EXPECT_EQ(figure.schedule("stale-update", {2, 8, 5}), (Sites{10, 1, 2, 3, 7, 8, 9, 4, 5}));
}

TEST(PecanFigure3, UnderOneSectionNothingFits) {
  Figure figure;
  figure.add(1, 1, EventKind::kAcquire, kLock)
      .add(2, 1, EventKind::kRead, kX)
      .add(5, 1, EventKind::kWrite, kX)
      .add(6, 1, EventKind::kRelease, kLock)
      .add(7, 2, EventKind::kAcquire, kLock)
      .add(8, 2, EventKind::kWrite, kX)
      .add(9, 2, EventKind::kRelease, kLock);
  EXPECT_TRUE(figure.find(PatternKind::kAtomicityViolation).empty());
}

// What depends on the moved access goes with it, and what lies behind the race is cut off.
TEST(PecanFigure4, TheAccessMovesWithWhatDependsOnIt) {
  Figure figure;
  figure.add(1, 1, EventKind::kRead, 11)
      .add(2, 1, EventKind::kWrite, kX)
      .add(3, 1, EventKind::kRead, 12)
      .add(4, 2, EventKind::kRead, 13)
      .add(5, 2, EventKind::kWrite, kX)
      .add(6, 2, EventKind::kRead, 14);
  EXPECT_EQ(figure.find(PatternKind::kDataRace), (std::set<Sites>{{2, 5}}));
  EXPECT_EQ(figure.schedule("race-write-write", {2, 5}), (Sites{1, 4, 2, 5}));
}

// v2 → v5 is a fork here.
Figure figure5(bool has_order) {
  Figure figure;
  figure.add(1, 1, EventKind::kAcquire, kLock);
  if (has_order) {
    figure.add(2, 1, EventKind::kFork, 2);
  } else {
    figure.add(2, 1, EventKind::kRead, 11);
  }
  figure.add(3, 1, EventKind::kWrite, kX)
      .add(4, 1, EventKind::kRelease, kLock)
      .add(5, 2, EventKind::kRead, 12)
      .add(6, 2, EventKind::kAcquire, kLock)
      .add(7, 2, EventKind::kRelease, kLock)
      .add(8, 2, EventKind::kWrite, kX);
  return figure;
}

TEST(PecanFigure5, WithoutTheOrderTheWholeSectionMoves) {
  const Figure figure = figure5(false);
  EXPECT_EQ(figure.find(PatternKind::kDataRace), (std::set<Sites>{{3, 8}}));
  EXPECT_EQ(figure.schedule("race-write-write", {3, 8}), (Sites{5, 6, 7, 1, 2, 3, 8}));
}

TEST(PecanFigure5, WithTheOrderThereIsNoFeasibleSchedule) {
  const Figure figure = figure5(true);
  EXPECT_EQ(figure.find(PatternKind::kDataRace), (std::set<Sites>{{3, 8}}));  // the mutation condition alone is fooled
  EXPECT_EQ(figure.schedule("race-write-write", {3, 8}), Sites{});
  const auto events = figure.events({3, 8});
  EXPECT_FALSE(can_show(figure.trace(), Figure::known("race-write-write"), events, Values::kFree));
}

// OpenJMS: the handler is set without the lock under which it is read.
TEST(PecanFigure6, TheReadBeforeTheInitialisationIsScheduled) {
  Figure figure;
  figure.add(1, 2, EventKind::kWrite, kX)
      .add(20, 1, EventKind::kAcquire, kLock)
      .add(2, 1, EventKind::kRead, kX)
      .add(21, 1, EventKind::kRelease, kLock);
  EXPECT_EQ(figure.find(PatternKind::kDataRace), (std::set<Sites>{{1, 2}}));
  EXPECT_EQ(figure.schedule("race-read-write", {2, 1}), (Sites{20, 2, 1}));
}

// Jigsaw: the queue was not empty, but the element is gone. Each call of the queue is synchronised by itself.
TEST(PecanFigure7, TheElementIsRemovedBetweenTheCheckAndTheUse) {
  Figure figure;
  const auto call = [&](std::uint32_t thread, std::uint32_t site, EventKind kind) {
    figure.add(100 + site, thread, EventKind::kAcquire, kLock)
        .add(site, thread, kind, kX)
        .add(200 + site, thread, EventKind::kRelease, kLock);
  };
  for (const std::uint32_t thread : {1u, 2u}) {
    const std::uint32_t base = 10 * thread;
    figure.add(300 + base, thread, EventKind::kRegionEnter);
    call(thread, base + 1, EventKind::kRead);
    call(thread, base + 2, EventKind::kRead);
    call(thread, base + 3, EventKind::kWrite);
    figure.add(400 + base, thread, EventKind::kRegionExit);
  }
  const auto found = figure.find(PatternKind::kAtomicityViolation);
  EXPECT_TRUE(found.count({11, 23, 12}));
  EXPECT_TRUE(found.count({21, 13, 22}));
  const Sites schedule = figure.schedule("unrepeatable-read", {11, 23, 12});
  ASSERT_FALSE(schedule.empty());
  EXPECT_EQ(schedule.back(), 12u);
  EXPECT_TRUE(figure.find(PatternKind::kDataRace).empty());
}

// Algorithm 3 as printed moves the section of a right before v4, which the thread of v4 does not survive: it holds m
// then, and the section needs m on the way. The race is real, and the locks are nested.
TEST(PecanTheorem1, ALockTakenOnTheWayDoesNotHideTheSchedule) {
  constexpr std::uint64_t kA = 1;
  constexpr std::uint64_t kM = 2;
  Figure figure;
  figure.add(10, 1, EventKind::kAcquire, kA)
      .add(11, 1, EventKind::kAcquire, kM)
      .add(12, 1, EventKind::kRelease, kM)
      .add(1, 1, EventKind::kWrite, kX)
      .add(13, 1, EventKind::kRelease, kA)
      .add(20, 2, EventKind::kAcquire, kM)
      .add(4, 2, EventKind::kWrite, kX)
      .add(21, 2, EventKind::kRelease, kM);
  EXPECT_EQ(figure.schedule("race-write-write", {1, 4}), (Sites{10, 11, 12, 20, 1, 4}));
}

}  // namespace
}  // namespace deadheat::predict
