// SPDX-License-Identifier: Apache-2.0
#include "trace/public_dialect.h"

#include <algorithm>
#include <map>
#include <utility>

#include "trace/operation.h"

namespace deadheat::trace {

using model::Event;
using model::EventKind;
using model::ThreadId;
using model::to_number;

namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 9 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class Lowerer {
 public:
  explicit Lowerer(Trace trace)
      : trace_(std::move(trace)), locks_(trace_.syncs.size() + 1), known_(trace_.threads.size() + 1) {}

  Lowered lower() {
    const std::vector<Event> events = std::exchange(trace_.events, {});
    trace_.events.reserve(events.size());
    find_readers(events);
    for (const Event& event : events) lower(event);
    Lowered result;
    lower_locations(result);
    tell(result.lowerings);
    result.trace = std::move(trace_);
    return result;
  }

 private:
  // Critical sections with accesses of a variable in them: who has read whose value holds in every other order, as it
  // does of what they stand for. That of sections alone would not.
  struct Section {
    std::uint64_t lock = 0;
    std::uint64_t variable = 0;
  };
  struct Lock {
    // Everyone who ever holds it for reading, each with a lock of his own in place of this one. A writer takes them
    // all.
    std::map<ThreadId, std::uint64_t> readers;
    // What stands for volatile accesses and for a permit.
    Section as_volatile;
    Section as_permit;
    ThreadId holder{};
    bool downgraded = false;  // the holder reads as well
  };

  void find_readers(const std::vector<Event>& events) {
    for (const Event& event : events) {
      if (event.kind != EventKind::kAcquireShared) continue;
      std::uint64_t& own = locks_[event.object].readers[event.thread];
      if (own == 0) {
        own = new_lock(trace_.syncs.text(event.object) + ":reader:" + trace_.threads.text(to_number(event.thread)));
      }
    }
  }

  std::uint64_t new_lock(std::string name) {
    while (trace_.syncs.find(name) != 0) name += '_';
    return trace_.syncs.number(name);
  }

  std::uint64_t new_variable(std::string name) {
    while (trace_.variables.find(name) != 0) name += '_';
    return trace_.variables.number(name);
  }

  void lower(const Event& event) {
    switch (event.kind) {
      case EventKind::kRead:
      case EventKind::kWrite:
      case EventKind::kRegionEnter:
      case EventKind::kRegionExit:
        return put(event, event.kind, event.object);
      case EventKind::kFork:
        known_[event.object] = true;
        return put(event, event.kind, event.object);
      case EventKind::kJoin:
        if (known_[event.object]) return put(event, event.kind, event.object);
        ++joins_;
        return;
      case EventKind::kAcquire:
        return take(event);
      case EventKind::kRelease:
        return let_go(event);
      case EventKind::kWaitBegin:
        ++waits_;
        notified_[event.thread].since_wait = false;
        return let_go(event);
      case EventKind::kWaitEnd:
        take(event);
        if (notified_[event.thread].since_wait) put(event, EventKind::kRead, notified_[event.thread].variable);
        return;
      case EventKind::kAcquireShared:
        return read(event);
      case EventKind::kReleaseShared:
        return stop_reading(event);
      case EventKind::kVolatileRead:
      case EventKind::kVolatileWrite:
      case EventKind::kVolatileUpdate:
        if (event.mode < model::AccessMode::kAcquireRelease) {
          ++unordered_;
          return;
        }
        ++volatiles_;
        return section(event, locks_[event.object].as_volatile, "volatile:", event.kind != EventKind::kVolatileWrite,
                       event.kind != EventKind::kVolatileRead);
      case EventKind::kPark:
      case EventKind::kUnpark:
        ++permits_;
        return section(event, locks_[event.object].as_permit, "permit:", event.kind == EventKind::kPark, true);
      case EventKind::kNotify:
        ++notifies_;
        return notify(event);
      case EventKind::kBegin:
      case EventKind::kEnd:
        ++lives_;
        return;
      case EventKind::kMethodEnter:
      case EventKind::kMethodExit:
        ++methods_;
        return;
    }
  }

  void put(const Event& like, EventKind kind, std::uint64_t object) {
    known_[to_number(like.thread)] = true;
    trace_.events.push_back({kind, model::AccessMode::kVolatile, like.thread, like.site, object});
  }

  void take(const Event& event) {
    Lock& lock = locks_[event.object];
    put(event, EventKind::kAcquire, event.object);
    for (const auto& [thread, own] : lock.readers) put(event, EventKind::kAcquire, own);
    lock.holder = event.thread;
    lock.downgraded = false;
  }

  void let_go(const Event& event) {
    Lock& lock = locks_[event.object];
    for (auto reader = lock.readers.rbegin(); reader != lock.readers.rend(); ++reader) {
      if (!(lock.downgraded && reader->first == event.thread)) put(event, EventKind::kRelease, reader->second);
    }
    put(event, EventKind::kRelease, event.object);
    lock.holder = ThreadId{};
  }

  void read(const Event& event) {
    ++shared_;
    Lock& lock = locks_[event.object];
    if (lock.holder == event.thread) {
      lock.downgraded = true;
    } else {
      put(event, EventKind::kAcquire, lock.readers[event.thread]);
    }
  }

  void stop_reading(const Event& event) {
    Lock& lock = locks_[event.object];
    if (lock.holder == event.thread) {
      lock.downgraded = false;
    } else {
      put(event, EventKind::kRelease, lock.readers[event.thread]);
    }
  }

  void section(const Event& event, Section& section, const char* prefix, bool reads, bool writes) {
    if (section.lock == 0) {
      const std::string name = prefix + trace_.syncs.text(event.object);
      section = {new_lock(name), new_variable(name)};
    }
    put(event, EventKind::kAcquire, section.lock);
    if (reads) put(event, EventKind::kRead, section.variable);
    if (writes) put(event, EventKind::kWrite, section.variable);
    put(event, EventKind::kRelease, section.lock);
  }

  // Under the monitor, under which who is woken reads it.
  void notify(const Event& event) {
    if (event.peer == ThreadId{}) return;
    Notified& notified = notified_[event.peer];
    if (notified.variable == 0) {
      notified.variable = new_variable("notified:" + trace_.threads.text(to_number(event.peer)));
    }
    notified.since_wait = true;
    put(event, EventKind::kWrite, notified.variable);
  }

  void lower_locations(Lowered& result) {
    const Names& sites = trace_.sites;
    bool all_numbers = true;
    for (std::uint32_t i = 1; i <= sites.size() && all_numbers; ++i) all_numbers = is_number(sites.text(i));
    const bool unknown = std::any_of(trace_.events.begin(), trace_.events.end(),
                                     [](const Event& event) { return event.site == model::SiteId{}; });
    if (all_numbers && !unknown) return;
    Names numbers;
    for (std::uint32_t i = 1; i <= sites.size(); ++i) {
      result.location_names.push_back(sites.text(i));
      numbers.number(std::to_string(i));
    }
    if (unknown) {
      result.location_names.emplace_back("?");
      const model::SiteId last{numbers.number(std::to_string(sites.size() + 1))};
      for (Event& event : trace_.events) {
        if (event.site == model::SiteId{}) event.site = last;
      }
    }
    trace_.sites = std::move(numbers);
  }

  void tell(std::vector<Lowering>& list) const {
    const auto add = [&list](std::uint64_t count, const char* what, const char* how) {
      if (count != 0) list.push_back({count, what, how});
    };
    add(volatiles_, "volatile accesses",
        "each became a critical section of a lock volatile:NAME with an access of a variable volatile:NAME; for "
        "analyses by happens-before this also orders a read before later reads and writes, so races can be hidden");
    add(unordered_, "plain and opaque accesses to volatile locations", "left out; they order nothing and do not race");
    add(shared_, "acquires of read-write locks for reading",
        "each reader has a lock LOCK:reader:THREAD of its own, and a writer takes all of them: the same order, more "
        "events");
    add(waits_, "waits", "each became a release and an acquire, and a read of what its notify wrote");
    add(notifies_, "notifies", "each became a write of a variable notified:THREAD; left out where nobody waited");
    add(permits_, "parks and unparks",
        "each became a critical section of a lock permit:NAME with accesses of a variable permit:NAME; for analyses by "
        "happens-before this also orders unparks with each other, so races can be hidden");
    add(lives_, "starts and exits of threads", "left out: fork and join say what they order");
    add(joins_, "joins of threads", "left out: the threads have neither a fork nor an event any more");
    add(methods_, "method entries and exits", "left out: they order nothing");
  }

  Trace trace_;
  std::vector<Lock> locks_;  // of the trace as it was
  struct Notified {
    std::uint64_t variable = 0;
    bool since_wait = false;
  };
  std::map<ThreadId, Notified> notified_;
  std::vector<bool> known_;  // threads that were forked or have an event in the lowered trace
  std::uint64_t volatiles_ = 0;
  std::uint64_t unordered_ = 0;
  std::uint64_t shared_ = 0;
  std::uint64_t waits_ = 0;
  std::uint64_t notifies_ = 0;
  std::uint64_t permits_ = 0;
  std::uint64_t lives_ = 0;
  std::uint64_t methods_ = 0;
  std::uint64_t joins_ = 0;
};

}  // namespace

Lowered lower_to_public(Trace trace) { return Lowerer(std::move(trace)).lower(); }

}  // namespace deadheat::trace
