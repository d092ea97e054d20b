// SPDX-License-Identifier: Apache-2.0
#include "cli/reexecution.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <unordered_map>
#include <utility>

#include "cli/class_path_hash.h"
#include "cli/clip.h"
#include "cli/prediction_report.h"
#include "cli/version.h"
#include "trace/location.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;
using model::EventKind;
using report::Attempted;

// The names of the sites of a trace, each with a number in the script as soon as it is used.
class SiteNumbers {
 public:
  explicit SiteNumbers(const trace::Trace& trace) : trace_(trace), numbers_(trace.sites.size() + 1) {}

  struct Site {
    std::uint32_t number = 0;
    bool soft = false;
  };
  Site of(model::SiteId site) {
    Site& known = numbers_[to_number(site) < numbers_.size() ? to_number(site) : 0];
    if (site == model::SiteId{} || known.number != 0) return known;
    const std::string name = trace::parse_location(trace_.sites.text(to_number(site))).site;
    if (name.empty()) return known;
    names_.push_back(name);
    return known = {static_cast<std::uint32_t>(names_.size()), trace::is_jdk_site(name)};
  }
  std::vector<std::string> take_names() { return std::move(names_); }

 private:
  const trace::Trace& trace_;
  std::vector<Site> numbers_;
  std::vector<std::string> names_;
};

bool is_told(const model::Event& event) {
  switch (event.kind) {
    case EventKind::kRegionEnter:
    case EventKind::kRegionExit:
    case EventKind::kMethodEnter:
    case EventKind::kMethodExit:
      return false;
    case EventKind::kVolatileRead:
    case EventKind::kVolatileWrite:
    case EventKind::kVolatileUpdate:
      return event.site != model::SiteId{};  // without one: the use of a class
    default:
      return true;
  }
}

class ReexecutionSession {
 public:
  ReexecutionSession(const ReexecutionSettings& settings, ChildPool& pool, const trace::Trace& trace,
                     const std::vector<predict::Finding>& findings, std::vector<report::Prediction>& predictions)
      : settings_(settings),
        pool_(pool),
        trace_(trace),
        findings_(findings),
        predictions_(predictions),
        others_tried_(findings.size()) {}

  Status run(const std::function<void(std::size_t done, const report::Prediction&)>& told) {
    std::size_t next = 0;
    std::size_t started = 0;
    std::size_t done = 0;
    while (!pool_.interrupted()) {
      for (; next < findings_.size() && started < settings_.most && pool_.running() < settings_.jobs; ++next) {
        if (!findings_[next].schedule) continue;
        ++started;
        if (Status status = start(next); !status) return status;
      }
      const std::optional<ChildPool::Ended> ended = pool_.wait();
      if (!ended) break;
      ++done;
      if (Status status = finish(*ended); !status) return status;
      if (has_more(ended->id) && started < settings_.most && !pool_.interrupted()) {
        ++started;
        ++others_tried_[ended->id];
        if (Status status = start(ended->id); !status) return status;
        continue;
      }
      told(done, predictions_[ended->id]);
    }
    return Ok{};
  }

 private:
  fs::path folder_of(std::size_t index) const {
    const std::size_t others = others_tried_[index];
    const std::string again = others == 0 ? "" : fmt::format(".{}", others + 1);
    return settings_.run_folder / "tries" / (predictions_[index].id + again);
  }

  // Whether the finding did not show in its last execution, and may in another one.
  bool has_more(std::size_t index) const {
    const Attempted result = predictions_[index].run.attempted;
    const bool other_way = result == Attempted::kDiverged || result == Attempted::kDeadlocked;
    return other_way && others_tried_[index] < findings_[index].others.size();
  }

  ScheduleLaunch launch_of(std::size_t index) const {
    ScheduleLaunch launch;
    launch.strategy = "events";
    launch.seed = settings_.seed;
    launch.replay = folder_of(index) / "schedule";
    launch.clock = settings_.clock;
    launch.time_limit = settings_.time_limit;
    launch.trace = true;
    launch.include = settings_.include;
    launch.exclude = settings_.exclude;
    return launch;
  }

