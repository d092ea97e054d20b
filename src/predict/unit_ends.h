// SPDX-License-Identifier: Apache-2.0
//
// Where a unit of work ends and another begins although its region or critical section goes on: at forks and joins, and
// where threads wait for each other or wake each other. Nobody who waits there can mean what comes before and behind to
// be one. Conditions of the JDK's locks are such places too; a recorded trace has them as locations of their own.
#pragma once

#include <vector>

#include "trace/location.h"
#include "trace/trace.h"

namespace deadheat::predict {

// By an event of its own.
inline bool waits_or_wakes(const model::Event& e) {
  using model::EventKind;
  switch (e.kind) {
    case EventKind::kFork:
    case EventKind::kJoin:
    case EventKind::kWaitBegin:
    case EventKind::kWaitEnd:
    case EventKind::kNotify:
    case EventKind::kPark:
    case EventKind::kUnpark:
      return true;
    default:
      return false;
  }
}

class UnitEnds {
 public:
  explicit UnitEnds(const trace::Trace& trace) : is_condition_(trace.syncs.size() + std::size_t{1}) {
    for (std::uint32_t sync = 1; sync <= trace.syncs.size(); ++sync) {
      is_condition_[sync] = trace::is_condition_mark(trace.syncs.text(sync));
    }
  }

  bool at(const model::Event& e) const {
    if (waits_or_wakes(e)) return true;
    return e.kind == model::EventKind::kVolatileUpdate && e.object < is_condition_.size() && is_condition_[e.object];
  }

 private:
  std::vector<bool> is_condition_;  // by synchronisation object
};

}  // namespace deadheat::predict
