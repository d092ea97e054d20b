// SPDX-License-Identifier: Apache-2.0
//
// That a thread has entered or left a method that is meant to be atomic, or is to be told: kept with the thread until
// its next operation, which brings it into the trace.
#pragma once

#include <cstdint>

namespace deadheat::agent {

struct RegionMark {
  std::uint32_t site;  // in the method
  bool enter;
  bool apart;  // in class loading or an initialiser (TraceRecorder::mark_unscheduled)
};

}  // namespace deadheat::agent
