// SPDX-License-Identifier: Apache-2.0
#include "predict/ptg.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "predict/unit_ends.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

bool communicates(const Event& e) { return waits_or_wakes(e) || is_volatile_access(e); }

}  // namespace

class Ptg::Builder {
 public:
  Builder(Ptg& ptg, const PtgOptions& options)
      : ptg_(ptg),
        options_(options),
        ends_(ptg.trace()),
        threads_(ptg.links_.sizes.threads + 1),
        published_(ptg.links_.sizes.events + 1) {
    ptg_.locksets_.emplace_back();
    numbers_[{}] = 0;
  }

  void run() {
    const EventNumber count = ptg_.links_.sizes.events;
    for (EventNumber i = 1; i <= count; ++i) {
      // Whoever is somebody's source is asked for what it knew.
      if (ptg_.links_.source[i] != 0 && !is_access(ptg_.event(i))) published_[ptg_.links_.source[i]].thread = 1;
    }
    for (EventNumber i = 1; i <= count; ++i) on_event(ptg_.event(i), i);
    for (std::uint32_t t = 0; t < threads_.size(); ++t) end_unit(t);
    ptg_.units_.push_back(static_cast<std::uint32_t>(ptg_.accesses_.size()));
    for (std::uint32_t k = 0; k < ptg_.accesses_.size(); ++k)
      ptg_.by_variable_[ptg_.accesses_[k].variable].push_back(k);
    index();
  }

