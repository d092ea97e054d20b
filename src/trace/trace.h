// SPDX-License-Identifier: Apache-2.0
//
// A recorded run in memory: what every reader makes and every analysis takes. Plain data.
//
// Threads, variables, synchronisation objects and sites are numbered densely from 1 (model/ids.h), each in a space of
// its own, so that an analysis may use vectors of the sizes that the tables of names have. The order of the events
// agrees with every thread's program order and with the real order of every two events that conflict or synchronise.
//
// A reader says nothing about whether the events make sense together; rules.h does. Threads need not be forked, begun
// or ended in the trace: the public text format knows no begin and end of a thread, and who joins a thread says that it
// has ended.
#pragma once

#include <vector>

#include "model/event.h"
#include "trace/names.h"

namespace deadheat::trace {

struct Trace {
  std::vector<model::Event> events;
  Names threads;
  Names variables;
  Names syncs;    // locks, volatile locations, permits
  Names sites;    // as written in the trace: "12", "Account.java:12"
  Names regions;  // atomic regions and methods that have a name
};

}  // namespace deadheat::trace
