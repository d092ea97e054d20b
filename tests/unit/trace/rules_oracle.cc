// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trace/rules_oracle.h"

#include <algorithm>
#include <string>

#include "trace/operation.h"

namespace deadheat::trace {

using model::Event;
using model::EventKind;
using model::ThreadId;
using model::to_number;
using Events = std::span<const Event>;

namespace {

bool is(const Event& event, EventKind kind, ThreadId thread, std::uint64_t object) {
  return event.kind == kind && event.thread == thread && event.object == object;
}

long count(Events before, EventKind kind, ThreadId thread, std::uint64_t object) {
  return std::count_if(before.begin(), before.end(), [&](const Event& e) { return is(e, kind, thread, object); });
}

bool any(Events before, auto predicate) { return std::any_of(before.begin(), before.end(), predicate); }

bool holds(Events before, ThreadId thread, std::uint64_t lock) {
  return count(before, EventKind::kAcquire, thread, lock) + count(before, EventKind::kWaitEnd, thread, lock) >
         count(before, EventKind::kRelease, thread, lock) + count(before, EventKind::kWaitBegin, thread, lock);
}

bool reads(Events before, ThreadId thread, std::uint64_t lock) {
  return count(before, EventKind::kAcquireShared, thread, lock) >
         count(before, EventKind::kReleaseShared, thread, lock);
}

bool waits(Events before, ThreadId thread, std::uint64_t lock) {
  return count(before, EventKind::kWaitBegin, thread, lock) > count(before, EventKind::kWaitEnd, thread, lock);
}

bool somebody_else_holds(Events before, ThreadId thread, std::uint64_t lock) {
  return any(before, [&](const Event& e) { return e.thread != thread && holds(before, e.thread, lock); });
}

bool is_free(Events before, std::uint64_t lock) {
  return !any(before, [&](const Event& e) { return holds(before, e.thread, lock) || reads(before, e.thread, lock); });
}

bool has_run(Events before, ThreadId thread) {
  return any(before, [=](const Event& e) { return e.thread == thread; });
}

bool about_thread(const Event& event, EventKind kind, ThreadId thread) {
  return event.kind == kind && event.object == to_number(thread);
}

bool was(Events before, EventKind kind, ThreadId thread) {
  return any(before, [=](const Event& e) { return about_thread(e, kind, thread); });
}

bool did(Events before, EventKind kind, ThreadId thread) {
  return any(before, [=](const Event& e) { return e.kind == kind && e.thread == thread; });
}

// The names of what the thread has entered and not left, outermost first.
std::vector<std::uint64_t> open(Events before, ThreadId thread, EventKind enter, EventKind exit) {
  std::vector<std::uint64_t> names;
  for (const Event& event : before) {
    if (event.thread != thread) continue;
    if (event.kind == enter) names.push_back(event.object);
    if (event.kind == exit) names.pop_back();
  }
  return names;
}

bool may_leave(const std::vector<std::uint64_t>& names, std::uint64_t name) {
  return !names.empty() && (names.back() == name || names.back() == 0 || name == 0);
}

// Since the last time the thread began to wait.
bool was_notified(Events before, ThreadId thread) {
  bool notified = false;
  for (const Event& event : before) {
    if (event.kind == EventKind::kWaitBegin && event.thread == thread) notified = false;
    if (event.kind == EventKind::kNotify && event.peer == thread) notified = true;
  }
  return notified;
}

bool thread_may_act(Events before, const Event& event) {
  if (did(before, EventKind::kEnd, event.thread) || was(before, EventKind::kJoin, event.thread)) return false;
  if (event.kind == EventKind::kWaitEnd) return true;
  return !any(before, [&](const Event& e) { return waits(before, event.thread, e.object); });
}

}  // namespace

bool may_follow(Events before, const Event& event) {
  if (!thread_may_act(before, event)) return false;
  const ThreadId self = event.thread;
  const ThreadId other{static_cast<std::uint32_t>(event.object)};
  const std::uint64_t object = event.object;
  switch (event.kind) {
    case EventKind::kAcquire:
      return is_free(before, object);
    case EventKind::kRelease:
    case EventKind::kWaitBegin:
      return holds(before, self, object);
    case EventKind::kAcquireShared:
      return !somebody_else_holds(before, self, object) && !reads(before, self, object);
    case EventKind::kReleaseShared:
      return reads(before, self, object);
    case EventKind::kWaitEnd:
      return waits(before, self, object) && is_free(before, object);
    case EventKind::kNotify:
      return holds(before, self, object) &&
             (event.peer == ThreadId{} || (waits(before, event.peer, object) && !was_notified(before, event.peer)));
    case EventKind::kPark:
      return !any(before,
                  [&](const Event& e) { return e.kind == EventKind::kPark && e.object == object && e.thread != self; });
    case EventKind::kFork:
      return other != self && !was(before, EventKind::kFork, other) && !has_run(before, other) &&
             !was(before, EventKind::kJoin, other);
    case EventKind::kJoin:
      return other != self && (was(before, EventKind::kFork, other) || has_run(before, other)) &&
             (!did(before, EventKind::kBegin, other) || did(before, EventKind::kEnd, other));
    case EventKind::kBegin:
      return !has_run(before, self);
    case EventKind::kEnd:
      return open(before, self, EventKind::kRegionEnter, EventKind::kRegionExit).empty() &&
             open(before, self, EventKind::kMethodEnter, EventKind::kMethodExit).empty();
    case EventKind::kRegionExit:
      return may_leave(open(before, self, EventKind::kRegionEnter, EventKind::kRegionExit), object);
    case EventKind::kMethodExit:
      return may_leave(open(before, self, EventKind::kMethodEnter, EventKind::kMethodExit), object);
    default:
      return true;
  }
}

Trace empty_trace(const Shape& shape) {
  Trace trace;
  const auto name = [](Names& names, char kind, std::uint32_t count) {
    for (std::uint32_t i = 1; i <= count; ++i) names.number(kind + std::to_string(i));
  };
  name(trace.threads, 'T', shape.threads);
  name(trace.variables, 'V', shape.variables);
  name(trace.syncs, 'L', shape.syncs);
  name(trace.regions, 'R', shape.regions);
  for (std::uint32_t i = 1; i <= 9; ++i) trace.sites.number(std::to_string(i));
  return trace;
}

Event random_event(Random& random, const Shape& shape) {
  const std::span<const Operation> all = operations();
  const Operation* operation = nullptr;
  do {
    operation = &all[random.below(static_cast<std::uint32_t>(all.size()))];
  } while (shape.only_public && !operation->is_public);
  Event event{operation->kind, operation->mode, ThreadId{1 + random.below(shape.threads)},
              model::SiteId{1 + random.below(9)}};
  switch (operation->object) {
    case ObjectOf::kNothing:
      break;
    case ObjectOf::kThread:
      event.object = 1 + random.below(shape.threads);
      break;
    case ObjectOf::kVariable:
      event.object = 1 + random.below(shape.variables);
      break;
    case ObjectOf::kSync:
      event.object = 1 + random.below(shape.syncs);
      break;
    case ObjectOf::kRegion:
      event.object = random.below(shape.regions + 1);
      if (event.object == 0 && !operation->object_optional) event.object = 1;
      break;
  }
  if (event.kind == EventKind::kNotify) event.peer = ThreadId{random.below(shape.threads + 1)};
  return event;
}

Trace random_trace(Random& random, const Shape& shape) {
  Trace trace = empty_trace(shape);
  for (std::uint32_t tries = 0; tries < 20 * shape.events && trace.events.size() < shape.events; ++tries) {
    const Event event = random_event(random, shape);
    // Threads that end at once make for short traces.
    if ((event.kind == EventKind::kEnd || event.kind == EventKind::kJoin) && !random.one_in(6)) continue;
    if (may_follow(trace.events, event)) trace.events.push_back(event);
  }
  return trace;
}

}  // namespace deadheat::trace
