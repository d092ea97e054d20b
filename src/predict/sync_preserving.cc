// SPDX-License-Identifier: Apache-2.0
//
// syncp: sync-preserving races (Mathur, Pavlogiannis, Viswanathan, POPL 2021). (e1, e2) is one iff the least *closed*
// set of events with the two threads' pasts has neither of them; docs/prediction.md has the rules of closure. The
// closed set, taken in the order of the trace, is then a schedule after which both are next.
//
// The paper keeps a growing set for each variable, pair of threads and kinds of access, and walks over all locks to
// close it. Here every thread carries *one* closed set, as a vector clock: the least that has its past. The least
// closed set of a pair is the closure of the union of two of those, and only a section that is open at the end of a
// thread's part of it can be in the way: a look at the few locks held there. As in the paper, an earlier access that is
// in the set of a pair stays in the sets of all later accesses of that thread, so each is passed over once for each
// other thread.
#include <algorithm>
#include <utility>

#include "predict/access_log.h"
#include "predict/clock_pool.h"
#include "predict/guards.h"
#include "predict/held_sections.h"
#include "predict/race_analyses.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

// An earlier access, with what its thread knew right before it.
struct Earlier {
  EventNumber event = 0;
  EventNumber previous = 0;  // of the same thread
  std::uint32_t row : 31 = 0;
  std::uint32_t is_write : 1 = 0;
};

// How far another thread has passed over the accesses of this one: for its reads and for its writes.
struct Passed {
  std::uint32_t thread = 0;
  std::uint64_t by_reads = 0;
  std::uint64_t by_writes = 0;
};

struct AccessesOfThread {
  std::uint32_t thread = 0;
  std::uint64_t forgotten = 0;  // accesses before list[0]
  std::vector<Earlier> list;
  std::vector<Passed> passed;
};

class SyncPreservingRun {
 public:
  SyncPreservingRun(const trace::Trace& trace, const AnalysisOptions& options)
      : trace_(trace),
        sizes_(sizes_of(trace)),
        wants_pairs_(options.pairs),
        pairs_(result_, options),
        clocks_(sizes_.threads),
        held_(sizes_),
        guards_(sizes_.variables),
        previous_(sizes_.threads + 1),
        last_access_(sizes_.threads + 1),
        floor_(clocks_.pool().width()),
        open_(sizes_.threads + 1),
        variables_(sizes_.variables + 1),
        sources_(sizes_.variables + 1),
        volatiles_(sizes_.syncs + 1),
        permits_(sizes_.syncs + 1),
        notifies_(sizes_.syncs + 1),
        waits_(sizes_.threads + 1),
        wakes_(sizes_.threads + 1),
        ideal_(clocks_.pool().width()) {
    for (EventNumber i = 1; i <= sizes_.events; ++i) {
      if (is_access(trace.events[i - 1])) last_access_[to_number(trace.events[i - 1].thread)] = i;
    }
  }

  AnalysisResult run() {
    for (EventNumber i = 1; i <= sizes_.events; ++i) {
      if (i % kFloorInterval == 0) raise_floor(i);
      const Event& e = trace_.events[i - 1];
      const std::uint32_t t = to_number(e.thread);
      if (is_access(e)) {
        on_access(e, t, i);
      } else {
        clocks_.step(t, i);
        on_sync(e, t, i);
      }
      previous_[t] = i;
      held_.mark(t, i);
    }
    pairs_.finish();
    result_.memory_bytes = memory_bytes();
    return std::move(result_);
  }

 private:
  static constexpr EventNumber kFloorInterval = 1 << 16;
  // All pairs of a hot variable are quadratic; beyond this many looks only racy is filled.
  static constexpr std::uint64_t kMostLooks = 50'000'000;

  void on_access(const Event& e, std::uint32_t t, EventNumber i) {
    auto& threads = variables_[e.object];
    if (!guards_.add(e, held_)) look_for_races(e, t, i, threads);
    remember(e, t, i, threads);
    clocks_.step(t, i);
    if (e.kind == EventKind::kWrite) {
      clocks_.replace(sources_[e.object], clocks_.stamp(t));
    } else {
      learn(t, sources_[e.object]);
    }
  }

  void remember(const Event& e, std::uint32_t t, EventNumber i, std::vector<AccessesOfThread>& threads) {
    auto mine = std::find_if(threads.begin(), threads.end(), [t](const auto& a) { return a.thread == t; });
    if (mine == threads.end()) {
      threads.push_back({.thread = t});
      mine = threads.end() - 1;
    }
    if (mine->list.size() == mine->list.capacity()) forget_passed(*mine);
    mine->list.push_back({i, previous_[t], clocks_.stamp(t).row, e.kind == EventKind::kWrite});
  }

