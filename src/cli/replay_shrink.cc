// SPDX-License-Identifier: Apache-2.0
//
// `deadheat replay --shrink`: delta debugging over the decisions of a clip (schedule/shrink.h). Each try is an
// execution of the command with a plan of fewer runs; it counts when the two threads meet, in the same order, and
// everything the clip says about its end is the same.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <system_error>

#include "cli/progress.h"
#include "cli/replay_stage.h"
#include "cli/verbs.h"
#include "schedule/decision_log_file.h"
#include "schedule/plan_file.h"
#include "schedule/shrink.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> bytes_of(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

std::string text_of(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

// Who went first where they met first: "write at a.B.m (B.java:3)".
std::string first_access(const report::Execution& run) {
  if (run.records.meetings.empty()) return "";
  const report::Meeting& meeting = run.records.meetings.front();
  if (meeting.first >= meeting.accesses.size()) return "";
  const report::Access& access = meeting.accesses[meeting.first];
  std::string text = access.write ? "write" : "read";
  if (!access.stack.empty()) {
    const report::Frame& frame = access.stack.front();
    text += fmt::format(" at {} ({})", report::qualified_method(frame), report::source_position(frame));
  }
  return text;
}

class Shrinker {
 public:
  Shrinker(const ReplayStage& stage, ChildPool& pool)
      : stage_(stage), pool_(pool), progress_(stage.log.switches()), told_(stage.log.switches()) {}

  bool same_outcome(const schedule::Plan& plan) {
    if (!worked_.ok() || pool_.interrupted()) return false;
    Result<bool> same = try_plan(plan);
    if (!same) worked_ = same.error();
    return same.ok() && same.value();
  }

  const Status& worked() const { return worked_; }
  // The shortest so far; the clip's own at first.
  const std::vector<std::uint8_t>& decisions() const { return decisions_; }
  const std::string& site_list() const { return site_list_; }
  std::uint64_t switches() const { return switches_; }
  std::uint64_t executions() const { return executions_; }

 private:
  Result<bool> try_plan(const schedule::Plan& plan) {
    const fs::path folder = stage_.folder / "tries" / std::to_string(++executions_);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return Error{fmt::format("cannot make the folder {}: {}", folder.string(), error.message())};
    const std::string text = schedule::to_text(plan);
    Result<ScheduleLaunch> launch = replay_launch(stage_, {text.begin(), text.end()}, folder);
    if (!launch) return launch.error();
    launch.value().strategy = "guided";
    Result<std::optional<Played>> played = play(stage_, launch.value(), folder, pool_);
    if (!played) return played.error();
    if (!played.value()) return false;
    const bool same = counts(*played.value());
    if (same) keep(*played.value());
    progress_.update(stage_.log.switches() - switches_,
                     fmt::format("{} executions, {} switches", executions_, switches_));
    return same;
  }

  bool counts(const Played& played) {
    const report::Execution& run = played.execution;
    if (run.timed_out || !run.records.outcome) return false;
    if (run.records.meetings.empty() || !changes_of_outcome(stage_.clip, run).empty()) return false;
    const std::string first = first_access(run);
    if (!first_) first_ = first;  // the whole plan, which is the clip's execution
    return first == *first_;
  }

  void keep(const Played& played) {
    std::vector<std::uint8_t> decisions = bytes_of(played.decisions);
    const Result<schedule::DecisionLog> log = schedule::decode_decision_log(decisions);
    if (!log || (!decisions_.empty() && log.value().switches() > switches_)) return;
    decisions_ = std::move(decisions);
    site_list_ = text_of(played.decisions.string() + ".sites");
    switches_ = log.value().switches();
    if (switches_ == told_ || switches_ * 2 > told_) return;
    told_ = switches_;
    progress_.line(fmt::format("{} context switches left after {} executions", switches_, executions_));
  }

  const ReplayStage& stage_;
  ChildPool& pool_;
  Progress progress_;
  Status worked_ = Ok{};
  std::optional<std::string> first_;
  std::vector<std::uint8_t> decisions_;
  std::string site_list_;
  std::uint64_t switches_ = 0;
  std::uint64_t told_;  // how many of them there were when the user was told last
  std::uint64_t executions_ = 0;
};

// R1.clip → R1.small.clip
fs::path small_name(const fs::path& clip) { return fs::path(clip).replace_extension("small.clip"); }

// Whether the decisions can be followed step by step, to the same end. Nothing: interrupted.
Result<std::optional<bool>> plays_again(const ReplayStage& stage, const std::vector<std::uint8_t>& decisions,
                                        ChildPool& pool) {
  Result<ScheduleLaunch> launch = replay_launch(stage, decisions, stage.folder);
  if (!launch) return launch.error();
  Result<std::optional<Played>> played = play(stage, launch.value(), stage.folder, pool);
  if (!played) return played.error();
  if (!played.value()) return std::optional<bool>();
  const report::Execution& run = played.value()->execution;
  const bool faithful = run.records.outcome && run.records.outcome->diverged.empty();
  return std::optional<bool>(faithful && changes_of_outcome(stage.clip, run).empty());
}

}  // namespace

Result<int> replay_shrunk(const ReplayStage& stage, const Options& options) {
  ChildPool pool;
  Shrinker shrinker(stage, pool);
  const std::uint32_t most = options.shrink_tries.value_or(kMostShrinkTries);
  const schedule::Shrunk shrunk = schedule::shrink(
      schedule::plan_of(stage.log), [&](const schedule::Plan& plan) { return shrinker.same_outcome(plan); }, most);
  if (!shrinker.worked()) return shrinker.worked().error();
  if (!shrunk.reproduced) {
    if (pool.interrupted()) return kExitSignal + pool.interrupting_signal();
    return Error{
        "the clip does not come to its end any more, so there is nothing to shrink: 'deadheat replay' without "
        "--shrink says where it goes another way"};
  }
  const std::uint64_t before = stage.log.switches();
  // After an interruption nothing is started any more: the executions that count were complete ones.
  if (!pool.interrupted()) {
    Result<std::optional<bool>> again = plays_again(stage, shrinker.decisions(), pool);
    if (!again) return again.error();
    if (again.value() && !*again.value()) {
      return Error{
          "the shorter interleaving cannot be played again step for step: something the clip does not hold is "
          "different from run to run"};
    }
  }
  Clip small = stage.clip;
  small.strategy = "guided";
  small.command = stage.command;
  small.decisions = shrinker.decisions();
  small.site_list = shrinker.site_list();
  const fs::path file = small_name(options.clip);
  if (Status written = write_clip(small, file); !written) return written.error();
  fmt::print(stderr, "deadheat: from {} context switches to {}, same outcome ({}), in {} executions: {}\n", before,
             shrinker.switches(), stage.clip.outcome, shrinker.executions(), file.string());
  if (pool.interrupted()) {
    fmt::print(stderr, "deadheat: interrupted; what was found until then is kept\n");
    return kExitSignal + pool.interrupting_signal();
  }
  if (!shrunk.minimal) {
    fmt::print(stderr, "deadheat: it may become shorter still: --tries {} was reached\n", most);
  }
  return 0;
}

}  // namespace deadheat::cli
