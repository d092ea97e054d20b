// SPDX-License-Identifier: Apache-2.0
//
// atomicity: is the run conflict-serialisable, in linear time (after AeroDrome: Mathur and Viswanathan, ASPLOS 2020)?
// Transactions are the outermost regions of a thread, and every event outside of them alone; docs/prediction.md says
// which events conflict. The answer is the event that closes the first cycle of the graph of transactions, at that
// event and not, as in the paper, at the latest when a transaction on the cycle ends.
//
// A cycle can only close at an event of a region that is still going on, since edges lead to the present event. So of
// all transactions before an event only those regions matter that are still going on: at most one a thread. A *past* is
// the set of them that reach a transaction, as a row with the number of a region for each thread. Pasts grow old when a
// region ends; then that region's own past at its end takes its place, when somebody looks. The pasts of the regions
// going on are kept closed at all times: a new edge into one is handed on to those it reaches.
#include <algorithm>
#include <utility>

#include "predict/clock_pool.h"
#include "predict/race_analyses.h"
#include "predict/trace_sizes.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

// A transaction as the origin of edges: a region by its number, or the past of an event outside of regions.
struct Origin {
  std::uint32_t thread = 0;  // 0: none
  std::uint32_t region = 0;  // 0: outside of regions
  std::uint32_t past = 0;    // a row; 0: nothing that goes on reaches it
};

// Anything that events conflict on. Readers are those among which there is no conflict: reads, shared releases.
struct Place {
  Origin writer;
  std::vector<Origin> readers;  // the latest of each thread since the writer
};

class AtomicityRun {
 public:
  explicit AtomicityRun(const trace::Trace& trace)
      : trace_(trace),
        sizes_(sizes_of(trace)),
        rows_(sizes_.threads),
        width_(rows_.width()),
        threads_(sizes_.threads + 1),
        growing_(std::size_t{sizes_.threads + 1} * width_),
        scratch_(width_),
        variables_(sizes_.variables + 1),
        volatiles_(sizes_.syncs + 1),
        locks_(sizes_.syncs + 1),
        permits_(sizes_.syncs + 1) {}

  AnalysisResult run() {
    for (EventNumber i = 1; i <= sizes_.events && !result_.violation; ++i) {
      if (!on_event(trace_.events[i - 1])) result_.violation = i;
    }
    result_.memory_bytes = memory_bytes();
    return std::move(result_);
  }

 private:
  struct Thread {
    std::uint32_t depth = 0;
    std::uint32_t region = 0;          // the last that began
    bool is_inside = false;            // it goes on
    bool has_run = false;              // had an event
    std::uint32_t past = 0;            // a row: of its last transaction, while it is in no region
    std::vector<std::uint32_t> ended;  // by region - 1: its past at its end
    Origin fork;                       // the transaction that forked it, until it runs
  };

  // False: a cycle.
  bool on_event(const Event& e) {
    const std::uint32_t t = to_number(e.thread);
    if (!threads_[t].has_run) begin_thread(t);
    switch (e.kind) {
      case EventKind::kRead:
        return read(t, variables_[e.object]);
      case EventKind::kWrite:
        return write(t, variables_[e.object]);
      case EventKind::kVolatileRead:
        return read(t, volatiles_[e.object]);
      case EventKind::kVolatileWrite:
      case EventKind::kVolatileUpdate:
        return write(t, volatiles_[e.object]);
      case EventKind::kAcquireShared:
        return follow_writer(t, locks_[e.object]);
      case EventKind::kAcquire:
        return follow_all(t, locks_[e.object]);
      case EventKind::kRelease:
        become_writer(t, locks_[e.object]);
        return true;
      case EventKind::kReleaseShared:
        become_reader(t, locks_[e.object]);
        return true;
      case EventKind::kWaitBegin:  // whoever waits gives up being atomic
        become_writer(t, locks_[e.object]);
        if (threads_[t].is_inside) end_region(t);
        return true;
      case EventKind::kWaitEnd:
        if (threads_[t].depth != 0 && !threads_[t].is_inside) begin_region(t);
        return follow_all(t, locks_[e.object]);
      case EventKind::kUnpark:
        become_reader(t, permits_[e.object]);
        return true;
      case EventKind::kPark:
        return follow_all(t, permits_[e.object]);
      case EventKind::kFork:
        replace(threads_[e.object].fork, origin(t));
        return follow(static_cast<std::uint32_t>(e.object), threads_[e.object].fork);
      case EventKind::kJoin:
        return join(t, static_cast<std::uint32_t>(e.object));
      case EventKind::kRegionEnter:
        if (threads_[t].depth++ == 0 && !threads_[t].is_inside) begin_region(t);
        return true;
      case EventKind::kRegionExit:
        if (threads_[t].depth != 0 && --threads_[t].depth == 0 && threads_[t].is_inside) end_region(t);
        return true;
      default:
        return true;
    }
  }

