// SPDX-License-Identifier: Apache-2.0
#include "predict/world.h"

#include <algorithm>

namespace deadheat::predict {

using model::Event;
using model::EventKind;

World::World(const trace::Trace& trace, const TraceLinks& links, Values values)
    : trace_(&trace),
      links_(&links),
      values_(values),
      taken_(links.sizes.events + 1),
      writes_(links.sizes.variables + 1),
      volatile_writes_(links.sizes.syncs + 1),
      permits_(links.sizes.syncs + 1),
      holders_(links.sizes.syncs + 1),
      waiting_(links.sizes.syncs + 1) {
  taken_[0] = true;
}

bool World::is_reached(EventNumber number) const { return !taken_[number] && taken_[links_->previous[number]]; }

bool World::is_lock_free(const Event& e) const {
  const std::uint32_t t = to_number(e.thread);
  if (holders_[e.object] != 0 && holders_[e.object] != t) return false;
  if (is_shared_lock(e)) return true;
  const auto readers = this->readers(e.object);
  return std::all_of(readers.begin(), readers.end(), [t](std::uint32_t reader) { return reader == t; });
}

bool World::sees_its_value(EventNumber read) const {
  return values_ == Values::kFree || finds_its_value(read) ||
         std::find(free_.begin(), free_.end(), read) != free_.end();
}

bool World::can_take(EventNumber number) const {
  if (!is_reached(number)) return false;
  const Event& e = event(number);
  const EventNumber source = links_->source[number];
  switch (e.kind) {
    case EventKind::kRead:
      return sees_its_value(number);
    case EventKind::kVolatileRead:
    case EventKind::kVolatileUpdate:
      return volatile_writes_[e.object] == source;
    case EventKind::kAcquire:
    case EventKind::kAcquireShared:
      return is_lock_free(e);
    case EventKind::kWaitEnd:
      return taken_[source] && is_lock_free(e);
    case EventKind::kNotify:
      return taken_[source] && (!is_lone_notify(e) || waiting_[e.object] == 0);
    case EventKind::kPark:
      return source == 0 || permits_[e.object] != 0;
    case EventKind::kJoin:
      return taken_[links_->joined[number]];
    default:
      return true;
  }
}

void World::take(EventNumber number) {
  taken_[number] = true;
  const Event& e = event(number);
  const std::uint32_t t = to_number(e.thread);
  switch (e.kind) {
    case EventKind::kWrite:
      writes_[e.object] = number;
      return;
    case EventKind::kVolatileWrite:
    case EventKind::kVolatileUpdate:
      volatile_writes_[e.object] = number;
      return;
    case EventKind::kAcquire:
    case EventKind::kWaitEnd:
      holders_[e.object] = t;
      return;
    case EventKind::kWaitBegin:
      waiting_[e.object] += links_->is_found_waiting[number];
      [[fallthrough]];
    case EventKind::kRelease:
      holders_[e.object] = 0;
      return;
    case EventKind::kNotify:
      if (links_->source[number] != 0) --waiting_[e.object];
      return;
    case EventKind::kAcquireShared:
      readers_[e.object].push_back(t);
      return;
    case EventKind::kReleaseShared: {
      auto& readers = readers_[e.object];
      const auto found = std::find(readers.begin(), readers.end(), t);
      if (found != readers.end()) readers.erase(found);
      return;
    }
    case EventKind::kUnpark:
      permits_[e.object] = 1;
      return;
    case EventKind::kPark:
      permits_[e.object] = 0;
      return;
    default:
      return;
  }
}

void World::append_values(std::vector<EventNumber>& key) const {
  for (const auto* values : {&writes_, &volatile_writes_, &permits_})
    key.insert(key.end(), values->begin(), values->end());
}

bool is_feasible(const trace::Trace& trace, const TraceLinks& links, std::span<const EventNumber> schedule,
                 Values values, std::span<const EventNumber> free) {
  World world(trace, links, values);
  for (const EventNumber read : free) world.set_free(read);
  return std::all_of(schedule.begin(), schedule.end(), [&world](EventNumber e) {
    if (!world.can_take(e)) return false;
    world.take(e);
    return true;
  });
}

}  // namespace deadheat::predict
