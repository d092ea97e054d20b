// SPDX-License-Identifier: Apache-2.0
//
// The detectors of candidates over words against those over events, on random traces.
#include "engine/candidates.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "engine/engine_parts.h"
#include "engine/event_sync.h"
#include "engine/hybrid.h"
#include "engine/lockset.h"
#include "engine/sync.h"
#include "tests/unit/engine/random_traces.h"

namespace deadheat::engine {
namespace {

using model::EventKind;
using Pairs = std::set<std::tuple<std::uint32_t, std::uint32_t>>;  // previous site, current site

struct Found {
  Pairs pairs;
  std::set<std::uint32_t> noticed;  // sites of the later accesses
  std::uint32_t current = 0;
  bool own_thread = false;  // a pair of one thread with itself
};

enum class Kind { kHybrid, kLockset };

EngineOptions options_with(std::uint32_t records, std::uint32_t accesses) {
  EngineOptions options;
  options.max_slots = 40;
  options.candidates = true;
  options.candidate_records = records;
  options.candidate_accesses = accesses;
  return options;
}

// A front end as small as can be: words in a map.
class Online {
 public:
  Online(Kind kind, const EngineOptions& options) : kind_(kind), sync_(options, {.locks = false, .notify = true}) {}

  void on_event(const model::Event& event) {
    if (event.kind == EventKind::kRead || event.kind == EventKind::kWrite) return on_access(event);
    switch (event.kind) {
      case EventKind::kAcquire:
        on_lock(sync_.thread(event.thread), event.object);
        break;
      case EventKind::kRelease:
        on_unlock(sync_.thread(event.thread), event.object);
        break;
      case EventKind::kAcquireShared:
        on_lock_shared(sync_.thread(event.thread), event.object);
        break;
      case EventKind::kReleaseShared:
        on_unlock_shared(sync_.thread(event.thread), event.object);
        break;
      case EventKind::kWaitBegin:
        on_wait_begin(sync_.thread(event.thread), event.object);
        break;
      case EventKind::kWaitEnd:
        on_wait_end(sync_.thread(event.thread), event.object);
        break;
      default:
        break;
    }
    sync_.on_event(event);
  }

  Found found;
  EngineStats stats() const { return sync_.engine().stats(); }

 private:
  void on_access(const model::Event& event) {
    static const auto receive = [](void* context, ThreadState& ts) {
      auto& all = *static_cast<Found*>(context);
      all.pairs.emplace(to_number(site_of(ts.conflicts[0].word)), all.current);
      all.noticed.insert(all.current);
      all.own_thread |= ts.parts->threads.thread_at(epoch_of(ts.conflicts[0].word)) == ts.id;
    };
    const CandidateSink sink{receive, &found};
    found.current = to_number(event.site);
    ThreadState& ts = sync_.thread(event.thread);
    auto& [w, r] = words_[event.object];
    const bool hybrid = kind_ == Kind::kHybrid;
    if (event.kind == EventKind::kRead) {
      r = (hybrid ? on_hybrid_read : on_lockset_read)(ts, w, r, event.site, sink);
    } else {
      w = (hybrid ? on_hybrid_write : on_lockset_write)(ts, w, r, event.site, sink);
    }
  }

