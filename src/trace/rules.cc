// SPDX-License-Identifier: Apache-2.0
#include "trace/rules.h"

#include <algorithm>
#include <string>

#include "trace/operation.h"

namespace deadheat::trace {

using model::Event;
using model::EventKind;
using model::ThreadId;
using model::to_number;

namespace {

// Events are spoken of by their numbers, from 1; 0: there was none.
using Number = std::uint64_t;

class RuleChecker {
 public:
  explicit RuleChecker(const Trace& trace, Problems& problems)
      : trace_(trace), problems_(problems), threads_(trace.threads.size() + 1), locks_(trace.syncs.size() + 1) {}

  void check() {
    for (const Event& event : trace_.events) {
      ++number_;
      Thread& thread = threads_[to_number(event.thread)];
      if (!may_act(event, thread) || !apply(event, thread)) continue;
      if (thread.first == 0) thread.first = number_;
    }
  }

 private:
  struct Open {
    std::uint64_t name;
    Number at;
  };
  struct Thread {
    Number forked = 0;
    Number first = 0;
    Number started = 0;  // said `start`
    Number ended = 0;
    Number joined = 0;
    Number waits = 0;  // since when, on
    std::uint64_t waits_on = 0;
    Number woken = 0;
    std::vector<Open> regions;
    std::vector<Open> methods;
  };
  struct Reader {
    ThreadId thread;
    Number at;
  };
  struct Lock {
    ThreadId holder{};
    Number at = 0;
    std::vector<Reader> readers;
    ThreadId parks{};  // of a permit: whose it is
    Number parked = 0;
  };

  // What holds for every event of a thread.
  bool may_act(const Event& event, const Thread& thread) {
    const auto who = [&] { return thread_name(event.thread); };
    if (thread.ended != 0) return refuse(who() + " has ended" + at(thread.ended));
    if (thread.joined != 0) return refuse(who() + " has ended, as it was joined" + at(thread.joined));
    if (thread.waits != 0 && event.kind != EventKind::kWaitEnd) {
      return refuse(who() + " waits on " + sync_name(thread.waits_on) + at(thread.waits) + " and has not woken up");
    }
    return true;
  }

  // false: the event breaks a rule, and nothing has changed.
  bool apply(const Event& event, Thread& thread) {
    switch (event.kind) {
      case EventKind::kRead:
      case EventKind::kWrite:
      case EventKind::kVolatileRead:
      case EventKind::kVolatileWrite:
      case EventKind::kVolatileUpdate:
      case EventKind::kUnpark:
        return true;
      case EventKind::kAcquire:
        return acquire(event);
      case EventKind::kRelease:
        return release(event);
      case EventKind::kAcquireShared:
        return acquire_shared(event);
      case EventKind::kReleaseShared:
        return release_shared(event);
      case EventKind::kFork:
        return fork(event);
      case EventKind::kJoin:
        return join(event);
      case EventKind::kBegin:
        return start(event, thread);
      case EventKind::kEnd:
        return exit(event, thread);
      case EventKind::kWaitBegin:
        return wait(event, thread);
      case EventKind::kWaitEnd:
        return wake(event, thread);
      case EventKind::kNotify:
        return notify(event);
      case EventKind::kPark:
        return park(event);
      case EventKind::kRegionEnter:
        thread.regions.push_back({event.object, number_});
        return true;
      case EventKind::kRegionExit:
        return leave(event, thread.regions, "atomic region");
      case EventKind::kMethodEnter:
        thread.methods.push_back({event.object, number_});
        return true;
      case EventKind::kMethodExit:
        return leave(event, thread.methods, "method");
    }
    return true;
  }

  // May the thread get the lock for itself alone?
  bool is_free(const Event& event, const Lock& lock) {
    if (lock.holder == event.thread) {
      return refuse(thread_name(event.thread) + " holds " + sync_name(event.object) + " already" + at(lock.at) +
                    "; only the outermost of nested acquires belongs in a trace");
    }
    if (lock.holder != ThreadId{}) return refuse_held(event, lock.holder, lock.at);
    if (!lock.readers.empty()) return refuse_held(event, lock.readers.front().thread, lock.readers.front().at);
    return true;
  }

  bool acquire(const Event& event) {
    Lock& lock = locks_[event.object];
    if (!is_free(event, lock)) return false;
    lock.holder = event.thread;
    lock.at = number_;
    return true;
  }

  bool holds(const Event& event, const Lock& lock) {
    if (lock.holder == event.thread) return true;
    const std::string what = thread_name(event.thread) + " does not hold " + sync_name(event.object);
    if (lock.holder == ThreadId{}) return refuse(what);
    return refuse(what + "; " + thread_name(lock.holder) + " does" + at(lock.at));
  }

  bool release(const Event& event) {
    Lock& lock = locks_[event.object];
    if (!holds(event, lock)) return false;
    lock.holder = ThreadId{};
    return true;
  }

  static std::vector<Reader>::iterator reader(Lock& lock, ThreadId thread) {
    return std::find_if(lock.readers.begin(), lock.readers.end(), [=](const Reader& r) { return r.thread == thread; });
  }

  // The holder of a read-write lock may read as well: that is how it is downgraded.
  bool acquire_shared(const Event& event) {
    Lock& lock = locks_[event.object];
    if (lock.holder != ThreadId{} && lock.holder != event.thread) return refuse_held(event, lock.holder, lock.at);
    if (const auto known = reader(lock, event.thread); known != lock.readers.end()) {
      return refuse(thread_name(event.thread) + " holds " + sync_name(event.object) + " for reading already" +
                    at(known->at) + "; only the outermost of nested acquires belongs in a trace");
    }
    lock.readers.push_back({event.thread, number_});
    return true;
  }

