// SPDX-License-Identifier: Apache-2.0
//
// hb: happens-before of the run as it went (docs/engine.md has the edges).
// shb: schedulable happens-before (Mathur, Kini, Viswanathan, OOPSLA 2018): happens-before, and the write that a read
// saw comes before the read. An access is checked against what its thread knew *before* it, so the edge of a read's own
// source does not hide the race with it (their theorem 3.3).
#include <utility>

#include "base/check.h"
#include "predict/access_log.h"
#include "predict/clock_pool.h"
#include "predict/last_accesses.h"
#include "predict/race_analyses.h"
#include "predict/trace_sizes.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

enum class Order { kHappensBefore, kSchedulable };

template <Order kOrder>
class HappensBeforeRun {
 public:
  HappensBeforeRun(const trace::Trace& trace, const AnalysisOptions& options)
      : trace_(trace),
        sizes_(sizes_of(trace)),
        wants_pairs_(options.pairs),
        pairs_(result_, options),
        clocks_(sizes_.threads),
        last_(sizes_.variables, sizes_.threads),
        log_(sizes_, wants_pairs_),
        sources_(kOrder == Order::kSchedulable ? sizes_.variables + 1 : 0),
        locks_(sizes_.syncs + 1),
        readers_(sizes_.syncs + 1),
        volatiles_(sizes_.syncs + 1),
        permits_(sizes_.syncs + 1) {}

  AnalysisResult run() {
    for (EventNumber i = 1; i <= sizes_.events; ++i) {
      const Event& e = trace_.events[i - 1];
      const std::uint32_t t = to_number(e.thread);
      if (e.kind == EventKind::kRead) {
        on_read(e, t, i);
      } else if (e.kind == EventKind::kWrite) {
        on_write(e, t, i);
      } else {
        clocks_.step(t, i);
        on_sync(e, t);
      }
    }
    pairs_.finish();
    result_.memory_bytes = memory_bytes();
    return std::move(result_);
  }

 private:
  void on_read(const Event& e, std::uint32_t t, EventNumber i) {
    const std::uint32_t* clock = clocks_.of(t);
    if (last_.is_racy_read(e.object, clock)) report(e, i, clock);
    clocks_.step(t, i);
    if constexpr (kOrder == Order::kSchedulable) clocks_.join(t, sources_[e.object]);
    last_.add_read(e.object, t, i, clock);
    if (wants_pairs_) log_.add(e, i);
  }
  void on_write(const Event& e, std::uint32_t t, EventNumber i) {
    const std::uint32_t* clock = clocks_.of(t);
    if (last_.is_racy_write(e.object, clock)) report(e, i, clock);
    clocks_.step(t, i);
    last_.add_write(e.object, t, i, clock);
    if constexpr (kOrder == Order::kSchedulable) clocks_.replace(sources_[e.object], clocks_.stamp(t));
    if (wants_pairs_) log_.add(e, i);
  }
  DH_NOINLINE void report(const Event& e, EventNumber i, const std::uint32_t* clock) {
    result_.racy.push_back(i);
    if (wants_pairs_) log_.collect(e, i, clock, pairs_);
  }

  void on_sync(const Event& e, std::uint32_t t) {
    switch (e.kind) {
      case EventKind::kAcquire:
      case EventKind::kWaitEnd:
        clocks_.join(t, locks_[e.object]);
        readers_[e.object].receive(clocks_, t);
        return;
      case EventKind::kAcquireShared:
        clocks_.join(t, locks_[e.object]);
        return;
      case EventKind::kRelease:
      case EventKind::kWaitBegin:
        clocks_.replace(locks_[e.object], clocks_.stamp(t));
        return;
      case EventKind::kReleaseShared:
        return readers_[e.object].publish(clocks_, t);
      case EventKind::kVolatileRead:
      case EventKind::kVolatileWrite:
      case EventKind::kVolatileUpdate:
        return on_volatile(e, t);
      case EventKind::kFork:
        return clocks_.join_thread(static_cast<std::uint32_t>(e.object), t);
      case EventKind::kJoin:
        return clocks_.join_thread(t, static_cast<std::uint32_t>(e.object));
      case EventKind::kPark:
        return permits_[e.object].receive(clocks_, t);
      case EventKind::kUnpark:
        return permits_[e.object].publish(clocks_, t);
      default:
        return;  // a notify orders through its monitor; regions and methods order nothing
    }
  }
  void on_volatile(const Event& e, std::uint32_t t) {
    // Weak modes order nothing, but a read must still see the value it saw.
    if (kOrder == Order::kHappensBefore && e.mode < model::AccessMode::kAcquireRelease) return;
    if (e.kind != EventKind::kVolatileWrite) volatiles_[e.object].receive(clocks_, t);
    if (e.kind != EventKind::kVolatileRead) volatiles_[e.object].publish(clocks_, t);
  }

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = clocks_.memory_bytes() + last_.memory_bytes() + log_.memory_bytes() +
                          (sources_.capacity() + locks_.capacity()) * sizeof(Stamp) +
                          result_.racy.capacity() * sizeof(EventNumber) + result_.pairs.capacity() * sizeof(EventPair);
    for (const auto* sets : {&readers_, &volatiles_, &permits_}) {
      bytes += sets->capacity() * sizeof(StampSet);
      for (const StampSet& set : *sets) bytes += set.memory_bytes();
    }
    return bytes;
  }

  const trace::Trace& trace_;
  const TraceSizes sizes_;
  AnalysisResult result_;
  const bool wants_pairs_;
  PairCollector pairs_;
  ThreadClocks clocks_;
  LastAccesses last_;
  AccessLog log_;
  std::vector<Stamp> sources_;  // by variable: its last write
  std::vector<Stamp> locks_;    // by lock: its last exclusive release
  std::vector<StampSet> readers_;
  std::vector<StampSet> volatiles_;
  std::vector<StampSet> permits_;
};

}  // namespace

AnalysisResult happens_before(const trace::Trace& trace, const AnalysisOptions& options) {
  return HappensBeforeRun<Order::kHappensBefore>(trace, options).run();
}

AnalysisResult schedulable_happens_before(const trace::Trace& trace, const AnalysisOptions& options) {
  return HappensBeforeRun<Order::kSchedulable>(trace, options).run();
}

}  // namespace deadheat::predict
