// SPDX-License-Identifier: Apache-2.0
//
// Random well-formed traces, the check that a trace is well-formed (for shrinking), and their printed form. The site of
// every access is its index + 1, so that a reported pair names two events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/event.h"

namespace deadheat::engine {

using Trace = std::vector<model::Event>;

struct TraceShape {
  std::uint32_t events = 40;
  std::uint32_t threads = 4;  // over the whole trace
  std::uint32_t variables = 2;
  std::uint32_t locks = 2;
  std::uint32_t volatiles = 1;  // 0: no volatile events
  bool lone_threads = true;     // threads that nobody forked
  bool wait_and_park = true;
  bool shared_locks = false;  // locks are read-write locks
  std::uint32_t access_weight = 6;
};

Trace random_trace(Random& random, const TraceShape& shape);
bool is_well_formed(const Trace& trace);
std::string to_text(const Trace& trace);

// The smallest trace found by leaving out events that still fails. Sites are renumbered.
Trace shrink(Trace trace, const std::function<bool(const Trace&)>& fails);

}  // namespace deadheat::engine