  bool read(std::uint32_t t, Place& place) {
    const bool ok = follow_writer(t, place);
    become_reader(t, place);
    return ok;
  }
  bool write(std::uint32_t t, Place& place) {
    const bool ok = follow_all(t, place);
    become_writer(t, place);
    return ok;
  }
  bool follow_writer(std::uint32_t t, const Place& place) { return follow(t, place.writer); }
  bool follow_all(std::uint32_t t, const Place& place) {
    if (!follow(t, place.writer)) return false;
    return std::all_of(place.readers.begin(), place.readers.end(), [&](const Origin& o) { return follow(t, o); });
  }
  void begin_thread(std::uint32_t t) {
    threads_[t].has_run = true;
    replace(threads_[t].fork, {});
  }
  bool join(std::uint32_t t, std::uint32_t other) {
    // A thread without events has no transaction for a cycle to lead through.
    if (!threads_[other].has_run) return follow(t, threads_[other].fork);
    const Origin last = origin(other);
    const bool ok = follow(t, last);
    rows_.drop(last.past);
    return ok;
  }

  // The caller owes a drop of its row.
  Origin origin(std::uint32_t t) {
    const Thread& me = threads_[t];
    if (me.is_inside) return {t, me.region, 0};
    if (me.past != 0) rows_.keep(me.past);
    return {t, 0, me.past};
  }
  void replace(Origin& old, const Origin& by) {
    rows_.drop(old.past);
    old = by;
  }
  void become_writer(std::uint32_t t, Place& place) {
    replace(place.writer, origin(t));
    // Whoever follows the writer follows those it has followed.
    for (const Origin& reader : place.readers) rows_.drop(reader.past);
    place.readers.clear();
  }
  void become_reader(std::uint32_t t, Place& place) {
    for (Origin& reader : place.readers) {
      if (reader.thread == t) return replace(reader, origin(t));
    }
    place.readers.push_back(origin(t));
  }

  std::uint32_t* growing(std::uint32_t t) { return growing_.data() + std::size_t{t} * width_; }
  bool goes_on(std::uint32_t t, std::uint32_t region) const {
    return region != 0 && threads_[t].is_inside && threads_[t].region == region;
  }