 private:
  void index() {
    for (std::size_t v = 0; v < ptg_.by_variable_.size(); ++v) {
      auto& list = ptg_.by_variable_[v];
      ptg_.is_shared_[v] = std::any_of(list.begin(), list.end(), [&](std::uint32_t k) {
        return ptg_.accesses_[k].thread != ptg_.accesses_[list[0]].thread;
      });
      if (ptg_.is_shared_[v]) {
        const auto run = [&](std::uint32_t k) {
          return std::pair(ptg_.accesses_[k].thread, ptg_.accesses_[k].is_write);
        };
        // Units get their numbers when they end, so those of one thread are in their order already.
        ptg_.by_thread_[v] = list;
        std::stable_sort(ptg_.by_thread_[v].begin(), ptg_.by_thread_[v].end(),
                         [&](std::uint32_t a, std::uint32_t b) { return run(a) < run(b); });
      }
      put_different_ones_first(list);
    }
    auto& order = ptg_.unit_by_variable_;
    order.resize(ptg_.accesses_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto rank = [&](std::uint32_t k) {
      const std::uint32_t variable = ptg_.accesses_[k].variable;
      return std::tuple(!ptg_.is_shared_[variable], variable, k);
    };
    for (std::size_t u = 0; u + 1 < ptg_.units_.size(); ++u) {
      std::sort(order.begin() + ptg_.units_[u], order.begin() + ptg_.units_[u + 1],
                [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    }
  }

  // The first of those of one site and thread, then the second of each, and so on.
  void put_different_ones_first(std::vector<std::uint32_t>& list) const {
    if (list.size() < 3) return;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> counts;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranked;
    for (const std::uint32_t k : list) {
      const Access& a = ptg_.accesses_[k];
      ranked.emplace_back(a.site == 0 ? 0 : counts[{a.site, a.thread, a.is_write}]++, k);
    }
    std::sort(ranked.begin(), ranked.end());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = ranked[i].second;
  }

  struct Open {
    Held held;
    EventNumber acquire = 0;
  };
  struct Thread {
    std::vector<Open> open;
    std::uint32_t lockset = 0;
    std::uint32_t regions = 0;
    std::uint32_t stretch = 0;  // thread-communication events so far
    bool is_in_unit = false;
    std::uint32_t unit_stretch = 0;
    std::vector<EventNumber> unit;  // its accesses and lock operations
  };

  void on_event(const Event& e, EventNumber i) {
    const std::uint32_t t = to_number(e.thread);
    Thread& me = threads_[t];
    order(e, t, i);
    if (communicates(e)) ++me.stretch;
    if (ends_.at(e)) end_unit(t);
    hold(e, me, i);
    ptg_.lockset_[i] = me.lockset;
    ptg_.outermost_[i] = me.open.empty() ? 0 : me.open.front().acquire;
    if (communicates(e) || is_acquire(e) || is_release(e)) ptg_.sync_events_[t].push_back(i);
    assign_unit(e, t, i);
  }

  // The partial order: program order, fork and join, and from each source to the event that found it.
  void order(const Event& e, std::uint32_t t, EventNumber i) {
    ThreadClocks& clocks = ptg_.clocks_;
    clocks.step(t, i);
    if (const EventNumber source = ptg_.links_.source[i]; source != 0 && !is_access(e))
      clocks.join(t, published_[source]);
    if (e.kind == EventKind::kJoin) clocks.join_thread(t, static_cast<std::uint32_t>(e.object));
    if (e.kind == EventKind::kFork) clocks.join_thread(static_cast<std::uint32_t>(e.object), t);
    const Stamp stamp = clocks.stamp(t);
    ptg_.stretch_[i] = stamp.row;
    if (published_[i].thread != 0) published_[i] = stamp;
  }

  void hold(const Event& e, Thread& me, EventNumber i) {
    const Held held{static_cast<std::uint32_t>(e.object), is_shared_lock(e)};
    if (is_acquire(e)) {
      me.open.push_back({held, i});
    } else if (is_release(e)) {
      const auto found = std::find_if(me.open.rbegin(), me.open.rend(), [&](const Open& o) { return o.held == held; });
      if (found != me.open.rend()) me.open.erase(std::next(found).base());
    } else {
      return;
    }
    Lockset set;
    for (const Open& o : me.open) set.push_back(o.held);
    std::sort(set.begin(), set.end());
    const auto [known, is_new] = numbers_.try_emplace(set, static_cast<std::uint32_t>(ptg_.locksets_.size()));
    if (is_new) ptg_.locksets_.push_back(set);
    me.lockset = known->second;
  }

  void assign_unit(const Event& e, std::uint32_t t, EventNumber i) {
    Thread& me = threads_[t];
    if (e.kind == EventKind::kRegionEnter) ++me.regions;
    if (e.kind == EventKind::kRegionExit && me.regions != 0) --me.regions;
    const bool is_inside = me.regions != 0 || (options_.sections_are_regions && !me.open.empty());
    if (is_inside && !me.is_in_unit) {
      me.is_in_unit = true;
      me.unit_stretch = me.stretch;
    }
    if (is_access(e) || is_acquire(e) || is_release(e)) me.unit.push_back(i);
    if (!is_inside) end_unit(t);
  }
  // Gives the unit a number unless one like it is there.
  void end_unit(std::uint32_t t) {
    Thread& me = threads_[t];
    me.is_in_unit = false;
    if (std::none_of(me.unit.begin(), me.unit.end(), [&](EventNumber i) { return is_access(ptg_.event(i)); })) {
      me.unit.clear();
      return;
    }
    Signature signature{t, me.unit_stretch, me.stretch, {}};
    for (const EventNumber i : me.unit) signature.content.push_back(content(i));
    std::sort(signature.content.begin(), signature.content.end());
    signature.content.erase(std::unique(signature.content.begin(), signature.content.end()), signature.content.end());
    if (seen_.insert(std::move(signature)).second) add_unit(me.unit);
    me.unit.clear();
  }
  // Of the accesses that look the same only the first and the last: between those there is the most room for others.
  void add_unit(const std::vector<EventNumber>& unit) {
    std::map<Content, std::pair<EventNumber, EventNumber>> ends;
    for (const EventNumber i : unit) {
      if (is_access(ptg_.event(i))) ends.try_emplace(content(i), i, i).first->second.second = i;
    }
    std::set<EventNumber> kept;
    for (const auto& [what, where] : ends) kept.insert({where.first, where.second});
    const auto number = static_cast<std::uint32_t>(ptg_.units_.size());
    ptg_.units_.push_back(static_cast<std::uint32_t>(ptg_.accesses_.size()));
    for (const EventNumber i : kept) {
      const Event& e = ptg_.event(i);
      ptg_.accesses_.push_back({i, static_cast<std::uint32_t>(e.object), to_number(e.site), number, to_number(e.thread),
                                e.kind == EventKind::kWrite});
    }
  }

  using Content = std::tuple<EventKind, std::uint64_t, std::uint32_t, std::uint32_t>;
  Content content(EventNumber i) const {
    const Event& e = ptg_.event(i);
    return {e.kind, e.object, to_number(e.site), ptg_.lockset_[i]};
  }
  struct Signature {
    std::uint32_t thread;
    std::uint32_t first_stretch;
    std::uint32_t last_stretch;
    std::vector<Content> content;
    bool operator<(const Signature& other) const {
      return std::tie(thread, first_stretch, last_stretch, content) <
             std::tie(other.thread, other.first_stretch, other.last_stretch, other.content);
    }
  };

  Ptg& ptg_;
  const PtgOptions options_;
  const UnitEnds ends_;
  std::vector<Thread> threads_;
  std::vector<Stamp> published_;  // by event, for sources
  std::map<Lockset, std::uint32_t> numbers_;
  std::set<Signature> seen_;
};

Ptg::Ptg(const trace::Trace& trace, const PtgOptions& options)
    : trace_(trace),
      links_(trace),
      clocks_(links_.sizes.threads),
      stretch_(links_.sizes.events + 1),
      lockset_(links_.sizes.events + 1),
      outermost_(links_.sizes.events + 1),
      by_variable_(links_.sizes.variables + 1),
      by_thread_(links_.sizes.variables + 1),
      is_shared_(links_.sizes.variables + 1),
      sync_events_(links_.sizes.threads + 1) {
  Builder(*this, options).run();
}

std::span<const std::uint32_t> Ptg::shared_of_unit(std::uint32_t unit) const {
  const auto all = by_variable_in(unit);
  return {all.begin(), std::partition_point(all.begin(), all.end(),
                                            [&](std::uint32_t k) { return is_shared(accesses_[k].variable); })};
}

std::span<const std::uint32_t> Ptg::of_unit(std::uint32_t unit, std::uint32_t variable) const {
  const auto all = by_variable_in(unit);
  const std::pair wanted(!is_shared(variable), variable);
  const auto rank = [&](std::uint32_t k) {
    return std::pair(!is_shared(accesses_[k].variable), accesses_[k].variable);
  };
  const auto first = std::partition_point(all.begin(), all.end(), [&](std::uint32_t k) { return rank(k) < wanted; });
  const auto last = std::partition_point(first, all.end(), [&](std::uint32_t k) { return rank(k) == wanted; });
  return {first, last};
}

bool Ptg::excludes(EventNumber a, EventNumber b) const {
  const Lockset& x = locksets_[lockset_[a]];
  const Lockset& y = locksets_[lockset_[b]];
  return std::any_of(x.begin(), x.end(), [&y](const Held& h) {
    return std::any_of(y.begin(), y.end(), [&h](const Held& o) { return o.lock == h.lock && !(o.shared && h.shared); });
  });
}

}  // namespace deadheat::predict
