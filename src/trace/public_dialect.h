// SPDX-License-Identifier: Apache-2.0
//
// A trace in the words of the public dialect (docs/trace-format.md), which knows neither volatile accesses nor waiting,
// permits, read-write locks or methods, and wants numbers for locations. What it has no word for is lowered to what it
// has, and each lowering is told: nothing is dropped in silence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace deadheat::trace {

struct Lowering {
  std::uint64_t count;
  std::string what;  // "volatile accesses"
  std::string how;   // what was made of them, and what of their meaning is lost
};

struct Lowered {
  Trace trace;
  std::vector<Lowering> lowerings;          // empty: the trace was public already
  std::vector<std::string> location_names;  // by number - 1; empty: all locations were numbers, and are as they were
};

// The trace must keep the rules (rules.h).
Lowered lower_to_public(Trace trace);

}  // namespace deadheat::trace
