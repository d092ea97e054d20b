// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "cli/candidate_search.h"
#include "cli/confirm_session.h"
#include "cli/database.h"
#include "cli/launch_errors.h"
#include "cli/nearest.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/run_place.h"
#include "cli/state_folder.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "report/json_fields.h"
#include "report/race_json.h"
#include "report/verdict_text.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;
using report::Race;
using report::VerdictKind;

Result<std::vector<Race>> known_races(const Database& database) {
  Result<std::vector<StoredRace>> stored = database.races();
  if (!stored) return stored.error();
  std::vector<Race> races;
  for (StoredRace& entry : stored.value()) races.push_back(std::move(entry.race));
  return races;
}

Error unknown_race(const std::string& id, const std::vector<Race>& races) {
  std::vector<std::string_view> ids;
  ids.reserve(races.size());
  for (const Race& race : races) ids.push_back(race.id);
  const auto near = nearest(id, ids);
  return Error{fmt::format("there is no race {}{} ('deadheat report' lists them)", id,
                           near ? fmt::format("; did you mean {}?", *near) : std::string())};
}

Result<std::vector<Race>> chosen(const std::vector<std::string>& ids, const std::vector<Race>& races) {
  if (ids.empty()) return races;
  std::vector<Race> picked;
  for (const std::string& id : ids) {
    const auto found = std::find_if(races.begin(), races.end(), [&](const Race& race) { return race.id == id; });
    if (found == races.end()) return unknown_race(id, races);
    const bool again = std::any_of(picked.begin(), picked.end(), [&](const Race& race) { return race.id == id; });
    if (!again) picked.push_back(*found);
  }
  return picked;
}

Result<ConfirmSettings> settings_of(const Options& options, const RunPlace& place) {
  ConfirmSettings settings;
  settings.command = options.command;
  settings.run_folder = place.run.path;
  settings.clips = place.state.path() / "clips";
  settings.tries = options.tries;
  settings.most_tries = kMostTries;
  settings.jobs = options.jobs.value_or(std::max(1u, std::thread::hardware_concurrency()));
  settings.time_limit = options.time_limit;
  settings.expectation.exit = options.expect_exit;
  settings.show_output = options.show_output;
  settings.clock =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  if (!options.fail_on.empty()) {
    Result<OutputMatch> match = OutputMatch::compile(options.fail_on);
    if (!match) return match.error();
    settings.fail_on = std::move(match).value();
  }
  return settings;
}

std::size_t count(const std::vector<Confirmed>& all, VerdictKind kind) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const Confirmed& one) { return one.verdict.kind == kind; }));
}

std::string json_document(const std::vector<Confirmed>& confirmed) {
  nlohmann::json document = {{"tool", "deadheat"}, {"version", kVersion}, {"races", nlohmann::json::array()}};
  for (const Confirmed& one : confirmed) {
    nlohmann::json race = report::race_to_json(one.race);
    race["verdict"] = report::verdict_to_json(one.verdict);
    document["races"].push_back(std::move(race));
  }
  return report::json_text(document, 2) + "\n";
}

void print_verdicts(const Options& options, const std::vector<Confirmed>& confirmed, std::size_t asked) {
  std::vector<fs::path> roots = options.source_paths;
  roots.emplace_back(".");
  report::SourceLines sources(std::move(roots));
  for (const Confirmed& one : confirmed) {
    std::fputs(report::verdict_text(one.verdict, one.race, sources).c_str(), stderr);
  }
  std::string line =
      fmt::format("{} harmful, {} real without harm seen, {} not confirmed", count(confirmed, VerdictKind::kHarmful),
                  count(confirmed, VerdictKind::kReal), count(confirmed, VerdictKind::kNotConfirmed));
  if (confirmed.size() < asked) line += fmt::format(", {} not tried", asked - confirmed.size());
  fmt::print(stderr, "deadheat: {}\n", line);
}

