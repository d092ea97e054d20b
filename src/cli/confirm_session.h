// SPDX-License-Identifier: Apache-2.0
//
// The executions of `deadheat confirm`: a control without a meeting, then for each race those its Pursuit asks for,
// races side by side; then, while no harm was seen, those for the other pairs of instructions in its two lines. Each
// execution has a folder of its own below the run's (tries/RACE/SEED-ORDER), with its output and what the agent left.
// A recorded run says something about every race, and is made once for all of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/child_pool.h"
#include "cli/line_pairs.h"
#include "cli/output_match.h"
#include "cli/pursuit.h"
#include "cli/schedule_launch.h"
#include "report/race.h"
#include "report/verdict.h"

namespace deadheat::cli {

struct ConfirmSettings {
  std::vector<std::string> command;
  std::filesystem::path run_folder;
  std::filesystem::path clips;
  std::optional<std::uint32_t> tries;
  std::uint32_t most_tries = 20;
  std::uint32_t jobs = 1;
  std::uint32_t time_limit = 60;
  report::Expectation expectation;
  OutputMatch fail_on;
  std::int64_t clock = 0;    // the same in every execution
  bool show_output = false;  // copied to our own streams once an execution has ended
};

// Where the control runs.
inline std::filesystem::path control_folder(const ConfirmSettings& settings) {
  return settings.run_folder / "tries" / "control";
}

struct Confirmed {
  report::Race race;
  report::Verdict verdict;
};

class ConfirmSession {
 public:
  ConfirmSession(const ConfirmSettings& settings, ChildPool& pool) : settings_(settings), pool_(pool) {}

  // The program under the scheduler's control, but without a preemption: what it does when nothing meets. To be called
  // first. Fails when no JVM comes up under control. Nothing: interrupted.
  Result<std::optional<Played>> run_control();

  // All races. `told` is called with each verdict as it falls, `tried` after each execution. After an interruption the
  // races with at least one execution have a verdict on what there is.
  using Told = std::function<Status(Confirmed&)>;
  using Tried = std::function<void(std::size_t done, std::uint64_t executions)>;
  Status run(const std::vector<report::Race>& races, const Told& told, const Tried& tried);

 private:
  struct Candidate {
    report::Race race;
    std::vector<SitePair> pairs;  // the recorded one first
    std::size_t pair = 0;         // which is tried
    std::optional<Pursuit> pursuit;
    std::vector<Played> played;  // for this pair
    report::Verdict verdict;     // on the pairs before
    ScheduleLaunch current;
    std::filesystem::path folder;  // of the current execution
    bool records = false;          // it does
    const SitePair& sites() const { return pairs[pair]; }
  };
  void begin_pursuit(Candidate& candidate, std::optional<std::uint32_t> tries, std::uint32_t most, bool searches) const;
  void give_up_surveys(const std::string& kind);
  Status start(std::size_t index, const Attempt& attempt);
  std::filesystem::path folder_of(const Candidate& candidate, const Attempt& attempt) const;
  Status take(std::size_t index, const ChildPool::Ended& ended);
  void take_recording(Candidate& candidate, const Played& played);
  void use_recording(Candidate& candidate) const;
  void remove_recordings() const;
  // The next execution, or the verdict if there is none: true.
  Result<bool> go_on(std::size_t index, const Told& told);
  Status finish_pair(Candidate& candidate) const;
  bool begin_next_pair(Candidate& candidate) const;
  Status finish(std::size_t index, const Told& told);
  Status leave_clip(const Candidate& candidate, report::Verdict& verdict) const;
  Result<Played> collect(const std::filesystem::path& folder, const ChildPool::Ended& ended,
                         const ScheduleLaunch& launch);

  const ConfirmSettings& settings_;
  ChildPool& pool_;
  report::Execution control_;
  std::vector<std::optional<Candidate>> candidates_;                   // nothing: it has its verdict
  std::set<std::string> hopeless_surveys_;                             // kinds that ran into the time limit
  std::map<std::uint64_t, Result<std::filesystem::path>> recordings_;  // by seed: the trace, or why there is none
};

// Copies a file to one of our streams; what cannot be read is left out.
void copy_to(std::FILE* stream, const std::filesystem::path& file);

}  // namespace deadheat::cli
