// SPDX-License-Identifier: Apache-2.0
#include "cli/candidate_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "cli/confirm_session.h"
#include "cli/launch_errors.h"
#include "cli/schedule_launch.h"
#include "report/records.h"
#include "report/run_report.h"
#include "report/summary.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

Error ended_badly(const Options& options, const ChildExit& exit, const Redirection& files) {
  std::string text = fmt::format("'{}' {} in the run that looks for races, and nothing was suspected until then",
                                 options.command.front(), describe(exit));
  const std::string tail = options.show_output ? std::string() : last_lines(files.errors);
  if (!tail.empty()) text += fmt::format("; its stderr ends with:\n{}deadheat:", tail);
  text += fmt::format("{} its output is kept in {}", tail.empty() ? ";" : "", files.output.parent_path().string());
  if (exit.signal == 0) text += fmt::format("; if this status is as it should be: --expect-exit {}", exit.status);
  return Error{text};
}

void tell_nothing(const Options& options, std::uint32_t searches, bool cut_off) {
  if (cut_off) {
    fmt::print(stderr,
               "deadheat: nothing was suspected in {} seconds, and the program had not ended then: give it an end, or "
               "more time with --time-limit\n",
               options.time_limit);
  } else {
    fmt::print(stderr, "deadheat: nothing was suspected in {} runs, so there is nothing to confirm\n", searches);
  }
  const std::string command = fmt::format("{}", fmt::join(options.command, " "));
  fmt::print(stderr,
             "deadheat: this does not say that there is no race; what to do next:\n"
             "  deadheat hunt -- {0}      run it again and again with reversed lock orders; then 'deadheat confirm'\n"
             "  deadheat predict -- {0}   run it once, and see which races other schedules of that run would show\n"
             "  deadheat run -- {0}       give it other input, which takes it to more of its code\n",
             command);
}

struct Searched {
  ChildPool::Ended ended;
  report::RunReport report;  // of all searches so far
};

// The records of all searches are in the run's folder, the output of each in one of its own. Nothing: interrupted.
Result<std::optional<Searched>> search_once(const Options& options, const RunFolder& run, const Redirection& files,
                                            ChildPool& pool) {
  Options hybrid = options;
  hybrid.detector = DetectorKind::kHybrid;
  if (Status made = make_folder(files.output.parent_path()); !made) return made.error();
  Result<LaunchPlan> plan = plan_with_agent(options.command, agent_option_text(run.path, hybrid));
  if (!plan) return plan.error();
  Status started = pool.start(0, plan.value(), files, std::chrono::seconds(options.time_limit));
  if (!started) return started.error();
  const std::optional<ChildPool::Ended> ended = pool.wait();
  if (!ended) return std::optional<Searched>();
  if (options.show_output) {
    copy_to(stdout, files.output);
    copy_to(stderr, files.errors);
  }
  Result<std::vector<report::JvmRecords>> jvms = report::read_run(run.path);
  if (!jvms) return jvms.error();
  const std::vector<report::Race> races = report::merge_races(jvms.value());
  return std::optional<Searched>({*ended, report::make_run_report(races, std::move(jvms).value(), {})});
}

}  // namespace

Result<SearchEnd> search_candidates(const Options& options, RunPlace& place, ChildPool& pool) {
  fmt::print(stderr, "deadheat: no race is known yet: looking for possible races first\n");
  const fs::path& folder = place.run.path;
  for (std::uint32_t search = 1;; ++search) {
    const Redirection files = output_files(folder / "search" / std::to_string(search));
    Result<std::optional<Searched>> searched = search_once(options, place.run, files, pool);
    if (!searched) return searched.error();
    if (!searched.value()) return SearchEnd::kInterrupted;
    const auto& [ended, report] = *searched.value();
    Status stored = place.database.finish_run(place.run.number, ended.exit.status, report);
    if (!stored) return stored.error();
    if (report.jvms.empty()) return no_jvm(options.command, ended.exit);

    const bool found = !report.races.empty();
    if (!found && !ended.killed && ended.exit.status != options.expect_exit.value_or(0)) {
      return ended_badly(options, ended.exit, files);
    }
    if (!found && report::nothing_watched(report)) {
      return Error{fmt::format("the program was not watched, so nothing can be said about races: see {}",
                               files.errors.string())};
    }
    if (found && ended.killed) {
      fmt::print(stderr, "deadheat: the search was stopped after {} seconds (--time-limit)\n", options.time_limit);
    }
    // A program that does not end would only be waited for again.
    if (!found && !ended.killed && search < kMostSearches) {
      fmt::print(stderr, "deadheat: nothing suspected in run {} of at most {}: looking again\n", search, kMostSearches);
      continue;
    }
    fmt::print(stderr, "deadheat: {}\n", report::summary_line(report, folder));
    if (found) return SearchEnd::kFound;
    tell_nothing(options, search, ended.killed);
    return SearchEnd::kNothing;
  }
}

}  // namespace deadheat::cli
