// SPDX-License-Identifier: Apache-2.0
#include "predict/pattern_search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace deadheat::predict {

namespace {

// Whether the thread of `from` and `to` can stand somewhere from right after the one to right before the other while
// `step`, of another thread, is done.
bool can_stand_between(const Ptg& ptg, EventNumber from, EventNumber to, EventNumber step) {
  const auto fits = [&](EventNumber last_done, EventNumber next) {
    return !ptg.excludes(last_done, step) && !ptg.is_before(step, last_done) && !ptg.is_before(next, step);
  };
  // Only where locks or the partial order change is there anything new to see.
  const auto syncs = ptg.sync_events(to_number(ptg.event(from).thread));
  auto sync = std::upper_bound(syncs.begin(), syncs.end(), from);
  EventNumber at = from;
  for (; sync != syncs.end() && *sync < to; ++sync) {
    if (fits(at, *sync)) return true;
    at = *sync;
  }
  return fits(at, to);
}

class Matcher {
 public:
  Matcher(const Ptg& ptg, const Pattern& pattern, const SearchLimits& limits, std::vector<PatternMatch>& found)
      : ptg_(ptg), pattern_(pattern), limits_(limits), found_(found), chosen_(pattern.steps.size()) {
    choose_order();
  }

  // How many variables were not looked at in every way: 0 unless a limit was reached.
  std::uint64_t run(std::span<const std::uint32_t> shared, std::span<const std::uint32_t> all) {
    const auto variables = is_shared_[order_[0]] ? shared : all;
    std::vector<std::uint32_t> left(variables.begin(), variables.end());
    for (const std::size_t reach : kReaches) {
      reach_ = reach;
      std::size_t kept = 0;
      for (std::size_t k = 0; k < left.size(); ++k) {
        if (!look_at(left[k], left.size() - k)) left[kept++] = left[k];
      }
      left.resize(kept);
      if (is_over()) break;
    }
    return left.size();
  }

 private:
  bool is_over() const { return steps_ >= limits_.steps || count_ >= limits_.matches; }

