// SPDX-License-Identifier: Apache-2.0
//
// Fewer context switches, same outcome: delta debugging (Zeller and Hildebrandt, TSE 2002, ddmin) over the runs of a
// plan. Leaving out a run lets its thread make those steps in its next run, so that what was around it becomes one.
// Pure: the caller runs the program with a Guided strategy and says whether the outcome is the same.
#pragma once

#include <cstdint>
#include <functional>

#include "schedule/guided.h"

namespace deadheat::schedule {

struct Shrunk {
  Plan plan;
  std::uint64_t tries = 0;
  bool reproduced = false;  // false: the whole plan did not give the outcome either; plan is as it was
  bool minimal = false;     // no single run can be left out any more; false when max_tries came first
};

Shrunk shrink(const Plan& plan, const std::function<bool(const Plan&)>& same_outcome,
              std::uint64_t max_tries = ~std::uint64_t{0});

}  // namespace deadheat::schedule
