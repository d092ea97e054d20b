// SPDX-License-Identifier: Apache-2.0
//
// From a recorded survey to the aims with a stop (schedule/aim.h) that may bring a pair together: what `deadheat
// confirm` tries last.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/line_pairs.h"
#include "schedule/aim.h"

namespace deadheat::cli {

// The aims as texts, the likeliest first. `seen`: the survey that the trace was recorded in. Fails for a trace that
// cannot be read or is too long to be looked at.
Result<std::vector<std::string>> stop_aims(const std::filesystem::path& trace_file, const SitePair& pair,
                                           const schedule::SeenIn& seen);

// The sites that an execution with this aim has to be told: the pair, and between its two that of a stop.
std::vector<std::string> sites_for(const SitePair& pair, std::string_view aim);

}  // namespace deadheat::cli
