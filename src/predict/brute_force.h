// SPDX-License-Identifier: Apache-2.0
//
// The definition, executed: every correct reordering of every part of a trace (docs/prediction.md), and the races that
// one of them shows. The oracle of all other analyses, for traces of a dozen events or two.
#pragma once

#include <set>

#include "predict/analysis.h"
#include "predict/pattern.h"
#include "predict/world.h"

namespace deadheat::predict {

struct BruteForceResult {
  std::set<EventPair> races;
  bool deadlock = false;  // threads can wait for each other's locks in a circle
  std::uint64_t states = 0;
};

BruteForceResult brute_force(const trace::Trace& trace);

// Whether some reordering shows the pattern with these events: takes them in the order of the pattern, or, for an
// adjacent one, has both next. With kept values a read of the pattern may see another one only as the last event of its
// thread.
bool can_show(const trace::Trace& trace, const Pattern& pattern, std::span<const EventNumber> events, Values values);

}  // namespace deadheat::predict
