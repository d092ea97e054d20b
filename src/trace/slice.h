// SPDX-License-Identifier: Apache-2.0
//
// A part of a trace that is a trace itself: it keeps the rules (rules.h) if the whole did, and two of its events are
// ordered by happens-before iff they were in the whole, because whatever orders two events lies between them and all
// synchronisation is kept. So a slice leaves out plain accesses (of other threads, to other variables) and what lies
// outside a range of events.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "trace/trace.h"

namespace deadheat::trace {

struct SliceRequest {
  std::uint64_t first = 1;  // event numbers, from 1
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint32_t> threads;    // keep accesses of these; empty: of all
  std::vector<std::uint32_t> variables;  // keep accesses to these; empty: to all
};

struct Sliced {
  Trace trace;                       // with the names that occur in it only
  std::uint64_t carried = 0;         // events from before the range: locks held, waits and regions open at its begin
  std::uint64_t joins_left_out = 0;  // of threads that have no event and no fork in the slice
};

Sliced slice(const Trace& trace, const SliceRequest& request);

}  // namespace deadheat::trace
