// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cli/confirm_session.h"
#include "cli/replay_changes.h"
#include "cli/replay_stage.h"
#include "cli/slow_motion.h"
#include "cli/verbs.h"
#include "report/source_lines.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

// Whether it is the clip's execution, as far as that came: it was cut off by the time limit, as this one was.
bool cut_off_as_then(const Clip& clip, const report::Execution& run) {
  const auto& outcome = run.records.outcome;
  if (!clip.cut_off || !run.timed_out || !outcome || !outcome->diverged.empty()) return false;
  return clip.sites.empty() || !run.records.meetings.empty();
}

// The status of the whole: the program's own after a faithful replay.
int tell_result(const Clip& clip, const Played& played, std::uint64_t steps, ReplayChanges changes,
                std::uint32_t time_limit) {
  const report::Execution& run = played.execution;
  if (played.jvm != clip.jvm && !changes.jdk) {
    changes.jdk = true;
    fmt::print(stderr, "deadheat: the JVM is {}; the clip was made with {}\n", played.jvm, clip.jvm);
  }
  const auto not_replayed = [&] {
    fmt::print(stderr, "deadheat: {}\n", advice(clip, changes));
    return kExitFailed;
  };
  const auto& outcome = run.records.outcome;
  if (cut_off_as_then(clip, run)) {
    fmt::print(stderr, "deadheat: replayed up to {}; the program did not end within {} seconds, as then\n",
               clip.sites.empty() ? "where the clip was cut off" : "the meeting", time_limit);
    return 0;
  }
  if (!outcome && !run.timed_out) {
    fmt::print(stderr, "deadheat: the JVM was killed or crashed; how far the replay came is not known\n");
    return kExitFailed;
  }
  if (outcome && !outcome->diverged.empty()) {
    fmt::print(stderr, "deadheat: the replay diverged after {} of {} steps: {}\n", outcome->steps, steps,
               outcome->diverged);
    return not_replayed();
  }
  if (run.timed_out) {
    fmt::print(stderr, "deadheat: not replayed: the program ran into the time limit of {} seconds (--time-limit)\n",
               time_limit);
    return kExitFailed;
  }
  if (outcome->steps < steps) {
    fmt::print(stderr, "deadheat: the program ended after {} of {} steps\n", outcome->steps, steps);
    return not_replayed();
  }
  const std::vector<std::string> differences = changes_of_outcome(clip, run);
  if (differences.empty()) {
    fmt::print(stderr, "deadheat: replayed step for step ({} steps), same outcome: {}\n", steps, clip.outcome);
    return run.exit_status;
  }
  fmt::print(stderr, "deadheat: replayed step for step ({} steps), but with another outcome:\n", steps);
  for (const std::string& difference : differences) fmt::print(stderr, "deadheat:   {}\n", difference);
  return not_replayed();
}

}  // namespace

Result<int> replay_verb(const Options& options) {
  Result<ReplayStage> set = set_stage(options);
  if (!set) return set.error();
  const ReplayStage& stage = set.value();
  const ReplayChanges changes = tell_changes(stage.clip, stage.command);
  if ((options.until_race || options.shrink) && stage.clip.sites.empty()) {
    return Error{
        fmt::format("this clip is of no data race but of: {}; --until race and --shrink need two accesses that meet",
                    stage.clip.headline)};
  }
  if (options.shrink && stage.clip.cut_off) {
    return Error{
        "the program did not end when this clip was made, so it has no outcome to keep; --shrink needs a clip of a "
        "program that ends"};
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
  return tell_result(stage.clip, *played.value(), stage.log.steps(), changes, options.time_limit);
}

}  // namespace deadheat::cli
