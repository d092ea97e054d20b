// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/child.h"
#include "cli/database.h"
#include "cli/state_folder.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "report/machine_reports.h"
#include "report/summary.h"
#include "report/text.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

struct Stored {
  report::RunReport report;
  std::string closing;  // the last lines of the text form
};

// One run, from the records its JVMs left.
Result<Stored> load_run(const StateFolder& state, std::uint32_t number, const report::Suppressions& suppressions) {
  Result<RunFolder> run = state.existing_run(number);
  if (!run) return run.error();
  Result<std::vector<report::JvmRecords>> jvms = report::read_run(run.value().path);
  if (!jvms) return jvms.error();
  const std::vector<report::Race> races = report::merge_races(jvms.value());
  Stored stored{report::make_run_report(races, std::move(jvms).value(), suppressions), {}};
  for (const std::string& line : report::caveats(stored.report, process_is_running)) stored.closing += line + "\n";
  stored.closing += fmt::format("run {}: {}\n", number, report::summary_line(stored.report, run.value().path));
  return stored;
}

// All runs, from the database.
Result<Stored> load_all(const StateFolder& state, const report::Suppressions& suppressions) {
  Result<Database> database = Database::open(state.database());
  if (!database) return database.error();
  Result<std::vector<StoredRace>> stored_races = database.value().races();
  if (!stored_races) return stored_races.error();
  Result<std::map<std::string, report::Verdict>> verdicts = database.value().verdicts();
  if (!verdicts) return verdicts.error();
  std::vector<report::Race> races;
  Stored stored;
  for (StoredRace& entry : stored_races.value()) {
    stored.closing += fmt::format("{}  first seen {}, last seen {}, {} in all: {}\n", entry.race.id, entry.first_seen,
                                  entry.last_seen, entry.race.count, report::race_headline(entry.race));
    const auto verdict = verdicts.value().find(entry.race.id);
    if (verdict != verdicts.value().end()) {
      stored.closing += fmt::format("{:{}}  {}\n", "", entry.race.id.size(), report::verdict_line(verdict->second));
    }
    races.push_back(std::move(entry.race));
  }
  if (races.empty()) stored.closing = "no race has been found in any run so far\n";
  stored.report = report::make_run_report(std::move(races), {}, suppressions);
  stored.report.verdicts = std::move(verdicts).value();
  return stored;
}

std::string render(const Options& options, const Stored& stored) {
  std::vector<fs::path> roots = options.source_paths;
  roots.emplace_back(".");
  report::SourceLines sources(std::move(roots));
  switch (options.format) {
    case ReportFormat::kJson:
      return report::json_report(stored.report, kVersion);
    case ReportFormat::kSarif:
      return report::sarif_report(stored.report, kVersion, sources);
    case ReportFormat::kText:
      break;
  }
  std::string text;
  for (const report::Race& race : stored.report.races) text += report::race_text(race, sources);
  return text + stored.closing;
}

}  // namespace

Result<int> report_verb(const Options& options) {
  Result<StateFolder> state = StateFolder::find(options.state, fs::current_path());
  if (!state) return state.error();
  report::Suppressions suppressions;
  if (options.suppressions) {
    Result<report::Suppressions> loaded = report::Suppressions::load(*options.suppressions);
    if (!loaded) return loaded.error();
    suppressions = std::move(loaded).value();
  }
  Result<Stored> stored =
      options.run ? load_run(state.value(), *options.run, suppressions) : load_all(state.value(), suppressions);
  if (!stored) return stored.error();
  const std::string text = render(options, stored.value());
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    return Error{fmt::format("cannot write the report: {}", std::strerror(errno))};
  }
  return 0;
}

}  // namespace deadheat::cli
