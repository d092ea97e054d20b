// SPDX-License-Identifier: Apache-2.0
//
// Where a thread of a recorded run could be stopped so that it comes to an access that it does not come to by itself,
// or not with that variable. Two accesses of a race may need that: the one thread stands between two accesses of its
// own, the other changes what it has read, or is still to read, and comes to its access; only then the first goes on to
// the other access. Holding threads at the two accesses alone never makes them meet (a walk over a tree while a
// rotation is under way).
//
// What is found is a hint, not a promise: the run as far as the stop is the recorded one, what comes behind it is for
// an execution to show. Deterministic and pure.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/analysis.h"

namespace deadheat::predict {

// By site of the trace (model::SiteId): whether it is the one, or the other, of the two in question.
struct PairSites {
  std::vector<bool> first;
  std::vector<bool> second;
};

struct Stop {
  EventNumber before = 0;         // where the one thread stops: an access, or the acquire of the lock around it
  std::uint32_t visit = 0;        // how many events the thread has made at that site then, with this one
  EventNumber until = 0;          // an access at one of the two sites, to which the other thread comes meanwhile
  std::uint32_t until_visit = 0;  // how many accesses that thread has made at the two sites then, with this one
  bool operator==(const Stop&) const = default;
};

struct StopLimits {
  std::size_t stops = 6;
  std::size_t unlikely = 2;           // of them: of a thread that never comes to the other site in this run
  std::size_t untils = 4;             // of one thread, at one site: the first access of each variable
  std::size_t of_two_threads = 8;     // with one `until`
  std::uint64_t steps = 100'000'000;  // events looked at
};

// The likeliest first: those of a thread that comes to the other site in this run too, behind the stop, best of all
// with the same variable; for each two threads and `until` in turn, the latest one first. Only stops that make a
// difference: another thread accesses the same variable between `before` and `until`, one of the two writes it.
std::vector<Stop> find_stops(const trace::Trace& trace, const PairSites& sites, const StopLimits& limits = {});

}  // namespace deadheat::predict
