// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>

#include "cli/class_path_hash.h"
#include "cli/confirm_session.h"
#include "cli/replay_stage.h"
#include "cli/slow_motion.h"
#include "cli/verbs.h"
#include "report/source_lines.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

// True when the program is known to be another one than that of the clip.
bool tell_changes(const Clip& clip, const std::vector<std::string>& command) {
  if (command != clip.command) {
    fmt::print(stderr, "deadheat: the command is another one; the clip was made of: {}\n",
               fmt::join(clip.command, " "));
  }
  const std::string hash = class_path_hash(command);
  if (clip.class_path_hash.empty() || hash == clip.class_path_hash) return false;
  fmt::print(stderr,
             "deadheat: the classes are not those of the clip (class path hash {} then, {} now): expect the replay to "
             "leave its path\n",
             clip.class_path_hash, hash.empty() ? "not known" : hash);
  return true;
}

// The status of the whole: the program's own after a faithful replay.
int tell_result(const Clip& clip, const Played& played, std::uint64_t steps, bool changed, std::uint32_t time_limit) {
  const report::Execution& run = played.execution;
  if (played.jvm != clip.jvm) {
    fmt::print(stderr, "deadheat: the JVM is {}; the clip was made with {}\n", played.jvm, clip.jvm);
  }
  const auto& outcome = run.records.outcome;
  if (run.timed_out) {
    fmt::print(stderr, "deadheat: not replayed: the program ran into the time limit of {} seconds (--time-limit)\n",
               time_limit);
    return kExitFailed;
  }
  if (!outcome) {
    fmt::print(stderr, "deadheat: the JVM was killed or crashed; how far the replay came is not known\n");
    return kExitFailed;
  }
  if (!outcome->diverged.empty()) {
    fmt::print(stderr, "deadheat: the replay diverged after {} of {} steps: {}\n", outcome->steps, steps,
               outcome->diverged);
    fmt::print(stderr, "deadheat: {}\n",
               changed ? "the program has changed since: make a new clip with 'deadheat confirm'"
                       : "something the clip does not hold is different: input, files, time, another thread outside "
                         "of deadheat's control");
    return kExitFailed;
  }
  if (outcome->steps < steps) {
    fmt::print(stderr, "deadheat: the program ended after {} of {} steps\n", outcome->steps, steps);
    return kExitFailed;
  }
  const std::vector<std::string> changes = changes_of_outcome(clip, run);
  fmt::print(stderr, "deadheat: replayed step for step ({} steps), {}\n", steps,
             changes.empty() ? fmt::format("same outcome: {}", clip.outcome) : "but with another outcome:");
  for (const std::string& change : changes) fmt::print(stderr, "deadheat:   {}\n", change);
  return run.exit_status;
}

}  // namespace

Result<int> replay_verb(const Options& options) {
  Result<ReplayStage> set = set_stage(options);
  if (!set) return set.error();
  const ReplayStage& stage = set.value();
  const bool changed = tell_changes(stage.clip, stage.command);
  if ((options.until_race || options.shrink) && stage.clip.sites.empty()) {
    return Error{
        fmt::format("this clip is of no data race but of: {}; --until race and --shrink need two accesses that meet",
                    stage.clip.headline)};
  }
  if (options.until_race) return replay_until_race(stage, options);
  if (options.shrink) return replay_shrunk(stage, options);
  Result<ScheduleLaunch> launch = replay_launch(stage, stage.clip.decisions, stage.folder);
  if (!launch) return launch.error();
  ChildPool pool;
  Result<std::optional<Played>> played = play(stage, launch.value(), stage.folder, pool);
  if (!played) return played.error();
  if (!played.value()) return kExitSignal + pool.interrupting_signal();
  copy_to(stdout, output_files(stage.folder).output);
  copy_to(stderr, output_files(stage.folder).errors);
  if (options.slow) {
    std::vector<fs::path> roots = options.source_paths;
    roots.emplace_back(".");
    report::SourceLines sources(std::move(roots));
    std::fputs(slow_motion(stage.log, stage.clip, sources).c_str(), stderr);
  }
  return tell_result(stage.clip, *played.value(), stage.log.steps(), changed, options.time_limit);
}

}  // namespace deadheat::cli
