// SPDX-License-Identifier: Apache-2.0
//
// A trace in which critical sections are atomic regions too, as PECAN and most atomicity checkers take synchronized
// blocks: what is between the outermost acquire or region enter of a thread and its end is one region.
#pragma once

#include <vector>

#include "predict/analysis.h"

namespace deadheat::predict {

struct WithSectionRegions {
  trace::Trace trace;                 // the events alone; names stay in the original
  std::vector<EventNumber> original;  // by event of `trace`, from index 1: the event that it is, or that brought it
};

WithSectionRegions with_section_regions(const trace::Trace& trace);

}  // namespace deadheat::predict
