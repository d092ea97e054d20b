// SPDX-License-Identifier: Apache-2.0
//
// Section numbers are those of the SARIF 2.1.0 standard (OASIS).
#include <fmt/format.h>

#include "report/json_fields.h"
#include "report/machine_reports.h"
#include "report/sarif_parts.h"
#include "report/text.h"

namespace deadheat::report {
namespace {

using nlohmann::json;

constexpr const char* kRuleId = "data-race";
constexpr const char* kCandidateRuleId = "possible-race";

const Frame* shown_frame(const Stack& stack) {
  const Frame* application = first_application_frame(stack);
  if (application != nullptr) return application;
  return stack.empty() ? nullptr : &stack.front();
}

std::string access_title(const Access& access, bool previous) {
  return fmt::format("{}{} by thread \"{}\"", previous ? "previous " : "", access.write ? "write" : "read",
                     access.thread.name);
}

std::string creation_title(const Thread& thread) {
  std::string title = fmt::format("thread \"{}\" created", thread.name);
  if (thread.created_by) title += fmt::format(" by thread \"{}\"", thread.created_by->name);
  return title;
}

// 3.44: a call stack with its thread.
json stack_of(const Access& access, bool previous, SourceLines& sources) {
  json frames = json::array();
  for (const Frame& frame : access.stack) {
    frames.push_back({{"location", sarif_location(frame, sources)}, {"threadId", access.thread.id}});
  }
  return {{"message", sarif_message(access_title(access, previous))}, {"frames", std::move(frames)}};
}

// 3.27: one race. The id is its fingerprint (3.27.17), so that viewers follow it from run to run.
json result_of(const Race& race, SourceLines& sources) {
  const bool candidate = !race.detector.empty();
  json result = {{"ruleId", candidate ? kCandidateRuleId : kRuleId},
                 {"ruleIndex", candidate ? 1 : 0},
                 {"level", candidate ? "note" : "error"},
                 {"message", sarif_message(race_headline(race) + " [" + race.id + "]")},
                 {"occurrenceCount", race.count},
                 {"partialFingerprints", {{"deadheatRaceId/v1", race.id}}},
                 {"locations", json::array()},
                 {"relatedLocations", json::array()},
                 {"stacks", json::array()}};
  for (std::size_t i = 0; i < race.accesses.size(); ++i) {
    const Access& access = race.accesses[i];
    result["stacks"].push_back(stack_of(access, i > 0, sources));
    const Frame* frame = shown_frame(access.stack);
    if (frame == nullptr) continue;
    json location = sarif_location(*frame, sources);
    location["message"] = sarif_message(access_title(access, i > 0));
    result[i == 0 ? "locations" : "relatedLocations"].push_back(std::move(location));
  }
  for (const Access& access : race.accesses) {
    const Frame* frame = shown_frame(access.thread.created_at);
    if (frame == nullptr) continue;
    json location = sarif_location(*frame, sources);
    location["message"] = sarif_message(creation_title(access.thread));
    result["relatedLocations"].push_back(std::move(location));
  }
  return result;
}

json rule() {
  return {
      {"id", kRuleId},
      {"name", "DataRace"},
      {"shortDescription", sarif_message("Two threads access a variable without synchronisation, one of them writes")},
      {"fullDescription", sarif_message("The two accesses are not ordered by the happens-before relation of the Java "
                                        "memory model, so the program's result depends on timing.")},
      {"defaultConfiguration", {{"level", "error"}}}};
}

json candidate_rule() {
  return {
      {"id", kCandidateRuleId},
      {"name", "PossibleRace"},
      {"shortDescription", sarif_message("Two threads access a variable without a common lock, one of them writes")},
      {"fullDescription",
       sarif_message("A candidate of a detector that goes by locks held: it may be a race in another "
                     "schedule, or none at all.")},
      {"defaultConfiguration", {{"level", "note"}}}};
}

// 3.58: what could not be watched belongs in the document, or it would read as "no race there".
json notification(const std::string& text) { return {{"level", "warning"}, {"message", sarif_message(text)}}; }

json notifications_of(const std::vector<JvmRecords>& jvms) {
  json notifications = json::array();
  for (const JvmRecords& jvm : jvms) {
    for (const std::string& warning : jvm.warnings) notifications.push_back(notification(warning));
    for (const Unwatched& entry : jvm.unwatched) {
      const std::string name = entry.method.empty() ? entry.class_name : entry.class_name + "." + entry.method;
      const char* what = entry.synchronises ? "accesses not watched" : "not watched";
      notifications.push_back(notification(fmt::format("{}: {}: {}", what, name, entry.reason)));
    }
  }
  return notifications;
}

}  // namespace

std::string sarif_report(const RunReport& report, const std::string& version, SourceLines& sources) {
  json results = json::array();
  for (const Race& race : report.races) results.push_back(result_of(race, sources));
  for (const SuppressedRace& entry : report.suppressed) {
    json result = result_of(entry.race, sources);
    result["suppressions"] = {{{"kind", "external"}, {"justification", entry.rule}}};
    results.push_back(std::move(result));
  }
  return sarif_document(version, json::array({rule(), candidate_rule()}), notifications_of(report.jvms),
                        std::move(results));
}

}  // namespace deadheat::report
