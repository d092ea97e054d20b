// SPDX-License-Identifier: Apache-2.0
#include "report/prediction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "report/text_page.h"

namespace deadheat::report {

std::string attempted_name(Attempted attempted) {
  switch (attempted) {
    case Attempted::kNotTried:
      return "not tried";
    case Attempted::kCreated:
      return "created";
    case Attempted::kDiverged:
      return "diverged";
    case Attempted::kDeadlocked:
      return "deadlocked";
    case Attempted::kInfeasible:
      return "infeasible";
    case Attempted::kFailed:
      return "failed";
  }
  return "unknown";
}

namespace {

// Empty: the trace does not say where.
std::string place_of(const PredictedAccess& access) {
  if (access.frame.class_name.empty()) return access.location.empty() ? "" : "location " + access.location;
  return fmt::format("{} ({})", qualified_method(access.frame), source_position(access.frame));
}

// " on a.b.C.x"; empty where no variable is accessed.
std::string variables_of(const Prediction& prediction) {
  std::vector<std::string> names;
  for (const PredictedAccess& access : prediction.accesses) {
    if (access.of_variable && std::find(names.begin(), names.end(), access.variable) == names.end()) {
      names.push_back(access.variable);
    }
  }
  return names.empty() ? "" : fmt::format(" on {}", fmt::join(names, " and "));
}

std::string run_line(const Reexecution& run) {
  std::string text = attempted_name(run.attempted);
  if (!run.detail.empty()) text += " " + run.detail;
  if (!run.exceptions.empty()) text += fmt::format(", uncaught {}", fmt::join(run.exceptions, ", "));
  if (run.attempted == Attempted::kCreated) text += fmt::format(", exit status {}", run.exit_status);
  if (run.tries > 1) text += fmt::format(" ({} schedules were tried)", run.tries);
  return text;
}

void print(Page& page, const Prediction& prediction, SourceLines& sources) {
  page.line("{}", kRule);
  page.line("{}{}{} [{}]: {}", prediction.kind,
            prediction.pattern.empty() ? "" : fmt::format(" ({})", prediction.pattern), variables_of(prediction),
            prediction.id, prediction_label(prediction));
  if (!prediction.shape.empty()) page.line("  shape: {}", prediction.shape);
  page.line("  seen by: {}{}", fmt::join(prediction.seen_by, ", "),
            prediction.count > 1 ? fmt::format("; {} times in the trace", prediction.count) : "");
  for (const PredictedAccess& access : prediction.accesses) {
    const std::string place = place_of(access);
    page.line("  {}{}{}{}{}, event {}", what_is_done(access), place.empty() ? "" : " in ", place,
              access.within.empty() ? "" : ", within ", access.within, access.event);
    if (access.place) {
      page.line("    as {}{}:", thread_title(access.place->thread), locks_held(*access.place));
      page.access_frames(*access.place);
      continue;
    }
    if (const auto line = access.frame.line == 0 ? std::nullopt : sources.line_of(access.frame)) {
      page.line("      {}", *line);
    }
  }
  if (prediction.run.attempted != Attempted::kNotTried) page.line("  re-execution: {}", run_line(prediction.run));
  if (!prediction.run.clip.empty()) page.line("  again: deadheat replay {}", prediction.run.clip);
}

std::string counts_of(const PredictionReport& report, bool (*wanted)(const Prediction&)) {
  std::map<std::string, std::size_t> counts;
  for (const Prediction& prediction : report.predictions) {
    if (wanted(prediction)) ++counts[prediction.kind];
  }
  std::vector<std::string> texts;
  texts.reserve(counts.size());
  for (const auto& [kind, count] : counts) texts.push_back(fmt::format("{} × {}", count, kind));
  return texts.empty() ? "nothing" : fmt::format("{}", fmt::join(texts, ", "));
}

bool is_infeasible(const Prediction& p) { return p.run.attempted == Attempted::kInfeasible && !p.cannot_be_false; }

void sum_up(Page& page, const PredictionReport& report) {
  page.line("{}", kRule);
  for (const auto& [what, count] : report.given_up) page.line("deadheat: not looked at: {} {}", count, what);
  const auto infeasible = std::count_if(report.predictions.begin(), report.predictions.end(),
                                        [](const auto& p) { return is_infeasible(p); });
  if (infeasible != 0) {
    page.line("deadheat: {} candidates that no feasible schedule shows are left out (--json has them)", infeasible);
  }
  page.line("deadheat: {} events of {} thread{}; cannot be false: {}; candidates: {}", report.events, report.threads,
            report.threads == 1 ? "" : "s", counts_of(report, [](const Prediction& p) { return p.cannot_be_false; }),
            counts_of(report, [](const Prediction& p) { return !p.cannot_be_false && !is_infeasible(p); }));
  if (!report.reexecuted) return;
  std::map<Attempted, std::size_t> results;
  for (const Prediction& prediction : report.predictions) {
    if (!prediction.is_of_recorded_run) ++results[prediction.run.attempted];
  }
  std::vector<std::string> texts;
  texts.reserve(results.size());
  for (const auto& [attempted, count] : results) {
    texts.push_back(fmt::format("{} {}", count, attempted_name(attempted)));
  }
  page.line("deadheat: re-executed: {}", texts.empty() ? "nothing" : fmt::format("{}", fmt::join(texts, ", ")));
}

}  // namespace

std::string what_is_done(const PredictedAccess& access) {
  const std::string_view plain = access.write ? "writes" : "reads";
  return fmt::format("thread {} {} {}", access.thread, access.operation.empty() ? plain : access.operation,
                     access.variable);
}

std::string prediction_headline(const Prediction& prediction) {
  std::vector<std::string> places;
  for (const PredictedAccess& access : prediction.accesses) {
    std::string place = place_of(access);
    if (place.empty()) continue;
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
  }
  return fmt::format("{}{}{}{}", prediction.kind, variables_of(prediction), places.empty() ? "" : " in ",
                     fmt::join(places, " and "));
}

std::string prediction_label(const Prediction& prediction) {
  if (prediction.run.attempted == Attempted::kCreated) return "created";
  return prediction.cannot_be_false ? "cannot be false" : "candidate";
}

std::string prediction_text(const PredictionReport& report, SourceLines& sources) {
  Page page(sources);
  // What is sure comes last, next to the line that sums up, where people look.
  for (const bool sure : {false, true}) {
    for (const Prediction& prediction : report.predictions) {
      if (prediction.is_sure() == sure && !is_infeasible(prediction)) print(page, prediction, sources);
    }
  }
  sum_up(page, report);
  return page.take();
}

}  // namespace deadheat::report
