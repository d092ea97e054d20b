// SPDX-License-Identifier: Apache-2.0
#include "predict/schedule_generation.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "predict/exact_window.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

// One way to build a schedule, step by step in a World, so that whatever comes out is feasible.
class ScheduleGenerator::Attempt {
 public:
  // `needs`: of this prefix, for kept values; else null. `looks_ahead`: into sections, before they are begun.
  Attempt(const ScheduleGenerator& generator, const Pattern& pattern, std::span<const EventNumber> events,
          Values values, EventNumber prefix, const Needs* needs, bool looks_ahead)
      : ptg_(generator.ptg_),
        threads_(generator.threads_),
        pattern_(pattern),
        events_(events),
        world_(generator.prefixes_.after(prefix, values)),
        needs_(needs),
        looks_ahead_(looks_ahead),
        positions_(threads_.size()),
        is_running_(threads_.size()) {
    for (const EventNumber e : events) world_.set_free(e);
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      const auto& mine = threads_[t];
      positions_[t] = static_cast<std::size_t>(std::upper_bound(mine.begin(), mine.end(), prefix) - mine.begin());
    }
    schedule_.prefix = prefix;
    schedule_.values = values;
  }

  // On in the order of the trace, without what would bring a thread of the pattern to its stop: algorithm 3's way of
  // keeping whole sections together. `careful`: a thread stops before a read that would see another value, where it may
  // go another way; if it is needed later on, it goes on then.
  void follow_trace(const Stops& stops, bool careful) {
    for (EventNumber i = schedule_.prefix + 1; i < stops.last; ++i) {
      const EventNumber stop = stops.of_thread[thread_of(i)];
      const bool strays = careful && ptg_.event(i).kind == EventKind::kRead && !world_.finds_its_value(i);
      if ((stop == 0 || i < stop) && !strays && world_.can_take(i) && spoiled_by(i) == 0) take(i);
    }
  }

  // Lets each thread run to its step, and others only as far as that needs them.
  bool take_steps() {
    for (std::size_t step = 0; step < events_.size(); ++step) {
      done_ = step;
      if (!run_to(events_[step], true)) return false;
    }
    return true;
  }
  // Both threads right before their accesses; `first` goes there first.
  bool meet(std::size_t first) {
    if (!run_to(events_[first], false) || !run_to(events_[1 - first], false)) return false;
    if (!world_.is_reached(events_[0]) || !world_.is_reached(events_[1])) return false;
    schedule_.events.insert(schedule_.events.end(), events_.begin(), events_.end());
    return true;
  }

  // Whether that has changed anything.
  bool has_looked_ahead() const { return has_looked_ahead_; }
  GeneratedSchedule schedule() && { return std::move(schedule_); }

 private:
  std::uint32_t thread_of(EventNumber e) const { return to_number(ptg_.event(e).thread); }
  EventNumber next_of(std::uint32_t t) const {
    return positions_[t] < threads_[t].size() ? threads_[t][positions_[t]] : 0;
  }

  void take(EventNumber e) {
    const Event& event = ptg_.event(e);
    const std::uint32_t t = thread_of(e);
    world_.take(e);
    schedule_.events.push_back(e);
    ++positions_[t];
    if (is_acquire(event)) open_[{event.object, t, is_shared_lock(event)}] = e;
  }

  // A step of the pattern whose time has not come, or, for adjacent ones, any step.
  bool is_held_back(EventNumber e) const {
    const auto from = pattern_.adjacent ? events_.begin() : events_.begin() + static_cast<std::ptrdiff_t>(done_) + 1;
    return std::find(from, events_.end(), e) != events_.end();
  }

  // Runs the thread of `target` up to it. False: something is in the way that cannot be moved.
  bool run_to(EventNumber target, bool inclusive) {
    const std::uint32_t t = thread_of(target);
    if (world_.is_taken(target)) return true;
    if (is_running_[t]) return false;  // it waits for itself
    is_running_[t] = true;
    const bool arrived = run_thread_to(t, target, inclusive);
    is_running_[t] = false;
    return arrived;
  }
  bool run_thread_to(std::uint32_t t, EventNumber target, bool inclusive) {
    for (EventNumber next = next_of(t); next != 0; next = next_of(t)) {
      const EventNumber previous = ptg_.links().previous[next];
      if (next == target && !inclusive) return world_.is_taken(previous) || run_to(previous, true);
      if (is_held_back(next) || !clear_the_way(next)) return false;
      take(next);
      if (next == target) return true;
    }
    return false;
  }
  bool clear_the_way(EventNumber e) {
    // Each round makes another thread go on, and a lock has few holders.
    for (std::size_t round = 0; round <= threads_.size(); ++round) {
      while (world_.can_take(e)) {
        const EventNumber read = spoiled_by(e);
        if (read == 0) return true;
        if (!run_to(read, true)) return false;
      }
      if (!remove_obstacle(e)) return false;
    }
    return false;
  }
  // A write has to wait for the reads that are still to see the value before it. These may need the lock that it is
  // written under, so with `looks_ahead_` the section waits for them.
  EventNumber spoiled_by(EventNumber e) {
    if (needs_ == nullptr) return 0;
    if (!looks_ahead_ || !is_acquire(ptg_.event(e))) return needs_->spoiled_by(e, world_);
    const std::uint32_t t = thread_of(e);
    EventNumber end = needs_->until(t) > e ? needs_->until(t) : ptg_.links().sizes.events;
    if (const EventNumber release = ptg_.links().partner[e]; release != 0) end = std::min(end, release);
    for (std::size_t at = positions_[t]; at < threads_[t].size() && threads_[t][at] <= end; ++at) {
      if (const EventNumber read = needs_->spoiled_by(threads_[t][at], world_); read != 0) {
        has_looked_ahead_ = true;
        return read;
      }
    }
    return 0;
  }
  bool remove_obstacle(EventNumber e) {
    const TraceLinks& links = ptg_.links();
    for (const EventNumber need : {links.previous[e], links.source[e], links.joined[e]}) {
      if (need != 0 && !world_.is_taken(need)) return run_to(need, true);
    }
    return is_acquire(ptg_.event(e)) && free_lock(e);
  }
  bool free_lock(EventNumber acquire) {
    const Event& event = ptg_.event(acquire);
    if (const std::uint32_t holder = world_.holder(event.object); holder != 0 && holder != thread_of(acquire)) {
      return end_section({event.object, holder, false});
    }
    for (const std::uint32_t reader : world_.readers(event.object)) {
      if (reader != thread_of(acquire)) return end_section({event.object, reader, true});
    }
    return false;
  }
  struct Hold {
    std::uint64_t lock;
    std::uint32_t thread;
    bool shared;
    bool operator<(const Hold& other) const {
      return std::tie(lock, thread, shared) < std::tie(other.lock, other.thread, other.shared);
    }
  };
  bool end_section(const Hold& hold) {
    const EventNumber release = ptg_.links().partner[acquire_of(hold)];
    return release != 0 && run_to(release, true);
  }
  EventNumber acquire_of(const Hold& hold) const {
    if (const auto found = open_.find(hold); found != open_.end()) return found->second;
    const auto syncs = ptg_.sync_events(hold.thread);
    auto at = std::upper_bound(syncs.begin(), syncs.end(), schedule_.prefix);
    while (at != syncs.begin()) {
      const Event& event = ptg_.event(*--at);
      if (is_acquire(event) && event.object == hold.lock && is_shared_lock(event) == hold.shared) return *at;
    }
    return 0;
  }

  const Ptg& ptg_;
  const std::vector<std::vector<EventNumber>>& threads_;
  const Pattern& pattern_;
  const std::span<const EventNumber> events_;
  World world_;
  const Needs* const needs_;
  const bool looks_ahead_;
  bool has_looked_ahead_ = false;
  std::size_t done_ = 0;  // steps before this one are done
  std::vector<std::size_t> positions_;
  std::vector<bool> is_running_;
  std::map<Hold, EventNumber> open_;  // acquires behind the prefix; old ones stay
  GeneratedSchedule schedule_;
};