  struct Words {
    ShadowWord w = kNeverAccessed;
    ShadowWord r = kNeverAccessed;
  };
  const Kind kind_;
  EventSync sync_;
  std::map<std::uint64_t, Words> words_;
};

const RaceSink kCollect{[](void* context, const RaceReport& report) {
                          auto& found = *static_cast<Found*>(context);
                          found.pairs.emplace(to_number(report.previous.site), to_number(report.current.site));
                          found.noticed.insert(to_number(report.current.site));
                        },
                        nullptr};

Found offline(Kind kind, const Trace& trace) {
  Found found;
  const RaceSink sink{kCollect.receive, &found};
  if (kind == Kind::kHybrid) {
    HybridOptions options;
    options.engine.max_slots = 40;
    Hybrid detector(options, sink);
    replay(trace, detector);
  } else {
    Lockset detector(sink);
    replay(trace, detector);
  }
  return found;
}

Trace some_trace(std::uint64_t seed, std::uint32_t sites) {
  Random random(seed);
  TraceShape shape;
  shape.events = 20 + random.below(80);
  shape.threads = 2 + random.below(5);
  shape.variables = 1 + random.below(3);
  shape.locks = 1 + random.below(4);
  shape.volatiles = random.below(3);
  shape.access_weight = 3 + random.below(9);
  shape.shared_locks = seed % 3 == 0;
  Trace trace = random_trace(random, shape);
  if (sites != 0) {
    for (model::Event& event : trace) event.site = model::SiteId{to_number(event.site) % sites + 1};
  }
  return trace;
}

TEST(CandidatesRandom, HybridFindsThePairsOfTheDetectorOverEvents) {
  std::uint64_t pairs = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    const Trace trace = some_trace(seed, seed % 2 == 0 ? 0 : 6);
    Online online(Kind::kHybrid, options_with(1000, 1000));
    for (const model::Event& event : trace) online.on_event(event);
    ASSERT_EQ(online.found.pairs, offline(Kind::kHybrid, trace).pairs) << "seed " << seed << "\n" << to_text(trace);
    pairs += online.found.pairs.size();
  }
  EXPECT_GT(pairs, 20'000u);
}

// Each place has a new number at every event: the same pairs of places, and no more accesses kept for it.
TEST(CandidatesRandom, NumbersOfOnePlaceCountAsOne) {
  constexpr std::uint32_t kPlaces = 6;
  const auto place_of = [](model::SiteId site) { return model::SiteId{to_number(site) % kPlaces + 1}; };
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Trace by_place = some_trace(seed, kPlaces);
    Trace numbered = by_place;
    std::uint32_t next = 100;
    for (model::Event& event : numbered) event.site = model::SiteId{next++ * kPlaces + to_number(event.site) - 1};
    EngineOptions options = options_with(1000, 8);
    Online expected(Kind::kHybrid, options);
    for (const model::Event& event : by_place) expected.on_event(event);
    options.candidate_place = place_of;
    Online online(Kind::kHybrid, options);
    for (const model::Event& event : numbered) online.on_event(event);

    Pairs places;
    for (const auto& [previous, current] : online.found.pairs) {
      places.emplace(to_number(place_of(model::SiteId{previous})), to_number(place_of(model::SiteId{current})));
    }
    ASSERT_EQ(places, expected.found.pairs) << "seed " << seed;
    ASSERT_EQ(online.stats().accesses_forgotten, expected.stats().accesses_forgotten);
  }
}

// Every other site is one of atomic accesses: the same pairs but for those of two of them.
TEST(CandidatesRandom, AtomicAccessesConflictWithPlainOnesAlone) {
  std::size_t left_out = 0, mixed = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Trace trace = some_trace(seed, 0);
    for (model::Event& event : trace) {
      if (to_number(event.site) % 2 == 0) event.site = model::SiteId{to_number(event.site) + kFirstAtomicSite};
    }
    const auto is_atomic_number = [](std::uint32_t site) { return is_atomic_site(model::SiteId{site}); };
    Pairs expected;
    for (const auto& pair : offline(Kind::kHybrid, trace).pairs) {
      const bool first = is_atomic_number(std::get<0>(pair)), second = is_atomic_number(std::get<1>(pair));
      first&& second ? ++left_out : expected.insert(pair).second;
      mixed += first != second ? 1 : 0;
    }
    Online online(Kind::kHybrid, options_with(1000, 1000));
    for (const model::Event& event : trace) online.on_event(event);
    ASSERT_EQ(online.found.pairs, expected) << "seed " << seed;
  }
  EXPECT_GT(left_out, 1000u);
  EXPECT_GT(mixed, 1000u);
}

