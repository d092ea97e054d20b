// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/class_path_hash.h"
#include "cli/clip.h"
#include "cli/confirm_session.h"
#include "cli/database.h"
#include "cli/launch_errors.h"
#include "cli/schedule_launch.h"
#include "cli/slow_motion.h"
#include "cli/state_folder.h"
#include "cli/verbs.h"
#include "report/source_lines.h"
#include "schedule/decision_log_file.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

Result<RunFolder> new_run(const Options& options, const std::vector<std::string>& command) {
  Result<StateFolder> state = StateFolder::find_or_create(options.state, fs::current_path());
  if (!state) return state.error();
  Result<Database> database = Database::open(state.value().database());
  if (!database) return database.error();
  Result<RunFolder> run = state.value().create_run();
  if (!run) return run.error();
  if (Status begun = database.value().begin_run(run.value().number, command); !begun) return begun.error();
  return run;
}

Status write_decisions(const Clip& clip, const fs::path& file) {
  std::ofstream output(file, std::ios::binary);
  output.write(reinterpret_cast<const char*>(clip.decisions.data()),
               static_cast<std::streamsize>(clip.decisions.size()));
  output.close();
  if (!output) return Error{fmt::format("cannot write {}: {}", file.string(), std::strerror(errno))};
  return Ok{};
}

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

// What is not as it was in the clip, one line each.
std::vector<std::string> changes_of_outcome(const Clip& clip, const report::Execution& run) {
  std::vector<std::string> lines;
  if (run.exit_status != clip.exit_status) {
    lines.push_back(fmt::format("exit status {}, in the clip {}", run.exit_status, clip.exit_status));
  }
  std::vector<std::string> exceptions;
  for (const report::Uncaught& uncaught : run.records.uncaught) exceptions.push_back(uncaught.exception);
  if (exceptions != clip.exceptions) {
    lines.push_back(fmt::format("uncaught exceptions [{}], in the clip [{}]", fmt::join(exceptions, ", "),
                                fmt::join(clip.exceptions, ", ")));
  }
  if (run.output_hash != clip.output_hash) lines.emplace_back("the output differs from the clip's");
  return lines;
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
  Result<Clip> clip = read_clip(options.clip);
  if (!clip) return clip.error();
  const schedule::DecisionLog log = schedule::decode_decision_log(clip.value().decisions).value();
  const std::vector<std::string>& command = options.command.empty() ? clip.value().command : options.command;
  if (command.empty()) return Error{"the clip names no command; give it after '--'"};
  Result<RunFolder> run = new_run(options, command);
  if (!run) return run.error();
  const fs::path& folder = run.value().path;
  ScheduleLaunch launch;
  launch.strategy = "replay";
  launch.seed = clip.value().seed;
  launch.sites = clip.value().sites;
  launch.clock = clip.value().clock;
  launch.time_limit = options.time_limit;
  launch.replay = folder / "decisions";
  if (Status written = write_decisions(clip.value(), launch.replay); !written) return written.error();
  const bool changed = tell_changes(clip.value(), command);
  Result<LaunchPlan> plan = plan_with_agent(command, schedule_option_text(folder, launch));
  if (!plan) return plan.error();

  ChildPool pool;
  Status started = pool.start(0, plan.value(), output_files(folder), hard_limit(options.time_limit));
  if (!started) return started.error();
  const std::optional<ChildPool::Ended> ended = pool.wait();
  if (!ended) return 128 + pool.interrupting_signal();
  copy_to(stdout, output_files(folder).output);
  copy_to(stderr, output_files(folder).errors);
  Result<Played> played = read_execution(folder, *ended, launch, OutputMatch());
  if (!played) return played.error();
  if (played.value().jvms == 0) return no_jvm(command, ended->exit);
  if (options.slow) {
    std::vector<fs::path> roots = options.source_paths;
    roots.emplace_back(".");
    report::SourceLines sources(std::move(roots));
    std::fputs(slow_motion(log, clip.value(), sources).c_str(), stderr);
  }
  return tell_result(clip.value(), played.value(), log.steps(), changed, options.time_limit);
}

}  // namespace deadheat::cli