  Status start(std::size_t index) {
    const fs::path folder = folder_of(index);
    if (Status made = make_folder(folder); !made) return made;
    const ScheduleLaunch launch = launch_of(index);
    const predict::Finding& finding = findings_[index];
    const std::size_t others = others_tried_[index];
    const auto& events = others == 0 ? finding.events : finding.others[others - 1].events;
    const predict::GeneratedSchedule& schedule = others == 0 ? *finding.schedule : finding.others[others - 1].schedule;
    NamedScript named = script_of(trace_, *finding.pattern, events, schedule);
    std::ofstream file(launch.replay, std::ios::binary);
    file << schedule::to_text(named.script, named.sites);
    accesses_[index] = std::move(named.accesses);
    file.close();
    if (!file) return Error{fmt::format("cannot write {}", launch.replay.string())};
    return start_controlled(pool_, index, settings_.command, folder, launch);
  }

  Status finish(const ChildPool::Ended& ended) {
    const fs::path folder = folder_of(ended.id);
    Result<Played> played = read_execution(folder, ended, launch_of(ended.id), OutputMatch());
    if (!played) return played.error();
    report::Prediction& prediction = predictions_[ended.id];
    const std::size_t others = others_tried_[ended.id];
    report::Reexecution result = result_of(played.value());
    // Of several that do not show it, the first is told: it is the likeliest.
    if (others == 0 || result.attempted == Attempted::kCreated) prediction.run = std::move(result);
    prediction.run.tries = static_cast<std::uint32_t>(others + 1);
    if (others != 0 && prediction.run.attempted == Attempted::kCreated) {
      prediction.accesses = accesses_of(trace_, findings_[ended.id].others[others - 1].events);
    }
    if (prediction.run.attempted != Attempted::kCreated) return Ok{};
    show_steps(played.value().execution.records, accesses_[ended.id], prediction);
    if (played.value().decisions.empty()) return Ok{};
    return leave_clip(played.value(), prediction);
  }

  // Where the threads stood when it happened.
  static void show_steps(const report::ScheduleRecords& records, const std::vector<std::size_t>& accesses,
                         report::Prediction& prediction) {
    for (const auto& [step, place] : records.steps) {
      if (step >= accesses.size() || accesses[step] >= prediction.accesses.size()) continue;
      prediction.accesses[accesses[step]].place = place;
    }
  }

  static report::Reexecution result_of(const Played& played) {
    const report::Execution& run = played.execution;
    report::Reexecution result;
    result.exit_status = run.exit_status;
    for (const report::Uncaught& uncaught : run.records.uncaught) result.exceptions.push_back(uncaught.exception);
    const auto& followed = run.records.followed;
    if (!followed) {
      result.attempted = run.records.deadlocks.empty() ? Attempted::kFailed : Attempted::kDeadlocked;
      if (run.records.deadlocks.empty()) {
        result.detail = run.timed_out      ? "in the time limit"
                        : played.jvms == 0 ? "no JVM was started"
                                           : "the JVM was killed";
      }
      return result;
    }
    const std::string where = fmt::format("at event {} of {} (thread {}): expected {}, found {}", followed->event,
                                          followed->events, followed->thread, followed->expected, followed->actual);
    if (followed->result == "created") {
      result.attempted = Attempted::kCreated;
    } else if (followed->result == "blocked" || !run.records.deadlocks.empty()) {
      result.attempted = Attempted::kDeadlocked;
      result.detail = followed->result == "blocked" ? where : "";
    } else if (followed->result == "under way") {
      result.attempted = run.timed_out ? Attempted::kFailed : Attempted::kDiverged;
      result.detail = run.timed_out ? "in the time limit" : "the program ended before the schedule did";
    } else {
      result.attempted = Attempted::kDiverged;
      result.detail = followed->result == "not shown" ? followed->actual : where;
    }
    return result;
  }