  // Matches whose first chosen access is of this variable. False: there may be more. `left`: variables of this round.
  bool look_at(std::uint32_t variable, std::size_t left) {
    if (is_over()) return false;
    // Most variables need little, so one may have a multiple of its share.
    constexpr std::uint64_t kShares = 4;
    const std::uint64_t share = std::max<std::uint64_t>(1'000, (limits_.steps - steps_) / left * kShares);
    end_ = std::min(limits_.steps, steps_ + share);
    is_cut_ = false;
    for (const std::uint32_t k : within_reach(ptg_.of_variable(variable))) try_access(0, ptg_.accesses()[k]);
    return !is_cut_;
  }
  std::span<const std::uint32_t> within_reach(std::span<const std::uint32_t> accesses) {
    is_cut_ |= accesses.size() > reach_;
    return accesses.first(std::min(accesses.size(), reach_));
  }

  // The step with the fewest candidates next: unit and variable are bound, then the variable, then the unit.
  void choose_order() {
    const auto& steps = pattern_.steps;
    std::vector<bool> is_bound(steps.size());
    for (std::size_t s = 0; s < steps.size(); ++s) {
      is_shared_.push_back(std::any_of(steps.begin(), steps.end(), [&](const PatternStep& other) {
        return other.variable == steps[s].variable && other.thread != steps[s].thread;
      }));
    }
    while (order_.size() < steps.size()) {
      int best = -1;
      std::size_t next = 0;
      for (std::size_t s = 0; s < steps.size(); ++s) {
        if (is_bound[s]) continue;
        const int value =
            2 * (bound_for(s, &PatternStep::variable) != kNone) + (bound_for(s, &PatternStep::unit) != kNone);
        if (value > best) {
          best = value;
          next = s;
        }
      }
      is_bound[next] = true;
      bounds_.push_back(bounds_at(next));
      partner_.push_back(partner_of(next));
      order_.push_back(next);
      variable_from_.push_back(bound_for(next, &PatternStep::variable));
      unit_from_.push_back(bound_for(next, &PatternStep::unit));
      ahead_.emplace_back();
      for (std::size_t s = 0; s < steps.size(); ++s) {
        const std::size_t from = bound_for(s, &PatternStep::variable);
        if (is_bound[s] || !is_shared_[s] || from == kNone || bound_for(s, &PatternStep::unit) != kNone) continue;
        ahead_.back().push_back({s, from, bounds_at(s)});
      }
    }
  }
  // A step in order_ whose unit, another one, must have an access of the variable of this step too; kNone: there is
  // none.
  std::size_t partner_of(std::size_t step) const {
    const auto& steps = pattern_.steps;
    for (std::size_t other = 0; other < steps.size(); ++other) {
      if (steps[other].variable != steps[step].variable || steps[other].thread == steps[step].thread) continue;
      if (const std::size_t bound = bound_for(other, &PatternStep::unit); bound != kNone) return bound;
    }
    return kNone;
  }
  // A step in order_ that has the same variable or unit; kNone: there is none.
  std::size_t bound_for(std::size_t step, std::uint8_t PatternStep::*what) const {
    for (const std::size_t bound : order_) {
      if (bound != step && pattern_.steps[bound].*what == pattern_.steps[step].*what) return bound;
    }
    return kNone;
  }

  // "Not before" and "not after" for an access that is tried, or for what will be chosen of its unit: see bounds_at().
  struct Bound {
    bool of_unit;      // its unit's end may not come before that, or its unit's begin after it; else the access itself
    std::size_t step;  // a chosen one
    bool of_other_unit;  // the unit of that step stands for one that is not chosen: its begin or its end
  };
  struct Bounds {
    std::vector<Bound> earlier;
    std::vector<Bound> later;
  };

  // The first condition of can_be_ordered(), that nothing has to come before what the pattern wants earlier, as far as
  // it can be known before all steps are chosen. A step that is not chosen, but whose unit is, will be an access from
  // the first to the last of the unit. What must come before the first must come before whichever it is, and what must
  // come after the last after whichever it is. So can_be_ordered() refuses whatever an access that breaks a bound can
  // be completed to: the search finds exactly the same without it.
  Bounds bounds_at(std::size_t step) const {
    const auto& steps = pattern_.steps;
    const auto is_chosen = [&](std::size_t s) { return std::find(order_.begin(), order_.end(), s) != order_.end(); };
    Bounds bounds;
    for (std::size_t mine = 0; mine < steps.size(); ++mine) {
      if (mine != step && (is_chosen(mine) || steps[mine].unit != steps[step].unit)) continue;
      for (std::size_t other = 0; other < steps.size(); ++other) {
        if (steps[other].thread == steps[step].thread) continue;
        const std::size_t known = is_chosen(other) ? other : bound_for(other, &PatternStep::unit);
        if (known == kNone) continue;
        const Bound bound{mine != step, known, !is_chosen(other)};
        if (other < mine || pattern_.adjacent) bounds.earlier.push_back(bound);
        if (other > mine || pattern_.adjacent) bounds.later.push_back(bound);
      }
    }
    return bounds;
  }
  EventNumber begin_of_unit(const Ptg::Access& access) const { return ptg_.of_unit(access.unit).front().event; }
  EventNumber end_of_unit(const Ptg::Access& access) const { return ptg_.of_unit(access.unit).back().event; }

  bool is_too_early(const Bounds& bounds, const Ptg::Access& access) const {
    return std::any_of(bounds.earlier.begin(), bounds.earlier.end(), [&](const Bound& bound) {
      const Ptg::Access& other = *chosen_[bound.step];
      return ptg_.is_before(bound.of_unit ? end_of_unit(access) : access.event,
                            bound.of_other_unit ? begin_of_unit(other) : other.event);
    });
  }
  bool is_too_late(const Bounds& bounds, const Ptg::Access& access) const {
    return std::any_of(bounds.later.begin(), bounds.later.end(), [&](const Bound& bound) {
      const Ptg::Access& other = *chosen_[bound.step];
      return ptg_.is_before(bound.of_other_unit ? end_of_unit(other) : other.event,
                            bound.of_unit ? begin_of_unit(access) : access.event);
    });
  }

  void extend(std::size_t depth) {
    if (depth == order_.size()) return on_match();
    const std::size_t variable = variable_from_[depth];
    const std::size_t unit = unit_from_[depth];
    if (variable != kNone && unit != kNone) {
      try_accesses(depth, ptg_.of_unit(chosen_[unit]->unit, chosen_[variable]->variable));
    } else if (variable != kNone) {
      try_variable(depth, chosen_[variable]->variable);
    } else if (unit != kNone && partner_[depth] != kNone) {
      try_common_variables(depth, chosen_[unit]->unit, chosen_[partner_[depth]]->unit);
    } else {
      for (const Ptg::Access& a : unit != kNone ? ptg_.of_unit(chosen_[unit]->unit) : ptg_.accesses())
        try_access(depth, a);
    }
  }
  void try_accesses(std::size_t depth, std::span<const std::uint32_t> list) {
    for (const std::uint32_t k : list) {
      try_access(depth, ptg_.accesses()[k]);
      if (is_at_end()) return;
    }
  }

  // Calls use(accesses) for those of the variable that may be this step, thread by thread, until it says false. What a
  // thread has to come after only grows along it, and its units do not overlap: first come the accesses that are too
  // early, last those that are too late, and two binary searches find what is between. That is little in a run whose
  // threads talk to each other all the time, however often the variable is accessed.
  template <typename Use>
  void within_bounds(std::size_t step, const Bounds& bounds, std::uint32_t variable, const Use& use) const {
    const auto accesses = ptg_.accesses();
    const auto all = ptg_.of_variable_by_thread(variable);
    for (auto run = all.begin(); run != all.end();) {
      const std::uint32_t thread = accesses[*run].thread;
      const bool is_write = accesses[*run].is_write;
      const auto end = std::partition_point(run, all.end(), [&](std::uint32_t k) {
        return accesses[k].thread == thread && accesses[k].is_write == is_write;
      });
      if (is_write == pattern_.steps[step].is_write && fits_thread(step, thread)) {
        const auto first =
            std::partition_point(run, end, [&](std::uint32_t k) { return is_too_early(bounds, accesses[k]); });
        const auto last =
            std::partition_point(first, end, [&](std::uint32_t k) { return !is_too_late(bounds, accesses[k]); });
        if (first != last && !use(std::span(first, last))) return;
      }
      run = end;
    }
  }
  bool fits_thread(std::size_t step, std::uint32_t thread) const {
    return std::all_of(
        order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(chosen_count_), [&](std::size_t bound) {
          return (pattern_.steps[bound].thread == pattern_.steps[step].thread) == (chosen_[bound]->thread == thread);
        });
  }

  void try_variable(std::size_t depth, std::uint32_t variable) {
    if (!is_shared_[order_[depth]]) return try_accesses(depth, within_reach(ptg_.of_variable(variable)));
    std::size_t count = 0;
    const auto is_little = [&](std::span<const std::uint32_t> some) { return (count += some.size()) <= reach_; };
    within_bounds(order_[depth], bounds_[depth], variable, is_little);
    // Where there are too many for this round, those that differ come first.
    if (count > reach_) return try_accesses(depth, within_reach(ptg_.of_variable(variable)));
    within_bounds(order_[depth], bounds_[depth], variable, [&](std::span<const std::uint32_t> some) {
      try_accesses(depth, some);
      return !is_at_end();
    });
  }

  // Whether each step whose variable alone is known by now has an access within its bounds; without one there is no
  // match. To look before the accesses of a unit are tried saves long units that are ordered with all that other
  // threads do.
  bool has_all_ahead(std::size_t depth) const {
    return std::all_of(ahead_[depth].begin(), ahead_[depth].end(), [&](const Ahead& ahead) {
      bool has_some = false;
      within_bounds(ahead.step, ahead.bounds, chosen_[ahead.variable_from]->variable, [&](const auto&) {
        has_some = true;
        return false;
      });
      return has_some;
    });
  }

  // Where the pattern wants an access of the variable of this step in both units: no other variable can end in a match.
  void try_common_variables(std::size_t depth, std::uint32_t unit, std::uint32_t other) {
    const auto mine = ptg_.shared_of_unit(unit);
    const auto theirs = ptg_.shared_of_unit(other);
    const auto variable_of = [&](std::uint32_t k) { return ptg_.accesses()[k].variable; };
    auto m = mine.begin();
    auto t = theirs.begin();
    while (m != mine.end() && t != theirs.end() && !is_at_end()) {
      ++steps_;
      const std::uint32_t variable = std::max(variable_of(*m), variable_of(*t));
      m = skip_to(m, mine.end(), variable);
      t = skip_to(t, theirs.end(), variable);
      if (m == mine.end() || t == theirs.end()) return;
      if (variable_of(*m) != variable_of(*t)) continue;
      const auto end = skip_to(m, mine.end(), variable + 1);
      try_accesses(depth, {m, end});
      m = end;
    }
  }
  // The first access of this variable or a later one. It is mostly near: the steps grow from one.
  template <typename Iterator>
  Iterator skip_to(Iterator from, Iterator end, std::uint32_t variable) const {
    const auto is_before_it = [&](std::uint32_t k) { return ptg_.accesses()[k].variable < variable; };
    std::ptrdiff_t step = 1;
    while (step < end - from && is_before_it(from[step - 1])) {
      from += step;
      step *= 2;
    }
    return std::partition_point(from, step < end - from ? from + step : end, is_before_it);
  }

  bool is_at_end() {
    if (steps_ < end_ && count_ < limits_.matches) return false;
    return is_cut_ = true;
  }
  void try_access(std::size_t depth, const Ptg::Access& access) {
    if (is_at_end()) return;
    ++steps_;
    const std::size_t step = order_[depth];
    const PatternStep& wanted = pattern_.steps[step];
    if (wanted.is_write != access.is_write) return;
    if (is_shared_[step] && !ptg_.is_shared(access.variable)) return;
    for (std::size_t k = 0; k < depth; ++k) {
      const std::size_t bound = order_[k];
      const PatternStep& other = pattern_.steps[bound];
      const Ptg::Access& taken = *chosen_[bound];
      if ((other.thread == wanted.thread) != (taken.thread == access.thread)) return;
      if ((other.variable == wanted.variable) != (taken.variable == access.variable)) return;
      if ((other.unit == wanted.unit) != (taken.unit == access.unit)) return;
      if (other.thread == wanted.thread && (bound < step) != (taken.event < access.event)) return;
      if (taken.event == access.event) return;
    }
    if (is_too_early(bounds_[depth], access) || is_too_late(bounds_[depth], access)) return;
    chosen_[step] = &access;
    chosen_count_ = depth + 1;
    if (has_all_ahead(depth)) extend(depth + 1);
    chosen_count_ = depth;
  }

  // Where the trace knows no sites, every event is a place of its own.
  static std::uint64_t place_of(const Ptg::Access& access) {
    return access.site != 0 ? access.site : std::uint64_t{access.event} << 32;
  }

  void on_match() {
    std::vector<EventNumber> events;
    for (const Ptg::Access* access : chosen_) events.push_back(access->event);
    // Two that are adjacent are the same match in either order.
    std::vector<const Ptg::Access*> accesses = chosen_;
    if (pattern_.adjacent) {
      std::sort(accesses.begin(), accesses.end(), [](const Ptg::Access* a, const Ptg::Access* b) {
        return std::tuple(place_of(*a), a->thread) < std::tuple(place_of(*b), b->thread);
      });
    }
    std::vector<std::uint64_t> key;
    Instance instance;
    for (const Ptg::Access* access : accesses) {
      key.push_back(place_of(*access));
      instance.threads.push_back(access->thread);
      instance.units.push_back(access->unit);
    }
    key.push_back(limits_.apart != nullptr &&
                  std::any_of(events.begin(), events.end(), [&](EventNumber e) { return (*limits_.apart)[e]; }));
    const auto seen = seen_.find(key);
    const bool is_repeat =
        seen != seen_.end() && std::any_of(seen->second.begin(), seen->second.end(),
                                           [&](const Instance& other) { return other.threads == instance.threads; });
    if (seen != seen_.end() && !is_worth_keeping(seen->second, instance, is_repeat)) return;
    if (!can_be_ordered(ptg_, pattern_, events)) return;
    seen_[std::move(key)].push_back(std::move(instance));
    found_.push_back({&pattern_, std::move(events)});
    count_ += !is_repeat;
  }

  struct Instance {
    std::vector<std::uint32_t> threads;
    std::vector<std::uint32_t> units;
  };
  // `known` are of the same sites.
  bool is_worth_keeping(const std::vector<Instance>& known, const Instance& instance, bool is_repeat) const {
    std::uint32_t alike = 0;
    std::vector<const std::vector<std::uint32_t>*> others;  // threads
    for (const Instance& other : known) {
      if (other.threads == instance.threads) {
        if (other.units == instance.units) return false;
        ++alike;
      } else if (std::none_of(others.begin(), others.end(), [&](const auto* t) { return *t == other.threads; })) {
        others.push_back(&other.threads);
      }
    }
    return is_repeat ? alike < limits_.repeats : others.size() < limits_.instances;
  }

  const Ptg& ptg_;
  const Pattern& pattern_;
  const SearchLimits limits_;
  std::vector<PatternMatch>& found_;
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> order_;          // of the steps
  std::vector<std::size_t> variable_from_;  // by depth: a step that is bound by then and has the same variable
  std::vector<std::size_t> unit_from_;
  std::vector<std::size_t> partner_;  // by depth
  std::vector<Bounds> bounds_;        // by depth
  struct Ahead {
    std::size_t step;
    std::size_t variable_from;
    Bounds bounds;
  };
  std::vector<std::vector<Ahead>> ahead_;  // by depth: steps that are known then by their variable alone
  std::vector<bool> is_shared_;            // by step: two threads of the pattern access its variable
  std::vector<const Ptg::Access*> chosen_;
  std::size_t chosen_count_ = 0;                                      // the first ones of order_
  std::map<std::vector<std::uint64_t>, std::vector<Instance>> seen_;  // by sites
  static constexpr std::size_t kReaches[] = {16, 128, 1024, std::numeric_limits<std::size_t>::max()};
  std::size_t reach_ = 0;  // how many accesses of a variable are looked at in this round
  bool is_cut_ = false;    // of the variable at hand, not everything was
  std::uint64_t end_ = 0;  // of steps_, for the variable at hand
  std::uint64_t steps_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

bool can_be_ordered(const Ptg& ptg, const Pattern& pattern, std::span<const EventNumber> events) {
  for (std::size_t a = 0; a < events.size(); ++a) {
    for (std::size_t b = a + 1; b < events.size(); ++b) {
      if (ptg.is_before(events[b], events[a])) return false;
    }
  }
  if (pattern.adjacent) return !ptg.is_before(events[0], events[1]) && !ptg.excludes(events[0], events[1]);
  for (std::size_t step = 0; step < events.size(); ++step) {
    // Every other thread that has a step before this one and one after it.
    for (std::size_t before = 0; before < step; ++before) {
      const std::uint8_t thread = pattern.steps[before].thread;
      if (thread == pattern.steps[step].thread) continue;
      std::size_t after = before + 1;
      while (after < events.size() && pattern.steps[after].thread != thread) ++after;
      if (after < step || after == events.size()) continue;
      if (!can_stand_between(ptg, events[before], events[after], events[step])) return false;
    }
  }
  return true;
}

SearchResult search(const Ptg& ptg, std::span<const Pattern> patterns, const SearchLimits& limits) {
  SearchResult result;
  std::vector<std::uint32_t> all;
  std::vector<std::uint32_t> shared;
  for (std::uint32_t v = 1; v <= ptg.links().sizes.variables; ++v) {
    if (ptg.of_variable(v).empty()) continue;
    all.push_back(v);
    if (ptg.is_shared(v)) shared.push_back(v);
  }
  result.variables = shared.size();
  for (const Pattern& pattern : patterns) {
    const std::uint64_t cut_short = Matcher(ptg, pattern, limits, result.matches).run(shared, all);
    result.variables_cut_short += cut_short;
    result.patterns_cut_short += cut_short != 0;
  }
  return result;
}

}  // namespace deadheat::predict
