// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/engine/oracles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace deadheat::engine {

using model::AccessMode;
using model::Event;
using model::EventKind;

namespace {

bool is_access(const Event& e) { return e.kind == EventKind::kRead || e.kind == EventKind::kWrite; }
bool is_lock_release(const Event& e) { return e.kind == EventKind::kRelease || e.kind == EventKind::kWaitBegin; }
bool is_lock_acquire(const Event& e) { return e.kind == EventKind::kAcquire || e.kind == EventKind::kWaitEnd; }
bool writes_volatile(const Event& e) {
  return e.mode >= AccessMode::kAcquireRelease &&
         (e.kind == EventKind::kVolatileWrite || e.kind == EventKind::kVolatileUpdate);
}
bool reads_volatile(const Event& e) {
  return e.mode >= AccessMode::kAcquireRelease &&
         (e.kind == EventKind::kVolatileRead || e.kind == EventKind::kVolatileUpdate);
}

// Whether b directly follows from a (a earlier in the trace), by the definition of the order.
bool is_edge(const Event& a, const Event& b, Order order) {
  if (a.thread == b.thread) return true;
  if (order == Order::kHappensBefore && is_lock_release(a) && is_lock_acquire(b) && a.object == b.object) return true;
  if (order == Order::kHybrid && a.kind == EventKind::kNotify && b.kind == EventKind::kWaitEnd)
    return a.peer == b.thread;
  if (writes_volatile(a) && reads_volatile(b) && a.object == b.object) return true;
  if (a.kind == EventKind::kUnpark && b.kind == EventKind::kPark && a.object == b.object) return true;
  if (a.kind == EventKind::kFork) return a.object == to_number(b.thread);
  if (b.kind == EventKind::kJoin) return b.object == to_number(a.thread);
  return false;
}

using Clock = std::vector<std::uint32_t>;  // by thread number

void join(Clock& into, const Clock& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}
bool is_covered(const Clock& a, const Clock& by) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > (i < by.size() ? by[i] : 0)) return false;
  }
  return true;
}

}  // namespace

GraphOracle::GraphOracle(const Trace& trace, Order order) : trace_(trace), before_(trace.size()) {
  EXPECT_LE(trace.size(), kMaxEvents);
  for (std::size_t b = 0; b < trace.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (is_edge(trace[a], trace[b], order)) before_[b] |= before_[a] | std::uint64_t{1} << a;
    }
  }
}

bool GraphOracle::is_race(std::size_t earlier, std::size_t later) const {
  const Event& a = trace_[earlier];
  const Event& b = trace_[later];
  return is_access(a) && is_access(b) && a.object == b.object && a.thread != b.thread &&
         (a.kind == EventKind::kWrite || b.kind == EventKind::kWrite) && !is_ordered(earlier, later);
}

bool GraphOracle::is_racy(std::size_t event) const {
  for (std::size_t i = 0; i < event; ++i) {
    if (is_race(i, event)) return true;
  }
  return false;
}

std::vector<bool> djit_racy_events(const Trace& trace) {
  std::map<std::uint64_t, Clock> threads, starts, ends, locks, volatiles, permits, reads, writes;
  std::vector<bool> racy(trace.size());
  const auto tick = [&threads](std::uint64_t t) { ++threads[t][t]; };
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Event& e = trace[i];
    const std::uint64_t t = to_number(e.thread);
    Clock& mine = threads[t];
    if (mine.size() <= t) {
      mine.resize(t + 1);
      join(mine, starts[t]);
      tick(t);
    }
    if (is_access(e)) {
      racy[i] =
          !is_covered(writes[e.object], mine) || (e.kind == EventKind::kWrite && !is_covered(reads[e.object], mine));
      Clock& kept = (e.kind == EventKind::kWrite ? writes : reads)[e.object];
      kept.resize(std::max<std::size_t>(kept.size(), t + 1));
      kept[t] = mine[t];
      continue;
    }
    if (is_lock_acquire(e)) join(mine, locks[e.object]);
    if (reads_volatile(e)) join(mine, volatiles[e.object]);
    if (e.kind == EventKind::kPark) join(mine, permits[e.object]);
    if (e.kind == EventKind::kJoin) join(mine, ends[e.object]);
    if (is_lock_release(e)) join(locks[e.object], mine);
    if (writes_volatile(e)) join(volatiles[e.object], mine);
    if (e.kind == EventKind::kUnpark) join(permits[e.object], mine);
    if (e.kind == EventKind::kFork) join(starts[e.object], mine);
    if (e.kind == EventKind::kEnd) ends[t] = mine;
    tick(t);
  }
  return racy;
}

}  // namespace deadheat::engine
