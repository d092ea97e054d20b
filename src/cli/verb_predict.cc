// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "cli/output_file.h"
#include "cli/prediction_report.h"
#include "cli/progress.h"
#include "cli/recording.h"
#include "cli/reexecution.h"
#include "cli/trace_file.h"
#include "cli/verbs.h"
#include "cli/version.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

struct PredictionOutputs {
  std::optional<OutputFile> json, sarif;
};

Result<std::vector<predict::Pattern>> load_patterns(const Options& options) {
  std::vector<predict::Pattern> all;
  for (const fs::path& path : options.pattern_files) {
    std::error_code error;
    std::ifstream file;
    if (!fs::is_directory(path, error)) file.open(path, std::ios::binary);  // reading one throws
    if (!file.is_open()) {
      return Error{fmt::format("cannot read the patterns in {}: give a text file (docs/prediction.md)", path.string())};
    }
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    Result<std::vector<predict::Pattern>> patterns = predict::parse_patterns(text, path.string());
    if (!patterns) return patterns.error();
    all.insert(all.end(), patterns.value().begin(), patterns.value().end());
  }
  return all;
}

Status write_reports(const Options& options, const report::PredictionReport& report, PredictionOutputs& outputs) {
  std::vector<fs::path> roots = options.source_paths;
  roots.emplace_back(".");
  report::SourceLines sources(std::move(roots));
  std::fputs(report::prediction_text(report, sources).c_str(), stderr);
  if (outputs.json) {
    if (Status written = outputs.json->finish(report::prediction_json(report, kVersion)); !written) return written;
  }
  if (outputs.sarif) return outputs.sarif->finish(report::prediction_sarif(report, kVersion, sources));
  return Ok{};
}

// Where something was tried, only what happened counts; else what cannot be false.
bool found_something(const report::PredictionReport& report) {
  return std::any_of(report.predictions.begin(), report.predictions.end(), [&](const report::Prediction& prediction) {
    return report.reexecuted ? prediction.run.attempted == report::Attempted::kCreated : prediction.cannot_be_false;
  });
}

// The trace to look at: the one given, or that of a run made now.
struct Source {
  std::string file;
  int exit_status = 0;
  std::int64_t clock = 0;
};
Result<Source> source_of(const Options& options, std::optional<RunPlace>& place) {
  if (!options.files.empty()) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return Source{options.files.front(), 0, std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
  }
  Result<Recording> recorded = record_run(options, *place);
  if (!recorded) return recorded.error();
  Recording& recording = recorded.value();
  if (options.output) {
    if (Status delivered = deliver(recording, *options.output); !delivered) return delivered.error();
  }
  fmt::print(stderr, "deadheat: recorded {}\n", recording.traces.front().path.string());
  if (recording.traces.size() > 1) {
    fmt::print(stderr, "deadheat: {} JVMs were recorded; this is the longest trace of them\n", recording.traces.size());
  }
  return Source{recording.traces.front().path.string(), recording.exit_status, recording.clock};
}

ReexecutionSettings settings_of(const Options& options, const RunPlace& place, const Source& source) {
  ReexecutionSettings settings;
  settings.command = options.command;
  settings.run_folder = place.run.path;
  settings.clips = place.state.path() / "clips";
  settings.jobs = options.jobs.value_or(std::max(1u, std::thread::hardware_concurrency()));
  settings.time_limit = options.time_limit;
  settings.seed = options.seed.value_or(1);
  settings.clock = source.clock;
  settings.most = options.most_executions;
  settings.include = options.include;
  settings.exclude = options.exclude;
  return settings;
}

// The signal that interrupted it; 0: none did.
Result<int> try_all(const Options& options, const RunPlace& place, const Source& source, const trace::Trace& trace,
                    const predict::Predictions& predictions, report::PredictionReport& report) {
  report.reexecuted = true;
  const auto schedules = static_cast<std::size_t>(
      std::count_if(predictions.findings.begin(), predictions.findings.end(),
                    [](const predict::Finding& finding) { return finding.schedule.has_value(); }));
  const ReexecutionSettings settings = settings_of(options, place, source);
  ChildPool pool;
  Progress progress(std::min(schedules, settings.most));
  const Status worked =
      reexecute(settings, pool, trace, predictions.findings, report.predictions,
                [&](std::size_t done, const report::Prediction& one) {
                  progress.line(fmt::format("{} {}: {}", one.id, one.kind, report::attempted_name(one.run.attempted)));
                  progress.update(done, fmt::format("{} executions", done));
                });
  if (!worked) return worked.error();
  return pool.interrupted() ? pool.interrupting_signal() : 0;
}

}  // namespace

Result<int> predict_verb(const Options& options) {
  Result<std::vector<predict::Pattern>> patterns = load_patterns(options);
  if (!patterns) return patterns.error();
  PredictionOutputs outputs;
  for (const Status& opened :
       {open_output(options.json_file, outputs.json), open_output(options.sarif_file, outputs.sarif)}) {
    if (!opened) return opened.error();
  }
  std::optional<RunPlace> place;
  if (!options.command.empty()) {
    Result<RunPlace> begun = begin_run(options);
    if (!begun) return begun.error();
    place.emplace(std::move(begun).value());
  }
  Result<Source> source = source_of(options, place);
  if (!source) return source.error();
  Result<trace::Loaded> loaded = load_sound_trace(source.value().file);
  if (!loaded) return loaded.error();
  const trace::Trace& trace = loaded.value().trace;
  predict::PredictionOptions prediction_options;
  prediction_options.exact = options.exact;
  prediction_options.user_patterns = patterns.value();
  const predict::Predictions predictions = predict::predict_all(trace, prediction_options);
  report::PredictionReport report = make_prediction_report(source.value().file, trace, predictions);
  int interrupted = 0;
  if (place && options.reexecute) {
    Result<int> tried = try_all(options, *place, source.value(), trace, predictions, report);
    if (!tried) return tried.error();
    interrupted = tried.value();
  }
  if (Status written = write_reports(options, report, outputs); !written) return written.error();
  if (interrupted != 0) {
    fmt::print(stderr, "deadheat: interrupted; what was found until then is kept\n");
    return kExitSignal + interrupted;
  }
  return found_something(report) && options.exit_code != 0 ? options.exit_code : source.value().exit_status;
}

}  // namespace deadheat::cli
