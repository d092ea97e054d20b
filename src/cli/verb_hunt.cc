// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <thread>

#include "cli/child_pool.h"
#include "cli/hunt_session.h"
#include "cli/launch_errors.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/run_place.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "report/hunt_comparison.h"
#include "report/machine_reports.h"
#include "report/summary.h"
#include "report/suppressions.h"
#include "report/text.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;
using report::Race;

constexpr int kSignalStatus = 128;
// Of the program alone, for the factors of a comparison.
constexpr std::uint32_t kPlainRuns = 3;

// What all runs of a hunt found, in the order in which they ended.
struct Hunted {
  std::map<std::string, report::StrategyRuns> by_strategy;
  std::vector<Race> races;  // each once, as the run saw it that found it first
  std::vector<report::JvmRecords> jvms;
  std::map<int, std::size_t> exits;  // by exit status
  std::size_t timed_out = 0, deadlocked = 0, runs = 0;
  std::optional<report::Deadlock> deadlock;  // the first
  std::uint64_t learnt = 0;
  double plain_seconds = 0, learning_seconds = 0;
  std::size_t learning_runs = 0;

  void take(const HuntedExecution& done);
};

void Hunted::take(const HuntedExecution& done) {
  if (done.job.strategy == "plain") {
    plain_seconds += done.seconds / kPlainRuns;
    return;
  }
  learnt += done.learnt;
  for (const report::JvmRecords& jvm : done.jvms) {
    if (!deadlock && !jvm.schedule.deadlocks.empty()) deadlock = jvm.schedule.deadlocks.front();
  }
  if (done.job.strategy.empty()) {
    learning_seconds += done.seconds;
    ++learning_runs;
    return;
  }
  ++runs;
  const bool stuck = std::any_of(done.jvms.begin(), done.jvms.end(),
                                 [](const report::JvmRecords& jvm) { return !jvm.schedule.deadlocks.empty(); });
  if (stuck) {
    ++deadlocked;
  } else if (done.timed_out) {
    ++timed_out;
  } else {
    ++exits[done.exit.status];
  }
  report::HuntRun run{done.job.seed, {}, done.seconds, done.outcome};
  for (const Race& race : done.races) {
    run.races.insert(race.id);
    const auto known = std::find_if(races.begin(), races.end(), [&](const Race& one) { return one.id == race.id; });
    if (known == races.end()) {
      races.push_back(race);
    } else {
      known->count += race.count;
    }
  }
  std::vector<report::HuntRun>& all = by_strategy[done.job.label()].runs;
  const auto behind = std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.seed > run.seed; });
  all.insert(behind, std::move(run));
  jvms.insert(jvms.end(), done.jvms.begin(), done.jvms.end());
}

// What a range of depths is set against, as in the paper's Table 4.
constexpr const char* kRivals[] = {"native", "contest", "pct"};
constexpr std::uint32_t kDepthStep = 2;

// What is compared: a job for each, without a seed.
std::vector<HuntJob> contenders(const Options& options) {
  std::vector<std::string> names = options.strategies;
  if (options.compare) {
    names.assign(hunt_strategies().begin(), hunt_strategies().end());
  } else if (names.empty() && options.last_depth != 0) {
    names.assign(std::begin(kRivals), std::end(kRivals));
  } else if (names.empty()) {
    names = {"drfinder"};
  }
  std::vector<HuntJob> all;
  for (const std::string& name : names) {
    if (options.last_depth == 0 || name != "drfinder") all.push_back({name, 0, 0});
  }
  for (std::uint32_t depth = options.depth; depth <= options.last_depth; depth += kDepthStep) {
    all.push_back({"drfinder", 0, depth});
  }
  return all;
}

Result<std::vector<HuntJob>> jobs_of(const Options& options, const Database& database) {
  std::vector<HuntJob> jobs;
  for (const HuntJob& one : contenders(options)) {
    Result<std::uint64_t> last = database.last_seed(one.label());
    if (!last) return last.error();
    const std::uint64_t first = options.seed ? *options.seed : last.value() + 1;
    for (std::uint32_t i = 0; i < options.runs; ++i) jobs.push_back({one.strategy, first + i, one.depth});
  }
  return jobs;
}

