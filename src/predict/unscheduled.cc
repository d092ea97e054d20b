// SPDX-License-Identifier: Apache-2.0
#include "predict/unscheduled.h"

#include <unordered_map>

#include "trace/location.h"

namespace deadheat::predict {

std::vector<bool> unscheduled_events(const trace::Trace& trace) {
  std::vector<bool> apart(trace.events.size() + 1);
  const std::uint32_t mark = trace.regions.find(trace::kUnscheduled);
  if (mark == 0) return apart;
  std::unordered_map<std::uint32_t, std::uint32_t> depths;  // by thread
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const model::Event& event = trace.events[i];
    std::uint32_t& depth = depths[to_number(event.thread)];
    if (event.kind == model::EventKind::kMethodEnter && event.object == mark) ++depth;
    if (event.kind == model::EventKind::kMethodExit && event.object == mark && depth != 0) --depth;
    apart[i + 1] = depth != 0;
  }
  return apart;
}

}  // namespace deadheat::predict
