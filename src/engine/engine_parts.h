// SPDX-License-Identifier: Apache-2.0
//
// What the engine's own files share. Not for front ends: they use engine.h, access.h and sync.h.
#pragma once

#include "engine/engine.h"
#include "engine/joined_clocks.h"
#include "engine/read_sets.h"
#include "engine/thread_table.h"

namespace deadheat::engine {

struct EngineParts {
  explicit EngineParts(const EngineOptions& options)
      : threads(options, this), read_sets(options.read_set_bytes, threads) {}

  ThreadTable threads;
  JoinedClocks joined_clocks;
  ReadSets read_sets;
};

}  // namespace deadheat::engine
