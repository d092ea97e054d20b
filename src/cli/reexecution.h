// SPDX-License-Identifier: Apache-2.0
//
// The executions of `deadheat predict`: the program once for each finding that has a schedule, some side by side, each
// in a folder of its own below the run's (tries/ID); and again for another place of the run (tries/ID.2) where the
// finding did not show. What came of it goes into the report; what was created leaves a clip.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/child_pool.h"
#include "cli/schedule_launch.h"
#include "predict/findings.h"
#include "report/prediction.h"
#include "schedule/event_script.h"

namespace deadheat::cli {

// A schedule as the agent carries it out, with the names of its sites: without what a thread did where no switch is
// offered (trace::kUnscheduled). Needs a schedule.
struct NamedScript {
  schedule::EventScript script;
  std::vector<std::string> sites;
  std::vector<std::size_t> accesses;  // by step of the script: which of the events it is
};
NamedScript script_of(const trace::Trace& trace, const predict::Pattern& pattern,
                      const std::vector<predict::EventNumber>& events, const predict::GeneratedSchedule& schedule);

struct ReexecutionSettings {
  std::vector<std::string> command;
  std::filesystem::path run_folder;
  std::filesystem::path clips;
  std::uint32_t jobs = 1;
  std::uint32_t time_limit = 60;
  std::uint64_t seed = 1;
  std::int64_t clock = 0;  // as in the recorded run
  std::size_t most = 100;  // executions
  std::vector<std::string> include;
  std::vector<std::string> exclude;
};

// predictions[i] is the finding i; their results are filled in. `told` is called when a finding is done with, `done`
// being the executions so far. An interruption leaves the rest as not tried.
Status reexecute(const ReexecutionSettings& settings, ChildPool& pool, const trace::Trace& trace,
                 const std::vector<predict::Finding>& findings, std::vector<report::Prediction>& predictions,
                 const std::function<void(std::size_t done, const report::Prediction&)>& told);

}  // namespace deadheat::cli