  bool release_shared(const Event& event) {
    Lock& lock = locks_[event.object];
    const auto known = reader(lock, event.thread);
    if (known == lock.readers.end()) {
      return refuse(thread_name(event.thread) + " does not hold " + sync_name(event.object) + " for reading");
    }
    lock.readers.erase(known);
    return true;
  }

  bool fork(const Event& event) {
    Thread& child = threads_[event.object];
    const std::string& name = trace_.threads.text(event.object);
    if (event.object == to_number(event.thread)) return refuse(name + " forks itself");
    if (child.forked != 0) return refuse(name + " was forked before" + at(child.forked));
    if (child.first != 0) return refuse(name + " has run since" + at(child.first));
    if (child.joined != 0) return refuse(name + " has ended, as it was joined" + at(child.joined));
    child.forked = number_;
    return true;
  }

  bool join(const Event& event) {
    Thread& other = threads_[event.object];
    const std::string& name = trace_.threads.text(event.object);
    if (event.object == to_number(event.thread)) return refuse(name + " joins itself");
    if (other.forked == 0 && other.first == 0) return refuse(name + " has neither been forked nor had an event");
    if (other.started != 0 && other.ended == 0) return refuse(name + " has not ended");
    if (other.joined == 0) other.joined = number_;
    return true;
  }

  bool start(const Event& event, Thread& thread) {
    if (thread.first != 0) return refuse(thread_name(event.thread) + " has run since" + at(thread.first));
    thread.started = number_;
    return true;
  }

  bool exit(const Event& event, Thread& thread) {
    if (!thread.regions.empty()) return refuse_open(event, thread.regions.back(), "atomic region");
    if (!thread.methods.empty()) return refuse_open(event, thread.methods.back(), "method");
    thread.ended = number_;
    return true;
  }

  bool wait(const Event& event, Thread& thread) {
    Lock& lock = locks_[event.object];
    if (!holds(event, lock)) return false;
    lock.holder = ThreadId{};
    thread.waits = number_;
    thread.waits_on = event.object;
    thread.woken = 0;
    return true;
  }

  bool wake(const Event& event, Thread& thread) {
    Lock& lock = locks_[event.object];
    if (thread.waits == 0 || thread.waits_on != event.object) {
      return refuse(thread_name(event.thread) + " does not wait on " + sync_name(event.object));
    }
    if (!is_free(event, lock)) return false;
    lock.holder = event.thread;
    lock.at = number_;
    thread.waits = 0;
    return true;
  }

  bool notify(const Event& event) {
    if (!holds(event, locks_[event.object])) return false;
    if (event.peer == ThreadId{}) return true;
    Thread& peer = threads_[to_number(event.peer)];
    if (peer.waits == 0 || peer.waits_on != event.object) {
      return refuse(thread_name(event.peer) + " does not wait on " + sync_name(event.object));
    }
    if (peer.woken != 0) return refuse(thread_name(event.peer) + " was notified before" + at(peer.woken));
    peer.woken = number_;
    return true;
  }

  bool park(const Event& event) {
    Lock& permit = locks_[event.object];
    if (permit.parks != ThreadId{} && permit.parks != event.thread) {
      return refuse(sync_name(event.object) + " is the permit of " + thread_name(permit.parks) + ", which parked" +
                    at(permit.parked));
    }
    if (permit.parks == ThreadId{}) permit.parked = number_;
    permit.parks = event.thread;
    return true;
  }

  bool leave(const Event& event, std::vector<Open>& open, const char* what) {
    if (open.empty()) return refuse(thread_name(event.thread) + " is in no " + what);
    const Open& last = open.back();
    if (last.name != 0 && event.object != 0 && last.name != event.object) {
      return refuse(std::string("the ") + what + " entered last is " + trace_.regions.text(last.name) + at(last.at));
    }
    open.pop_back();
    return true;
  }

  bool refuse_held(const Event& event, ThreadId holder, Number since) {
    return refuse(thread_name(holder) + " holds " + sync_name(event.object) + at(since));
  }

  bool refuse_open(const Event& event, const Open& open, const char* what) {
    const std::string name = open.name == 0 ? "" : " " + trace_.regions.text(open.name);
    return refuse(thread_name(event.thread) + " has not left the " + what + name + at(open.at));
  }

  bool refuse(const std::string& why) {
    if (!problems_.wants_more()) {
      problems_.add(number_, 0, {});
      return false;
    }
    const Event& event = trace_.events[number_ - 1];
    const Operation& operation = operation_of(event);
    std::string what(operation.name);
    if (operation.object != ObjectOf::kNothing && event.object != 0) {
      what += "(" + names_of(trace_, operation.object)->text(event.object) + ")";
    }
    problems_.add(number_, 0, what + " by " + thread_name(event.thread) + ", but " + why);
    return false;
  }

  static std::string at(Number number) { return " (event " + std::to_string(number) + ")"; }
  const std::string& thread_name(ThreadId id) const { return trace_.threads.text(to_number(id)); }
  const std::string& sync_name(std::uint64_t id) const { return trace_.syncs.text(id); }

  const Trace& trace_;
  Problems& problems_;
  std::vector<Thread> threads_;
  std::vector<Lock> locks_;
  Number number_ = 0;
};

}  // namespace

void check_rules(const Trace& trace, Problems& problems) { RuleChecker(trace, problems).check(); }

}  // namespace deadheat::trace
