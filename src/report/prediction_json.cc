// SPDX-License-Identifier: Apache-2.0
#include "report/json_fields.h"
#include "report/prediction.h"
#include "report/race_json.h"

namespace deadheat::report {
namespace {

using nlohmann::json;

json access_to_json(const PredictedAccess& access) {
  json object = {{"event", access.event},
                 {"thread", access.thread},
                 {"write", access.write},
                 {"variable", access.variable},
                 {"location", access.location}};
  if (!access.operation.empty()) object["operation"] = access.operation;
  if (!access.within.empty()) object["within"] = access.within;
  if (access.place) {
    object["thread_name"] = access.place->thread.name;
    object["locks"] = access.place->locks.value_or(std::vector<std::string>());
    object["stack"] = stack_to_json(access.place->stack);
  }
  if (!access.frame.class_name.empty()) {
    object["class"] = access.frame.class_name;
    object["method"] = access.frame.method;
    object["file"] = access.frame.file;
    object["line"] = access.frame.line;
  }
  return object;
}

json run_to_json(const Reexecution& run) {
  json object = {{"result", attempted_name(run.attempted)}};
  if (!run.detail.empty()) object["detail"] = run.detail;
  if (!run.clip.empty()) object["clip"] = run.clip;
  if (run.attempted == Attempted::kCreated) object["exit_status"] = run.exit_status;
  if (!run.exceptions.empty()) object["exceptions"] = run.exceptions;
  if (run.tries > 1) object["tries"] = run.tries;
  return object;
}

json prediction_to_json(const Prediction& prediction) {
  json object = {{"id", prediction.id},
                 {"kind", prediction.kind},
                 {"label", prediction.cannot_be_false ? "cannot be false" : "candidate"},
                 {"seen_by", prediction.seen_by},
                 {"count", prediction.count},
                 {"accesses", json::array()},
                 {"schedule_events", prediction.schedule_events},
                 {"reexecution", run_to_json(prediction.run)}};
  if (!prediction.pattern.empty()) object["pattern"] = prediction.pattern;
  if (!prediction.shape.empty()) object["shape"] = prediction.shape;
  for (const PredictedAccess& access : prediction.accesses) object["accesses"].push_back(access_to_json(access));
  return object;
}

}  // namespace

std::string prediction_json(const PredictionReport& report, const std::string& version) {
  json document = {{"tool", "deadheat"},
                   {"version", version},
                   {"trace", report.trace},
                   {"events", report.events},
                   {"threads", report.threads},
                   {"variables", report.variables},
                   {"analysis_seconds", report.analysis_seconds},
                   {"schedule_seconds", report.schedule_seconds},
                   {"reexecuted", report.reexecuted},
                   {"given_up", json::object()},
                   {"predictions", json::array()}};
  for (const auto& [what, count] : report.given_up) document["given_up"][what] = count;
  for (const Prediction& prediction : report.predictions) {
    document["predictions"].push_back(prediction_to_json(prediction));
  }
  return json_text(document, 2) + "\n";
}

}  // namespace deadheat::report
