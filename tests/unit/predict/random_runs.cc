// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/predict/random_runs.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace deadheat::predict {

using model::AccessMode;
using model::Event;
using model::EventKind;
using model::ThreadId;

namespace {

struct Held {
  std::uint64_t lock;
  bool shared;
  bool operator==(const Held&) const = default;
};

struct Thread {
  bool alive = false;
  bool ended = false;
  std::vector<Held> held;
  std::uint64_t waits_on = 0;
  bool notified = false;
  int regions = 0;
};

class Generator {
 public:
  Generator(Random& random, const RunShape& shape) : random_(random), shape_(shape), threads_(shape.threads + 1) {
    for (std::uint32_t t = 1; t <= shape.threads; ++t) threads_[t].alive = !shape.fork_join || t == 1;
  }

  trace::Trace run() {
    for (std::uint32_t tries = 0; trace_.events.size() < shape_.events && tries < 50 * shape_.events; ++tries) {
      const std::uint32_t t = 1 + random_.below(shape_.threads);
      if (!threads_[t].alive || threads_[t].ended) continue;
      if (const std::optional<Event> e = propose(t)) trace_.events.push_back(*e);
    }
    return std::move(trace_);
  }

 private:
  static Event make(EventKind kind, std::uint32_t t, std::uint64_t object) {
    return {.kind = kind, .thread = ThreadId{t}, .object = object};
  }
  bool is_free(std::uint64_t lock, bool shared, std::uint32_t except) const {
    for (std::uint32_t t = 1; t < threads_.size(); ++t) {
      if (t == except) continue;
      for (const Held& h : threads_[t].held) {
        if (h.lock == lock && !(shared && h.shared)) return false;
      }
    }
    return true;
  }

  std::optional<Event> propose(std::uint32_t t) {
    Thread& me = threads_[t];
    if (me.waits_on != 0) return end_wait(t);
    const std::uint32_t pick = random_.below(shape_.access_weight + 2 * shape_.lock_weight + 5);
    if (pick < shape_.access_weight) {
      return make(random_.one_in(2) ? EventKind::kRead : EventKind::kWrite, t, 1 + random_.below(shape_.variables));
    }
    if (pick < shape_.access_weight + 2 * shape_.lock_weight) {
      return pick < shape_.access_weight + shape_.lock_weight ? acquire(t) : release(t);
    }
    switch (pick - shape_.access_weight - 2 * shape_.lock_weight) {
      case 0:
        return shape_.fork_join ? fork_or_join(t) : std::nullopt;
      case 1:
        return shape_.volatiles ? std::optional(volatile_access(t)) : std::nullopt;
      case 2:
        return shape_.waits ? wait_or_notify(t) : std::nullopt;
      case 3:
        return shape_.parks ? std::optional(park_or_unpark(t)) : std::nullopt;
      default:
        return shape_.regions ? std::optional(region(t)) : std::nullopt;
    }
  }

