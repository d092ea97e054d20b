// SPDX-License-Identifier: Apache-2.0
//
// wcp: weak-causally-precedes (Kini, Mathur, Viswanathan, PLDI 2017), their algorithm 1 with clocks of event numbers.
//   (a) a release comes before an access in a later section of the same lock that conflicts with one in the release's;
//   (b) a release comes before the release of a later section of the same lock if the former's section has an event
//       ordered before one of the latter's;
//   (c) composed with happens-before on either side.
// Hard edges (fork, join, volatile write to read, unpark to park, begin of a wait to the notify that ends it, notify to
// the end of the wait) order like the program order does: they are part
// of the order and of happens-before, but not of the relation that (c) composes. Two shared sections of a read-write
// lock are not sections of the same lock for (a) and (b).
//
// Three clocks a thread: `happens` (happens-before), `weak` (before the next event by (a)-(c)), `hard`. An access is
// checked against weak and hard together. `weak` holds with an event all that happens-before it (rule c), so a stamp of
// happens-before that is covered brings nothing new.
#include <algorithm>
#include <memory>
#include <utility>

#include "predict/access_log.h"
#include "predict/clock_pool.h"
#include "predict/last_accesses.h"
#include "predict/pair_table.h"
#include "predict/race_analyses.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

// Plain rows, one for each of a kind of thing, made when first used: at() may move the others of its kind.
class Rows {
 public:
  Rows(std::uint32_t count, std::uint32_t width) : width_(width), starts_(count + 1) {}
  std::uint32_t* at(std::uint64_t number) {
    if (starts_[number] == 0) {
      data_.resize(data_.size() + width_);
      starts_[number] = static_cast<std::uint32_t>(data_.size() / width_);
    }
    return data_.data() + std::size_t{starts_[number] - 1} * width_;
  }
  void make_all() {
    for (std::uint32_t i = 0; i < starts_.size(); ++i) at(i);
  }
  std::uint64_t memory_bytes() const { return (data_.capacity() + starts_.capacity()) * sizeof(std::uint32_t); }

 private:
  const std::uint32_t width_;
  std::vector<std::uint32_t> data_;
  std::vector<std::uint32_t> starts_;
};

// The latest releases whose sections touch a location: of two threads, the newer first. For sections that exclude each
// other the newer release happens after the older, so those two answer for every thread.
struct Touch {
  Stamp newest[2];
};

// Shared sections do not exclude each other: the latest of each thread.
struct SharedTouches {
  std::vector<Stamp> reads;
  std::vector<Stamp> writes;
};

struct Touches {
  Touch reads;
  Touch writes;
  std::unique_ptr<SharedTouches> shared;  // rare
};

struct PastSection {
  EventNumber acquire = 0;
  Stamp release;
};

// The past sections of one lock by one thread, in order.
struct Past {
  std::vector<PastSection> sections;
  std::vector<std::uint32_t> passed;  // by thread: how many it has been ordered after, forgotten ones included
  std::uint32_t forgotten = 0;        // sections before sections[0]
};

struct Open {
  std::uint32_t lock = 0;
  bool shared = false;
  EventNumber acquire = 0;
  std::size_t touched = 0;  // where its accesses begin in the thread's list
};

struct Touched {
  std::uint32_t location = 0;
  bool is_write = false;
  bool operator==(const Touched&) const = default;
};

class WeakCausalRun {
 public:
  WeakCausalRun(const trace::Trace& trace, const AnalysisOptions& options)
      : trace_(trace),
        sizes_(sizes_of(trace)),
        wants_pairs_(options.pairs),
        pairs_(result_, options),
        happens_(sizes_.threads),
        width_(happens_.pool().width()),
        weak_(sizes_.threads, width_),
        hard_(sizes_.threads, width_),
        order_(sizes_.threads, width_),
        last_(sizes_.variables, sizes_.threads),
        log_(sizes_, wants_pairs_),
        locks_(sizes_.syncs + 1),
        readers_(sizes_.syncs + 1),
        lock_weak_(sizes_.syncs, width_),
        reader_weak_(sizes_.syncs, width_),
        volatiles_(sizes_.syncs, width_),
        permits_(sizes_.syncs, width_),
        waits_(sizes_.threads, width_),
        wakes_(sizes_.threads, width_),
        open_(sizes_.threads + 1),
        touched_(sizes_.threads + 1) {
    for (Rows* rows : {&weak_, &hard_, &order_}) rows->make_all();
    for (EventNumber i = 1; i <= sizes_.events; ++i) {
      const Event& e = trace.events[i - 1];
      if (!is_release(e)) continue;
      const std::uint32_t index = last_release_table_.insert(static_cast<std::uint32_t>(e.object), to_number(e.thread));
      if (index == last_releases_.size()) last_releases_.push_back(i);
      last_releases_[index] = i;
    }
  }

