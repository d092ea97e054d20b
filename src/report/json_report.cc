// SPDX-License-Identifier: Apache-2.0
#include "report/json_fields.h"
#include "report/machine_reports.h"
#include "report/race_json.h"

namespace deadheat::report {
namespace {

using nlohmann::json;

json unwatched_to_json(const std::vector<Unwatched>& unwatched) {
  json list = json::array();
  for (const Unwatched& entry : unwatched) {
    json value = {{"class", entry.class_name}, {"reason", entry.reason}};
    if (!entry.method.empty()) value["method"] = entry.method;
    if (entry.synchronises) value["synchronises"] = true;
    list.push_back(std::move(value));
  }
  return list;
}

json jvm_to_json(const JvmRecords& jvm) {
  return {{"pid", jvm.pid},
          {"vm", jvm.vm},
          {"version", jvm.version},
          {"java", jvm.java},
          {"command", jvm.command},
          {"ended", jvm.ended},
          {"gave_up", jvm.gave_up},
          {"torn_tail", jvm.torn_tail},
          {"bad_lines", jvm.bad_lines},
          {"warnings", jvm.warnings},
          {"unwatched", unwatched_to_json(jvm.unwatched)},
          {"counters", jvm.counters}};
}

}  // namespace

std::string json_report(const RunReport& report, const std::string& version) {
  json document = {{"tool", "deadheat"},
                   {"version", version},
                   {"jvms", json::array()},
                   {"races", json::array()},
                   {"suppressed", json::array()}};
  for (const JvmRecords& jvm : report.jvms) document["jvms"].push_back(jvm_to_json(jvm));
  for (const Race& race : report.races) {
    json entry = race_to_json(race);
    const auto verdict = report.verdicts.find(race.id);
    if (verdict != report.verdicts.end()) entry["verdict"] = verdict_to_json(verdict->second);
    document["races"].push_back(std::move(entry));
  }
  for (const SuppressedRace& entry : report.suppressed) {
    json race = race_to_json(entry.race);
    race["suppressed_by"] = entry.rule;
    document["suppressed"].push_back(std::move(race));
  }
  return json_text(document, 2) + "\n";
}

}  // namespace deadheat::report
