// SPDX-License-Identifier: Apache-2.0
#include "predict/brute_force.h"

#include <algorithm>

namespace deadheat::predict {

namespace {

class Search {
 public:
  explicit Search(const trace::Trace& trace)
      : trace_(trace), links_(trace), threads_(links_.sizes.threads + 1), position_(threads_.size()) {
    for (EventNumber i = 1; i <= links_.sizes.events; ++i) {
      threads_[to_number(trace.events[i - 1].thread)].push_back(i);
    }
  }

  BruteForceResult run() {
    visit(World(trace_, links_));
    return std::move(result_);
  }

 private:
  // 0: the thread is done.
  EventNumber next_of(std::size_t thread) const {
    return position_[thread] < threads_[thread].size() ? threads_[thread][position_[thread]] : 0;
  }

  void visit(const World& world) {
    std::vector<EventNumber> key(position_.begin(), position_.end());
    world.append_values(key);
    if (!seen_.insert(std::move(key)).second) return;
    ++result_.states;
    look_for_races(world);
    look_for_deadlock(world);
    for (std::size_t t = 1; t < threads_.size(); ++t) {
      const EventNumber next = next_of(t);
      if (next == 0 || !world.can_take(next)) continue;
      World after = world;
      after.take(next);
      ++position_[t];
      visit(after);
      --position_[t];
    }
  }

  void look_for_races(const World& world) {
    for (std::size_t t = 1; t < threads_.size(); ++t) {
      for (std::size_t u = t + 1; u < threads_.size(); ++u) {
        const EventNumber a = next_of(t);
        const EventNumber b = next_of(u);
        if (a == 0 || b == 0 || !is_conflict(trace_.events[a - 1], trace_.events[b - 1])) continue;
        if (world.is_reached(a) && world.is_reached(b)) result_.races.insert({std::min(a, b), std::max(a, b)});
      }
    }
  }

  void look_for_deadlock(const World& world) {
    for (std::size_t t = 1; t < threads_.size(); ++t) {
      std::size_t at = t;
      for (std::size_t steps = 0; steps < threads_.size(); ++steps) {
        const EventNumber next = next_of(at);
        if (next == 0 || !world.is_reached(next) || !is_acquire(trace_.events[next - 1])) break;
        const std::uint32_t holder = world.holder(trace_.events[next - 1].object);
        if (holder == 0 || holder == at) break;
        at = holder;
        if (at == t) result_.deadlock = true;
      }
    }
  }

  const trace::Trace& trace_;
  const TraceLinks links_;
  std::vector<std::vector<EventNumber>> threads_;
  std::vector<std::uint32_t> position_;
  std::set<std::vector<EventNumber>> seen_;
  BruteForceResult result_;
};

class PatternSearch {
 public:
  PatternSearch(const trace::Trace& trace, const Pattern& pattern, std::span<const EventNumber> events, Values values)
      : trace_(trace), links_(trace), pattern_(pattern), events_(events), values_(values) {}

  bool run() {
    World world(trace_, links_, values_);
    for (const EventNumber e : events_) world.set_free(e);
    return visit(world, 0);
  }

 private:
  bool visit(const World& world, std::size_t done) {
    if (pattern_.adjacent && world.is_reached(events_[0]) && world.is_reached(events_[1])) return true;
    if (done == events_.size()) return true;
    std::vector<EventNumber> key;
    for (EventNumber e = 1; e <= links_.sizes.events; ++e) key.push_back(world.is_taken(e));
    world.append_values(key);
    if (!seen_.insert(std::move(key)).second) return false;
    for (EventNumber e = 1; e <= links_.sizes.events; ++e) {
      if (!world.can_take(e)) continue;
      const bool is_step = std::find(events_.begin(), events_.end(), e) != events_.end();
      if (is_step && (pattern_.adjacent || e != events_[done])) continue;
      World after = world;
      after.take(e);
      if (visit(after, done + is_step)) return true;
    }
    return false;
  }

  const trace::Trace& trace_;
  const TraceLinks links_;
  const Pattern& pattern_;
  const std::span<const EventNumber> events_;
  const Values values_;
  std::set<std::vector<EventNumber>> seen_;
};

}  // namespace

bool can_show(const trace::Trace& trace, const Pattern& pattern, std::span<const EventNumber> events, Values values) {
  return PatternSearch(trace, pattern, events, values).run();
}

BruteForceResult brute_force(const trace::Trace& trace) { return Search(trace).run(); }

}  // namespace deadheat::predict
