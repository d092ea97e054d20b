// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "report/prediction.h"
#include "report/sarif_parts.h"

namespace deadheat::report {
namespace {

using nlohmann::json;

struct Rule {
  const char* kind;  // as in Prediction::kind
  const char* id;
  const char* name;
  const char* what;
};
constexpr std::array kPredictionRules = {
    Rule{"data race", "data-race", "DataRace",
         "Two threads access a variable without synchronisation, one of them writes"},
    Rule{"atomicity violation", "atomicity-violation", "AtomicityViolation",
         "An access of another thread comes between two of one unit of work, and no serial order does the same"},
    Rule{"atomic-set violation", "atomic-set-violation", "AtomicSetViolation",
         "Two units of work access two variables in an order that no serial execution has"},
    Rule{"not serialisable", "not-serialisable", "NotSerialisable",
         "Units of work have effects that no serial order of them has"},
    Rule{"user pattern", "user-pattern", "UserPattern", "A pattern that the user asked for"},
};

std::size_t rule_index(const Prediction& prediction) {
  const auto found = std::find_if(kPredictionRules.begin(), kPredictionRules.end(),
                                  [&](const Rule& rule) { return prediction.kind == rule.kind; });
  return found == kPredictionRules.end() ? kPredictionRules.size() - 1
                                         : static_cast<std::size_t>(found - kPredictionRules.begin());
}

json result_of(const Prediction& prediction, SourceLines& sources) {
  const std::size_t rule = rule_index(prediction);
  json result = {
      {"ruleId", kPredictionRules[rule].id},
      {"ruleIndex", rule},
      {"level", prediction.is_sure() ? "error" : "note"},
      {"message", sarif_message(fmt::format("{} [{}]: {}; seen by {}", prediction_headline(prediction), prediction.id,
                                            prediction_label(prediction), fmt::join(prediction.seen_by, ", ")))},
      {"occurrenceCount", std::max<std::uint64_t>(prediction.count, 1)},
      {"partialFingerprints", {{"deadheatPredictionId/v1", prediction.id}}},
      {"locations", json::array()},
      {"relatedLocations", json::array()}};
  for (const PredictedAccess& access : prediction.accesses) {
    const std::string name = access.location.empty() ? access.variable : "location " + access.location;
    json location = access.frame.class_name.empty() ? json{{"logicalLocations", {{{"fullyQualifiedName", name}}}}}
                                                    : sarif_location(access.frame, sources);
    location["message"] = sarif_message(what_is_done(access));
    result[result["locations"].empty() ? "locations" : "relatedLocations"].push_back(std::move(location));
  }
  return result;
}

json rules() {
  json all = json::array();
  for (const Rule& rule : kPredictionRules) {
    all.push_back({{"id", rule.id},
                   {"name", rule.name},
                   {"shortDescription", sarif_message(rule.what)},
                   {"defaultConfiguration", {{"level", "error"}}}});
  }
  return all;
}

}  // namespace

std::string prediction_sarif(const PredictionReport& report, const std::string& version, SourceLines& sources) {
  json results = json::array();
  for (const Prediction& prediction : report.predictions) {
    if (prediction.run.attempted == Attempted::kInfeasible && !prediction.cannot_be_false) continue;
    results.push_back(result_of(prediction, sources));
  }
  json notifications = json::array();
  for (const auto& [what, count] : report.given_up) {
    notifications.push_back(
        {{"level", "warning"}, {"message", sarif_message(fmt::format("not looked at: {} {}", count, what))}});
  }
  return sarif_document(version, rules(), std::move(notifications), std::move(results));
}

}  // namespace deadheat::report
