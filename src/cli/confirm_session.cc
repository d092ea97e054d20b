// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <system_error>

#include "cli/class_path_hash.h"
#include "cli/clip.h"
#include "cli/launch_errors.h"
#include "cli/recording.h"
#include "cli/stop_aims.h"
#include "cli/version.h"
#include "report/records.h"
#include "report/text.h"
#include "schedule/aim.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

// What a clip says about its end, in one line.
std::string outcome_line(const report::Execution& run, const std::vector<report::Harm>& harms) {
  if (!harms.empty()) return harms.front().what;
  return fmt::format("exit status {}, no harm seen", run.exit_status);
}

// Of the pairs that are not on record: that a pair can meet shows soon, and there may be several for each race.
constexpr std::uint32_t kFurtherTries = 3;
constexpr std::size_t kMostFurtherPairs = 6;

std::vector<report::WantedSite> sites_seen(const std::vector<Played>& played) {
  std::vector<report::WantedSite> seen;
  for (const Played& one : played) {
    if (!one.execution.records.outcome) continue;
    const std::vector<report::WantedSite>& sites = one.execution.records.outcome->sites;
    seen.insert(seen.end(), sites.begin(), sites.end());
  }
  return seen;
}

// A JVM came up, and the java launcher found nothing to run in it.
bool starts_no_program(const report::Execution& run, const Redirection& files, const report::Expectation& expectation) {
  if (run.timed_out || run.exit_status == expectation.exit.value_or(0)) return false;
  const bool alone = run.records.outcome && run.records.outcome->switches == 0;
  return alone && run.records.uncaught.empty() && has_launcher_error(files.errors);
}

}  // namespace

