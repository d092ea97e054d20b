// SPDX-License-Identifier: Apache-2.0
#include "trace/slice.h"

#include <algorithm>
#include <unordered_map>

#include "trace/operation.h"

namespace deadheat::trace {

using model::Event;
using model::EventKind;
using model::ThreadId;
using model::to_number;

namespace {

// The events before a range whose effect lasts into it.
class OpenEvents {
 public:
  void on_event(const Event& event, std::size_t index) {
    Thread& thread = threads_[event.thread];
    switch (event.kind) {
      case EventKind::kAcquire:
        thread.held.push_back({event.object, index, kNone});
        return;
      case EventKind::kRelease:
        return drop(thread.held, event.object);
      case EventKind::kWaitBegin:
        find(thread.held, event.object)->wait = index;
        return;
      case EventKind::kWaitEnd:
        find(thread.held, event.object)->wait = kNone;
        return;
      case EventKind::kAcquireShared:
        thread.shared.push_back({event.object, index, kNone});
        return;
      case EventKind::kReleaseShared:
        return drop(thread.shared, event.object);
      case EventKind::kRegionEnter:
        thread.regions.push_back(index);
        return;
      case EventKind::kRegionExit:
        thread.regions.pop_back();
        return;
      case EventKind::kMethodEnter:
        thread.methods.push_back(index);
        return;
      case EventKind::kMethodExit:
        thread.methods.pop_back();
        return;
      default:
        return;
    }
  }

  // In the order of the trace.
  std::vector<std::size_t> indices() const {
    std::vector<std::size_t> result;
    for (const auto& [id, thread] : threads_) {
      for (const Held& held : thread.held) {
        result.push_back(held.acquire);
        if (held.wait != kNone) result.push_back(held.wait);
      }
      for (const Held& held : thread.shared) result.push_back(held.acquire);
      result.insert(result.end(), thread.regions.begin(), thread.regions.end());
      result.insert(result.end(), thread.methods.begin(), thread.methods.end());
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Held {
    std::uint64_t lock;
    std::size_t acquire;
    std::size_t wait;  // kNone: does not wait
  };
  struct Thread {
    std::vector<Held> held;
    std::vector<Held> shared;
    std::vector<std::size_t> regions;
    std::vector<std::size_t> methods;
  };
  static std::vector<Held>::iterator find(std::vector<Held>& list, std::uint64_t lock) {
    return std::find_if(list.begin(), list.end(), [lock](const Held& held) { return held.lock == lock; });
  }
  static void drop(std::vector<Held>& list, std::uint64_t lock) { list.erase(find(list, lock)); }

  std::unordered_map<ThreadId, Thread> threads_;
};

class Slicer {
 public:
  explicit Slicer(const Trace& trace)
      : trace_(trace),
        threads_(trace.threads.size() + 1),
        variables_(trace.variables.size() + 1),
        syncs_(trace.syncs.size() + 1),
        sites_(trace.sites.size() + 1),
        regions_(trace.regions.size() + 1) {}

  void put(const Event& event) {
    if (event.kind == EventKind::kJoin && threads_[event.object] == 0) {
      ++result_.joins_left_out;
      return;
    }
    Trace& to = result_.trace;
    Event copy = event;
    copy.thread = ThreadId{renamed(trace_.threads, to.threads, threads_, to_number(event.thread))};
    copy.site = model::SiteId{renamed(trace_.sites, to.sites, sites_, to_number(event.site))};
    copy.peer = ThreadId{renamed(trace_.threads, to.threads, threads_, to_number(event.peer))};
    const ObjectOf object = object_of(event.kind);
    if (const Names* names = names_of(trace_, object)) {
      copy.object = renamed(*names, *names_of(to, object), numbers_of(object), event.object);
    }
    to.events.push_back(copy);
  }

  Sliced finish(std::uint64_t carried) {
    result_.carried = carried;
    return std::move(result_);
  }

 private:
  using Numbers = std::vector<std::uint32_t>;  // old to new; 0: not yet used

  static std::uint32_t renamed(const Names& from, Names& to, Numbers& numbers, std::uint64_t old) {
    if (old == 0) return 0;
    std::uint32_t& number = numbers[old];
    if (number == 0) number = to.number(from.text(old));
    return number;
  }

  Numbers& numbers_of(ObjectOf object) { return choose(object, threads_, variables_, syncs_, regions_); }

  const Trace& trace_;
  Sliced result_;
  Numbers threads_;
  Numbers variables_;
  Numbers syncs_;
  Numbers sites_;
  Numbers regions_;
};

std::vector<bool> chosen(const std::vector<std::uint32_t>& numbers, std::uint32_t size) {
  std::vector<bool> result(size + 1, numbers.empty());
  for (const std::uint32_t number : numbers) result[number] = true;
  return result;
}

}  // namespace

Sliced slice(const Trace& trace, const SliceRequest& request) {
  const std::vector<bool> threads = chosen(request.threads, trace.threads.size());
  const std::vector<bool> variables = chosen(request.variables, trace.variables.size());
  const std::size_t begin = std::min<std::uint64_t>(request.first - 1, trace.events.size());
  const std::size_t end = std::min<std::uint64_t>(request.last, trace.events.size());

  OpenEvents open;
  for (std::size_t i = 0; i < begin; ++i) open.on_event(trace.events[i], i);
  Slicer slicer(trace);
  const std::vector<std::size_t> carried = open.indices();
  for (const std::size_t index : carried) slicer.put(trace.events[index]);
  for (std::size_t i = begin; i < end; ++i) {
    const Event& event = trace.events[i];
    const bool access = event.kind == EventKind::kRead || event.kind == EventKind::kWrite;
    if (!access || (threads[to_number(event.thread)] && variables[event.object])) slicer.put(event);
  }
  return slicer.finish(carried.size());
}

}  // namespace deadheat::trace
