// SPDX-License-Identifier: Apache-2.0
//
// The partial-and-temporal-order graph of a trace (PECAN, ISSTA 2011, sections 4 and 5.1), compactly: its partial order
// is kept as one clock for each stretch of a thread between two thread-communication events (fork, join, wait, notify,
// volatile accesses, park and unpark), and answers for any two events on demand. Its temporal order is the trace.
//
// Beside it the indices of the pattern search: accesses by variable, and *units of work*. A unit is an outermost atomic
// region, cut where threads wait for or wake each other (unit_ends.h); an access outside of regions is a unit of its
// own. Units of one thread and stretch with the same accesses and lock operations at the same sites stand for each
// other: the first is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/clock_pool.h"
#include "predict/links.h"

namespace deadheat::predict {

struct PtgOptions {
  bool sections_are_regions = true;  // a synchronized block is meant to be atomic
};

class Ptg {
 public:
  // The trace must outlive the graph.
  explicit Ptg(const trace::Trace& trace, const PtgOptions& options = {});

  struct Access {
    EventNumber event = 0;
    std::uint32_t variable = 0;
    std::uint32_t site = 0;
    std::uint32_t unit = 0;
    std::uint32_t thread = 0;
    bool is_write = false;
  };

  const trace::Trace& trace() const { return trace_; }
  const TraceLinks& links() const { return links_; }
  const model::Event& event(EventNumber number) const { return trace_.events[number - 1]; }

  // Whether a comes before b in every reordering.
  bool is_before(EventNumber a, EventNumber b) const {
    const std::uint32_t thread = to_number(event(a).thread);
    if (event(b).thread == event(a).thread) return a < b;
    return a <= clocks_.pool_row(stretch_[b])[thread];
  }
  // Whether the locks held right after a (for an access: at it) keep its thread from being there while another is right
  // after b.
  bool excludes(EventNumber a, EventNumber b) const;
  // The acquire of the outermost lock held at the event; 0: none is.
  EventNumber outermost_acquire(EventNumber number) const { return outermost_[number]; }

  std::span<const Access> accesses() const { return accesses_; }
  // Indices into accesses(); those that differ in site and thread come first.
  std::span<const std::uint32_t> of_variable(std::uint32_t variable) const { return by_variable_[variable]; }
  // The same ones, by thread, reads first; those of one thread and kind in the order of the trace. For shared variables
  // only.
  std::span<const std::uint32_t> of_variable_by_thread(std::uint32_t variable) const { return by_thread_[variable]; }
  // The accesses of a unit, in the order of the trace.
  std::span<const Access> of_unit(std::uint32_t unit) const {
    return {accesses_.data() + units_[unit], accesses_.data() + units_[unit + 1]};
  }
  // Those of shared variables, by variable; indices into accesses().
  std::span<const std::uint32_t> shared_of_unit(std::uint32_t unit) const;
  // Those of one variable; indices into accesses().
  std::span<const std::uint32_t> of_unit(std::uint32_t unit, std::uint32_t variable) const;
  // Two threads access it.
  bool is_shared(std::uint32_t variable) const { return is_shared_[variable]; }
  // Events of a thread at which its locks or its stretch change.
  std::span<const EventNumber> sync_events(std::uint32_t thread) const { return sync_events_[thread]; }

 private:
  class Builder;
  struct Held {
    std::uint32_t lock = 0;
    bool shared = false;
    bool operator==(const Held&) const = default;
    bool operator<(const Held& other) const { return lock != other.lock ? lock < other.lock : shared < other.shared; }
  };
  using Lockset = std::vector<Held>;  // ascending

  std::span<const std::uint32_t> by_variable_in(std::uint32_t unit) const {
    return {unit_by_variable_.data() + units_[unit], unit_by_variable_.data() + units_[unit + 1]};
  }

  const trace::Trace& trace_;
  const TraceLinks links_;
  ThreadClocks clocks_;
  std::vector<std::uint32_t> stretch_;  // by event: a row of clocks_
  std::vector<std::uint32_t> lockset_;  // by event: held right after it
  std::vector<EventNumber> outermost_;  // by event
  std::vector<Lockset> locksets_;
  std::vector<Access> accesses_;
  std::vector<std::uint32_t> units_;  // by unit: where its accesses begin; one more at the end
  std::vector<std::vector<std::uint32_t>> by_variable_;
  std::vector<std::vector<std::uint32_t>> by_thread_;
  // Indices into accesses_, those of a unit in its place: shared variables first, then by variable.
  std::vector<std::uint32_t> unit_by_variable_;
  std::vector<bool> is_shared_;
  std::vector<std::vector<EventNumber>> sync_events_;
};

}  // namespace deadheat::predict
