// SPDX-License-Identifier: Apache-2.0
//
// A race from and to JSON: the form in which a JVM records it, the database keeps it and --json writes it
// (docs/records.md). Reading is lenient: what is missing or of the wrong type stays empty, for the record may come from
// another version of the agent.
#pragma once

#include <nlohmann/json.hpp>

#include "report/race.h"

namespace deadheat::report {

Race race_from_json(const nlohmann::json& json);
nlohmann::json race_to_json(const Race& race);

}  // namespace deadheat::report
