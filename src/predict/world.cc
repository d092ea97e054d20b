// SPDX-License-Identifier: Apache-2.0
#include "predict/world.h"

#include <algorithm>
#include <utility>

namespace deadheat::predict {

using model::Event;
using model::EventKind;

void apply_to(LockReaders& readers, const Event& event) {
  const std::uint32_t t = to_number(event.thread);
  if (event.kind == EventKind::kAcquireShared) readers[event.object].push_back(t);
  if (event.kind != EventKind::kReleaseShared) return;
  const auto lock = readers.find(event.object);
  if (lock == readers.end()) return;
  if (const auto found = std::find(lock->second.begin(), lock->second.end(), t); found != lock->second.end()) {
    lock->second.erase(found);
  }
  // Places of a long trace each have all of them.
  if (lock->second.empty()) readers.erase(lock);
}

World::World(const trace::Trace& trace, const TraceLinks& links, Values values)
    : trace_(&trace),
      links_(&links),
      values_(values),
      last_taken_(links.sizes.threads + 1),
      writes_(links.sizes.variables + 1),
      volatile_writes_(links.sizes.syncs + 1),
      permits_(links.sizes.syncs + 1),
      holders_(links.sizes.syncs + 1),
      waiting_(links.sizes.syncs + 1) {}

World::World(const trace::Trace& trace, const TraceLinks& links, const WorldHistory& history, EventNumber count,
             std::vector<EventNumber> last_taken, LockReaders readers)
    : trace_(&trace),
      links_(&links),
      values_(Values::kKept),
      last_taken_(std::move(last_taken)),
      writes_(history.writes, count),
      volatile_writes_(history.volatile_writes, count),
      permits_(history.permits, count),
      holders_(history.holders, count),
      waiting_(history.waiting, count),
      readers_(std::move(readers)) {}

bool World::is_reached(EventNumber number) const {
  return !is_taken(number) && is_taken(links_->previous[number]) &&
         (strayed_.empty() || !std::binary_search(strayed_.begin(), strayed_.end(), to_number(event(number).thread)));
}

bool World::is_lock_free(const Event& e) const {
  const std::uint32_t t = to_number(e.thread);
  if (holders_[e.object] != 0 && holders_[e.object] != t) return false;
  if (is_shared_lock(e)) return true;
  const auto readers = this->readers(e.object);
  return std::all_of(readers.begin(), readers.end(), [t](std::uint32_t reader) { return reader == t; });
}

bool World::is_free(EventNumber read) const {
  return values_ == Values::kFree || std::find(free_.begin(), free_.end(), read) != free_.end();
}

bool World::can_take(EventNumber number) const {
  if (!is_reached(number)) return false;
  const Event& e = event(number);
  const EventNumber source = links_->source[number];
  switch (e.kind) {
    case EventKind::kRead:
      return is_free(number) || finds_its_value(number);
    case EventKind::kVolatileRead:
    case EventKind::kVolatileUpdate:
      return volatile_writes_[e.object] == source;
    case EventKind::kAcquire:
    case EventKind::kAcquireShared:
      return is_lock_free(e);
    case EventKind::kWaitEnd:
      return is_taken(source) && is_lock_free(e);
    case EventKind::kNotify:
      return is_taken(source) && (!is_lone_notify(e) || waiting_[e.object] == 0);
    case EventKind::kPark:
      return source == 0 || permits_[e.object] != 0;
    case EventKind::kJoin:
      return is_taken(links_->joined[number]);
    default:
      return true;
  }
}

void World::take(EventNumber number) {
  const Event& e = event(number);
  const std::uint32_t t = to_number(e.thread);
  last_taken_[t] = number;
  switch (e.kind) {
    case EventKind::kRead:
      if (values_ == Values::kKept && is_free(number) && !finds_its_value(number)) {
        strayed_.insert(std::lower_bound(strayed_.begin(), strayed_.end(), t), t);
      }
      return;
    case EventKind::kWrite:
      writes_.set(e.object, number);
      return;
    case EventKind::kVolatileWrite:
    case EventKind::kVolatileUpdate:
      volatile_writes_.set(e.object, number);
      return;
    case EventKind::kAcquire:
    case EventKind::kWaitEnd:
      holders_.set(e.object, t);
      return;
    case EventKind::kWaitBegin:
      waiting_.set(e.object, waiting_[e.object] + links_->is_found_waiting[number]);
      [[fallthrough]];
    case EventKind::kRelease:
      holders_.set(e.object, 0);
      return;
    case EventKind::kNotify:
      if (links_->source[number] != 0) waiting_.set(e.object, waiting_[e.object] - 1);
      return;
    case EventKind::kAcquireShared:
    case EventKind::kReleaseShared:
      return apply_to(readers_, e);
    case EventKind::kUnpark:
      permits_.set(e.object, 1);
      return;
    case EventKind::kPark:
      permits_.set(e.object, 0);
      return;
    default:
      return;
  }
}

void World::record(EventNumber number, WorldHistory& history) const {
  const Event& e = event(number);
  const auto put = [&](CellHistory& of, const Cells& cells) { of.add(e.object, number, cells[e.object]); };
  switch (e.kind) {
    case EventKind::kWrite:
      return put(history.writes, writes_);
    case EventKind::kVolatileWrite:
    case EventKind::kVolatileUpdate:
      return put(history.volatile_writes, volatile_writes_);
    case EventKind::kWaitBegin:
      put(history.waiting, waiting_);
      [[fallthrough]];
    case EventKind::kAcquire:
    case EventKind::kWaitEnd:
    case EventKind::kRelease:
      return put(history.holders, holders_);
    case EventKind::kNotify:
      return put(history.waiting, waiting_);
    case EventKind::kUnpark:
    case EventKind::kPark:
      return put(history.permits, permits_);
    default:
      return;
  }
}

void World::append_values(std::vector<EventNumber>& key) const {
  for (const Cells* cells : {&writes_, &volatile_writes_, &permits_})
    key.insert(key.end(), cells->all().begin(), cells->all().end());
  key.insert(key.end(), strayed_.begin(), strayed_.end());
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