  // Accesses that every thread with accesses to come has in its closed set can be in no further race.
  void raise_floor(EventNumber now) {
    std::fill(floor_.begin(), floor_.end(), now);
    for (std::uint32_t v = 1; v <= sizes_.threads; ++v) {
      if (last_access_[v] < now) continue;
      for (std::uint32_t u = 1; u <= sizes_.threads; ++u) {
        if (u != v) floor_[u] = std::min(floor_[u], clocks_.of(v)[u]);
      }
    }
  }
  void forget_passed(AccessesOfThread& accesses) {
    auto& list = accesses.list;
    const auto first = std::partition_point(
        list.begin(), list.end(), [&](const Earlier& earlier) { return earlier.event <= floor_[accesses.thread]; });
    // Moving what is left must not cost more than what goes.
    if (first - list.begin() < list.end() - first) return;
    for (auto it = list.begin(); it != first; ++it) clocks_.pool().drop(it->row);
    accesses.forgotten += static_cast<std::uint64_t>(first - list.begin());
    list.erase(list.begin(), first);
  }

  void look_for_races(const Event& e, std::uint32_t t, EventNumber i, std::vector<AccessesOfThread>& threads) {
    bool all = wants_pairs_ && !pairs_.is_full() && looks_ < kMostLooks;
    const bool is_write = e.kind == EventKind::kWrite;
    bool found = false;
    for (AccessesOfThread& other : threads) {
      if (other.thread == t) continue;
      auto passed =
          std::find_if(other.passed.begin(), other.passed.end(), [t](const Passed& p) { return p.thread == t; });
      if (passed == other.passed.end()) {
        other.passed.push_back({.thread = t});
        passed = other.passed.end() - 1;
      }
      std::uint64_t& position = is_write ? passed->by_writes : passed->by_reads;
      if (look_in(other, position, is_write, t, i, all)) {
        found = true;
        if (!all) break;
      }
    }
    if (!found) return;
    result_.racy.push_back(i);
    if (wants_pairs_ && !all) pairs_.count_cut_short();
  }

  // `all`: every pair is wanted; becomes false when there is no room for one.
  bool look_in(AccessesOfThread& other, std::uint64_t& position, bool is_write, std::uint32_t t, EventNumber i,
               bool& all) {
    bool found = false;
    bool is_front = true;  // everything before is passed
    position = std::max(position, other.forgotten);
    const EventNumber known = clocks_.of(t)[other.thread];
    for (std::uint64_t at = position - other.forgotten; at < other.list.size(); ++at) {
      const Earlier& earlier = other.list[at];
      const bool is_race = (is_write || earlier.is_write) && earlier.event > known && is_pair(earlier, other.thread, t);
      if (is_race) {
        found = true;
        all = all && !pairs_.is_full();
        if (!all) break;
        pairs_.add(earlier.event, i);
        is_front = false;
      }
      if (is_front) ++position;
    }
    return found;
  }

