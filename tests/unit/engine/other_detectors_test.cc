// SPDX-License-Identifier: Apache-2.0
//
// The lockset and hybrid detectors: hand-made traces with exact answers, and random ones against the definitions.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/fasttrack.h"
#include "engine/hybrid.h"
#include "engine/lockset.h"
#include "tests/unit/engine/oracles.h"
#include "tests/unit/engine/random_traces.h"

namespace deadheat::engine {
namespace {

using model::Event;
using model::EventKind;
using model::ThreadId;

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;  // 1-based, as the sites

RaceSink collect(Pairs& pairs) {
  return {[](void* context, const RaceReport& report) {
            static_cast<Pairs*>(context)->emplace(to_number(report.previous.site), to_number(report.current.site));
          },
          &pairs};
}

Pairs hybrid_pairs(const Trace& trace) {
  Pairs pairs;
  Hybrid detector({.engine = {.max_slots = 40}}, collect(pairs));
  replay(trace, detector);
  return pairs;
}
Pairs fasttrack_pairs(const Trace& trace) {
  Pairs pairs;
  FastTrack detector({.engine = {.max_slots = 40}}, collect(pairs));
  replay(trace, detector);
  return pairs;
}
Pairs lockset_pairs(const Trace& trace) {
  Pairs pairs;
  Lockset detector(collect(pairs));
  replay(trace, detector);
  return pairs;
}

Trace make_trace(std::vector<Event> events) {
  for (std::size_t i = 0; i < events.size(); ++i) events[i].site = model::SiteId{static_cast<std::uint32_t>(i + 1)};
  return events;
}
Event on(std::uint32_t thread, EventKind kind, std::uint64_t object) {
  return {.kind = kind, .thread = ThreadId{thread}, .object = object};
}

constexpr EventKind R = EventKind::kRead, W = EventKind::kWrite, A = EventKind::kAcquire, L = EventKind::kRelease;

TEST(OtherDetectors, ReadersAreOrderedWithWritersOnly) {
  constexpr EventKind SA = EventKind::kAcquireShared, SL = EventKind::kReleaseShared;
  // Two readers of the lock: nothing orders them.
  EXPECT_EQ(fasttrack_pairs(make_trace({on(1, SA, 1), on(1, W, 9), on(1, SL, 1), on(2, SA, 1), on(2, W, 9)})),
            (Pairs{{2, 5}}));
  // A reader, then a writer; a writer, then a reader.
  EXPECT_TRUE(fasttrack_pairs(make_trace({on(1, SA, 1), on(1, R, 9), on(1, SL, 1), on(2, A, 1), on(2, W, 9)})).empty());
  EXPECT_TRUE(fasttrack_pairs(make_trace({on(1, A, 1), on(1, W, 9), on(1, L, 1), on(2, SA, 1), on(2, R, 9)})).empty());
}

TEST(OtherDetectors, ALockHeldForReadingProtectsReadsOnly) {
  constexpr EventKind SA = EventKind::kAcquireShared, SL = EventKind::kReleaseShared;
  // Writes under the writer's half, a read under the reader's half.
  const Trace right = make_trace({on(1, A, 1), on(1, W, 9), on(1, L, 1), on(2, SA, 1), on(2, R, 9), on(2, SL, 1),
                                  on(3, A, 1), on(3, W, 9), on(3, L, 1)});
  EXPECT_EQ(lockset_pairs(right), Pairs{});
  EXPECT_EQ(hybrid_pairs(right), Pairs{});
  // A write under the reader's half: nothing keeps another reader's write out.
  const Trace wrong = make_trace({on(1, SA, 1), on(1, W, 9), on(1, SL, 1), on(2, SA, 1), on(2, W, 9), on(2, SL, 1)});
  EXPECT_EQ(lockset_pairs(wrong), (Pairs{{2, 5}}));
  EXPECT_EQ(hybrid_pairs(wrong), (Pairs{{2, 5}}));
  // A writer that goes on as a reader holds the lock all the time.
  const Trace downgrade = make_trace({on(1, A, 1), on(1, SA, 1), on(1, L, 1), on(1, R, 9), on(1, SL, 1),  //
                                      on(2, A, 1), on(2, W, 9), on(2, L, 1)});
  EXPECT_EQ(hybrid_pairs(downgrade), Pairs{});
}

TEST(OtherDetectors, AJoinEndsAThreadThatDidNotSaySo) {
  const Trace trace = make_trace({on(1, EventKind::kFork, 2), on(2, W, 9), on(1, EventKind::kJoin, 2), on(1, W, 9)});
  EXPECT_EQ(fasttrack_pairs(trace), Pairs{});
  EXPECT_EQ(hybrid_pairs(trace), Pairs{});
}

TEST(OtherDetectors, ALockOrdersByChanceOnly) {
  // x is written outside the lock; in this run the lock happened to order the two writes.
  const Trace trace = make_trace({on(1, W, 9), on(1, A, 1), on(1, L, 1), on(2, A, 1), on(2, L, 1), on(2, W, 9)});
  EXPECT_EQ(fasttrack_pairs(trace), Pairs{});
  EXPECT_EQ(hybrid_pairs(trace), (Pairs{{1, 6}}));
  EXPECT_EQ(lockset_pairs(trace), (Pairs{{1, 6}}));
}

TEST(OtherDetectors, ACommonLockProtects) {
  const Trace trace = make_trace({on(1, A, 1), on(1, W, 9), on(1, L, 1), on(2, A, 2), on(2, A, 1), on(2, W, 9),
                                  on(2, L, 1), on(2, L, 2), on(3, A, 1), on(3, R, 9), on(3, L, 1)});
  EXPECT_EQ(fasttrack_pairs(trace), Pairs{});
  EXPECT_EQ(hybrid_pairs(trace), Pairs{});
  EXPECT_EQ(lockset_pairs(trace), Pairs{});
}

TEST(OtherDetectors, HandOverByStartIsKnownToHybridOnly) {
  const Trace trace = make_trace({on(1, W, 9), on(1, EventKind::kFork, 2), on(2, EventKind::kBegin, 0), on(2, W, 9),
                                  on(2, EventKind::kEnd, 0), on(1, EventKind::kJoin, 2), on(1, W, 9)});
  EXPECT_EQ(fasttrack_pairs(trace), Pairs{});
  EXPECT_EQ(hybrid_pairs(trace), Pairs{});
  EXPECT_EQ(lockset_pairs(trace), (Pairs{{1, 4}, {4, 7}}));
}

TEST(OtherDetectors, ReadSharedDataNeedsNoLock) {
  const Trace trace = make_trace({on(1, W, 9), on(2, R, 9), on(3, R, 9), on(2, R, 9)});
  EXPECT_EQ(lockset_pairs(trace), Pairs{}) << "Eraser's Shared state";
}

TEST(OtherDetectors, NotifyOrdersForHybrid) {
  Event notify = on(1, EventKind::kNotify, 1);
  notify.peer = ThreadId{2};
  const Trace trace = make_trace({on(2, A, 1), on(2, EventKind::kWaitBegin, 1), on(1, W, 9), on(1, A, 1), notify,
                                  on(1, L, 1), on(2, EventKind::kWaitEnd, 1), on(2, L, 1), on(2, W, 9)});
  EXPECT_EQ(fasttrack_pairs(trace), Pairs{});
  EXPECT_EQ(hybrid_pairs(trace), Pairs{});
}

TEST(OtherDetectors, AWaitGivesTheLockUp) {
  const Trace trace = make_trace({on(2, A, 1), on(2, EventKind::kWaitBegin, 1), on(1, A, 1), on(1, W, 9), on(1, L, 1),
                                  on(2, EventKind::kWaitEnd, 1), on(2, W, 9), on(2, L, 1)});
  EXPECT_EQ(hybrid_pairs(trace), Pairs{}) << "held again after the wait";
}

// Figure 1 of the RaceFuzzer paper: x is handed over by y under a lock (no race), z is racy.
TEST(OtherDetectors, RaceFuzzerFigure1) {
  constexpr std::uint64_t x = 1, y = 2, z = 3, lock = 1;
  const Trace trace = make_trace({on(1, W, x), on(1, A, lock), on(1, W, y), on(1, L, lock), on(1, R, z),  //
                                  on(2, W, z), on(2, A, lock), on(2, R, y), on(2, R, x), on(2, L, lock)});
  EXPECT_EQ(hybrid_pairs(trace), (Pairs{{5, 6}, {1, 9}}));
  EXPECT_EQ(fasttrack_pairs(trace), (Pairs{{5, 6}}));
}

// The condition of RaceFuzzer's section 2.2, word for word.
Pairs hybrid_by_definition(const Trace& trace) {
  const GraphOracle graph(trace, Order::kHybrid);
  std::map<std::uint32_t, std::set<std::uint64_t>> held;
  std::vector<std::set<std::uint64_t>> locks(trace.size());
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Event& e = trace[i];
    std::set<std::uint64_t>& mine = held[to_number(e.thread)];
    if (e.kind == A || e.kind == EventKind::kWaitEnd) mine.insert(e.object);
    if (e.kind == L || e.kind == EventKind::kWaitBegin) mine.erase(e.object);
    locks[i] = mine;
  }
  Pairs pairs;
  for (std::size_t j = 0; j < trace.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const bool common =
          std::any_of(locks[i].begin(), locks[i].end(), [&](auto lock) { return locks[j].count(lock) != 0; });
      if (graph.is_race(i, j) && !common) pairs.emplace(i + 1, j + 1);
    }
  }
  return pairs;
}

