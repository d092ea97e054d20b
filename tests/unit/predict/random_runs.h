// SPDX-License-Identifier: Apache-2.0
//
// Random well-formed traces for the analyses, and their printed form for a failing test.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.h"
#include "trace/trace.h"

namespace deadheat::predict {

struct RunShape {
  std::uint32_t events = 12;
  std::uint32_t threads = 3;
  std::uint32_t variables = 2;
  std::uint32_t locks = 2;
  bool nested = false;     // locks are released in the reverse order of acquisition
  bool fork_join = false;  // threads begin by a fork, and may be joined; some have no events
  bool volatiles = false;  // of every mode
  bool shared_locks = false;
  bool waits = false;
  bool parks = false;
  bool regions = false;
  std::uint32_t access_weight = 5;
  std::uint32_t lock_weight = 2;
};

// Threads 2–4, locks nested and not, and each further kind of event in some of the shapes.
RunShape random_shape(Random& random, std::uint32_t max_events);
trace::Trace random_run(Random& random, const RunShape& shape);
std::string to_text(const trace::Trace& trace);

}  // namespace deadheat::predict
