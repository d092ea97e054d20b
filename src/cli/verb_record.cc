// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/agent_command.h"
#include "cli/child.h"
#include "cli/launch_errors.h"
#include "cli/run_place.h"
#include "cli/schedule_launch.h"
#include "cli/trace_file.h"
#include "cli/verbs.h"
#include "report/records.h"
#include "trace/load.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

// What the JVMs of the run left, the longest first.
std::vector<fs::path> traces_in(const fs::path& folder) {
  std::vector<std::pair<std::uintmax_t, fs::path>> found;
  std::error_code error;
  for (const fs::directory_entry& jvm : fs::directory_iterator(folder, error)) {
    const fs::path trace = jvm.path() / "trace";
    if (const std::uintmax_t size = fs::file_size(trace, error); !error) found.emplace_back(size, trace);
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> paths;
  for (auto& [size, path] : found) paths.push_back(std::move(path));
  return paths;
}

// The trace of the run is where the user wants it; those of other JVMs stay.
Status deliver(fs::path& trace, const fs::path& wanted) {
  std::error_code error;
  fs::copy_file(trace, wanted, fs::copy_options::overwrite_existing, error);
  if (error)
    return Error{fmt::format("cannot write {}: {}; the trace is {}", wanted.string(), error.message(), trace.string())};
  trace = wanted;
  return Ok{};
}

Status tell(const fs::path& path) {
  Result<trace::Loaded> loaded = load_trace(path.string());
  if (!loaded) return loaded.error();
  const trace::Trace& trace = loaded.value().trace;
  const std::size_t events = trace.events.size();
  fmt::print(stderr, "deadheat: {}: {} events of {} threads, {} variables, {:.2f} bytes an event\n", path.string(),
             events, trace.threads.size(), trace.variables.size(),
             events == 0 ? 0.0 : static_cast<double>(loaded.value().bytes) / static_cast<double>(events));
  return Ok{};
}

}  // namespace

Result<int> record_verb(const Options& options) {
  Result<RunPlace> place = begin_run(options);
  if (!place) return place.error();
  const RunFolder& run = place.value().run;
  ScheduleLaunch launch;
  launch.strategy = "slices";
  launch.seed = options.seed.value_or(1);
  launch.time_limit = options.time_limit;
  launch.trace = true;
  launch.include = options.include;
  launch.exclude = options.exclude;
  Result<LaunchPlan> plan = plan_with_agent(options.command, schedule_option_text(run.path, launch));
  if (!plan) return plan.error();
  Result<ChildExit> exit = run_child(plan.value());
  if (!exit) return exit.error();

  Result<std::vector<report::JvmRecords>> jvms = report::read_run(run.path);
  if (!jvms) return jvms.error();
  const report::RunReport report = report::make_run_report({}, std::move(jvms).value(), report::Suppressions());
  if (Status stored = place.value().database.finish_run(run.number, exit.value().status, report); !stored) {
    fmt::print(stderr, "deadheat: {}\n", stored.error().message);
  }
  if (report.jvms.empty()) return no_jvm(options.command, exit.value());
  std::vector<fs::path> traces = traces_in(run.path);
  if (traces.empty()) {
    return Error{fmt::format("nothing was recorded; {} has what the JVM said", run.path.string())};
  }
  if (options.output) {
    if (Status delivered = deliver(traces.front(), *options.output); !delivered) return delivered.error();
  }
  for (const fs::path& trace : traces) {
    if (Status told = tell(trace); !told) return told.error();
  }
  return exit.value().status;
}

}  // namespace deadheat::cli
