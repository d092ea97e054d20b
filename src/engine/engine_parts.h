// SPDX-License-Identifier: Apache-2.0
//
// What the engine's own files share. Not for front ends: they use engine.h, access.h and sync.h.
#pragma once

#include <memory>

#include "engine/candidates.h"
#include "engine/engine.h"
#include "engine/joined_clocks.h"
#include "engine/read_sets.h"
#include "engine/thread_table.h"

namespace deadheat::engine {

struct EngineParts {
  explicit EngineParts(const EngineOptions& options)
      : threads(options, this), read_sets(options.read_set_bytes, threads) {
    if (options.candidates)
      candidates = std::make_unique<CandidateParts>(options.candidate_records, options.candidate_accesses,
                                                    options.candidate_place);
  }

  ThreadTable threads;
  JoinedClocks joined_clocks;
  ReadSets read_sets;
  std::unique_ptr<CandidateParts> candidates;  // null unless asked for
};

}  // namespace deadheat::engine