  AnalysisResult run() {
    for (EventNumber i = 1; i <= sizes_.events; ++i) {
      const Event& e = trace_.events[i - 1];
      const std::uint32_t t = to_number(e.thread);
      happens_.step(t, i);
      if (is_access(e)) {
        on_access(e, t, i);
      } else {
        on_sync(e, t, i);
      }
      hard_.at(t)[t] = i;
      order_.at(t)[t] = i;
    }
    pairs_.finish();
    result_.memory_bytes = memory_bytes();
    return std::move(result_);
  }

 private:
  // What volatile locations, permits or threads in a wait hand on along hard edges, joined over all who published.
  struct Handed {
    Handed(std::uint32_t count, std::uint32_t width) : happens(count + 1), weak(count, width), hard(count, width) {}
    std::vector<StampSet> happens;
    Rows weak;
    Rows hard;
  };

  void on_access(const Event& e, std::uint32_t t, EventNumber i) {
    const bool is_write = e.kind == EventKind::kWrite;
    touch(t, static_cast<std::uint32_t>(e.object), is_write);
    const std::uint32_t* clock = order_.at(t);
    if (is_write ? last_.is_racy_write(e.object, clock) : last_.is_racy_read(e.object, clock)) {
      result_.racy.push_back(i);
      if (wants_pairs_) log_.collect(e, i, clock, pairs_);
    }
    if (is_write) {
      last_.add_write(e.object, t, i, clock);
    } else {
      last_.add_read(e.object, t, i, clock);
    }
    if (wants_pairs_) log_.add(e, i);
  }

  // Rule (a) for an access, and the access for the rule (a) of others. Volatile locations come behind the variables.
  void touch(std::uint32_t t, std::uint32_t location, bool is_write) {
    if (open_[t].empty()) return;
    for (const Open& section : open_[t]) {
      const std::uint32_t index = table_.find(section.lock, location);
      if (index == PairTable::kNone) continue;
      const Touches& touches = touches_[index];
      order_after(t, touches.writes);
      if (is_write) order_after(t, touches.reads);
      if (section.shared || !touches.shared) continue;
      for (const Stamp& s : touches.shared->writes) order_after(t, s);
      if (is_write) {
        for (const Stamp& s : touches.shared->reads) order_after(t, s);
      }
    }
    const Touched touched{location, is_write};
    // Once for each run of the same access, and again in each new section.
    auto& list = touched_[t];
    if (list.size() <= open_[t].back().touched || list.back() != touched) list.push_back(touched);
  }
  void order_after(std::uint32_t t, const Touch& touch) {
    order_after(t, touch.newest[0].thread == t ? touch.newest[1] : touch.newest[0]);
  }
  // The stamp's event and all that happens before it come weakly before what t does next.
  bool order_after(std::uint32_t t, const Stamp& stamp) {
    std::uint32_t* weak = weak_.at(t);
    if (stamp.thread == t || stamp.event <= weak[stamp.thread]) return false;
    join_rows(weak, happens_.pool().row(stamp.row), width_);
    weak[stamp.thread] = stamp.event;
    renew(t);
    return true;
  }
  void renew(std::uint32_t t) { join_rows(order_.at(t), weak_.at(t), width_); }
  void join_weak(std::uint32_t t, const std::uint32_t* from) {
    join_rows(weak_.at(t), from, width_);
    renew(t);
  }
  void join_hard(std::uint32_t t, const std::uint32_t* from) {
    join_rows(hard_.at(t), from, width_);
    join_rows(order_.at(t), from, width_);
  }

