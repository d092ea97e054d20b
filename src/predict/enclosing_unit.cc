// SPDX-License-Identifier: Apache-2.0
#include "predict/enclosing_unit.h"

#include <algorithm>
#include <map>

#include "predict/links.h"
#include "predict/trace_sizes.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

EventNumber enclosing_unit(const trace::Trace& trace, EventNumber number) {
  constexpr EventNumber kReach = 20'000;
  const model::ThreadId thread = trace.events[number - 1].thread;
  const EventNumber last = number > kReach ? number - kReach : 1;
  std::uint32_t regions_left = 0;
  std::map<std::uint64_t, std::uint32_t> released;  // by lock: since the place that is looked at
  EventNumber acquired = 0;
  for (EventNumber at = number - 1; at >= last; --at) {
    const Event& event = trace.events[at - 1];
    if (event.thread != thread) continue;
    if (event.kind == EventKind::kRegionExit) ++regions_left;
    if (event.kind == EventKind::kRegionEnter && regions_left-- == 0) return at;
    if (is_release(event)) ++released[event.object];
    if (is_acquire(event) && acquired == 0) {
      const auto later = released.find(event.object);
      if (later == released.end() || later->second == 0) {
        acquired = at;
      } else {
        --later->second;
      }
    }
  }
  return acquired;
}

}  // namespace deadheat::predict
