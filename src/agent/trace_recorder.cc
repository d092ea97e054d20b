// SPDX-License-Identifier: Apache-2.0
#include "agent/trace_recorder.h"

#include <time.h>

#include <algorithm>

#include "agent/site_name.h"
#include "agent/thread_groups.h"
#include "base/json_writer.h"
#include "trace/location.h"

namespace deadheat::agent {

using model::EventKind;
using schedule::OperationKind;
using schedule::Passage;
using schedule::ThreadIndex;

namespace {

// A killed process loses at most what came since: the last chunk, or this.
constexpr std::int64_t kFlushMilliseconds = 1000;
constexpr std::uint32_t kEventsPerLook = 4096;

constexpr std::uint64_t kLowHalf = 0xffffffff;

std::int64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// Objects are told by '@' and a number, so no class is.
std::string dotted(std::string name) {
  std::replace(name.begin(), name.end(), '/', '.');
  std::replace(name.begin(), name.end(), '@', '_');
  return name;
}

bool is_volatile(EventKind kind) {
  return kind == EventKind::kVolatileRead || kind == EventKind::kVolatileWrite || kind == EventKind::kVolatileUpdate;
}

bool is_extent(EventKind kind) {
  return kind == EventKind::kRegionEnter || kind == EventKind::kRegionExit || kind == EventKind::kMethodEnter ||
         kind == EventKind::kMethodExit;
}

// Two fields of one name in a class and its superclass, or in two loaders, are two variables.
std::uint32_t add_name(trace::Names& names, std::string name) {
  for (;; name += "'") {
    const std::uint32_t before = names.size();
    const std::uint32_t number = names.number(name);
    if (names.size() != before) return number;
  }
}

std::string object_name(std::uint64_t key) { return "@" + std::to_string(key >> 32); }

}  // namespace

Status TraceRecorder::start() {
  flushed_at_ = milliseconds();
  return file_.open(log_.folder() + "/trace");
}

void TraceRecorder::add_thread(ThreadIndex thread, std::uint64_t thread_object) {
  const std::lock_guard<std::mutex> lock(thread_objects_mutex_);
  thread_objects_[thread_object >> 32] = thread;
}

TraceRecorder::Thread& TraceRecorder::thread_of(const schedule::World& world, ThreadIndex index) {
  const std::uint32_t number = to_number(index);
  if (number >= threads_.size()) threads_.resize(number + 1);
  Thread& thread = threads_[number];
  if (thread.id == model::ThreadId{}) {
    const std::string& name = world.name(index);
    thread.id = model::ThreadId{names_.threads.number(name)};
    thread.index = index;
    thread.permit = names_.syncs.number("permit:" + name);
    thread.interrupt = names_.syncs.number("interrupt:" + name);
  }
  return thread;
}

const TraceRecorder::SiteFacts& TraceRecorder::learn_site(std::uint32_t number) {
  if (number >= site_facts_.size()) site_facts_.resize(number + 1);
  SiteFacts& facts = site_facts_[number];
  facts.is_known = true;
  if (number == 0) return facts;
  const Site& site = sites_.at(number);
  facts.id = names_.sites.number(site_name(site) + ":" + site.in->source + ":" + std::to_string(site.line));
  facts.is_silent = site.silent;
  facts.is_static = site.is_static;
  facts.has_field = site.field != nullptr;
  return facts;
}

std::uint64_t TraceRecorder::monitor(std::uint64_t key) {
  std::uint64_t& number = monitors_[key];
  if (number == 0) number = names_.syncs.add_untold("monitor" + object_name(key));
  return number;
}

// A call does not name the field that it accesses, so it is looked up by its number. Two loaders may have a class of
// one name each: those fields are told apart by a mark.
const TraceRecorder::FieldName& TraceRecorder::label_of(std::uint32_t number, std::uint32_t site) {
  auto [known, is_new] = field_names_.try_emplace(number);
  FieldName& label = known->second;
  if (!is_new) return label;
  const auto [owner, field] = classes_.field_numbered(number);
  const FieldUse* use = site == 0 ? nullptr : sites_.at(site).field;
  if (field != nullptr) {
    label = {dotted(owner->name), field->name};
  } else if (use != nullptr) {
    label = {dotted(use->owner), use->name};
  } else {
    label = {"field", std::to_string(number)};
  }
  while (!labels_.insert(label.owner + "." + label.name).second) label.name += "'";
  return label;
}

// "a.B@4.x".
std::string TraceRecorder::field_name(std::uint64_t key, std::uint32_t site) {
  const FieldName& label = label_of(static_cast<std::uint32_t>(key & kLowHalf), site);
  return label.owner + object_name(key) + "." + label.name;
}

// Of which field an access by way of a call is, is not always known: such fields of an object are one location.
bool TraceRecorder::is_some_field(const schedule::Operation& op) {
  return (op.object & kLowHalf) == kSomeField && op.object >> 32 != 0 && op.object < kOutsideHeapKey;
}

std::uint64_t TraceRecorder::volatile_location(const schedule::Operation& op) {
  std::uint64_t& number = volatiles_[op.object];
  if (number != 0) return number;
  const std::uint64_t low = op.object & kLowHalf;
  const std::uint64_t high = op.object >> 32;
  const FieldUse* field = op.cookie == 0 ? nullptr : sites_.at(op.cookie).field;
  std::string name;
  if (high == kInitialiserKey >> 32) {
    name = low == kFailedInit ? "class:failed" : "class:" + std::to_string(low);
  } else if (high == kOutsideHeapKey >> 32) {
    name = "memory+" + std::to_string(low);
  } else if (high == 0) {
    name = field == nullptr ? "static:" + std::to_string(low) : dotted(field->owner) + "." + field->name;
  } else if (is_some_field(op)) {
    name = "fields" + object_name(op.object);
  } else if ((low & kSomeField) != 0) {
    name = "array" + object_name(op.object) + "+" + std::to_string(low & ~kSomeField);
  } else {
    name = field_name(op.object, op.cookie);
  }
  return number = add_name(names_.syncs, std::move(name));
}

// What a critical section of code that is not watched reads was written by such sections before it, which nobody has
// seen: each counts as an update of all that the monitor guards there.
void TraceRecorder::put_unseen(const Thread& thread, model::SiteId site, const schedule::Operation& op) {
  if (op.cookie != 0) {
    const Site& at = sites_.at(op.cookie);
    if (!at.sync_only) return;
    if (at.in->name == kThreadGroup) return put_count(thread, site, op.object, at.in->methods[at.method].name);
  }
  std::uint64_t& number = unseen_[op.object];
  if (number == 0) number = names_.syncs.number("unseen" + object_name(op.object));
  put(EventKind::kVolatileUpdate, thread, site, number);
}

// Each thread that counts writes a location of its own; who asks reads those that were written since he last did.
void TraceRecorder::put_count(const Thread& thread, model::SiteId site, std::uint64_t group, std::string_view method) {
  ThreadCounts& counts = thread_counts_[group];
  if (counts_threads(method)) {
    const std::string name = "unseen" + object_name(group) + ":" + world_->name(thread.index);
    const std::uint64_t location = names_.syncs.number(name);
    counts.written.push_back(location);
    return put(EventKind::kVolatileWrite, thread, site, location);
  }
  std::vector<std::uint64_t> news(counts.written.begin() + counts.seen[thread.index], counts.written.end());
  counts.seen[thread.index] = static_cast<std::ptrdiff_t>(counts.written.size());
  std::sort(news.begin(), news.end());
  news.erase(std::unique(news.begin(), news.end()), news.end());
  for (const std::uint64_t location : news) put(EventKind::kVolatileRead, thread, site, location);
}

void TraceRecorder::put(EventKind kind, const Thread& thread, model::SiteId site, std::uint64_t object,
                        model::ThreadId peer) {
  writer_.add({kind, model::AccessMode::kVolatile, thread.id, site, object, peer});
  if (sink_ != nullptr) tell_sink(kind, thread, site, object);
  look_at_clock(1);
}

void TraceRecorder::look_at_clock(std::size_t events) {
  since_clock_ += events;
  if (since_clock_ < kEventsPerLook) return;
  since_clock_ = 0;
  const std::int64_t now = milliseconds();
  if (now - flushed_at_ < kFlushMilliseconds) return;
  writer_.flush();
  flushed_at_ = now;
}

void TraceRecorder::tell_sink(EventKind kind, const Thread& thread, model::SiteId site, std::uint64_t object) {
  if (thread.apart || is_extent(kind)) return;
  if (site == model::SiteId{} && is_volatile(kind)) return;  // the use of a class has no site
  const bool has_site = site != model::SiteId{} && cookie_ != 0;
  const Site* at = has_site ? &sites_.at(cookie_) : nullptr;
  sink_->on_event(*world_, thread.index, kind, at == nullptr ? model::SiteId{} : model::SiteId{at->stable}, object,
                  at != nullptr && trace::is_jdk_site(at->in->name));
}

// What happens between the two depends on who comes first, and is no part of a schedule (docs/trace.md).
void TraceRecorder::mark_unscheduled(Thread& thread, bool apart) {
  if (thread.apart == apart) return;
  thread.apart = apart;
  writer_.add({apart ? EventKind::kMethodEnter : EventKind::kMethodExit, model::AccessMode::kVolatile, thread.id,
               model::SiteId{}, names_.regions.number(trace::kUnscheduled)});
}

void TraceRecorder::on_regions(const schedule::World& world, ThreadIndex index, std::span<const RegionMark> marks) {
  if (file_.is_closed()) return;
  Thread& thread = thread_of(world, index);
  world_ = &world;
  cookie_ = 0;
  for (const RegionMark& mark : marks) {
    const Site& site = sites_.at(mark.site);
    const std::uint64_t name = names_.regions.number(dotted(site.in->name) + "." + site.in->methods[site.method].name);
    const auto tell = [&](std::vector<std::uint64_t>& open, EventKind kind) {
      if (mark.enter) {
        open.push_back(name);
      } else if (open.empty() || open.back() != name) {
        return;  // entered before it was recorded
      } else {
        open.pop_back();
      }
      put(kind, thread, {}, name);
    };
    const bool is_told = site.is_told && !mark.apart;
    if (is_told) mark_unscheduled(thread, false);  // these nest
    if (is_told && mark.enter) tell(thread.methods, EventKind::kMethodEnter);
    if (site.is_unit) tell(thread.regions, mark.enter ? EventKind::kRegionEnter : EventKind::kRegionExit);
    if (is_told && !mark.enter) tell(thread.methods, EventKind::kMethodExit);
  }
}

void TraceRecorder::on_release(const schedule::World& world, ThreadIndex index, const Thread& thread,
                               model::SiteId site, std::uint64_t key) {
  const auto holder = holders_.find(key);
  if (holder == holders_.end() || holder->second != index || world.owner(key) == index) return;
  holders_.erase(holder);
  put(EventKind::kRelease, thread, site, monitor(key));
}

void TraceRecorder::on_notify(const schedule::World& world, const Thread& thread, model::SiteId site,
                              std::uint64_t key) {
  bool anybody = false;
  for (const ThreadIndex woken : world.woken()) {
    if (thread_of(world, woken).waits_on != key) continue;
    put(EventKind::kNotify, thread, site, monitor(key), thread_of(world, woken).id);
    anybody = true;
  }
  if (!anybody) put(EventKind::kNotify, thread, site, monitor(key));
}

// The end of a thread takes the monitor of its Thread object, on which others wait for it.
void TraceRecorder::on_end(const schedule::World& world, ThreadIndex index, Thread& thread, std::uint64_t key) {
  std::vector<std::uint64_t> left;  // none, unless native code took a monitor and kept it
  for (const auto& [held, holder] : holders_) {
    if (holder == index) left.push_back(held);
  }
  for (const std::uint64_t held : left) {
    holders_.erase(held);
    put(EventKind::kRelease, thread, {}, monitor(held));
  }
  if (key != 0 && !holders_.contains(key)) {
    put(EventKind::kAcquire, thread, {}, monitor(key));
    on_notify(world, thread, {}, key);
    put(EventKind::kRelease, thread, {}, monitor(key));
  }
  for (; !thread.regions.empty(); thread.regions.pop_back()) {
    put(EventKind::kRegionExit, thread, {}, thread.regions.back());
  }
  for (; !thread.methods.empty(); thread.methods.pop_back()) {
    put(EventKind::kMethodExit, thread, {}, thread.methods.back());
  }
  put_past(thread);
  put(EventKind::kEnd, thread, {});
  thread.ended = true;
}

void TraceRecorder::on_operation(const schedule::World& world, ThreadIndex index, const schedule::Operation& op,
                                 Passage passage) {
  if (file_.is_closed()) return;
  for (const ThreadIndex woken : world.woken()) thread_of(world, woken);  // growing moves threads
  if (op.target != schedule::kNoThread && to_number(op.target) < world.thread_count()) thread_of(world, op.target);
  Thread& thread = thread_of(world, index);
  world_ = &world;
  cookie_ = op.cookie;
  if (leave_out(thread, op, passage)) return;
  // A thread's first event is its start, and who waits has no event but the end of that.
  if (op.kind != OperationKind::kBegin && op.kind != OperationKind::kWaitEnd && !thread.in_lock_call) {
    mark_unscheduled(thread, op.kind != OperationKind::kEnd && world.is_unscheduled(index));
  }
  const model::SiteId site = site_of(op.cookie);
  const std::uint64_t key = op.object;
  const bool has_target = op.target != schedule::kNoThread && to_number(op.target) < threads_.size();
  // Who waits has no event before the end of that.
  const bool interrupted = passage == Passage::kInterrupted;
  if (interrupted && op.kind != OperationKind::kWaitEnd) put(EventKind::kVolatileRead, thread, site, thread.interrupt);
  switch (op.kind) {
    case OperationKind::kBegin:
      return put(EventKind::kBegin, thread, site);
    case OperationKind::kEnd:
      return on_end(world, index, thread, key);
    case OperationKind::kRead:
    case OperationKind::kWrite:
    case OperationKind::kVolatileRead:
    case OperationKind::kVolatileWrite:
    case OperationKind::kVolatileUpdate:
      return put_access(thread, site, op);
    case OperationKind::kLock:
      if (!holders_.emplace(key, index).second) return;
      put(EventKind::kAcquire, thread, site, monitor(key));
      return put_unseen(thread, site, op);
    case OperationKind::kUnlock:
      return on_release(world, index, thread, site, key);
    case OperationKind::kWaitBegin:
      if (passage != Passage::kGranted || holders_.erase(key) == 0) return;
      put_past(thread);
      thread.waits_on = key;
      return put(EventKind::kWaitBegin, thread, site, monitor(key));
    case OperationKind::kWaitEnd:
      if (thread.waits_on != key) return;
      thread.waits_on = 0;
      holders_[key] = index;
      put(EventKind::kWaitEnd, thread, site, monitor(key));
      if (interrupted) put(EventKind::kVolatileRead, thread, site, thread.interrupt);
      return put_unseen(thread, site, op);
    case OperationKind::kNotify:
    case OperationKind::kNotifyAll:
      if (holders_.contains(key) && holders_[key] == index) on_notify(world, thread, site, key);
      return;
    case OperationKind::kPark:
      if (passage != Passage::kGranted) return;
      if (thread.unparker != schedule::kNoThread) {
        order_after(thread, threads_[to_number(thread.unparker)]);
        thread.unparker = schedule::kNoThread;
      }
      return put(EventKind::kPark, thread, site, thread.permit);
    case OperationKind::kUnpark:
      if (has_target) put(EventKind::kUnpark, thread, site, threads_[to_number(op.target)].permit);
      return;
    case OperationKind::kStart:
      if (has_target) put(EventKind::kFork, thread, site, to_number(threads_[to_number(op.target)].id));
      return;
    case OperationKind::kJoin:
      if (has_target && threads_[to_number(op.target)].ended) {
        put(EventKind::kJoin, thread, site, to_number(threads_[to_number(op.target)].id));
      }
      return;
    case OperationKind::kInterrupt:
      if (has_target) put(EventKind::kVolatileWrite, thread, site, threads_[to_number(op.target)].interrupt);
      return;
    case OperationKind::kTestInterrupt:
    case OperationKind::kClearInterrupt:
      return put(EventKind::kVolatileRead, thread, site, thread.interrupt);
    case OperationKind::kSleep:
    case OperationKind::kYield:
    case OperationKind::kExternal:
    case OperationKind::kClock:
    case OperationKind::kLook:
      return;
  }
}

void TraceRecorder::finish() {
  if (file_.is_closed()) return;
  writer_.finish();
  if (!file_.finish()) return;  // no room: the trace has to be read to know what it has
  JsonWriter json;
  json.begin_object().field("type", "trace").field("events", writer_.events());
  json.field("threads", names_.threads.size()).field("variables", variables_.count()).field("unnamed", unnamed_);
  json.end_object();
  log_.write(json.text());
}

}  // namespace deadheat::agent