report::HuntComparison comparison_of(const Options& options, const Hunted& hunted) {
  report::HuntComparison comparison;
  comparison.plain_seconds = hunted.plain_seconds;
  if (hunted.learning_runs > 0) {
    comparison.learning_seconds = hunted.learning_seconds / static_cast<double>(hunted.learning_runs);
  }
  for (const HuntJob& one : contenders(options)) {
    const auto found = hunted.by_strategy.find(one.label());
    if (found == hunted.by_strategy.end()) continue;
    comparison.strategies.push_back(found->second);
    comparison.strategies.back().strategy = one.label();
    comparison.strategies.back().depth = one.depth;
  }
  return comparison;
}

std::string chart_text(const fs::path& file, const report::HuntComparison& comparison) {
  return file.extension() == ".svg" ? report::comparison_svg(comparison)
                                    : report::comparison_html(comparison, "deadheat hunt");
}

void print_summary(const Options& options, const Hunted& hunted, const report::RunReport& report,
                   const fs::path& folder) {
  const report::HuntComparison comparison = comparison_of(options, hunted);
  if (comparison.strategies.size() > 1) {
    std::fputs(report::comparison_table(comparison).c_str(), stderr);
  } else if (comparison.strategies.size() == 1) {
    const report::HuntOutcome outcome = comparison.strategies.front().outcome();
    if (outcome.holds > 0) {
      fmt::print(stderr, "deadheat: {} lock orders reversed in {} holds, thrashing {}; {} relations known\n",
                 outcome.reversed, outcome.holds, report::thrashing_rate(outcome), outcome.relations);
    }
  }
  for (const auto& [status, count] : hunted.exits) {
    if (status != 0) fmt::print(stderr, "deadheat: {} of {} runs ended with status {}\n", count, hunted.runs, status);
  }
  if (hunted.timed_out > 0) {
    fmt::print(stderr, "deadheat: {} of {} runs did not end within {} seconds and were stopped (--time-limit)\n",
               hunted.timed_out, hunted.runs, options.run_limit);
  }
  if (hunted.deadlock) {
    fmt::print(stderr, "deadheat: the program ran into a deadlock of its own in {} of {} runs:\n", hunted.deadlocked,
               hunted.runs);
    for (const std::string& line : report::blocked_lines(*hunted.deadlock)) fmt::print(stderr, "  {}\n", line);
  }
  fmt::print(stderr, "deadheat: {}\n", report::summary_line(report, folder));
  if (!report.races.empty()) {
    fmt::print(stderr, "deadheat: make them happen: deadheat confirm {} -- {}\n", report.races.front().id,
               options.command.front() + (options.command.size() > 1 ? " …" : ""));
  }
}

// Of a run without any JVM under the agent there is nothing to tell.
Status watched(const Options& options, const HuntedExecution& done) {
  if (done.job.strategy == "plain" || !done.jvms.empty()) return Ok{};
  return no_jvm(options.command, done.exit);
}

struct Files {
  std::optional<OutputFile> json, sarif, chart;
};

Result<Files> open_files(const Options& options) {
  Files files;
  for (const auto& [path, file] : {std::pair{&options.json_file, &files.json},
                                   {&options.sarif_file, &files.sarif},
                                   {&options.chart, &files.chart}}) {
    if (!*path) continue;
    Result<OutputFile> opened = OutputFile::create(**path);
    if (!opened) return opened.error();
    *file = std::move(opened).value();
  }
  return files;
}

