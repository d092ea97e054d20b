// SPDX-License-Identifier: Apache-2.0
//
// Where races go. The engine hands out pairs of accesses as numbers; naming, stacks and dedupe are the receiver's work.
#pragma once

#include <cstdint>

#include "engine/access.h"
#include "model/ids.h"

namespace deadheat::engine {

struct AccessRecord {
  model::ThreadId thread{};  // ThreadId{}: too long ago to say
  std::uint32_t clock = 0;
  model::SiteId site{};
  bool is_write = false;
};

// The front end's own name of a variable (an object and an offset, say); opaque here.
struct VariableHandle {
  std::uint64_t base = 0;
  std::uint64_t part = 0;
};

struct RaceReport {
  VariableHandle variable;
  AccessRecord current;
  AccessRecord previous;
};

// Called on the accessing thread, inside its access. A function and its context rather than an interface: no RTTI, no
// vtable.
struct RaceSink {
  void (*receive)(void* context, const RaceReport& report) = nullptr;
  void* context = nullptr;
};

// Sends the first `count` of ts.conflicts to the sink. Cold; inline the test count > 0 before it.
void report_conflicts(const ThreadState& ts, std::uint32_t count, const VariableHandle& variable, model::SiteId site,
                      bool is_write, const RaceSink& sink);

}  // namespace deadheat::engine