  // An edge from a transaction to the present one of thread t. False: it closes a cycle.
  bool follow(std::uint32_t t, const Origin& from) {
    if (from.thread == 0 || from.thread == t) return true;  // the program order says it already
    if (from.region == 0 && from.past == 0) return true;
    std::fill(scratch_.begin(), scratch_.end(), 0);
    if (from.region == 0) {
      renew(from.past);
      join_rows(scratch_.data(), rows_.row(from.past), width_);
    } else if (goes_on(from.thread, from.region)) {
      scratch_[from.thread] = from.region;
    } else {
      const std::uint32_t past = threads_[from.thread].ended[from.region - 1];
      if (past == 0) return true;
      renew(past);
      join_rows(scratch_.data(), rows_.row(past), width_);
    }
    Thread& me = threads_[t];
    if (!me.is_inside) {
      extend_past(t);
      return true;
    }
    add_pasts_of_regions();
    if (scratch_[t] == me.region) return false;
    hand_on(t);
    return true;
  }
  // What reaches the regions in scratch_. Those pasts are closed, so one round is enough.
  void add_pasts_of_regions() {
    for (std::uint32_t u = 1; u <= sizes_.threads; ++u) {
      if (goes_on(u, scratch_[u])) join_rows(scratch_.data(), growing(u), width_);
    }
  }
  // Adds scratch_ to the past of the thread's present region, and to those of all it reaches.
  void hand_on(std::uint32_t t) {
    join_rows(growing(t), scratch_.data(), width_);
    for (std::uint32_t u = 1; u <= sizes_.threads; ++u) {
      if (u != t && threads_[u].is_inside && growing(u)[t] == threads_[t].region) {
        join_rows(growing(u), growing(t), width_);
      }
    }
  }
  // Adds scratch_ to the past of a thread that is in no region. Rows are shared, so this makes a new one.
  void extend_past(std::uint32_t t) {
    Thread& me = threads_[t];
    const std::uint32_t* known = rows_.row(me.past);
    if (std::equal(scratch_.begin(), scratch_.end(), known, [](std::uint32_t a, std::uint32_t b) { return a <= b; }))
      return;
    const std::uint32_t row = rows_.allocate();
    std::copy_n(scratch_.data(), width_, rows_.row(row));
    if (me.past != 0) {
      renew(me.past);
      join_rows(rows_.row(row), rows_.row(me.past), width_);
      rows_.drop(me.past);
    }
    me.past = row;
  }

  // Puts in the place of each region that has ended what reached it. The set that a row stands for stays the same, so
  // it does not matter who else refers to it. What reached a region ended later than it, so this comes to an end.
  void renew(std::uint32_t row) {
    for (std::uint32_t u = 1; u <= sizes_.threads; ++u) {
      const std::uint32_t region = rows_.row(row)[u];
      if (region == 0 || goes_on(u, region)) continue;
      rows_.row(row)[u] = 0;
      const std::uint32_t past = threads_[u].ended[region - 1];
      if (past == 0) continue;
      join_rows(rows_.row(row), rows_.row(past), width_);
      u = 0;  // entries before this one may be new
    }
  }

  void begin_region(std::uint32_t t) {
    Thread& me = threads_[t];
    ++me.region;
    me.is_inside = true;
    std::fill_n(growing(t), width_, 0);
    if (me.past == 0) return;
    renew(me.past);
    std::copy_n(rows_.row(me.past), width_, scratch_.data());
    add_pasts_of_regions();
    std::copy_n(scratch_.data(), width_, growing(t));
  }
  void end_region(std::uint32_t t) {
    Thread& me = threads_[t];
    me.is_inside = false;
    rows_.drop(me.past);
    me.past = 0;
    bool is_empty = true;
    for (std::uint32_t u = 1; u <= sizes_.threads; ++u) {
      if (!goes_on(u, growing(t)[u])) growing(t)[u] = 0;
      is_empty = is_empty && growing(t)[u] == 0;
    }
    if (!is_empty) {
      me.past = rows_.allocate();
      std::copy_n(growing(t), width_, rows_.row(me.past));
      rows_.keep(me.past);  // once for the thread, once for the region
    }
    me.ended.push_back(me.past);
  }

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = rows_.memory_bytes() + (growing_.capacity() + scratch_.capacity()) * sizeof(std::uint32_t);
    for (const Thread& thread : threads_) bytes += sizeof(Thread) + thread.ended.capacity() * sizeof(std::uint32_t);
    for (const auto* places : {&variables_, &volatiles_, &locks_, &permits_}) {
      for (const Place& place : *places) bytes += sizeof(Place) + place.readers.capacity() * sizeof(Origin);
    }
    return bytes;
  }

  const trace::Trace& trace_;
  const TraceSizes sizes_;
  AnalysisResult result_;
  ClockPool rows_;
  const std::uint32_t width_;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t>
      growing_;  // by thread: the past of its region, while that goes on; old entries mean nothing
  std::vector<std::uint32_t> scratch_;
  std::vector<Place> variables_;
  std::vector<Place> volatiles_;
  std::vector<Place> locks_;
  std::vector<Place> permits_;
};

}  // namespace

AnalysisResult atomicity(const trace::Trace& trace, const AnalysisOptions&) { return AtomicityRun(trace).run(); }

}  // namespace deadheat::predict
