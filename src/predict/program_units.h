// SPDX-License-Identifier: Apache-2.0
//
// What a run must have done one after the other to be serialisable, for whoever wrote the program: its atomic regions
// and the outermost critical sections of its own code, cut where threads wait for or wake each other (unit_ends.h),
// with the accesses that can conflict. Left out, so that whatever still makes a cycle is one of data:
// - the order of locks, threads and permits, which alone breaks nothing;
// - what the JDK does to be thread-safe: its own sections, its volatile and atomic accesses, the fields of
//   java.util.concurrent and java.lang;
// - what the recorder adds to say that an order stays (trace::is_order_mark).
#pragma once

#include <vector>

#include "predict/analysis.h"

namespace deadheat::predict {

struct ProgramUnits {
  trace::Trace trace;                 // the events alone, units as regions; names stay in the original
  std::vector<EventNumber> original;  // by event of `trace`, from index 1: the event that it is, or that brought it
};

ProgramUnits program_units(const trace::Trace& trace);

}  // namespace deadheat::predict
