// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/engine/random_traces.h"

#include <algorithm>
#include <map>
#include <set>

namespace deadheat::engine {

using model::AccessMode;
using model::Event;
using model::EventKind;
using model::ThreadId;

namespace {

// Follows a trace and says which events may come next.
class World {
 public:
  bool allows(const Event& e) const {
    const std::uint32_t t = to_number(e.thread);
    if (e.kind == EventKind::kBegin) return started_.count(t) == 0;
    if (alive_.count(t) == 0) return false;
    const auto waiting = waits_.find(t);
    if (waiting != waits_.end())
      return e.kind == EventKind::kWaitEnd && waiting->second == e.object && is_free(e.object);
    switch (e.kind) {
      case EventKind::kAcquire:
        return is_free(e.object);
      case EventKind::kAcquireShared:
        return owner_.count(e.object) == 0 || holds(t, e.object);
      case EventKind::kReleaseShared:
        return reads(t, e.object);
      case EventKind::kWaitBegin:  // gives up the lock whole
        return holds(t, e.object) && !reads(t, e.object);
      case EventKind::kRelease:
      case EventKind::kNotify:
        return holds(t, e.object);
      case EventKind::kWaitEnd:
        return false;
      case EventKind::kFork:
        return started_.count(child_of(e)) == 0 && forked_.count(child_of(e)) == 0;
      case EventKind::kJoin:
        return ended_.count(child_of(e)) != 0;
      case EventKind::kEnd:
        return std::none_of(owner_.begin(), owner_.end(), [t](auto& lock) { return lock.second == t; }) &&
               std::none_of(readers_.begin(), readers_.end(), [t](auto& lock) { return lock.second.count(t) != 0; });
      default:
        return true;
    }
  }
  void take(const Event& e) {
    const std::uint32_t t = to_number(e.thread);
    switch (e.kind) {
      case EventKind::kBegin:
        started_.insert(t);
        alive_.insert(t);
        return;
      case EventKind::kEnd:
        alive_.erase(t);
        ended_.insert(t);
        return;
      case EventKind::kFork:
        forked_.insert(child_of(e));
        return;
      case EventKind::kWaitEnd:
        waits_.erase(t);
        [[fallthrough]];
      case EventKind::kAcquire:
        owner_[e.object] = t;
        return;
      case EventKind::kAcquireShared:
        readers_[e.object].insert(t);
        return;
      case EventKind::kReleaseShared:
        readers_[e.object].erase(readers_[e.object].find(t));
        return;
      case EventKind::kWaitBegin:
        waits_[t] = e.object;
        [[fallthrough]];
      case EventKind::kRelease:
        owner_.erase(e.object);
        return;
      default:
        return;
    }
  }