// Who sees what it wrote is ordered after it, though it is told when the release is over.
TEST(Candidates, AnUpdateCameBeforeTheReleaseThatItMade) {
  constexpr model::ThreadId kUpdater{1}, kReader{2};
  constexpr model::SiteId kUpdate{kFirstAtomicSite + 1}, kRead{5};
  std::size_t found = 0;
  const CandidateSink sink{[](void* context, ThreadState&) { ++*static_cast<std::size_t*>(context); }, &found};
  for (const bool as_update : {true, false}) {
    EventSync sync(options_with(100, 100), {.locks = false, .notify = true});
    ThreadState& updater = sync.thread(kUpdater);
    const ShadowWord seen = on_hybrid_read(updater, kNeverAccessed, kNeverAccessed, kUpdate, sink);
    const Epoch epoch = updater.epoch;
    sync.on_event({.kind = EventKind::kVolatileWrite, .thread = kUpdater, .object = 7});
    sync.on_event({.kind = EventKind::kVolatileRead, .thread = kReader, .object = 7});
    ASSERT_NE(updater.epoch, epoch);
    const ShadowWord written = as_update ? on_hybrid_update(updater, kNeverAccessed, seen, epoch, kUpdate, sink)
                                         : on_hybrid_write(updater, kNeverAccessed, seen, kUpdate, sink);
    on_hybrid_read(sync.thread(kReader), written, seen, kRead, sink);
    EXPECT_EQ(found, as_update ? 0u : 1u);
  }
}

TEST(CandidatesRandom, LocksetNoticesWhatTheDetectorOverEventsNotices) {
  std::uint64_t noticed = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    const Trace trace = some_trace(seed, 0);
    Online online(Kind::kLockset, options_with(1000, 1000));
    for (const model::Event& event : trace) online.on_event(event);
    ASSERT_EQ(online.found.noticed, offline(Kind::kLockset, trace).noticed) << "seed " << seed << "\n"
                                                                            << to_text(trace);
    ASSERT_FALSE(online.found.own_thread) << "seed " << seed;
    noticed += online.found.noticed.size();
  }
  EXPECT_GT(noticed, 20'000u);
}

TEST(CandidatesRandom, WithoutRoomSomeAreMissedNoneInvented) {
  std::uint64_t forgotten = 0;
  for (std::uint64_t seed = 1; seed <= 5'000; ++seed) {
    const Trace trace = some_trace(seed, 0);
    Online online(Kind::kHybrid, options_with(1 + seed % 2, 2 + seed % 3));
    for (const model::Event& event : trace) online.on_event(event);
    const Found all = offline(Kind::kHybrid, trace);
    for (const auto& pair : online.found.pairs) ASSERT_TRUE(all.pairs.contains(pair)) << "seed " << seed;
    const EngineStats stats = online.stats();
    forgotten += stats.accesses_forgotten + stats.variables_forgotten;
    if (stats.accesses_forgotten + stats.variables_forgotten == 0) {
      ASSERT_EQ(online.found.pairs, all.pairs) << "seed " << seed;
    }
  }
  EXPECT_GT(forgotten, 1'000u);
}

TEST(Locksets, ASetThereIsNoRoomForProtects) {
  LocksetTable table(2);  // the empty one and one more
  const LocksetId one = table.number_of({1});
  const LocksetId other = table.number_of({2});
  EXPECT_EQ(other, kUnknownLocks);
  EXPECT_FALSE(table.are_disjoint(one, other));
  EXPECT_TRUE(table.are_disjoint(LocksetId{}, one));
  EXPECT_EQ(table.refused(), 1u);
}

TEST(Locksets, Unions) {
  LocksetTable table(5);
  const LocksetId one = table.number_of({1, 3});
  const LocksetId other = table.number_of({2, 3});
  EXPECT_EQ(table.unite(one, other), table.number_of({1, 2, 3}));
  EXPECT_EQ(table.unite(one, LocksetId{}), one);
  EXPECT_EQ(table.unite(LocksetId{}, one), one);
  EXPECT_EQ(table.unite(one, kUnknownLocks), kUnknownLocks);
  EXPECT_EQ(table.unite(table.number_of({7}), one), kUnknownLocks) << "no room";
}

TEST(Locksets, NestedLocksAndWaits) {
  LocksetTable table;
  HeldSet held;
  held.acquire(table, 7);
  held.acquire(table, 7);
  const LocksetId seven = held.id();
  EXPECT_EQ(seven, table.number_of({7}));
  held.begin_wait(table, 7);
  EXPECT_EQ(held.id(), LocksetId{});
  held.end_wait(table, 7);
  held.release(table, 7);
  EXPECT_EQ(held.id(), seven) << "taken twice";
  held.release(table, 7);
  EXPECT_EQ(held.id(), LocksetId{});
}

}  // namespace
}  // namespace deadheat::engine
