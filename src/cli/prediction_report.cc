// SPDX-License-Identifier: Apache-2.0
#include "cli/prediction_report.h"

#include <fmt/format.h>

#include "base/fnv.h"
#include "predict/enclosing_unit.h"
#include "trace/location.h"
#include "trace/operation.h"

namespace deadheat::cli {
namespace {

std::string kind_name(const predict::Finding& finding) {
  if (finding.pattern == nullptr) return "not serialisable";
  switch (finding.pattern->kind) {
    case predict::PatternKind::kDataRace:
      return "data race";
    case predict::PatternKind::kAtomicityViolation:
      return "atomicity violation";
    case predict::PatternKind::kAtomicSetViolation:
      return "atomic-set violation";
    case predict::PatternKind::kNotSerialisable:
      return "not serialisable";
    case predict::PatternKind::kUser:
      return "user pattern";
  }
  return "unknown";
}

// Objects are numbered in the order of their first use, which differs from run to run: "a.B@12.x" is "a.B.x".
std::string without_numbers(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '@') {
      text += name[i];
      continue;
    }
    while (i + 1 < name.size() && name[i + 1] >= '0' && name[i + 1] <= '9') ++i;
  }
  return text;
}

// What the thread does with the event's object; empty: it reads or writes a variable.
std::string operation_words(model::EventKind kind) {
  switch (kind) {
    case model::EventKind::kRead:
    case model::EventKind::kWrite:
      return "";
    case model::EventKind::kAcquire:
    case model::EventKind::kAcquireShared:
      return "acquires";
    case model::EventKind::kRelease:
    case model::EventKind::kReleaseShared:
      return "releases";
    case model::EventKind::kVolatileRead:
      return "reads the volatile";
    case model::EventKind::kVolatileWrite:
      return "writes the volatile";
    case model::EventKind::kVolatileUpdate:
      return "updates the volatile";
    case model::EventKind::kRegionEnter:
      return "enters the atomic region";
    case model::EventKind::kRegionExit:
      return "leaves the atomic region";
    default:
      return std::string("does ") + model::event_kind_name(kind) + " with";
  }
}

bool is_access(model::EventKind kind) {
  switch (kind) {
    case model::EventKind::kRead:
    case model::EventKind::kWrite:
    case model::EventKind::kVolatileRead:
    case model::EventKind::kVolatileWrite:
    case model::EventKind::kVolatileUpdate:
      return true;
    default:
      return false;
  }
}

// "Bank.transfer", or "Bank.transfer (Bank.java:12)" where a lock was taken.
std::string unit_around(const trace::Trace& trace, predict::EventNumber number) {
  const predict::EventNumber begin = predict::enclosing_unit(trace, number);
  if (begin == 0) return "";
  const model::Event& event = trace.events[begin - 1];
  if (event.kind == model::EventKind::kRegionEnter) return trace.regions.text(event.object);
  const trace::Location location = trace::parse_location(trace.sites.text(to_number(event.site)));
  if (location.class_name.empty()) return location.text;
  return fmt::format("{}.{} ({}:{})", location.class_name, location.method, location.file, location.line);
}

report::PredictedAccess access_of(const trace::Trace& trace, predict::EventNumber number) {
  const model::Event& event = trace.events[number - 1];
  const trace::Location location = trace::parse_location(trace.sites.text(to_number(event.site)));
  report::PredictedAccess access;
  access.event = number;
  access.thread = trace.threads.text(to_number(event.thread));
  access.write =
      is_access(event.kind) && event.kind != model::EventKind::kRead && event.kind != model::EventKind::kVolatileRead;
  access.operation = operation_words(event.kind);
  access.of_variable = is_access(event.kind);
  if (access.of_variable && trace::is_jdk_site(location.site)) access.within = unit_around(trace, number);
  const trace::Names* names = trace::names_of(trace, trace::object_of(event.kind));
  if (names != nullptr) access.variable = names->text(event.object);
  access.frame = {location.class_name, location.method, location.file, location.line};
  access.location = location.text;
  return access;
}

std::string id_of(const report::Prediction& prediction) {
  Fnv64 hash;
  hash.add(prediction.kind + "|" + prediction.pattern);
  for (const report::PredictedAccess& access : prediction.accesses) {
    hash.add("|" + without_numbers(access.variable) + "|" + access.location);
  }
  return fmt::format("P{:08x}", static_cast<std::uint32_t>(hash.value() ^ hash.value() >> 32));
}

report::Prediction prediction_of(const trace::Trace& trace, const predict::Finding& finding) {
  report::Prediction prediction;
  prediction.kind = kind_name(finding);
  if (finding.pattern != nullptr) {
    if (finding.pattern->kind != predict::PatternKind::kDataRace) {
      prediction.pattern = finding.pattern->name;
      prediction.shape = predict::pattern_text(*finding.pattern);
    }
    if (!finding.schedule) {
      prediction.run.attempted = report::Attempted::kInfeasible;
    } else {
      prediction.schedule_events = finding.schedule->size();
    }
  }
  prediction.accesses = accesses_of(trace, finding.events);
  for (const std::string_view name : finding.seen_by) prediction.seen_by.emplace_back(name);
  prediction.is_of_recorded_run = finding.pattern == nullptr;
  prediction.cannot_be_false = finding.label == predict::Label::kCannotBeFalse;
  prediction.count = finding.count;
  prediction.id = id_of(prediction);
  return prediction;
}

}  // namespace

std::vector<report::PredictedAccess> accesses_of(const trace::Trace& trace,
                                                 const std::vector<predict::EventNumber>& events) {
  std::vector<report::PredictedAccess> accesses;
  accesses.reserve(events.size());
  for (const predict::EventNumber event : events) accesses.push_back(access_of(trace, event));
  return accesses;
}

report::PredictionReport make_prediction_report(const std::string& trace_file, const trace::Trace& trace,
                                                const predict::Predictions& predictions) {
  report::PredictionReport report;
  report.trace = trace_file;
  report.events = trace.events.size();
  report.threads = trace.threads.size();
  report.variables = trace.variables.size();
  report.analysis_seconds = predictions.times.analyses + predictions.times.search;
  report.schedule_seconds = predictions.times.schedules;
  for (const predict::Finding& finding : predictions.findings) {
    report.predictions.push_back(prediction_of(trace, finding));
  }
  for (const predict::GivenUp& given_up : predictions.given_up) {
    report.given_up.emplace_back(std::string(given_up.what), given_up.count);
  }
  return report;
}

}  // namespace deadheat::cli
