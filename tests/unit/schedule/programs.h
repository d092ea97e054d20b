// SPDX-License-Identifier: Apache-2.0
//
// Simulated programs of the kinds real ones are made of. Each returns what it computed, so that runs can be compared.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/schedule/simulation.h"

namespace deadheat::schedule {

struct SampleProgram {
  const char* name;
  std::string (*run)(Strategy& strategy, const SchedulerOptions& options, DecisionLog& log);
};

// Monitors, condition loops, a bounded queue, timed waits, a thread pool with a parked worker per task, an atomic
// spin lock built from park and unpark, fork-join.
const std::vector<SampleProgram>& sample_programs();

}  // namespace deadheat::schedule