  Status leave_clip(const Played& played, report::Prediction& prediction) {
    const report::Execution& run = played.execution;
    Clip clip;
    clip.race = prediction.id;
    clip.headline = report::prediction_headline(prediction);
    if (prediction.kind == "data race") {
      for (const report::PredictedAccess& access : prediction.accesses) {
        clip.sites.push_back(trace::parse_location(access.location).site);
      }
    }
    clip.strategy = "events";
    clip.every_access = true;
    clip.include = settings_.include;
    clip.exclude = settings_.exclude;
    clip.seed = settings_.seed;
    clip.order = "coin";
    clip.clock = settings_.clock;
    clip.deadheat = kVersion;
    clip.jvm = played.jvm;
    clip.command = settings_.command;
    clip.working_directory = fs::current_path().string();
    clip.class_path_hash = class_path_hash(settings_.command);
    clip.outcome = run.records.uncaught.empty() ? fmt::format("exit status {}", run.exit_status)
                                                : fmt::format("uncaught {}", run.records.uncaught.front().exception);
    clip.exit_status = run.exit_status;
    clip.signal = run.signal;
    clip.cut_off = run.timed_out;
    clip.output_hash = run.output_hash;
    for (const report::Uncaught& uncaught : run.records.uncaught) clip.exceptions.push_back(uncaught.exception);
    const std::string decisions = file_text(played.decisions);
    clip.decisions.assign(decisions.begin(), decisions.end());
    clip.site_list = file_text(played.decisions.string() + ".sites");
    const fs::path file = settings_.clips / (prediction.id + ".clip");
    if (Status written = write_clip(clip, file); !written) return written;
    prediction.run.clip = file.string();
    return Ok{};
  }

  const ReexecutionSettings& settings_;
  ChildPool& pool_;
  const trace::Trace& trace_;
  const std::vector<predict::Finding>& findings_;
  std::vector<report::Prediction>& predictions_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> accesses_;  // by finding: NamedScript::accesses
  std::vector<std::size_t> others_tried_;                               // by finding: how many of Finding::others
};

}  // namespace

NamedScript script_of(const trace::Trace& trace, const predict::Pattern& pattern,
                      const std::vector<predict::EventNumber>& events, const predict::GeneratedSchedule& schedule) {
  NamedScript named;
  schedule::EventScript& script = named.script;
  SiteNumbers sites(trace);
  for (std::uint32_t t = 1; t <= trace.threads.size(); ++t) script.threads.push_back(trace.threads.text(t));
  std::vector<bool> apart(trace.threads.size() + 1);
  std::unordered_map<predict::EventNumber, std::uint32_t> places;
  std::vector<predict::EventNumber> order = schedule.all();
  // Of the two accesses of a race, the one goes first that came second in the recorded run: the other order is known.
  if (pattern.adjacent && order[order.size() - 2] < order.back()) {
    std::swap(order[order.size() - 2], order.back());
  }
  for (const predict::EventNumber number : order) {
    const model::Event& event = trace.events[number - 1];
    const std::uint32_t thread = to_number(event.thread);
    const bool is_mark = event.kind == EventKind::kMethodEnter || event.kind == EventKind::kMethodExit;
    if (is_mark && trace.regions.text(event.object) == trace::kUnscheduled) {
      apart[thread] = event.kind == EventKind::kMethodEnter;
    }
    if (!is_told(event) || apart[thread]) continue;
    places[number] = static_cast<std::uint32_t>(script.events.size());
    const SiteNumbers::Site site = sites.of(event.site);
    schedule::ScriptEvent told{thread - 1, event.kind, model::SiteId{site.number}, {}, site.soft};
    if (event.peer != model::ThreadId{}) told.peer = to_number(event.peer) - 1;
    script.events.push_back(told);
  }
  script.adjacent = pattern.adjacent;
  for (std::size_t s = 0; s < events.size(); ++s) {
    const auto place = places.find(events[s]);
    if (place == places.end()) continue;
    script.steps.push_back({place->second, pattern.steps[s].variable});
    named.accesses.push_back(s);
  }
  if (script.adjacent && script.steps.size() == 2 && script.steps[1].event < script.steps[0].event) {
    std::swap(script.steps[0], script.steps[1]);
    std::swap(named.accesses[0], named.accesses[1]);
  }
  named.sites = sites.take_names();
  return named;
}

Status reexecute(const ReexecutionSettings& settings, ChildPool& pool, const trace::Trace& trace,
                 const std::vector<predict::Finding>& findings, std::vector<report::Prediction>& predictions,
                 const std::function<void(std::size_t done, const report::Prediction&)>& told) {
  return ReexecutionSession(settings, pool, trace, findings, predictions).run(told);
}

}  // namespace deadheat::cli