 private:
  static std::uint32_t child_of(const Event& e) { return static_cast<std::uint32_t>(e.object); }
  bool is_free(std::uint64_t lock) const {
    const auto readers = readers_.find(lock);
    return owner_.count(lock) == 0 && (readers == readers_.end() || readers->second.empty());
  }
  bool reads(std::uint32_t t, std::uint64_t lock) const {
    const auto readers = readers_.find(lock);
    return readers != readers_.end() && readers->second.count(t) != 0;
  }
  bool holds(std::uint32_t t, std::uint64_t lock) const {
    const auto owner = owner_.find(lock);
    return owner != owner_.end() && owner->second == t;
  }
  std::set<std::uint32_t> started_, alive_, ended_, forked_;
  std::map<std::uint64_t, std::uint32_t> owner_;
  std::map<std::uint64_t, std::multiset<std::uint32_t>> readers_;
  std::map<std::uint32_t, std::uint64_t> waits_;
};

EventKind random_kind(Random& random, const TraceShape& shape) {
  const std::uint32_t pick = random.below(shape.access_weight + 12);
  if (pick < shape.access_weight) return random.one_in(2) ? EventKind::kRead : EventKind::kWrite;
  switch (pick - shape.access_weight) {
    case 0:
    case 1:
      return EventKind::kAcquire;
    case 2:
    case 3:
      return EventKind::kRelease;
    case 4:
      return EventKind::kFork;
    case 5:
      return EventKind::kBegin;
    case 6:
      return EventKind::kEnd;
    case 7:
      return EventKind::kJoin;
    case 8:
      return EventKind::kVolatileRead;
    case 9:
      return EventKind::kVolatileWrite;
    case 10:
      return EventKind::kVolatileUpdate;
    default:
      break;
  }
  static constexpr EventKind kRare[] = {EventKind::kWaitBegin, EventKind::kWaitEnd, EventKind::kNotify,
                                        EventKind::kPark, EventKind::kUnpark};
  return shape.wait_and_park ? kRare[random.below(5)] : EventKind::kRead;
}

std::uint64_t random_object(Random& random, const TraceShape& shape, EventKind kind) {
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kWrite:
      return 1 + random.below(shape.variables);
    case EventKind::kVolatileRead:
    case EventKind::kVolatileWrite:
    case EventKind::kVolatileUpdate:
      return 1 + random.below(std::max(shape.volatiles, 1u));
    case EventKind::kFork:
    case EventKind::kJoin:
    case EventKind::kPark:
    case EventKind::kUnpark:
      return 1 + random.below(shape.threads);
    default:
      return 1 + random.below(shape.locks);
  }
}

EventKind shared(EventKind kind) {
  if (kind == EventKind::kAcquire) return EventKind::kAcquireShared;
  return kind == EventKind::kRelease ? EventKind::kReleaseShared : kind;
}

bool is_volatile(EventKind kind) {
  return kind == EventKind::kVolatileRead || kind == EventKind::kVolatileWrite || kind == EventKind::kVolatileUpdate;
}

void number_sites(Trace& trace) {
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i].site = model::SiteId{static_cast<std::uint32_t>(i + 1)};
}

}  // namespace

Trace random_trace(Random& random, const TraceShape& shape) {
  World world;
  Trace trace;
  std::set<std::uint64_t> forked;
  const auto add = [&](const Event& event) {
    if (!world.allows(event)) return;
    world.take(event);
    trace.push_back(event);
    if (event.kind == EventKind::kFork) forked.insert(event.object);
  };
  add({.kind = EventKind::kBegin, .thread = ThreadId{1}});
  for (std::uint32_t tries = 0; tries < shape.events * 8 && trace.size() < shape.events; ++tries) {
    Event event{.kind = random_kind(random, shape)};
    if (shape.shared_locks && random.one_in(2)) event.kind = shared(event.kind);
    event.thread = ThreadId{1 + random.below(shape.threads)};
    if (is_volatile(event.kind)) {
      if (shape.volatiles == 0) continue;
      event.mode = random.one_in(6)   ? AccessMode::kOpaque
                   : random.one_in(2) ? AccessMode::kAcquireRelease
                                      : AccessMode::kVolatile;
    }
    if (event.kind != EventKind::kBegin && event.kind != EventKind::kEnd) {
      event.object = random_object(random, shape, event.kind);
    } else if (event.kind == EventKind::kBegin && forked.count(to_number(event.thread)) == 0) {
      if (!shape.lone_threads || !random.one_in(4)) continue;
    }
    if (event.kind == EventKind::kEnd && random.one_in(2)) continue;
    if (event.kind == EventKind::kNotify) event.peer = ThreadId{random.below(shape.threads + 1)};
    add(event);
  }
  number_sites(trace);
  return trace;
}

bool is_well_formed(const Trace& trace) {
  World world;
  for (const Event& event : trace) {
    if (!world.allows(event)) return false;
    world.take(event);
  }
  return true;
}

std::string to_text(const Trace& trace) {
  std::string text;
  for (const Event& event : trace) {
    text += std::to_string(to_number(event.site)) + ": T" + std::to_string(to_number(event.thread)) + " " +
            event_kind_name(event.kind) + "(" + std::to_string(event.object) + ")";
    if (is_volatile(event.kind) && event.mode == AccessMode::kOpaque) text += " opaque";
    text += "\n";
  }
  return text;
}

Trace shrink(Trace trace, const std::function<bool(const Trace&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = trace.size(); i-- > 0;) {
      Trace candidate = trace;
      candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(i));
      number_sites(candidate);
      if (!is_well_formed(candidate) || !fails(candidate)) continue;
      trace = std::move(candidate);
      smaller = true;
    }
  }
  return trace;
}

}  // namespace deadheat::engine
