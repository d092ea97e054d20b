// SPDX-License-Identifier: Apache-2.0
#include "predict/needs.h"

#include <algorithm>
#include <tuple>

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

bool is_volatile_write(const Event& e) {
  return e.kind == EventKind::kVolatileWrite || e.kind == EventKind::kVolatileUpdate;
}
bool wants_a_value(const Event& e) {
  return e.kind == EventKind::kRead || e.kind == EventKind::kVolatileRead || e.kind == EventKind::kVolatileUpdate;
}
bool is_plain(const Event& e) { return e.kind == EventKind::kRead || e.kind == EventKind::kWrite; }
// Variables and volatile ones are numbered apart.
std::uint64_t numbered_apart(const Event& e) { return e.object * 2 + is_plain(e); }

// Whether another thread writes what the event reads; else what it finds is of its own thread's past.
bool others_write(const Event& e, const TraceLinks& links) {
  const std::uint32_t writer = is_plain(e) ? links.writer[e.object] : links.volatile_writer[e.object];
  return writer != TraceLinks::kNobody && writer != to_number(e.thread);
}

}  // namespace

Needs::Needs(const Ptg& ptg, const std::vector<std::vector<EventNumber>>& threads, const Pattern& pattern,
             std::span<const EventNumber> events, EventNumber prefix)
    : ptg_(ptg), threads_(threads), prefix_(prefix), last_steps_(threads.size()), until_(threads.size()) {
  const auto thread_of = [&](EventNumber e) { return to_number(ptg.event(e).thread); };
  if (!pattern.adjacent) {
    for (const EventNumber e : events) last_steps_[thread_of(e)] = e;
  }
  for (std::size_t k = 0; k < events.size() && !contradiction_; ++k) {
    add(pattern.adjacent ? ptg.links().previous[events[k]] : events[k]);
    add_all();
    const auto later = events.begin() + static_cast<std::ptrdiff_t>(pattern.adjacent ? 0 : k + 1);
    contradiction_ = std::any_of(later, events.end(), [this](EventNumber e) { return is_needed(e); });
  }
  keep_last_of_each_thread();
}

bool Needs::is_needed(EventNumber event) const { return event <= until_[to_number(ptg_.event(event).thread)]; }

void Needs::add(EventNumber event) {
  if (event > prefix_ && !is_needed(event)) to_add_.push_back(event);
}

void Needs::add_all() {
  while (!to_add_.empty()) {
    const EventNumber last = to_add_.back();
    to_add_.pop_back();
    if (is_needed(last)) continue;
    const std::uint32_t t = to_number(ptg_.event(last).thread);
    const EventNumber known = std::max(until_[t], prefix_);
    // Something behind the last step is needed, so that has to find its value too.
    if (last_steps_[t] != 0 && until_[t] == last_steps_[t]) add_source(until_[t]);
    until_[t] = last;
    const auto& mine = threads_[t];
    for (auto at = std::upper_bound(mine.begin(), mine.end(), known); at != mine.end() && *at <= last; ++at) {
      if (at == mine.begin()) add(ptg_.links().previous[*at]);  // the fork; later on it is one of these
      add(ptg_.links().joined[*at]);
      if (*at != last || last != last_steps_[t]) add_source(*at);
    }
  }
}

void Needs::add_source(EventNumber event) {
  const Event& e = ptg_.event(event);
  if (e.kind == EventKind::kPark) return;  // any unpark will do
  const bool wants = wants_a_value(e);
  if (wants && !others_write(e, ptg_.links())) return;
  add(ptg_.links().source[event]);
  if (wants) {
    reads_.push_back({ptg_.links().source[event], numbered_apart(e), to_number(e.thread), event});
  }
}

void Needs::keep_last_of_each_thread() {
  const auto key = [](const Read& r) { return std::tie(r.source, r.object, r.thread); };
  std::sort(reads_.begin(), reads_.end(),
            [&](const Read& a, const Read& b) { return std::tuple(key(a), b.event) < std::tuple(key(b), a.event); });
  reads_.erase(
      std::unique(reads_.begin(), reads_.end(), [&](const Read& a, const Read& b) { return key(a) == key(b); }),
      reads_.end());
}

EventNumber Needs::spoiled_by(EventNumber write, const World& world) const {
  const Event& e = ptg_.event(write);
  if (e.kind != EventKind::kWrite && !is_volatile_write(e)) return 0;
  const std::pair value(world.last_write(e), numbered_apart(e));
  const auto of = [](const Read& r) { return std::pair(r.source, r.object); };
  auto at = std::lower_bound(reads_.begin(), reads_.end(), value,
                             [&](const Read& r, const auto& wanted) { return of(r) < wanted; });
  for (; at != reads_.end() && of(*at) == value; ++at) {
    if (at->thread != to_number(e.thread) && !world.is_taken(at->event)) return at->event;
  }
  return 0;
}

}  // namespace deadheat::predict