std::vector<EventNumber> GeneratedSchedule::all() const {
  std::vector<EventNumber> all(prefix);
  std::iota(all.begin(), all.end(), 1);
  all.insert(all.end(), events.begin(), events.end());
  return all;
}

ScheduleGenerator::ScheduleGenerator(const Ptg& ptg)
    : ptg_(ptg), threads_(ptg.links().sizes.threads + 1), prefixes_(ptg.trace(), ptg.links()) {
  for (EventNumber i = 1; i <= ptg.links().sizes.events; ++i) {
    const Event& event = ptg.event(i);
    threads_[to_number(event.thread)].push_back(i);
    if (event.kind == EventKind::kPark || event.kind == EventKind::kUnpark) permit_events_.push_back(i);
  }
  closed_past_.emplace(ptg.trace(), ptg.links(), threads_);
}

bool ScheduleGenerator::is_feasible(const GeneratedSchedule& schedule, Values values,
                                    std::span<const EventNumber> free) const {
  if (prefixes_.usable(schedule.prefix) != schedule.prefix) return false;
  World world = prefixes_.after(schedule.prefix, values);
  for (const EventNumber e : free) world.set_free(e);
  return std::all_of(schedule.events.begin(), schedule.events.end(), [&world](EventNumber e) {
    if (!world.can_take(e)) return false;
    world.take(e);
    return true;
  });
}

