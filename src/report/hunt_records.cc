// SPDX-License-Identifier: Apache-2.0
#include "report/hunt_records.h"

#include <algorithm>

#include "report/json_fields.h"

namespace deadheat::report {

using nlohmann::json;

void HuntOutcome::add(const HuntOutcome& other) {
  requests += other.requests;
  holds += other.holds;
  reversed += other.reversed;
  thrashing += other.thrashing;
  delays += other.delays;
  relations = std::max(relations, other.relations);
}

Exposure exposure_from_json(const json& value) {
  Exposure exposure;
  exposure.strategy = text_member(value, "strategy");
  exposure.seed = count_member(value, "seed");
  const json& edges = member(value, "reversed");
  if (!edges.is_array()) return exposure;
  for (const json& edge : edges) {
    exposure.reversed.push_back({text_member(edge, "lock"), text_member(edge, "first"), text_member(edge, "first_at"),
                                 text_member(edge, "held"), text_member(edge, "held_at")});
  }
  return exposure;
}

json exposure_to_json(const Exposure& exposure) {
  json edges = json::array();
  for (const ReversedEdge& edge : exposure.reversed) {
    edges.push_back({{"lock", edge.lock},
                     {"first", edge.first},
                     {"first_at", edge.first_at},
                     {"held", edge.held},
                     {"held_at", edge.held_at}});
  }
  return {{"strategy", exposure.strategy}, {"seed", exposure.seed}, {"reversed", std::move(edges)}};
}

HuntOutcome hunt_outcome_from_json(const json& value) {
  HuntOutcome outcome;
  outcome.requests = count_member(value, "requests");
  outcome.holds = count_member(value, "holds");
  outcome.reversed = count_member(value, "reversed");
  outcome.thrashing = count_member(value, "thrashing");
  outcome.delays = count_member(value, "delays");
  outcome.relations = count_member(value, "relations");
  return outcome;
}

}  // namespace deadheat::report
