// SPDX-License-Identifier: Apache-2.0
#include "predict/section_regions.h"

#include "predict/trace_sizes.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

WithSectionRegions with_section_regions(const trace::Trace& trace) {
  WithSectionRegions result;
  result.original.push_back(0);
  std::vector<std::uint32_t> depths(sizes_of(trace).threads + 1);
  const auto put = [&result](const Event& event, EventNumber number) {
    result.trace.events.push_back(event);
    result.original.push_back(number);
  };
  EventNumber number = 0;
  for (const Event& e : trace.events) {
    ++number;
    std::uint32_t& depth = depths[to_number(e.thread)];
    Event boundary{.kind = EventKind::kRegionEnter, .thread = e.thread, .site = e.site};
    if (e.kind == EventKind::kRegionEnter || (is_acquire(e) && e.kind != EventKind::kWaitEnd)) {
      if (depth++ == 0) put(boundary, number);
    }
    if (e.kind != EventKind::kRegionEnter && e.kind != EventKind::kRegionExit) put(e, number);
    if (e.kind == EventKind::kRegionExit || (is_release(e) && e.kind != EventKind::kWaitBegin)) {
      boundary.kind = EventKind::kRegionExit;
      if (depth != 0 && --depth == 0) put(boundary, number);
    }
  }
  return result;
}

}  // namespace deadheat::predict