std::uint64_t ScheduleGenerator::changed_reads(const GeneratedSchedule& schedule) const {
  World world = prefixes_.after(schedule.prefix, schedule.values);
  std::uint64_t changed = 0;
  for (const EventNumber e : schedule.events) {
    changed += ptg_.event(e).kind == EventKind::kRead && !world.finds_its_value(e);
    world.take(e);
  }
  return changed;
}

// As many first events of the trace after which no section or wait is open that is still open after `count`: what is
// in the middle of something there may need the pattern to end it. All else that a longer prefix has can come to its
// end whatever the pattern wants, so to begin with less finds nothing more.
EventNumber ScheduleGenerator::quiet_before(EventNumber count) const {
  EventNumber quiet = count;
  for (const auto& mine : threads_) {
    const auto behind = std::upper_bound(mine.begin(), mine.end(), count);
    if (behind == mine.begin()) continue;
    EventNumber last = *(behind - 1);
    if (ptg_.event(last).kind == EventKind::kWaitBegin && behind - 1 != mine.begin()) last = *(behind - 2);
    if (const EventNumber acquire = ptg_.outermost_acquire(last); acquire != 0) quiet = std::min(quiet, acquire - 1);
  }
  return quiet;
}

std::optional<GeneratedSchedule> ScheduleGenerator::by_closing(const Pattern& pattern,
                                                               std::span<const EventNumber> events) const {
  if (!pattern.adjacent) return std::nullopt;
  auto past = closed_past_->of(events[0], events[1]);
  if (!past) return std::nullopt;
  GeneratedSchedule schedule{past->prefix, std::move(past->events), Values::kKept, false};
  if (!is_feasible(schedule, Values::kKept, {})) return std::nullopt;
  schedule.events.insert(schedule.events.end(), events.begin(), events.end());
  return schedule;
}

ScheduleGenerator::Stops ScheduleGenerator::stops_of(std::span<const EventNumber> events) const {
  Stops stops{std::vector<EventNumber>(threads_.size())};
  for (const EventNumber e : events) {
    EventNumber& stop = stops.of_thread[to_number(ptg_.event(e).thread)];
    if (stop != 0) continue;  // a later step
    stop = ptg_.outermost_acquire(e) != 0 ? ptg_.outermost_acquire(e) : e;
    stops.first = stops.first == 0 ? stop : std::min(stops.first, stop);
    stops.last = std::max(stops.last, stop);
  }
  return stops;
}

