// SPDX-License-Identifier: Apache-2.0
//
// Two slow, obvious detectors to compare with. Both give, for each event of the trace, whether it is an access in a
// race with an earlier one.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/unit/engine/random_traces.h"

namespace deadheat::engine {

// Which orders count: see EdgeRules in engine/event_sync.h.
enum class Order { kHappensBefore, kHybrid };

// Happens-before by its definition: a graph over the events, and for each event the set of those that reach it.
class GraphOracle {
 public:
  static constexpr std::size_t kMaxEvents = 64;
  GraphOracle(const Trace& trace, Order order);

  bool is_ordered(std::size_t earlier, std::size_t later) const { return before_[later] >> earlier & 1; }
  bool is_race(std::size_t earlier, std::size_t later) const;
  bool is_racy(std::size_t event) const;

 private:
  const Trace& trace_;
  std::vector<std::uint64_t> before_;
};

// DJIT+ (Pozniansky and Schuster) without any of its shortcuts: a vector clock per thread, lock, volatile and, for
// reads and for writes, per variable. For traces of any length.
std::vector<bool> djit_racy_events(const Trace& trace);

}  // namespace deadheat::engine