void copy_to(std::FILE* stream, const fs::path& file) {
  const std::string text = file_text(file);
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

Result<Played> ConfirmSession::collect(const fs::path& folder, const ChildPool::Ended& ended,
                                       const ScheduleLaunch& launch) {
  if (settings_.show_output) {
    copy_to(stdout, output_files(folder).output);
    copy_to(stderr, output_files(folder).errors);
  }
  return read_execution(folder, ended, launch, settings_.fail_on);
}

Result<std::optional<Played>> ConfirmSession::run_control() {
  const fs::path folder = control_folder(settings_);
  if (Status made = make_folder(folder); !made) return made.error();
  ScheduleLaunch launch;
  launch.strategy = "pct";  // of depth 1: each thread runs until it blocks
  launch.clock = settings_.clock;
  launch.time_limit = settings_.time_limit;
  Status started = start_controlled(pool_, 0, settings_.command, folder, launch);
  if (!started) return started.error();
  const std::optional<ChildPool::Ended> ended = pool_.wait();
  if (!ended) return std::optional<Played>();
  Result<Played> played = collect(folder, *ended, launch);
  if (!played) return played.error();
  if (played.value().jvms == 0) return no_jvm(settings_.command, ended->exit);
  if (!played.value().execution.under_control) {
    return Error{fmt::format("the JVM did not come up under control: see {}", output_files(folder).errors.string())};
  }
  control_ = played.value().execution;
  if (starts_no_program(control_, output_files(folder), settings_.expectation)) {
    return Error{
        fmt::format("'{}' {} before it had started a program; its stderr ends with:\n{}deadheat: races are known, "
                    "but this command does not come to them: check the class path and the main class",
                    settings_.command.front(), describe(ended->exit), last_lines(output_files(folder).errors))};
  }
  return std::optional<Played>(std::move(played).value());
}

fs::path ConfirmSession::folder_of(const Candidate& candidate, const Attempt& attempt) const {
  fs::path folder = settings_.run_folder / "tries" / candidate.race.id;
  if (candidate.pair > 0) folder /= fmt::format("pair-{}", candidate.pair + 1);
  if (attempt.records) return folder / fmt::format("recording-{}", attempt.seed);
  if (attempt.is_survey()) return folder / fmt::format("survey-{}", attempt.seed);
  const report::Search& search = candidate.pursuit->search();
  if (Attempt::has_stop(attempt.aim) && !candidate.pursuit->has_met()) {
    return folder / fmt::format("stop-{}", search.executions + 1);
  }
  return folder / fmt::format("{}{}", attempt.seed, attempt.first == "coin" ? "" : "-first-" + attempt.first);
}

Status ConfirmSession::start(std::size_t index, const Attempt& attempt) {
  Candidate& candidate = *candidates_[index];
  candidate.folder = folder_of(candidate, attempt);
  candidate.records = attempt.records;
  if (Status made = make_folder(candidate.folder); !made) return made;
  ScheduleLaunch& launch = candidate.current;
  launch.strategy = "race";
  launch.seed = attempt.seed;
  launch.first = attempt.first;
  launch.aim = attempt.aim;
  launch.lead = attempt.lead;
  launch.sites = sites_for(candidate.sites(), attempt.aim);
  launch.trace = attempt.records;
  launch.decisions = !attempt.records;
  launch.clock = settings_.clock;
  launch.time_limit = settings_.time_limit;
  return start_controlled(pool_, index, settings_.command, candidate.folder, launch);
}

Status ConfirmSession::leave_clip(const Candidate& candidate, report::Verdict& verdict) const {
  // The execution with harm tells most; without one, the first in which they met.
  const Played* best = nullptr;
  std::vector<report::Harm> best_harms;
  const report::Background background =
      report::background(control_, candidate.pursuit->orders(), settings_.expectation);
  for (const Played& played : candidate.played) {
    if (played.execution.records.meetings.empty() || played.decisions.empty()) continue;
    std::vector<report::Harm> harms = report::harms_of(played.execution, background, settings_.expectation);
    if (best != nullptr && (harms.empty() || !best_harms.empty())) continue;
    best = &played;
    best_harms = std::move(harms);
  }
  if (best == nullptr) return Ok{};
  const report::Execution& run = best->execution;
  Clip clip;
  clip.race = candidate.race.id;
  clip.headline = report::race_headline(candidate.race);
  clip.sites = sites_for(candidate.sites(), run.aim);
  clip.strategy = "race";
  clip.seed = run.seed;
  clip.order = run.order;
  clip.clock = settings_.clock;
  clip.deadheat = kVersion;
  clip.jvm = best->jvm;
  clip.command = settings_.command;
  clip.working_directory = fs::current_path().string();
  clip.class_path_hash = class_path_hash(settings_.command);
  clip.outcome = outcome_line(run, best_harms);
  clip.exit_status = run.exit_status;
  clip.signal = run.signal;
  clip.cut_off = run.timed_out;
  clip.output_hash = run.output_hash;
  for (const report::Uncaught& uncaught : run.records.uncaught) clip.exceptions.push_back(uncaught.exception);
  const std::string decisions = file_text(best->decisions);
  clip.decisions.assign(decisions.begin(), decisions.end());
  clip.site_list = file_text(best->decisions.string() + ".sites");
  const fs::path file = settings_.clips / (candidate.race.id + ".clip");
  if (Status written = write_clip(clip, file); !written) return written;
  verdict.clip = file.string();
  return Ok{};
}

// Judges the pair; the worst one so far is the race's verdict, and its clip the race's.
Status ConfirmSession::finish_pair(Candidate& candidate) const {
  report::Verdict verdict = report::judge(candidate.race.id, candidate.pursuit->tries(), candidate.pursuit->orders(),
                                          control_, settings_.expectation);
  const bool first = candidate.pair == 0;
  verdict.search = first ? candidate.pursuit->search() : candidate.verdict.search;
  if (first && verdict.met == 0 && verdict.search.recordings > 0) {
    verdict.obstacles.push_back(report::search_line(verdict.search));
  }
  if (candidate.sites().empty()) {
    verdict.obstacles = {"its record does not name the two sites; 'deadheat run' records them"};
  } else {
    verdict.pairs = std::move(candidate.verdict.pairs);
    verdict.pairs.push_back({candidate.sites()[0], candidate.sites()[1], verdict.kind, verdict.tries, verdict.met});
  }
  Status left = Ok{};
  if (first || report::tells_more(verdict, candidate.verdict)) {
    left = leave_clip(candidate, verdict);
    verdict.pairs_left = candidate.verdict.pairs_left;
    verdict.timed_out = candidate.verdict.timed_out;
    candidate.verdict = std::move(verdict);
  } else {
    candidate.verdict.pairs = std::move(verdict.pairs);
  }
  candidate.verdict.timed_out +=
      static_cast<std::uint64_t>(std::count_if(candidate.played.begin(), candidate.played.end(),
                                               [](const Played& played) { return played.execution.timed_out; }));
  if (first) {
    std::vector<SitePair> further = further_pairs(candidate.race, sites_seen(candidate.played));
    if (further.size() > kMostFurtherPairs) {
      candidate.verdict.pairs_left = further.size() - kMostFurtherPairs;
      further.resize(kMostFurtherPairs);
    }
    candidate.pairs.insert(candidate.pairs.end(), further.begin(), further.end());
  }
  candidate.played.clear();  // a hundred executions take room
  return left;
}

void ConfirmSession::begin_pursuit(Candidate& candidate, std::optional<std::uint32_t> tries, std::uint32_t most,
                                   bool searches) const {
  candidate.pursuit.emplace(tries, most, searches);
  for (const std::string& kind : hopeless_surveys_) candidate.pursuit->give_up_surveys(kind);
}

// What takes one race's survey beyond the time limit, a loop that waits for another thread, does so to all.
void ConfirmSession::give_up_surveys(const std::string& kind) {
  hopeless_surveys_.insert(kind);
  for (std::optional<Candidate>& candidate : candidates_) {
    if (candidate) candidate->pursuit->give_up_surveys(kind);
  }
}

bool ConfirmSession::begin_next_pair(Candidate& candidate) const {
  if (candidate.verdict.kind == report::VerdictKind::kHarmful || candidate.pair + 1 == candidate.pairs.size()) {
    return false;
  }
  ++candidate.pair;
  begin_pursuit(candidate, std::nullopt, kFurtherTries, false);
  return true;
}

Result<bool> ConfirmSession::go_on(std::size_t index, const Told& told) {
  Candidate& candidate = *candidates_[index];
  use_recording(candidate);
  if (!candidate.pursuit->next()) {
    if (Status finished = finish_pair(candidate); !finished) return finished.error();
    if (!begin_next_pair(candidate)) {
      if (Status finished = finish(index, told); !finished) return finished.error();
      return true;
    }
  }
  if (Status started = start(index, candidate.pursuit->next().value()); !started) return started.error();
  return false;
}

// Those that were made for another race need not be made again.
void ConfirmSession::use_recording(Candidate& candidate) const {
  for (auto next = candidate.pursuit->next(); next && next->records; next = candidate.pursuit->next()) {
    const auto recording = recordings_.find(next->seed);
    if (recording == recordings_.end()) return;
    const Result<fs::path>& trace = recording->second;
    const std::optional<schedule::Survey> survey = schedule::parse_survey(next->aim);
    candidate.pursuit->recorded(trace && survey
                                    ? stop_aims(trace.value(), candidate.sites(), {*survey, next->seed})
                                    : Result<std::vector<std::string>>(trace ? Error{"no survey"} : trace.error()));
  }
}

void ConfirmSession::take_recording(Candidate& candidate, const Played& played) {
  const auto trace = [&]() -> Result<fs::path> {
    if (played.execution.timed_out) return Error{"a run that was recorded ran into the time limit (--time-limit)"};
    Result<std::vector<report::JvmRecords>> jvms = report::read_run(candidate.folder);
    if (!jvms) return jvms.error();
    const std::vector<RecordedTrace> traces = recorded_traces(jvms.value());
    if (traces.empty()) return Error{"nothing was recorded"};
    return traces.front().path;
  };
  const Result<fs::path> recording = trace();
  const bool is_new = recordings_.try_emplace(candidate.current.seed, recording).second;
  std::error_code ignored;
  if (!is_new && recording) fs::remove(recording.value(), ignored);  // another race had it made meanwhile
}

// They may be large, and tell nothing that could not be recorded again.
void ConfirmSession::remove_recordings() const {
  for (const auto& [seed, trace] : recordings_) {
    std::error_code ignored;
    if (trace) fs::remove(trace.value(), ignored);
  }
}

Status ConfirmSession::take(std::size_t index, const ChildPool::Ended& ended) {
  Candidate& candidate = *candidates_[index];
  Result<Played> played = collect(candidate.folder, ended, candidate.current);
  if (!played) return played.error();
  if (candidate.records) {
    take_recording(candidate, played.value());
    return Ok{};
  }
  const report::Execution& execution = played.value().execution;
  candidate.pursuit->took(execution);
  if (execution.timed_out && Attempt::is_survey(execution.aim)) give_up_surveys(execution.aim);
  candidate.played.push_back(std::move(played).value());
  return Ok{};
}

Status ConfirmSession::finish(std::size_t index, const Told& told) {
  Confirmed confirmed{std::move(candidates_[index]->race), std::move(candidates_[index]->verdict)};
  candidates_[index].reset();
  return told(confirmed);
}

Status ConfirmSession::run(const std::vector<report::Race>& races, const Told& told, const Tried& tried) {
  for (const report::Race& race : races) {
    Candidate candidate;
    candidate.race = race;
    candidate.pairs = {recorded_pair(race)};
    const bool known = !candidate.sites().empty();
    const bool few = settings_.tries && *settings_.tries < settings_.most_tries;
    begin_pursuit(candidate, known ? settings_.tries : 0, known ? settings_.most_tries : 0,
                  known && !few && !control_.timed_out);
    candidates_.emplace_back(std::move(candidate));
  }
  std::size_t next = 0, done = 0;
  std::uint64_t executions = 0;
  while (!pool_.interrupted()) {
    for (; next < candidates_.size() && pool_.running() < settings_.jobs; ++next) {
      Result<bool> finished = go_on(next, told);
      if (!finished) return finished.error();
      done += finished.value() ? 1 : 0;
    }
    const std::optional<ChildPool::Ended> ended = pool_.wait();
    if (!ended) break;
    if (Status taken = take(ended->id, *ended); !taken) return taken;
    tried(done, ++executions);
    Result<bool> finished = go_on(ended->id, told);
    if (!finished) return finished.error();
    if (finished.value()) tried(++done, executions);
  }
  remove_recordings();
  if (!pool_.interrupted()) return Ok{};
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!candidates_[i]) continue;
    Candidate& candidate = *candidates_[i];
    if (candidate.pair == 0 && candidate.played.empty()) continue;
    if (!candidate.played.empty()) {
      if (Status judged = finish_pair(candidate); !judged) return judged;
    }
    candidate.verdict.interrupted = true;
    if (Status finished = finish(i, told); !finished) return finished;
  }
  return Ok{};
}

}  // namespace deadheat::cli
