// SPDX-License-Identifier: Apache-2.0
//
// The runs of `deadheat hunt`: one that learns relations, if none are known, then those asked for, side by side. Each
// has a folder of its own below the run's (hunt/STRATEGY-SEED), with its output and what the agent left. What a run has
// learnt goes to the database, and from there to every run that starts later.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/child_pool.h"
#include "cli/database.h"
#include "cli/options.h"
#include "report/hunt_comparison.h"
#include "report/records.h"
#include "schedule/may_trigger.h"

namespace deadheat::cli {

struct HuntJob {
  std::string strategy;  // empty: only learns; "plain": without the agent
  std::uint64_t seed = 0;
  // One of several depths that are compared: its relations are its own and end with the session. 0: Options::depth, and
  // relations are those of the database.
  std::uint32_t depth = 0;

  // What the runs of this job are called together.
  std::string label() const;
};

struct HuntedExecution {
  HuntJob job;
  std::vector<report::JvmRecords> jvms;
  ChildExit exit;
  bool timed_out = false;
  double seconds = 0;
  std::vector<report::Race> races;
  report::HuntOutcome outcome;
  std::uint64_t learnt = 0;  // relations that were not known before
};

class HuntSession {
 public:
  HuntSession(const Options& options, std::uint32_t run, std::filesystem::path run_folder, Database& database,
              ChildPool& pool)
      : options_(options), run_(run), run_folder_(std::move(run_folder)), database_(database), pool_(pool) {}

  // All jobs, so many side by side. `told` is called with each as it ends. Ends early when the user interrupts.
  using Told = std::function<Status(const HuntedExecution&)>;
  Status run(const std::vector<HuntJob>& jobs, std::uint32_t side_by_side, const Told& told);

 private:
  using Clock = std::chrono::steady_clock;
  Status start(std::size_t id, const HuntJob& job);
  Result<HuntedExecution> collect(const HuntJob& job, const ChildPool::Ended& ended, Clock::time_point begun);
  std::filesystem::path folder_of(const HuntJob& job) const;
  // What the agent is told besides where to write.
  Result<std::string> strategy_text(const HuntJob& job) const;
  std::uint32_t depth_of(const HuntJob& job) const { return job.depth != 0 ? job.depth : options_.depth; }
  Result<std::string> relations_for(const HuntJob& job) const;
  // How many are new.
  Result<std::uint64_t> keep_relations(const HuntJob& job, const std::string& text);

  const Options& options_;
  const std::uint32_t run_;
  const std::filesystem::path run_folder_;
  Database& database_;
  ChildPool& pool_;
  std::map<std::uint32_t, schedule::MayTrigger> by_depth_;  // of jobs with a depth of their own
  // Of the controlled runs that have ended, without looks at the clock: what PCT chooses its change points from.
  std::uint64_t most_steps_ = 0;
};

}  // namespace deadheat::cli
