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
  // Said by the two above unless the thread has no events.
  if (a.kind == EventKind::kFork && b.kind == EventKind::kJoin && a.object == b.object) return true;
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
    for (const EventNumber need : {links.previous[b], links.source[b]}) {
      if (need != 0) set |= std::uint64_t{1} << need;
    }
    for (EventNumber a = 1; a < b; ++a) {
      const Event& ea = trace.events[a - 1];
      if (eb.kind == EventKind::kJoin && is_hard_edge(ea, eb, true)) set |= std::uint64_t{1} << a;
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

namespace {

// Conflicting accesses of rule (a): of variables, or of volatile locations in whatever mode.
bool is_weak_conflict(const Event& a, const Event& b) {
  if (is_conflict(a, b)) return true;
  return is_volatile_access(a) && is_volatile_access(b) && a.object == b.object && a.thread != b.thread &&
         (writes_volatile(a) || writes_volatile(b));
}

class WeakOrder {
 public:
  explicit WeakOrder(const trace::Trace& trace)
      : trace_(trace),
        links_(trace),
        count_(links_.sizes.events),
        happens_(order(trace, false)),
        hard_(count_ + 1),
        weak_(count_ + 1) {
    for (EventNumber b = 1; b <= count_; ++b) {
      for (EventNumber a = 1; a < b; ++a) {
        const bool is_wait_edge =
            (at(b).kind == EventKind::kNotify || at(b).kind == EventKind::kWaitEnd) && links_.source[b] == a;
        if (is_hard_edge(at(a), at(b), false) || is_wait_edge) hard_[b] |= hard_[a] | bit(a);
      }
    }
    while (add_rules()) {
    }
  }
  bool is_ordered(EventNumber a, EventNumber b) const { return has(weak_[b] | hard_[b], a); }

 private:
  static std::uint64_t bit(EventNumber e) { return std::uint64_t{1} << e; }
  const Event& at(EventNumber e) const { return trace_.events[e - 1]; }

  // The section of the release: the events of its thread from the acquire on.
  bool is_in_section(EventNumber e, EventNumber release) const {
    return at(e).thread == at(release).thread && links_.partner[release] != 0 && links_.partner[release] <= e &&
           e <= release;
  }
  // Whether e is in a section of the same lock as the release's, later and not both shared; its end need not be there.
  bool is_in_later_section(EventNumber e, EventNumber release) const {
    for (EventNumber acquire = release + 1; acquire <= e; ++acquire) {
      if (!is_acquire(at(acquire)) || at(acquire).object != at(release).object || at(acquire).thread != at(e).thread)
        continue;
      if (is_shared_lock(at(acquire)) && is_shared_lock(at(release))) continue;
      if (links_.partner[acquire] == 0 || links_.partner[acquire] >= e) return true;
    }
    return false;
  }
  bool add_rules() {
    const Relation old = weak_;
    for (EventNumber b = 1; b <= count_; ++b) {
      for (EventNumber r = 1; r < b; ++r) {
        if (!is_release(at(r)) || links_.partner[r] == 0 || at(r).thread == at(b).thread) continue;
        if (rule_a(r, b) || rule_b(r, b)) weak_[b] |= bit(r);
      }
      for (EventNumber a = 1; a < b; ++a) {  // rule (c)
        if (has(weak_[b], a)) weak_[b] |= happens_[a];
        if (has(happens_[b], a)) weak_[b] |= weak_[a];
      }
    }
    return weak_ != old;
  }
  bool rule_a(EventNumber release, EventNumber e) const {
    if (!is_in_later_section(e, release)) return false;
    for (EventNumber a = 1; a < release; ++a) {
      if (is_in_section(a, release) && is_weak_conflict(at(a), at(e))) return true;
    }
    return false;
  }
  bool rule_b(EventNumber r1, EventNumber r2) const {
    if (!is_release(at(r2)) || at(r1).object != at(r2).object || links_.partner[r2] < r1) return false;
    if (is_shared_lock(at(r1)) && is_shared_lock(at(r2))) return false;
    for (EventNumber a = 1; a <= r1; ++a) {
      for (EventNumber b = a + 1; b <= r2; ++b) {
        if (is_in_section(a, r1) && is_in_section(b, r2) && is_ordered(a, b)) return true;
      }
    }
    return false;
  }

  const trace::Trace& trace_;
  const TraceLinks links_;
  const EventNumber count_;
  const Relation happens_;
  Relation hard_;
  Relation weak_;
};

}  // namespace

std::set<EventPair> weak_causal_by_definition(const trace::Trace& trace) {
  const WeakOrder order(trace);
  std::set<EventPair> races;
  for (EventNumber b = 1; b <= trace.events.size(); ++b) {
    for (EventNumber a = 1; a < b; ++a) {
      if (is_conflict(trace.events[a - 1], trace.events[b - 1]) && !order.is_ordered(a, b)) races.insert({a, b});
    }
  }
  return races;
}

namespace {

// By event number: its transaction.
std::vector<std::size_t> transactions_of(const trace::Trace& trace) {
  std::vector<std::size_t> result(trace.events.size() + 1);
  std::vector<std::size_t> depth(64);
  std::vector<std::size_t> current(64);
  std::size_t count = 0;
  for (EventNumber i = 1; i < result.size(); ++i) {
    const Event& e = trace.events[i - 1];
    const std::uint32_t t = to_number(e.thread);
    if (e.kind == EventKind::kRegionEnter) ++depth[t];
    if (current[t] == 0 && depth[t] != 0) current[t] = ++count;
    result[i] = current[t] != 0 ? current[t] : ++count;
    if (e.kind == EventKind::kRegionExit && depth[t] != 0 && --depth[t] == 0) current[t] = 0;
    if (e.kind == EventKind::kWaitBegin) current[t] = 0;
  }
  return result;
}

bool is_transaction_edge(const Event& a, const Event& b) {
  return is_hard_edge(a, b, true) || is_lock_edge(a, b) || is_weak_conflict(a, b);
}

}  // namespace

std::optional<EventNumber> first_cycle_by_definition(const trace::Trace& trace) {
  const std::vector<std::size_t> transactions = transactions_of(trace);
  const std::size_t count = transactions.size() + 1;
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
  for (EventNumber b = 1; b < transactions.size(); ++b) {
    for (EventNumber a = 1; a < b; ++a) {
      const std::size_t from = transactions[a];
      const std::size_t to = transactions[b];
      if (from == to || !is_transaction_edge(trace.events[a - 1], trace.events[b - 1])) continue;
      if (reaches[to][from]) return b;
      for (std::size_t u = 0; u < count; ++u) {
        if (u != from && !reaches[u][from]) continue;
        for (std::size_t v = 0; v < count; ++v) {
          if (v == to || reaches[to][v]) reaches[u][v] = true;
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace deadheat::predict
