// SPDX-License-Identifier: Apache-2.0
//
// Section numbers are those of the SARIF 2.1.0 standard (OASIS).
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "report/json_fields.h"
#include "report/machine_reports.h"
#include "report/text.h"

namespace deadheat::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kSchema = "https://json.schemastore.org/sarif-2.1.0.json";
constexpr const char* kRuleId = "data-race";
constexpr const char* kCandidateRuleId = "possible-race";

json message(std::string text) { return {{"text", std::move(text)}}; }

// The characters a URI path may hold as they are (RFC 3986, section 3.3).
std::string uri_of(std::string_view path) {
  static constexpr std::string_view kPlain = "-._~!$&'()*+,;=:@/";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte < 0x80 && std::isalnum(byte) != 0) || kPlain.find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

// A file below the working directory is named from there; else the package path stands for it.
json artifact_location(const Frame& frame, SourceLines& sources) {
  if (std::optional<fs::path> file = sources.file_of(frame)) {
    std::error_code error;
    const fs::path relative = fs::relative(*file, error);
    const std::string name = relative.generic_string();
    if (!error && !name.starts_with("..")) return {{"uri", uri_of(name)}, {"uriBaseId", "%SRCROOT%"}};
    return {{"uri", "file://" + uri_of(fs::absolute(*file).generic_string())}};
  }
  std::string path = frame.class_name.substr(0, frame.class_name.rfind('.') + 1);
  for (char& c : path) c = c == '.' ? '/' : c;
  return {{"uri", uri_of(path + frame.file)}, {"uriBaseId", "%SRCROOT%"}};
}

json location_of(const Frame& frame, SourceLines& sources) {
  json location = {
      {"logicalLocations", {{{"fullyQualifiedName", qualified_method(frame)}, {"kind", "function"}}}},
      {"message", message(qualified_method(frame))},
  };
  if (!frame.file.empty()) {
    json physical = {{"artifactLocation", artifact_location(frame, sources)}};
    if (frame.line > 0) physical["region"] = {{"startLine", frame.line}};
    location["physicalLocation"] = std::move(physical);
  }
  return location;
}

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
    frames.push_back({{"location", location_of(frame, sources)}, {"threadId", access.thread.id}});
  }
  return {{"message", message(access_title(access, previous))}, {"frames", std::move(frames)}};
}

// 3.27: one race. The id is its fingerprint (3.27.17), so that viewers follow it from run to run.
json result_of(const Race& race, SourceLines& sources) {
  const bool candidate = !race.detector.empty();
  json result = {{"ruleId", candidate ? kCandidateRuleId : kRuleId},
                 {"ruleIndex", candidate ? 1 : 0},
                 {"level", candidate ? "note" : "error"},
                 {"message", message(race_headline(race) + " [" + race.id + "]")},
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
    json location = location_of(*frame, sources);
    location["message"] = message(access_title(access, i > 0));
    result[i == 0 ? "locations" : "relatedLocations"].push_back(std::move(location));
  }
  for (const Access& access : race.accesses) {
    const Frame* frame = shown_frame(access.thread.created_at);
    if (frame == nullptr) continue;
    json location = location_of(*frame, sources);
    location["message"] = message(creation_title(access.thread));
    result["relatedLocations"].push_back(std::move(location));
  }
  return result;
}

json rule() {
  return {{"id", kRuleId},
          {"name", "DataRace"},
          {"shortDescription", message("Two threads access a variable without synchronisation, one of them writes")},
          {"fullDescription", message("The two accesses are not ordered by the happens-before relation of the Java "
                                      "memory model, so the program's result depends on timing.")},
          {"defaultConfiguration", {{"level", "error"}}}};
}

json candidate_rule() {
  return {{"id", kCandidateRuleId},
          {"name", "PossibleRace"},
          {"shortDescription", message("Two threads access a variable without a common lock, one of them writes")},
          {"fullDescription", message("A candidate of a detector that goes by locks held: it may be a race in another "
                                      "schedule, or none at all.")},
          {"defaultConfiguration", {{"level", "note"}}}};
}

// 3.58: what could not be watched belongs in the document, or it would read as "no race there".
json notification(const std::string& text) { return {{"level", "warning"}, {"message", message(text)}}; }

json invocation(const std::vector<JvmRecords>& jvms) {
  json notifications = json::array();
  for (const JvmRecords& jvm : jvms) {
    for (const std::string& warning : jvm.warnings) notifications.push_back(notification(warning));
    for (const Unwatched& entry : jvm.unwatched) {
      const std::string name = entry.method.empty() ? entry.class_name : entry.class_name + "." + entry.method;
      notifications.push_back(notification(fmt::format("not watched: {}: {}", name, entry.reason)));
    }
  }
  return {{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(notifications)}};
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
  const json driver = {{"name", "deadheat"}, {"version", version}, {"rules", json::array({rule(), candidate_rule()})}};
  const json run = {{"tool", {{"driver", driver}}},
                    {"invocations", json::array({invocation(report.jvms)})},
                    {"columnKind", "utf16CodeUnits"},
                    {"results", std::move(results)}};
  const json document = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", json::array({run})}};
  return json_text(document, 2) + "\n";
}

}  // namespace deadheat::report