  void on_sync(const Event& e, std::uint32_t t, EventNumber i) {
    const auto other = static_cast<std::uint32_t>(e.object);
    switch (e.kind) {
      case EventKind::kWaitEnd:
        receive(wakes_, t, t);
        [[fallthrough]];
      case EventKind::kAcquire:
        happens_.join(t, locks_[e.object]);
        readers_[e.object].receive(happens_, t);
        join_weak(t, lock_weak_.at(e.object));
        join_weak(t, reader_weak_.at(e.object));
        return open(e, t, i);
      case EventKind::kAcquireShared:
        happens_.join(t, locks_[e.object]);
        join_weak(t, lock_weak_.at(e.object));
        return open(e, t, i);
      case EventKind::kRelease:
      case EventKind::kWaitBegin:
        close(e, t);
        happens_.replace(locks_[e.object], happens_.stamp(t));
        std::copy_n(weak_.at(t), width_, lock_weak_.at(e.object));
        if (e.kind == EventKind::kWaitBegin) publish(waits_, t, t, i);
        return;
      case EventKind::kNotify:
        if (e.peer == model::ThreadId{}) return;
        receive(waits_, to_number(e.peer), t);
        return publish(wakes_, to_number(e.peer), t, i);
      case EventKind::kReleaseShared:
        close(e, t);
        readers_[e.object].publish(happens_, t);
        return join_rows(reader_weak_.at(e.object), weak_.at(t), width_);
      case EventKind::kVolatileRead:
      case EventKind::kVolatileWrite:
      case EventKind::kVolatileUpdate:
        return on_volatile(e, t, i);
      case EventKind::kPark:
        return receive(permits_, e.object, t);
      case EventKind::kUnpark:
        return publish(permits_, e.object, t, i);
      case EventKind::kFork:
        hard_.at(t)[t] = i;
        return hand_over(t, other);
      case EventKind::kJoin:
        return hand_over(other, t);
      default:
        return;
    }
  }
  void on_volatile(const Event& e, std::uint32_t t, EventNumber i) {
    touch(t, sizes_.variables + static_cast<std::uint32_t>(e.object), e.kind != EventKind::kVolatileRead);
    if (e.mode < model::AccessMode::kAcquireRelease) return;
    if (e.kind != EventKind::kVolatileWrite) receive(volatiles_, e.object, t);
    if (e.kind != EventKind::kVolatileRead) publish(volatiles_, e.object, t, i);
  }
  void hand_over(std::uint32_t from, std::uint32_t to) {
    happens_.join_thread(to, from);
    join_weak(to, weak_.at(from));
    join_hard(to, hard_.at(from));
  }
  void publish(Handed& handed, std::uint64_t number, std::uint32_t t, EventNumber i) {
    hard_.at(t)[t] = i;
    handed.happens[number].publish(happens_, t);
    join_rows(handed.weak.at(number), weak_.at(t), width_);
    join_rows(handed.hard.at(number), hard_.at(t), width_);
  }
  void receive(Handed& handed, std::uint64_t number, std::uint32_t t) {
    handed.happens[number].receive(happens_, t);
    join_weak(t, handed.weak.at(number));
    join_hard(t, handed.hard.at(number));
  }

  void open(const Event& e, std::uint32_t t, EventNumber i) {
    open_[t].push_back({static_cast<std::uint32_t>(e.object), is_shared_lock(e), i, touched_[t].size()});
  }
  void close(const Event& e, std::uint32_t t) {
    auto& open = open_[t];
    const auto section = std::find_if(open.rbegin(), open.rend(), [&e](const Open& o) {
      return o.lock == e.object && o.shared == is_shared_lock(e);
    });
    if (section == open.rend()) return;
    order_sections(*section, t);
    const Stamp release = happens_.stamp(t);
    for (std::size_t k = section->touched; k < touched_[t].size(); ++k) remember(*section, touched_[t][k], release);
    Past& past = past_of(section->lock, section->shared, t);
    if (past.sections.size() == past.sections.capacity()) forget_passed(past, section->lock, t, release.event);
    past.sections.push_back({section->acquire, release});
    open.erase(std::next(section).base());
    if (open.empty()) touched_[t].clear();
  }
  void remember(const Open& section, const Touched& touched, const Stamp& release) {
    const std::uint32_t index = table_.insert(section.lock, touched.location);
    if (index == touches_.size()) touches_.emplace_back();
    Touches& touches = touches_[index];
    if (section.shared) {
      if (!touches.shared) touches.shared = std::make_unique<SharedTouches>();
      remember_shared(touched.is_write ? touches.shared->writes : touches.shared->reads, release);
    } else {
      remember_exclusive(touched.is_write ? touches.writes : touches.reads, release);
    }
  }
  void remember_exclusive(Touch& touch, const Stamp& release) {
    if (touch.newest[0].event == release.event) return;
    happens_.pool().keep(release.row);
    if (touch.newest[0].thread != release.thread) std::swap(touch.newest[0], touch.newest[1]);
    happens_.replace(touch.newest[0], release);
  }
  void remember_shared(std::vector<Stamp>& stamps, const Stamp& release) {
    const auto mine =
        std::find_if(stamps.begin(), stamps.end(), [&](const Stamp& s) { return s.thread == release.thread; });
    if (mine != stamps.end() && mine->event == release.event) return;
    happens_.pool().keep(release.row);
    if (mine != stamps.end()) {
      happens_.replace(*mine, release);
    } else {
      stamps.push_back(release);
    }
  }