  bool is_pair(const Earlier& earlier, std::uint32_t other, std::uint32_t t) {
    ++looks_;
    std::copy_n(clocks_.of(t), ideal_.size(), ideal_.data());
    join_rows(ideal_.data(), clocks_.pool().row(earlier.row), clocks_.pool().width());
    ideal_[other] = std::max(ideal_[other], earlier.previous);
    // The closure holds nothing behind the later access, so only the earlier one can be inside.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t u = 1; u <= sizes_.threads; ++u) {
        held_.for_each_after(ideal_[u], [&](const Section& s) {
          if (s.release == 0 || !held_.is_followed(s, ideal_.data())) return true;
          join_rows(ideal_.data(), clocks_.pool().row(s.at_release.row), clocks_.pool().width());
          ideal_[u] = std::max(ideal_[u], s.release);
          changed = true;
          return false;  // the thread's part ends elsewhere now
        });
        if (ideal_[other] >= earlier.event) return false;
      }
    }
    return true;
  }

  // The thread now also hangs on what the stamp knows.
  void learn(std::uint32_t t, const Stamp& stamp) {
    if (stamp.event <= clocks_.of(t)[stamp.thread]) return;
    clocks_.join(t, stamp);
    close(t);
  }
  // Joins the ends of sections until the thread's set is closed, and keeps the sections of other threads that stay
  // open.
  void close(std::uint32_t t) {
    auto& open = open_[t];
    for (bool changed = true; changed;) {
      changed = false;
      open.clear();
      for (std::uint32_t u = 1; u <= sizes_.threads; ++u) {
        if (u == t) continue;
        held_.for_each_after(clocks_.of(t)[u], [&](const Section& s) {
          if (s.release != 0 && held_.is_followed(s, clocks_.of(t))) {
            clocks_.join(t, s.at_release);
            changed = true;
            return false;
          }
          open.push_back(s.lock);
          return true;
        });
      }
    }
  }

  void on_sync(const Event& e, std::uint32_t t, EventNumber i) {
    switch (e.kind) {
      case EventKind::kWaitEnd:
        on_acquire(e, t, i);
        return take(t, wakes_[t]);
      case EventKind::kAcquire:
      case EventKind::kAcquireShared:
        return on_acquire(e, t, i);
      case EventKind::kWaitBegin:
        on_release(e, t, i);
        clocks_.replace(waits_[t], clocks_.stamp(t));
        return clocks_.replace(wakes_[t], {});
      case EventKind::kRelease:
      case EventKind::kReleaseShared:
        return on_release(e, t, i);
      case EventKind::kNotify:
        return on_notify(e, t);
      case EventKind::kVolatileRead:
        return learn(t, volatiles_[e.object]);
      case EventKind::kVolatileUpdate:
        learn(t, volatiles_[e.object]);
        [[fallthrough]];
      case EventKind::kVolatileWrite:
        return clocks_.replace(volatiles_[e.object], clocks_.stamp(t));
      case EventKind::kPark:
        return take(t, permits_[e.object]);
      case EventKind::kUnpark:
        if (permits_[e.object].thread == 0) permits_[e.object] = clocks_.stamp(t);
        return;
      case EventKind::kFork:
        clocks_.join_thread(static_cast<std::uint32_t>(e.object), t);
        held_.mark(t, i);  // the child's set ends here, and is looked at now
        return close(static_cast<std::uint32_t>(e.object));
      case EventKind::kJoin:
        clocks_.join_thread(t, static_cast<std::uint32_t>(e.object));
        return close(t);
      default:
        return;
    }
  }
  void on_acquire(const Event& e, std::uint32_t t, EventNumber i) {
    held_.open(e, i);
    // Only a section of this lock that the thread's set has open can be in the way.
    const auto& open = open_[t];
    if (std::find(open.begin(), open.end(), e.object) != open.end()) close(t);
  }
  void on_release(const Event& e, std::uint32_t t, EventNumber i) {
    const HeldSections::Id id = held_.close(e, i);
    if (id != 0) held_.section(id).at_release = clocks_.stamp(t);
  }
  void on_notify(const Event& e, std::uint32_t t) {
    const std::uint32_t peer = to_number(e.peer);
    if (peer == 0) {
      notifies_[e.object].receive(clocks_, t);
      return close(t);
    }
    if (waits_[peer].thread != 0) {
      take(t, waits_[peer]);
      clocks_.replace(wakes_[peer], clocks_.stamp(t));
    }
    notifies_[e.object].publish(clocks_, t);
  }
  void take(std::uint32_t t, Stamp& stamp) {
    learn(t, stamp);
    clocks_.replace(stamp, {});
  }

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = clocks_.memory_bytes() + held_.memory_bytes() + guards_.memory_bytes() +
                          (sources_.capacity() + volatiles_.capacity() + permits_.capacity()) * sizeof(Stamp) +
                          result_.racy.capacity() * sizeof(EventNumber) + result_.pairs.capacity() * sizeof(EventPair);
    for (const auto& threads : variables_) {
      bytes += sizeof(threads) + threads.capacity() * sizeof(AccessesOfThread);
      for (const auto& a : threads) bytes += a.list.capacity() * sizeof(Earlier) + a.passed.capacity() * sizeof(Passed);
    }
    return bytes;
  }

  const trace::Trace& trace_;
  const TraceSizes sizes_;
  AnalysisResult result_;
  const bool wants_pairs_;
  PairCollector pairs_;
  std::uint64_t looks_ = 0;
  ThreadClocks clocks_;  // of each thread: the least closed set with its past
  HeldSections held_;
  Guards guards_;
  std::vector<EventNumber> previous_;             // by thread: its last event
  std::vector<EventNumber> last_access_;          // by thread: its last access in the whole trace
  std::vector<EventNumber> floor_;                // by thread: accesses up to here are forgotten when room is needed
  std::vector<std::vector<std::uint32_t>> open_;  // by thread: locks of other threads' sections open in its set
  std::vector<std::vector<AccessesOfThread>> variables_;
  std::vector<Stamp> sources_;  // by variable: its last write
  std::vector<Stamp> volatiles_;
  std::vector<Stamp> permits_;  // the unpark that made the permit that is there
  std::vector<StampSet> notifies_;
  std::vector<Stamp> waits_;  // by thread: the begin of its wait, until somebody ends it
  std::vector<Stamp> wakes_;  // by thread: the notify that ended its wait
  std::vector<EventNumber> ideal_;
};

}  // namespace

AnalysisResult sync_preserving(const trace::Trace& trace, const AnalysisOptions& options) {
  return SyncPreservingRun(trace, options).run();
}

}  // namespace deadheat::predict
