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

// Its parts, which other records have too.
Stack stack_from_json(const nlohmann::json& frames);
nlohmann::json stack_to_json(const Stack& stack);
Thread thread_from_json(const nlohmann::json& value);
nlohmann::json thread_to_json(const Thread& thread);
Access access_from_json(const nlohmann::json& value);
nlohmann::json access_to_json(const Access& access);

}  // namespace deadheat::report
