// SPDX-License-Identifier: Apache-2.0
#include "predict/stops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "predict/ptg.h"
#include "predict/unscheduled.h"

namespace deadheat::predict {
namespace {

using model::Event;
using model::EventKind;

bool is_plain(EventKind kind) { return kind == EventKind::kRead || kind == EventKind::kWrite; }

// What an event reads or writes; plain variables and volatile ones are numbered apart.
struct TouchedVariable {
  std::uint64_t key = 0;
  bool is_write = false;
};
std::optional<TouchedVariable> touched(const Event& event) {
  constexpr std::uint64_t kVolatile = std::uint64_t{1} << 63;
  switch (event.kind) {
    case EventKind::kRead:
    case EventKind::kWrite:
      return TouchedVariable{event.object, event.kind == EventKind::kWrite};
    case EventKind::kVolatileRead:
    case EventKind::kVolatileWrite:
    case EventKind::kVolatileUpdate:
      return TouchedVariable{event.object | kVolatile, event.kind != EventKind::kVolatileRead};
    default:
      return std::nullopt;
  }
}

bool takes_lock(EventKind kind) {
  return kind == EventKind::kAcquire || kind == EventKind::kAcquireShared || kind == EventKind::kWaitEnd;
}

class Finder {
 public:
  Finder(const trace::Trace& trace, const PairSites& sites, const StopLimits& limits)
      : trace_(trace), sites_(sites), limits_(limits), ptg_(trace), is_apart_(unscheduled_events(trace)) {
    count_visits();
  }

  std::vector<Stop> find() {
    std::map<Hope, std::vector<std::vector<Stop>>> groups;
    for (const Until& until : untils_) {
      for (const auto& [thread, begin] : begins_) {
        if (thread == thread_of(until.event) || begin >= until.event) continue;
        const Coming coming = coming_of(thread, until);
        if (coming.hope == Hope::kNone) continue;
        std::vector<Stop> stops = stops_of(thread, begin, until, coming.last);
        if (!stops.empty()) groups[coming.hope].push_back(std::move(stops));
      }
    }
    std::vector<Stop> found;
    for (const auto& [hope, of_hope] : groups) {
      const std::size_t more = hope == Hope::kNeverThere ? limits_.unlikely : limits_.stops;
      take_in_turn(of_hope, std::min(limits_.stops, found.size() + more), found);
    }
    return found;
  }

 private:
  struct Until {
    EventNumber event;
    std::uint32_t visit;
    bool at_first;  // site; else at the second
  };

  const Event& event(EventNumber number) const { return trace_.events[number - 1]; }
  std::uint32_t thread_of(EventNumber number) const { return to_number(event(number).thread); }
  static bool has(const std::vector<bool>& set, model::SiteId site) {
    return to_number(site) < set.size() && set[to_number(site)];
  }

  void count_visits() {
    std::unordered_map<std::uint32_t, std::uint32_t> visits;  // by thread
    std::set<std::tuple<std::uint32_t, bool, std::uint64_t>> seen;
    std::map<std::pair<std::uint32_t, bool>, std::size_t> kept;
    for (EventNumber number = 1; number <= trace_.events.size(); ++number) {
      const Event& e = event(number);
      const std::uint32_t thread = to_number(e.thread);
      begins_.try_emplace(thread, number);
      const bool at_first = has(sites_.first, e.site);
      if (!is_plain(e.kind) || is_apart_[number] || (!at_first && !has(sites_.second, e.site))) continue;
      ++visits[thread];
      comes_to_[thread].push_back(number);
      if (!seen.emplace(thread, at_first, e.object).second || kept[{thread, at_first}] >= limits_.untils) continue;
      ++kept[{thread, at_first}];
      untils_.push_back({number, visits[thread], at_first});
    }
  }

  // What the thread does at the other site in this run, where it could stand while another is at `until`.
  enum class Hope : std::uint8_t { kSameVariable, kOtherVariable, kNeverThere, kNone };
  struct Coming {
    Hope hope = Hope::kNeverThere;
    EventNumber last = 0;  // the last such access: a stop behind it is none on the way there; 0: none
  };
  Coming coming_of(std::uint32_t thread, const Until& until) const {
    Coming coming;
    const auto accesses = comes_to_.find(thread);
    if (accesses == comes_to_.end()) return coming;
    for (const EventNumber number : accesses->second) {
      if (!has(until.at_first ? sites_.second : sites_.first, event(number).site)) continue;
      if (ptg_.excludes(number, until.event)) {
        if (coming.last == 0) coming.hope = Hope::kNone;
        continue;
      }
      const bool same = event(number).object == event(until.event).object;
      coming.hope =
          same || (coming.last != 0 && coming.hope == Hope::kSameVariable) ? Hope::kSameVariable : Hope::kOtherVariable;
      coming.last = number;
    }
    return coming;
  }

