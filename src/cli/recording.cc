// SPDX-License-Identifier: Apache-2.0
#include "cli/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/child.h"
#include "cli/launch_errors.h"
#include "cli/schedule_launch.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

// What a run came to that the program's own status does not say.
void tell_end(const report::RunReport& report, std::uint32_t time_limit) {
  for (const report::JvmRecords& jvm : report.jvms) {
    for (const report::Deadlock& deadlock : jvm.schedule.deadlocks) {
      fmt::print(stderr, "deadheat: the program ran into a deadlock of its own; what was recorded ends there:\n");
      for (const std::string& line : report::blocked_lines(deadlock)) fmt::print(stderr, "  {}\n", line);
    }
    if (jvm.schedule.outcome && jvm.schedule.outcome->timed_out()) {
      fmt::print(stderr,
                 "deadheat: the program did not end within {} seconds and was stopped; what was recorded ends there "
                 "(--time-limit)\n",
                 time_limit);
    }
  }
}

}  // namespace

std::vector<RecordedTrace> recorded_traces(const std::vector<report::JvmRecords>& jvms) {
  std::vector<std::pair<std::uintmax_t, RecordedTrace>> found;
  for (const report::JvmRecords& jvm : jvms) {
    const fs::path trace = jvm.folder / "trace";
    std::error_code error;
    if (const std::uintmax_t size = fs::file_size(trace, error); !error) {
      found.emplace_back(size, RecordedTrace{trace, jvm.schedule.trace});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& one, const auto& other) { return one.first > other.first; });
  std::vector<RecordedTrace> traces;
  traces.reserve(found.size());
  for (auto& [size, trace] : found) traces.push_back(std::move(trace));
  return traces;
}

Result<Recording> record_run(const Options& options, RunPlace& place) {
  const RunFolder& run = place.run;
  Recording recording;
  recording.clock =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  ScheduleLaunch launch;
  launch.strategy = "slices";
  launch.seed = options.seed.value_or(1);
  launch.clock = recording.clock;
  launch.time_limit = options.time_limit;
  launch.trace = true;
  launch.decisions =
      false;  // the trace has the order of all that matters; one thread's accesses alone are most of both
  launch.include = options.include;
  launch.exclude = options.exclude;
  launch.atomic = options.atomic;
  launch.atomic_public = options.atomic_public;
  launch.methods = options.methods;
  Result<LaunchPlan> plan = plan_with_agent(options.command, schedule_option_text(run.path, launch));
  if (!plan) return plan.error();
  Result<ChildExit> exit = run_child(plan.value());
  if (!exit) return exit.error();

  Result<std::vector<report::JvmRecords>> jvms = report::read_run(run.path);
  if (!jvms) return jvms.error();
  const report::RunReport report = report::make_run_report({}, std::move(jvms).value(), report::Suppressions());
  if (Status stored = place.database.finish_run(run.number, exit.value().status, report); !stored) {
    fmt::print(stderr, "deadheat: {}\n", stored.error().message);
  }
  if (report.jvms.empty()) return no_jvm(options.command, exit.value());
  tell_end(report, options.time_limit);
  recording.traces = recorded_traces(report.jvms);
  if (recording.traces.empty()) {
    return Error{fmt::format("nothing was recorded; {} has what the JVM said", run.path.string())};
  }
  recording.exit_status = exit.value().status;
  return recording;
}

// Those of other JVMs stay where they are.
Status deliver(Recording& recording, const fs::path& wanted) {
  fs::path& trace = recording.traces.front().path;
  std::error_code error;
  fs::copy_file(trace, wanted, fs::copy_options::overwrite_existing, error);
  if (!error) {
    trace = wanted;
    return Ok{};
  }
  // The library calls a copy that is cut short an input/output error, whatever the reason.
  std::error_code unknown;
  const bool begun = error == std::errc::io_error && fs::is_regular_file(wanted, unknown);
  const bool is_full = begun && fs::space(wanted, unknown).available < fs::file_size(trace, unknown);
  if (begun) fs::remove(wanted, unknown);
  const std::string why = is_full ? "No space left on device" : error.message();
  return Error{fmt::format("cannot write {}: {}; the trace is {}", wanted.string(), why, trace.string())};
}

}  // namespace deadheat::cli
