// SPDX-License-Identifier: Apache-2.0
//
// What all ways of playing a clip share: the clip, the command to play it with, the folder of the run, and whether an
// execution came to the clip's end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/clip.h"
#include "cli/options.h"
#include "cli/schedule_launch.h"
#include "schedule/decision_log.h"

namespace deadheat::cli {

struct ReplayStage {
  Clip clip;
  schedule::DecisionLog log;         // the clip's decisions
  std::vector<std::string> command;  // the clip's, or the one given
  std::filesystem::path folder;      // of the run
  std::uint32_t time_limit = 0;      // seconds, of one execution
};

// Reads the clip of the command line and begins a run in the state folder.
Result<ReplayStage> set_stage(const Options& options);

// An execution in `folder` that follows `decisions` step by step: written there for the agent.
Result<ScheduleLaunch> replay_launch(const ReplayStage& stage, const std::vector<std::uint8_t>& decisions,
                                     const std::filesystem::path& folder);

// Runs one execution to its end, its output in `folder`. Nothing: interrupted.
Result<std::optional<Played>> play(const ReplayStage& stage, const ScheduleLaunch& launch,
                                   const std::filesystem::path& folder, ChildPool& pool);

// What is not as it was in the clip, one line each.
std::vector<std::string> changes_of_outcome(const Clip& clip, const report::Execution& run);

// The ways of their own, one file each.
Result<int> replay_until_race(const ReplayStage& stage, const Options& options);
Result<int> replay_shrunk(const ReplayStage& stage, const Options& options);

}  // namespace deadheat::cli
