// SPDX-License-Identifier: Apache-2.0
//
// The rules of rules.h, each asked from scratch of everything that went before; and random traces by them.
#pragma once

#include <span>

#include "base/random.h"
#include "trace/trace.h"

namespace deadheat::trace {

// May this event follow those?
bool may_follow(std::span<const model::Event> before, const model::Event& event);

struct Shape {
  std::uint32_t events = 40;
  std::uint32_t threads = 4;
  std::uint32_t variables = 3;
  std::uint32_t syncs = 3;
  std::uint32_t regions = 2;
  bool only_public = false;  // operations of the public dialect only
};

// Names T1…, V1…, L1…, R1… and locations 1…; no event yet.
Trace empty_trace(const Shape& shape);
// Any event of the shape, sensible or not.
model::Event random_event(Random& random, const Shape& shape);
// A trace that keeps the rules.
Trace random_trace(Random& random, const Shape& shape);

}  // namespace deadheat::trace