  std::optional<Event> acquire(std::uint32_t t) {
    const std::uint64_t lock = 1 + random_.below(shape_.locks);
    const bool shared = shape_.shared_locks && random_.one_in(2);
    Thread& me = threads_[t];
    for (const Held& h : me.held) {
      // A writer may become a reader as well; nothing else is taken twice.
      if (h.lock == lock && (h.shared || !shared)) return std::nullopt;
    }
    if (!is_free(lock, shared, t)) return std::nullopt;
    me.held.push_back({lock, shared});
    return make(shared ? EventKind::kAcquireShared : EventKind::kAcquire, t, lock);
  }
  std::optional<Event> release(std::uint32_t t) {
    Thread& me = threads_[t];
    if (me.held.empty()) return std::nullopt;
    const std::size_t which =
        shape_.nested ? me.held.size() - 1 : random_.below(static_cast<std::uint32_t>(me.held.size()));
    const Held h = me.held[which];
    me.held.erase(me.held.begin() + static_cast<std::ptrdiff_t>(which));
    return make(h.shared ? EventKind::kReleaseShared : EventKind::kRelease, t, h.lock);
  }
  std::optional<Event> fork_or_join(std::uint32_t t) {
    const std::uint32_t other = 1 + random_.below(shape_.threads);
    Thread& o = threads_[other];
    if (other == t) {
      if (t == 1 || !threads_[t].held.empty() || !random_.one_in(3)) return std::nullopt;
      threads_[t].ended = true;
      return make(EventKind::kEnd, t, 0);
    }
    if (!o.alive) {
      o.alive = true;
      o.ended = random_.one_in(4);  // without an event
      return make(EventKind::kFork, t, other);
    }
    if (o.ended) return make(EventKind::kJoin, t, other);
    return std::nullopt;
  }
  Event volatile_access(std::uint32_t t) {
    static constexpr EventKind kKinds[] = {EventKind::kVolatileRead, EventKind::kVolatileWrite,
                                           EventKind::kVolatileUpdate};
    static constexpr AccessMode kModes[] = {AccessMode::kOpaque, AccessMode::kAcquireRelease, AccessMode::kVolatile,
                                            AccessMode::kVolatile};
    Event e = make(kKinds[random_.below(3)], t, 1 + random_.below(2));
    e.mode = kModes[random_.below(4)];
    return e;
  }
  std::optional<Event> wait_or_notify(std::uint32_t t) {
    Thread& me = threads_[t];
    if (me.held.empty()) return std::nullopt;
    const std::size_t which = random_.below(static_cast<std::uint32_t>(me.held.size()));
    const Held h = me.held[which];
    if (h.shared || std::count(me.held.begin(), me.held.end(), Held{h.lock, true}) != 0) return std::nullopt;
    if (random_.one_in(2)) {
      if (shape_.nested && which + 1 != me.held.size()) return std::nullopt;
      me.held.erase(me.held.begin() + static_cast<std::ptrdiff_t>(which));
      me.waits_on = h.lock;
      me.notified = false;
      return make(EventKind::kWaitBegin, t, h.lock);
    }
    std::vector<std::uint32_t> waiters;
    for (std::uint32_t u = 1; u < threads_.size(); ++u) {
      if (threads_[u].waits_on == h.lock && !threads_[u].notified) waiters.push_back(u);
    }
    Event e = make(EventKind::kNotify, t, h.lock);
    if (!waiters.empty()) {
      const std::uint32_t woken = waiters[random_.below(static_cast<std::uint32_t>(waiters.size()))];
      threads_[woken].notified = true;
      e.peer = ThreadId{woken};
    }
    return e;
  }
  std::optional<Event> end_wait(std::uint32_t t) {
    Thread& me = threads_[t];
    if (!me.notified && !random_.one_in(8)) return std::nullopt;
    const std::uint64_t lock = me.waits_on;
    if (!is_free(lock, false, t)) return std::nullopt;
    me.waits_on = 0;
    me.held.push_back({lock, false});
    return make(EventKind::kWaitEnd, t, lock);
  }
  // The permit of thread t is the synchronisation object t.
  Event park_or_unpark(std::uint32_t t) {
    if (random_.one_in(2)) return make(EventKind::kPark, t, t);
    return make(EventKind::kUnpark, t, 1 + random_.below(shape_.threads));
  }
  Event region(std::uint32_t t) {
    Thread& me = threads_[t];
    if (me.regions > 0 && !random_.one_in(4)) {
      --me.regions;
      return make(EventKind::kRegionExit, t, 0);
    }
    ++me.regions;
    return make(EventKind::kRegionEnter, t, 0);
  }

  Random& random_;
  const RunShape shape_;
  std::vector<Thread> threads_;
  trace::Trace trace_;
};

}  // namespace

RunShape random_shape(Random& random, std::uint32_t max_events) {
  RunShape shape;
  shape.events = 4 + random.below(max_events - 3);
  shape.threads = 2 + random.below(3);
  shape.variables = 1 + random.below(3);
  shape.locks = 1 + random.below(3);
  shape.nested = random.one_in(2);
  shape.fork_join = random.one_in(3);
  shape.volatiles = random.one_in(3);
  shape.shared_locks = random.one_in(3);
  shape.waits = random.one_in(3);
  shape.parks = random.one_in(4);
  shape.access_weight = 2 + random.below(6);
  shape.lock_weight = 1 + random.below(8);
  return shape;
}

trace::Trace random_run(Random& random, const RunShape& shape) { return Generator(random, shape).run(); }

std::string to_text(const trace::Trace& trace) {
  std::string text;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& e = trace.events[i];
    text += std::to_string(i + 1) + ": T" + std::to_string(to_number(e.thread)) + " " + event_kind_name(e.kind) + " " +
            std::to_string(e.object);
    if (e.peer != ThreadId{}) text += " peer T" + std::to_string(to_number(e.peer));
    if (e.mode != AccessMode::kVolatile) text += " mode " + std::to_string(static_cast<int>(e.mode));
    text += "\n";
  }
  return text;
}

}  // namespace deadheat::predict
