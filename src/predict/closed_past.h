// SPDX-License-Identifier: Apache-2.0
//
// The least set of events that has the pasts of two accesses and is closed as sync-preserving prediction wants it
// (docs/prediction.md). Taken in the order of the trace it is a schedule after which both are next, and no read of it
// sees another value: the gentlest schedule that shows a race.
#pragma once

#include <optional>
#include <vector>

#include "predict/held_sections.h"
#include "predict/links.h"

namespace deadheat::predict {

class ClosedPast {
 public:
  // Both must outlive this. `threads`: by thread, its events.
  ClosedPast(const trace::Trace& trace, const TraceLinks& links, const std::vector<std::vector<EventNumber>>& threads);

  // In the order of the trace; nothing: one of the two would be inside.
  std::optional<std::vector<EventNumber>> of(EventNumber a, EventNumber b) const;

 private:
  class Closing;
  const trace::Trace& trace_;
  const TraceLinks& links_;
  const std::vector<std::vector<EventNumber>>& threads_;
  HeldSections held_;
};

}  // namespace deadheat::predict
