// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/predict/definitions.h"

#include <vector>

#include "predict/links.h"

namespace deadheat::predict {

using model::AccessMode;
using model::Event;
using model::EventKind;

namespace {

bool writes_volatile(const Event& e) {
  return e.kind == EventKind::kVolatileWrite || e.kind == EventKind::kVolatileUpdate;
}
bool reads_volatile(const Event& e) {
  return e.kind == EventKind::kVolatileRead || e.kind == EventKind::kVolatileUpdate;
}

// Edges of happens-before that are not a lock's.
bool is_hard_edge(const Event& a, const Event& b, bool weak_modes) {
  if (a.thread == b.thread) return true;
  if (a.kind == EventKind::kFork && a.object == to_number(b.thread)) return true;
  if (b.kind == EventKind::kJoin && b.object == to_number(a.thread)) return true;
  if (a.kind == EventKind::kUnpark && b.kind == EventKind::kPark) return a.object == b.object;
  if (writes_volatile(a) && reads_volatile(b) && a.object == b.object) {
    return weak_modes || (a.mode >= AccessMode::kAcquireRelease && b.mode >= AccessMode::kAcquireRelease);
  }
  return false;
}

bool is_lock_edge(const Event& a, const Event& b) {
  return is_release(a) && is_acquire(b) && a.object == b.object && !(is_shared_lock(a) && is_shared_lock(b));
}

// before[b]: the set of events (bit i: event i) ordered before b.
using Relation = std::vector<std::uint64_t>;
bool has(std::uint64_t set, EventNumber e) { return (set >> e & 1) != 0; }

Relation order(const trace::Trace& trace, bool schedulable) {
  const TraceLinks links(trace);
  Relation before(trace.events.size() + 1);
  for (EventNumber b = 1; b < before.size(); ++b) {
    for (EventNumber a = 1; a < b; ++a) {
      const Event& ea = trace.events[a - 1];
      const Event& eb = trace.events[b - 1];
      const bool is_source = schedulable && eb.kind == EventKind::kRead && links.source[b] == a;
      if (is_hard_edge(ea, eb, schedulable) || is_lock_edge(ea, eb) || is_source) {
        before[b] |= before[a] | std::uint64_t{1} << a;
      }
    }
  }
  return before;
}

}  // namespace

std::set<EventPair> happens_before_by_definition(const trace::Trace& trace) {
  const Relation before = order(trace, false);
  std::set<EventPair> races;
  for (EventNumber b = 1; b < before.size(); ++b) {
    for (EventNumber a = 1; a < b; ++a) {
      if (is_conflict(trace.events[a - 1], trace.events[b - 1]) && !has(before[b], a)) races.insert({a, b});
    }
  }
  return races;
}

std::set<EventPair> schedulable_by_definition(const trace::Trace& trace) {
  const Relation before = order(trace, true);
  const TraceLinks links(trace);
  std::set<EventPair> races;
  for (EventNumber b = 1; b < before.size(); ++b) {
    // Theorem 3.3: not ordered before, or equal to, what comes right before b in its thread.
    const EventNumber previous = links.previous[b];
    const std::uint64_t known = previous == 0 ? 0 : before[previous] | std::uint64_t{1} << previous;
    for (EventNumber a = 1; a < b; ++a) {
      if (is_conflict(trace.events[a - 1], trace.events[b - 1]) && !has(known, a)) races.insert({a, b});
    }
  }
  return races;
}

namespace {

// One round of the closure: everything that the events of the set need.
std::uint64_t with_needs(const trace::Trace& trace, const TraceLinks& links, std::uint64_t set) {
  const EventNumber count = links.sizes.events;
  for (EventNumber b = 1; b <= count; ++b) {
    if (!has(set, b)) continue;
    const Event& eb = trace.events[b - 1];
    for (const EventNumber need : {links.previous[b], links.source[b], links.joined[b]}) {
      if (need != 0) set |= std::uint64_t{1} << need;
    }
    for (EventNumber a = 1; a < b; ++a) {
      const Event& ea = trace.events[a - 1];
      if (is_lone_notify(eb) && ea.kind == EventKind::kNotify && !is_lone_notify(ea) && ea.object == eb.object) {
        set |= std::uint64_t{1} << a;
      }
      if (has(set, a) && is_acquire(ea) && is_acquire(eb) && ea.object == eb.object && ea.thread != eb.thread &&
          !(is_shared_lock(ea) && is_shared_lock(eb)) && links.partner[a] != 0) {
        set |= std::uint64_t{1} << links.partner[a];
      }
    }
  }
  return set;
}

}  // namespace

std::set<EventPair> sync_preserving_by_definition(const trace::Trace& trace) {
  const TraceLinks links(trace);
  std::set<EventPair> races;
  for (EventNumber b = 1; b <= links.sizes.events; ++b) {
    for (EventNumber a = 1; a < b; ++a) {
      if (!is_conflict(trace.events[a - 1], trace.events[b - 1])) continue;
      std::uint64_t set = 0;
      for (const EventNumber start : {links.previous[a], links.previous[b]}) {
        if (start != 0) set |= std::uint64_t{1} << start;
      }
      for (std::uint64_t old = 0; old != set;) {
        old = set;
        set = with_needs(trace, links, set);
      }
      if (!has(set, a) && !has(set, b)) races.insert({a, b});
    }
  }
  return races;
}

}  // namespace deadheat::predict