  // The latest first; none behind `last_access`, if there is one.
  std::vector<Stop> stops_of(std::uint32_t thread, EventNumber begin, const Until& until, EventNumber last_access) {
    struct Last {
      EventNumber access = 0;
      EventNumber write = 0;
    };
    std::unordered_map<std::uint64_t, Last> others;  // by variable: what others do there between the stop and `until`
    std::unordered_set<std::uint64_t> locks;         // that the thread of `until` takes meanwhile
    std::vector<Stop> stops;
    for (EventNumber number = until.event - 1; number >= begin && stops.size() < limits_.of_two_threads; --number) {
      if (++steps_ > limits_.steps) break;
      const Event& e = event(number);
      if (e.thread == event(until.event).thread && takes_lock(e.kind)) locks.insert(e.object);
      const std::optional<TouchedVariable> variable = touched(e);
      if (!variable) continue;
      if (to_number(e.thread) != thread) {
        Last& last = others[variable->key];
        if (last.access == 0) last.access = number;
        if (last.write == 0 && variable->is_write) last.write = number;
        continue;
      }
      const auto other = others.find(variable->key);
      if (other == others.end() || is_apart_[number] || (last_access != 0 && number > last_access)) continue;
      const EventNumber conflict = variable->is_write ? other->second.access : other->second.write;
      if (conflict == 0 || ptg_.is_before(number, conflict)) continue;
      const EventNumber before = holds_one_of(number, locks) ? ptg_.outermost_acquire(number) : number;
      if (event(before).site == model::SiteId{} || is_apart_[before] || ptg_.is_before(before, until.event)) continue;
      if (!stops.empty() && stops.back().before == before) continue;
      stops.push_back({before, visit_of(before), until.event, until.visit});
    }
    return stops;
  }

  bool holds_one_of(EventNumber number, const std::unordered_set<std::uint64_t>& locks) const {
    const EventNumber outermost = ptg_.outermost_acquire(number);
    if (outermost == 0 || locks.empty()) return false;
    std::unordered_set<std::uint64_t> held;
    for (EventNumber at = outermost; at < number; ++at) {
      const Event& e = event(at);
      if (e.thread != event(number).thread) continue;
      if (takes_lock(e.kind)) held.insert(e.object);
      if (e.kind == EventKind::kRelease || e.kind == EventKind::kReleaseShared || e.kind == EventKind::kWaitBegin) {
        held.erase(e.object);
      }
    }
    return std::any_of(held.begin(), held.end(), [&](std::uint64_t lock) { return locks.contains(lock); });
  }

  std::uint32_t visit_of(EventNumber before) const {
    const Event& wanted = event(before);
    std::uint32_t visit = 0;
    for (EventNumber number = 1; number <= before; ++number) {
      const Event& e = event(number);
      visit += e.thread == wanted.thread && e.site == wanted.site && !is_apart_[number];
    }
    return visit;
  }

  static void take_in_turn(const std::vector<std::vector<Stop>>& groups, std::size_t most, std::vector<Stop>& found) {
    bool any = true;
    for (std::size_t round = 0; any && found.size() < most; ++round) {
      any = false;
      for (const auto& group : groups) {
        if (round >= group.size() || found.size() >= most) continue;
        found.push_back(group[round]);
        any = true;
      }
    }
  }

  const trace::Trace& trace_;
  const PairSites& sites_;
  const StopLimits& limits_;
  const Ptg ptg_;
  const std::vector<bool> is_apart_;
  std::map<std::uint32_t, EventNumber> begins_;                           // by thread: its first event
  std::unordered_map<std::uint32_t, std::vector<EventNumber>> comes_to_;  // by thread: its accesses at the two sites
  std::vector<Until> untils_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::vector<Stop> find_stops(const trace::Trace& trace, const PairSites& sites, const StopLimits& limits) {
  return Finder(trace, sites, limits).find();
}

}  // namespace deadheat::predict
