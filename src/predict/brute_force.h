// SPDX-License-Identifier: Apache-2.0
//
// The definition, executed: every correct reordering of every part of a trace (docs/prediction.md), and the races that
// one of them shows. The oracle of all other analyses, for traces of a dozen events or two.
#pragma once

#include <set>

#include "predict/analysis.h"
#include "predict/world.h"

namespace deadheat::predict {

struct BruteForceResult {
  std::set<EventPair> races;
  bool deadlock = false;  // threads can wait for each other's locks in a circle
  std::uint64_t states = 0;
};

BruteForceResult brute_force(const trace::Trace& trace);

}  // namespace deadheat::predict
