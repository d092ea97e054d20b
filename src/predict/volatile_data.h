// SPDX-License-Identifier: Apache-2.0
//
// A trace in which the program's volatile and atomic variables are data like any other. To an analysis of races they
// are synchronisation: they never race, and who reads one comes after who wrote it. But `count++` of a volatile field
// loses updates all the same, and so does `set(get() + 1)` of an AtomicInteger: for patterns of atomicity their
// accesses are steps, and the order they make is one that another schedule may change.
#pragma once

#include <optional>
#include <vector>

#include "predict/analysis.h"

namespace deadheat::predict {

struct VolatileData {
  trace::Trace trace;  // event for event the original, which has the names
  // The same for the search: no other accesses are in it. What a counter and some plain variable have to do with each
  // other nobody can tell, and there are many of both.
  trace::Trace alone;
  std::vector<bool> is_converted;  // by event, from 1
  // An atomic update, which is a write here: what it finds is not kept, so no schedule is a proof.
  bool has_updates = false;
};

// For regions that somebody has called atomic: what is volatile in a critical section is so because others look at it
// from outside. Nothing: there are none, or no such variable that two threads access and one of them writes. One with a
// compare-and-set
// is none: lock-free code begins again when it fails.
std::optional<VolatileData> volatile_data(const trace::Trace& trace);

}  // namespace deadheat::predict