std::optional<GeneratedSchedule> ScheduleGenerator::by_moving(const Pattern& pattern,
                                                              std::span<const EventNumber> events, const Stops& stops,
                                                              const Needs* needs) const {
  const Values values = needs != nullptr ? Values::kKept : Values::kFree;
  const EventNumber prefix = prefixes_.usable(stops.first - 1);
  std::optional<Needs> more_needs;
  enum class First { kCareful, kAll, kLittle };  // of the trace
  for (const First part : {First::kCareful, First::kAll, First::kLittle}) {
    if (part == First::kCareful && values == Values::kKept) continue;  // no read strays
    const EventNumber start = part == First::kLittle ? quiet_before(prefix) : prefix;
    if (needs != nullptr && start != prefix) needs = &more_needs.emplace(ptg_, threads_, pattern, events, start);
    for (const std::size_t first : {0u, 1u}) {
      if (!pattern.adjacent && first != 0) break;
      for (const bool looks_ahead : {true, false}) {
        Attempt attempt(*this, pattern, events, values, start, needs, looks_ahead);
        if (part != First::kLittle) attempt.follow_trace(stops, part == First::kCareful);
        if (pattern.adjacent ? attempt.meet(first) : attempt.take_steps()) return std::move(attempt).schedule();
        if (!attempt.has_looked_ahead()) break;
      }
    }
  }
  return std::nullopt;
}

std::optional<GeneratedSchedule> ScheduleGenerator::by_solving(const Pattern& pattern,
                                                               std::span<const EventNumber> events, Values values,
                                                               const GenerationLimits& limits, bool& is_open) const {
  EventNumber low = events[0];
  EventNumber high = events[0];
  for (const EventNumber e : events) {
    low = std::min({low, e, ptg_.outermost_acquire(e) != 0 ? ptg_.outermost_acquire(e) : e});
    high = std::max(high, e);
  }
  if (high - low + 1 > limits.window) {
    is_open = true;
    return std::nullopt;
  }
  const EventNumber room = (limits.window - (high - low + 1)) / 2;
  const EventNumber first = low > room ? low - room : 1;
  const EventNumber last = std::min(ptg_.links().sizes.events, high + room);

  std::vector<bool> has_permit(ptg_.links().sizes.syncs + 1);
  for (const EventNumber i : permit_events_) {
    if (i >= first) break;
    has_permit[ptg_.event(i).object] = ptg_.event(i).kind == EventKind::kUnpark;
  }
  ExactWindow window(ptg_.trace(), ptg_.links(), first, last, has_permit,
                     {.query_milliseconds = limits.query_milliseconds,
                      .values = values,
                      .free = events,
                      .query_work = limits.query_work});
  const auto order = pattern.adjacent ? window.meet(events[0], events[1]) : window.arrange(events);
  is_open |= window.answer() == Answer::kUnknown;
  if (!order) return std::nullopt;
  GeneratedSchedule schedule{first - 1, *order, values, true};
  auto& rest = schedule.events;
  if (pattern.adjacent) {
    rest.insert(rest.end(), events.begin(), events.end());
  } else {
    rest.erase(std::find(rest.begin(), rest.end(), events.back()) + 1, rest.end());
  }
  return schedule;
}

std::optional<GeneratedSchedule> ScheduleGenerator::generate(const Pattern& pattern,
                                                             std::span<const EventNumber> events,
                                                             const GenerationLimits& limits, bool* is_open) const {
  bool open = false;
  const Stops stops = stops_of(events);
  for (const Values values : {Values::kKept, Values::kFree}) {
    if (limits.values && *limits.values != values) continue;
    std::optional<Needs> needs;
    if (values == Values::kKept) {
      needs.emplace(ptg_, threads_, pattern, events, prefixes_.usable(stops.first - 1));
      if (needs->is_contradiction()) continue;
    }
    if (auto schedule = by_moving(pattern, events, stops, needs ? &*needs : nullptr)) return schedule;
    if (values == Values::kKept) {
      if (auto schedule = by_closing(pattern, events)) return schedule;
    }
    if (auto schedule = by_solving(pattern, events, values, limits, open)) return schedule;
  }
  if (is_open != nullptr) *is_open = open;
  return std::nullopt;
}

}  // namespace deadheat::predict
