// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cli/agent_command.h"
#include "cli/child.h"
#include "cli/database.h"
#include "cli/launch_errors.h"
#include "cli/output_file.h"
#include "cli/run_place.h"
#include "cli/schedule_launch.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "report/machine_reports.h"
#include "report/records.h"
#include "report/rules_table.h"
#include "report/summary.h"
#include "report/suppressions.h"
#include "report/text.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

// The files the user asked for, open from the start.
struct RunOutputs {
  std::optional<OutputFile> json, sarif, log;
};

Result<RunOutputs> open_outputs(const Options& options) {
  RunOutputs outputs;
  for (const Status& opened :
       {open_output(options.json_file, outputs.json), open_output(options.sarif_file, outputs.sarif),
        open_output(options.log_path, outputs.log)}) {
    if (!opened) return opened.error();
  }
  return outputs;
}

Result<report::Suppressions> load_suppressions(const Options& options) {
  if (!options.suppressions) return report::Suppressions();
  return report::Suppressions::load(*options.suppressions);
}

// Text, JSON and SARIF. What cannot be written does not keep the rest from being written; the last failure is returned.
Status write_reports(const Options& options, const report::RunReport& report, RunOutputs& outputs) {
  std::vector<fs::path> roots = options.source_paths;
  roots.emplace_back(".");
  report::SourceLines sources(std::move(roots));
  std::string text;
  for (const report::Race& race : report.races) text += report::race_text(race, sources);

  Status result = Ok{};
  const auto finish = [&](std::optional<OutputFile>& file, const std::string& content) {
    if (!file) return;
    if (Status written = file->finish(content); !written) result = written;
  };
  if (!outputs.log) std::fputs(text.c_str(), stderr);
  finish(outputs.log, text);
  finish(outputs.json, report::json_report(report, kVersion));
  finish(outputs.sarif, report::sarif_report(report, kVersion, sources));
  return result;
}

void print_closing_lines(const Options& options, const report::RunReport& report, const fs::path& run_folder) {
  for (const std::string& line : report::caveats(report, process_is_running)) {
    fmt::print(stderr, "deadheat: {}\n", line);
  }
  if (options.stats) {
    fmt::print(stderr, "deadheat: counters\n{}", report::counters_table(report.jvms));
    const std::string rules = report::rules_table(report.jvms);
    if (!rules.empty()) fmt::print(stderr, "deadheat: rules of FastTrack\n{}", rules);
  }
  fmt::print(stderr, "deadheat: {}\n", report::summary_line(report, run_folder));
}

}  // namespace

Result<int> run_verb(const Options& options) {
  Result<report::Suppressions> suppressions = load_suppressions(options);
  if (!suppressions) return suppressions.error();
  Result<RunOutputs> outputs = open_outputs(options);
  if (!outputs) return outputs.error();
  Result<RunPlace> place = begin_run(options);
  if (!place) return place.error();
  Database& database = place.value().database;
  const RunFolder& run = place.value().run;
  Result<LaunchPlan> plan = plan_with_agent(options.command, agent_option_text(run.path, options));
  if (!plan) return plan.error();

  Result<ChildExit> exit = run_child(plan.value());
  if (!exit) return exit.error();

  Result<std::vector<report::JvmRecords>> jvms = report::read_run(run.path);
  if (!jvms) return jvms.error();
  const std::vector<report::Race> races = report::merge_races(jvms.value());
  const report::RunReport report = report::make_run_report(races, std::move(jvms).value(), suppressions.value());
  const Status stored = database.finish_run(run.number, exit.value().status, report);
  if (report.jvms.empty()) return no_jvm(options.command, exit.value());

  const Status written = write_reports(options, report, outputs.value());
  print_closing_lines(options, report, run.path);
  if (report.races.empty() && report::nothing_watched(report)) {
    return Error{
        "the program was not watched, so nothing can be said about races: see the warnings, --include and "
        "--exclude"};
  }
  // A race found outranks a report that could not be stored: the user must not miss it.
  for (const Status* status : {&stored, &written}) {
    if (*status) continue;
    if (report.races.empty()) return status->error();
    fmt::print(stderr, "deadheat: {}\n", status->error().message);
  }
  if (!report.races.empty() && options.exit_code != 0) return options.exit_code;
  return exit.value().status;
}

}  // namespace deadheat::cli