  Past& past_of(std::uint32_t lock, bool shared, std::uint32_t t) {
    const std::uint32_t index = past_table_.insert(2 * lock + static_cast<std::uint32_t>(shared), t);
    if (index == past_.size()) past_.push_back({{}, std::vector<std::uint32_t>(sizes_.threads + 1), 0});
    return past_[index];
  }
  // Rule (b) at the release of a section: each order found may bring others.
  void order_sections(const Open& section, std::uint32_t t) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t u = 1; u <= sizes_.threads; ++u) {
        if (u == t) continue;
        changed |= order_sections_of(section.lock, false, u, t);
        if (!section.shared) changed |= order_sections_of(section.lock, true, u, t);
      }
    }
  }
  bool order_sections_of(std::uint32_t lock, bool shared, std::uint32_t u, std::uint32_t t) {
    const std::uint32_t index = past_table_.find(2 * lock + static_cast<std::uint32_t>(shared), u);
    if (index == PairTable::kNone) return false;
    Past& past = past_[index];
    // Two kinds of release of t may look at the same list: what one has passed the other need not, since the order
    // it found holds for both.
    std::uint32_t& passed = past.passed[t];
    const EventNumber covered = order_.at(t)[u];
    const std::uint32_t before = passed = std::max(passed, past.forgotten);
    const auto count = past.forgotten + static_cast<std::uint32_t>(past.sections.size());
    while (passed < count && past.sections[passed - past.forgotten].acquire <= covered) ++passed;
    return passed != before && order_after(t, past.sections[passed - 1 - past.forgotten].release);
  }
  // Sections of thread u that every other thread with a release of the lock to come has passed are asked for no more.
  void forget_passed(Past& past, std::uint32_t lock, std::uint32_t u, EventNumber now) {
    std::uint32_t least = past.forgotten + static_cast<std::uint32_t>(past.sections.size());
    for (std::uint32_t t = 1; t <= sizes_.threads; ++t) {
      const std::uint32_t index = last_release_table_.find(lock, t);
      if (t != u && index != PairTable::kNone && last_releases_[index] > now) least = std::min(least, past.passed[t]);
    }
    // Moving what is left must not cost more than what goes.
    if (least <= past.forgotten || 2 * (least - past.forgotten) < past.sections.size()) return;
    const auto end = past.sections.begin() + (least - past.forgotten);
    for (auto it = past.sections.begin(); it != end; ++it) happens_.drop(it->release);
    past.sections.erase(past.sections.begin(), end);
    past.forgotten = least;
  }

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = happens_.memory_bytes() + last_.memory_bytes() + log_.memory_bytes() + table_.memory_bytes() +
                          past_table_.memory_bytes() + touches_.capacity() * sizeof(Touches) +
                          past_.capacity() * sizeof(Past) + locks_.capacity() * sizeof(Stamp) +
                          result_.racy.capacity() * sizeof(EventNumber) + result_.pairs.capacity() * sizeof(EventPair);
    for (const Rows* rows : {&weak_, &hard_, &order_, &lock_weak_, &reader_weak_}) bytes += rows->memory_bytes();
    for (const Past& past : past_) {
      bytes += past.sections.capacity() * sizeof(PastSection) + past.passed.capacity() * sizeof(std::uint32_t);
    }
    return bytes;
  }

  const trace::Trace& trace_;
  const TraceSizes sizes_;
  AnalysisResult result_;
  const bool wants_pairs_;
  PairCollector pairs_;
  ThreadClocks happens_;
  const std::uint32_t width_;
  Rows weak_;
  Rows hard_;
  Rows order_;  // weak and hard together
  LastAccesses last_;
  AccessLog log_;
  std::vector<Stamp> locks_;
  std::vector<StampSet> readers_;
  Rows lock_weak_;
  Rows reader_weak_;
  Handed volatiles_;
  Handed permits_;
  Handed waits_;                               // by the waiting thread
  Handed wakes_;                               // by the woken thread
  std::vector<std::vector<Open>> open_;        // by thread
  std::vector<std::vector<Touched>> touched_;  // by thread: its accesses since it held no lock
  PairTable table_;                            // (lock, location) → touches_
  std::vector<Touches> touches_;
  PairTable past_table_;  // (lock and mode, thread) → past_
  std::vector<Past> past_;
  PairTable last_release_table_;  // (lock, thread) → last_releases_
  std::vector<EventNumber> last_releases_;
};

}  // namespace

AnalysisResult weak_causal(const trace::Trace& trace, const AnalysisOptions& options) {
  return WeakCausalRun(trace, options).run();
}

}  // namespace deadheat::predict