// Eraser's discipline from the definition: candidates are the locks common to all accesses from the first by a second
// thread.
std::set<std::uint64_t> lockset_by_definition(const Trace& trace) {
  struct State {
    std::set<std::uint32_t> threads;
    bool shared = false, written = false;
    std::set<std::uint64_t> candidates;
  };
  std::map<std::uint64_t, State> states;
  std::map<std::uint32_t, std::set<std::uint64_t>> held;
  std::set<std::uint64_t> reported;
  for (const Event& e : trace) {
    std::set<std::uint64_t>& mine = held[to_number(e.thread)];
    if (e.kind == A || e.kind == EventKind::kWaitEnd) mine.insert(e.object);
    if (e.kind == L || e.kind == EventKind::kWaitBegin) mine.erase(e.object);
    if (e.kind != R && e.kind != W) continue;
    State& state = states[e.object];
    state.threads.insert(to_number(e.thread));
    if (state.threads.size() < 2) continue;
    if (!state.shared) state.candidates = mine;
    state.shared = true;
    state.written = state.written || e.kind == W;
    std::erase_if(state.candidates, [&](std::uint64_t lock) { return mine.count(lock) == 0; });
    if (state.written && state.candidates.empty()) reported.insert(e.object);
  }
  return reported;
}

TEST(OtherDetectors, MatchTheirDefinitionsOnRandomTraces) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr std::uint64_t kTraces = 1'000;
#else
  constexpr std::uint64_t kTraces = 40'000;
#endif
  for (std::uint64_t seed = 1; seed <= kTraces; ++seed) {
    Random random(seed);
    const TraceShape shape{.events = 20 + random.below(40),
                           .threads = 2 + random.below(4),
                           .variables = 2,
                           .locks = 1 + random.below(3),
                           .volatiles = random.below(2)};
    const Trace trace = random_trace(random, shape);
    const Pairs found = hybrid_pairs(trace);
    const Pairs defined = hybrid_by_definition(trace);
    ASSERT_EQ(found, defined) << "seed " << seed << "\n" << to_text(trace);

    std::set<std::uint64_t> lockset_found;
    Pairs lockset = lockset_pairs(trace);
    for (const auto& [previous, current] : lockset) lockset_found.insert(trace[current - 1].object);
    ASSERT_EQ(lockset_found, lockset_by_definition(trace)) << "seed " << seed << "\n" << to_text(trace);
  }
}

}  // namespace
}  // namespace deadheat::engine