// The runs that come before those that count: of the program alone, and the one that learns.
Status prepare(const Options& options, const RunPlace& place, HuntSession& session, Hunted& hunted) {
  const std::vector<HuntJob> all = contenders(options);
  std::vector<HuntJob> jobs;
  if (all.size() > 1) {
    for (std::uint32_t i = 1; i <= kPlainRuns; ++i) jobs.push_back({"plain", i, 0});
  }
  Result<std::string> known = place.database.relations();
  if (!known) return known.error();
  bool learns = false;
  for (const HuntJob& one : all) {
    if (one.strategy != "drfinder" || (one.depth == 0 && !known.value().empty())) continue;
    jobs.push_back({"", 0, one.depth});
    learns = true;
  }
  if (learns) fmt::print(stderr, "deadheat: learning which methods may acquire which locks\n");
  return session.run(jobs, 1, [&](const HuntedExecution& done) {
    hunted.take(done);
    if (done.exit.status != 0) {
      fmt::print(stderr, "deadheat: {} the program {}\n",
                 done.job.strategy.empty() ? "while relations were learnt" : "without deadheat", describe(done.exit));
    }
    return watched(options, done);
  });
}

}  // namespace

Result<int> hunt_verb(const Options& options) {
  Result<report::Suppressions> suppressions =
      options.suppressions ? report::Suppressions::load(*options.suppressions) : report::Suppressions();
  if (!suppressions) return suppressions.error();
  Result<Files> files = open_files(options);
  if (!files) return files.error();
  Result<RunPlace> opened = begin_run(options);
  if (!opened) return opened.error();
  RunPlace& place = opened.value();
  if (options.fresh) {
    if (Status forgotten = place.database.forget_hunts(); !forgotten) return forgotten.error();
  }
  Result<std::vector<HuntJob>> jobs = jobs_of(options, place.database);
  if (!jobs) return jobs.error();

  ChildPool pool;
  HuntSession session(options, place.run.number, place.run.path, place.database, pool);
  Hunted hunted;
  Status worked = prepare(options, place, session, hunted);
  if (worked && !pool.interrupted()) {
    Progress progress(jobs.value().size());
    const std::uint32_t side_by_side = options.jobs.value_or(std::max(1u, std::thread::hardware_concurrency()));
    worked = session.run(jobs.value(), side_by_side, [&](const HuntedExecution& done) -> Status {
      if (Status jvms = watched(options, done); !jvms) return jvms;
      const std::size_t before = hunted.races.size();
      hunted.take(done);
      if (hunted.races.size() > before) {
        progress.line(
            fmt::format("{}, seed {}: {} new races", done.job.label(), done.job.seed, hunted.races.size() - before));
      }
      progress.update(hunted.runs, fmt::format("{} races", hunted.races.size()));
      Database::HuntedRun stored{done.job.label(),
                                 done.job.seed,
                                 done.exit.status,
                                 static_cast<std::int64_t>(done.seconds * 1000),
                                 done.outcome.holds,
                                 done.outcome.thrashing,
                                 {}};
      for (const Race& race : done.races) stored.races.push_back(race.id);
      return place.database.store_hunted_run(place.run.number, stored);
    });
  }

  const report::RunReport report = report::make_run_report(hunted.races, std::move(hunted.jvms), suppressions.value());
  const Status stored = place.database.finish_run(place.run.number, 0, report);
  report::SourceLines sources([&] {
    std::vector<fs::path> roots = options.source_paths;
    roots.emplace_back(".");
    return roots;
  }());
  for (const Race& race : report.races) std::fputs(report::race_text(race, sources).c_str(), stderr);
  if (hunted.runs > 0) print_summary(options, hunted, report, place.run.path);
  Status written = Ok{};
  if (files.value().json) written = files.value().json->finish(report::json_report(report, kVersion));
  if (files.value().sarif && written) {
    written = files.value().sarif->finish(report::sarif_report(report, kVersion, sources));
  }
  if (files.value().chart && written) {
    written = files.value().chart->finish(chart_text(*options.chart, comparison_of(options, hunted)));
  }
  for (const Status& status : {worked, stored, written}) {
    if (!status) return status.error();
  }
  if (pool.interrupted()) {
    fmt::print(stderr, "deadheat: interrupted; what was found until then is kept\n");
    return kSignalStatus + pool.interrupting_signal();
  }
  if (report.races.empty() && report::nothing_watched(report)) {
    return Error{"the program was not watched, so nothing can be said about races: see the warnings"};
  }
  return report.races.empty() && !hunted.deadlock ? 0 : options.exit_code;
}

}  // namespace deadheat::cli
