// SPDX-License-Identifier: Apache-2.0
//
// The first phase of `deadheat confirm` when no race is known: the command is run with the hybrid detector, which
// collects the pairs worth trying. What it suspects depends on the run, so one that suspects nothing is followed by
// another, up to kMostSearches.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "cli/child_pool.h"
#include "cli/options.h"
#include "cli/run_place.h"

namespace deadheat::cli {

// Of 10 runs of a racy program one may suspect something; more of them are the user's to ask for.
inline constexpr std::uint32_t kMostSearches = 3;

enum class SearchEnd : std::uint8_t { kFound, kNothing, kInterrupted };

// Leaves what was found in the database, and tells what was not and what can be done then. Fails when a run neither
// suspected anything nor ended as it should: its silence says nothing about races.
Result<SearchEnd> search_candidates(const Options& options, RunPlace& place, ChildPool& pool);

}  // namespace deadheat::cli