// A program that does not end, or that fails by itself: the user should know before the tries.
void tell_control(const Played& control, const ConfirmSettings& settings) {
  const report::Execution& run = control.execution;
  if (run.timed_out) {
    fmt::print(
        stderr,
        "deadheat: the program did not end within {} seconds: it will be stopped in each try; give it an end, or "
        "more time with --time-limit\n",
        settings.time_limit);
    return;
  }
  const bool deadlock = !run.records.deadlocks.empty();
  if (!deadlock && run.signal == 0 && run.exit_status == settings.expectation.exit.value_or(0)) return;
  fmt::print(stderr, "deadheat: the program fails without a meeting already: in the control it {}",
             deadlock          ? std::string("ended in a deadlock")
             : run.signal != 0 ? fmt::format("was killed by signal {}", run.signal)
                               : fmt::format("exited with status {}", run.exit_status));
  const fs::path folder = control_folder(settings);
  const std::string tail = settings.show_output ? std::string() : last_lines(output_files(folder).errors);
  fmt::print(stderr, "{}", tail.empty() ? "\n" : fmt::format("; its stderr ends with:\n{}", tail));
  fmt::print(stderr, "deadheat: that is no harm of a race then; its output is kept in {}{}\n", folder.string(),
             deadlock || run.signal != 0
                 ? std::string()
                 : fmt::format("; if this status is as it should be: --expect-exit {}", run.exit_status));
}

// The races, with phase 1 if none is known. Nothing: interrupted.
Result<std::optional<std::vector<Race>>> races_to_try(const Options& options, RunPlace& place, ChildPool& pool) {
  Result<std::vector<Race>> known = known_races(place.database);
  if (!known) return known.error();
  if (known.value().empty() && !options.race_ids.empty()) {
    return Error{
        fmt::format("there is no race {}: none is known in {} yet; 'deadheat confirm --all -- {}' looks for "
                    "races first and tries all it finds",
                    options.race_ids.front(), place.state.path().string(), fmt::join(options.command, " "))};
  }
  if (known.value().empty()) {
    Result<SearchEnd> search = search_candidates(options, place, pool);
    if (!search) return search.error();
    if (search.value() == SearchEnd::kInterrupted) return std::optional<std::vector<Race>>();
    known = known_races(place.database);
    if (!known) return known.error();
  }
  Result<std::vector<Race>> picked = chosen(options.race_ids, known.value());
  if (!picked) return picked.error();
  return std::optional<std::vector<Race>>(std::move(picked).value());
}

}  // namespace

Result<int> confirm_verb(const Options& options) {
  std::optional<OutputFile> json;
  if (options.json_file) {
    Result<OutputFile> opened = OutputFile::create(*options.json_file);
    if (!opened) return opened.error();
    json = std::move(opened).value();
  }
  Result<RunPlace> opened = begin_run(options);
  if (!opened) return opened.error();
  RunPlace& place = opened.value();
  Result<ConfirmSettings> settings = settings_of(options, place);
  if (!settings) return settings.error();

  ChildPool pool;
  Result<std::optional<std::vector<Race>>> races = races_to_try(options, place, pool);
  if (!races) return races.error();
  std::vector<Confirmed> confirmed;
  Status worked = Ok{};
  if (races.value() && !races.value()->empty()) {
    ConfirmSession session(settings.value(), pool);
    Result<std::optional<Played>> control = session.run_control();
    if (!control) return control.error();
    if (control.value()) {
      tell_control(*control.value(), settings.value());
      Progress progress(races.value()->size());
      worked = session.run(
          *races.value(),
          [&](Confirmed& one) {
            progress.line(fmt::format("{} {}", one.race.id, report::verdict_line(one.verdict)));
            const Status stored = place.database.store_verdict(place.run.number, one.verdict);
            confirmed.push_back(std::move(one));
            return stored;
          },
          [&](std::size_t done, std::uint64_t executions) {
            progress.update(done, fmt::format("{} executions", executions));
          });
    }
  }
  if (races.value() && !races.value()->empty()) print_verdicts(options, confirmed, races.value()->size());
  if (json) {
    if (Status written = json->finish(json_document(confirmed)); !written) return written.error();
  }
  if (!worked) return worked.error();
  if (pool.interrupted()) {
    fmt::print(stderr, "deadheat: interrupted; what was found until then is kept\n");
    return kExitSignal + pool.interrupting_signal();
  }
  return count(confirmed, VerdictKind::kNotConfirmed) == confirmed.size() ? 0 : options.exit_code;
}

}  // namespace deadheat::cli
