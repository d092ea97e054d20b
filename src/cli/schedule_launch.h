// SPDX-License-Identifier: Apache-2.0
//
// How a command is run under the controlled scheduler, and what came of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/agent_command.h"
#include "cli/child_pool.h"
#include "cli/output_match.h"
#include "report/verdict.h"

namespace deadheat::cli {

struct ScheduleLaunch {
  std::string strategy;  // the agent's name for it
  std::uint64_t seed = 1;
  std::vector<std::string> sites;  // the pair; between its two, that of an aim's stop
  std::string first = "coin";
  std::string aim;               // strategy race: whom to hold, as the agent's option; empty: whoever comes by
  std::uint64_t lead = 0;        // the seed up to the first meeting; 0: seed
  std::filesystem::path replay;  // strategy replay: the decisions; guided: the plan
  bool until_race = false;       // strategy replay: everybody is held at the first meeting
  std::int64_t clock = 0;        // milliseconds since 1970
  std::uint32_t time_limit = 0;  // seconds
  bool agents_apart = true;      // false: for the decisions of clips that were made so
  bool trace = false;            // record every operation
  bool decisions = true;         // keep what was decided, for a clip
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> atomic;  // trace: methods that are meant to be atomic
  bool atomic_public = false;
  std::vector<std::string> methods;  // trace: methods whose begin and end are told
};

// The agent's option text.
std::string schedule_option_text(const std::filesystem::path& folder, const ScheduleLaunch& launch);

// The command with the agent in it. Fails when there is no agent.
Result<LaunchPlan> plan_with_agent(const std::vector<std::string>& command, const std::string& option_text);

// The agent ends the process itself when its time is over; this is for one that cannot.
std::chrono::seconds hard_limit(std::uint32_t time_limit);

// Starts the command under control, with its output and records in `folder`, which there is.
Status start_controlled(ChildPool& pool, std::size_t id, const std::vector<std::string>& command,
                        const std::filesystem::path& folder, const ScheduleLaunch& launch);

// What is in a file that an execution has left; nothing if it has not.
std::string file_text(const std::filesystem::path& file);

// Makes the folder of an execution.
Status make_folder(const std::filesystem::path& folder);

// Where the output of an execution in this folder goes.
Redirection output_files(const std::filesystem::path& folder);

struct Played {
  report::Execution execution;
  std::filesystem::path decisions;  // of the JVM the outcome is of; empty: it left none
  std::string jvm;                  // name and version of that JVM
  std::size_t jvms = 0;
};

// Reads what an execution left in its folder.
Result<Played> read_execution(const std::filesystem::path& folder, const ChildPool::Ended& ended,
                              const ScheduleLaunch& launch, const OutputMatch& fail_on);

}  // namespace deadheat::cli
