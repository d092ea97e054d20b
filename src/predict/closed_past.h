// SPDX-License-Identifier: Apache-2.0
//
// The least set of events that has the pasts of two accesses and is closed as sync-preserving prediction wants it
// (docs/prediction.md). Taken in the order of the trace it is a schedule after which both are next, and no read of it
// sees another value: the gentlest schedule that shows a race.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "predict/held_sections.h"
#include "predict/links.h"

namespace deadheat::predict {

// It also answers a simpler question, with a certain no: can the two be next at all? What both pasts need has to be
// there, a section of another thread that has begun must end before one that is still open at the access can begin, and
// there must be an unpark, whichever, for each park that took a permit.
class ClosedPast {
 public:
  // The first events of the trace, which are there in any case: by thread, its last one, and how many it has.
  struct Start {
    std::vector<EventNumber> end;
    std::vector<std::size_t> count;
  };

  // Both must outlive this. `threads`: by thread, its events.
  ClosedPast(const trace::Trace& trace, const TraceLinks& links, const std::vector<std::vector<EventNumber>>& threads);

  // In the order of the trace: as many of its first events, and some behind them.
  struct Past {
    EventNumber prefix = 0;
    std::vector<EventNumber> events;
  };
  // Nothing: one of the two would be inside. That mostly shows within the last `near` events before them, so these are
  // looked at first; the answer does not depend on it.
  std::optional<Past> of(EventNumber a, EventNumber b, EventNumber near = 20'000) const;
  // No correct reordering that begins with `start` has both next. False: it may or may not.
  bool is_ruled_out(EventNumber a, EventNumber b, const Start& start) const;
  // The events before this one.
  Start everything_before(EventNumber event) const;
  std::uint64_t memory_bytes() const { return held_.memory_bytes(); }

 private:
  class Closing;
  // Those of one thread about one permit.
  struct PermitEvents {
    std::uint32_t thread = 0;
    std::vector<EventNumber> unparks;
    std::vector<EventNumber> parks;  // that took it
  };
  void add_permit_event(const model::Event& e, EventNumber i);
  // `looks_ahead`: where several unparks would do, see which of them can be had.
  bool is_stuck(Closing& closing, EventNumber a, EventNumber b, bool looks_ahead) const;
  enum class Step : std::uint8_t { kNone, kGrown, kStuck };
  // Adds an unpark if it is the only one left for a park that lacks its permit.
  Step add_permits(Closing& closing, EventNumber a, EventNumber b, bool looks_ahead) const;

  const trace::Trace& trace_;
  const TraceLinks& links_;
  const std::vector<std::vector<EventNumber>>& threads_;
  HeldSections held_;
  std::unordered_map<std::uint64_t, std::vector<PermitEvents>> permits_;
};

}  // namespace deadheat::predict
