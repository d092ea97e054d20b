// SPDX-License-Identifier: Apache-2.0
//
// The pieces of SARIF 2.1.0 documents (OASIS) that every report of ours has.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/race.h"
#include "report/source_lines.h"

namespace deadheat::report {

nlohmann::json sarif_message(std::string text);
// A frame as a location; its file is named relative to the working directory where it lies below it.
nlohmann::json sarif_location(const Frame& frame, SourceLines& sources);
// The whole document, as text that ends in a newline. `rules`, `notifications` and `results` are arrays.
std::string sarif_document(const std::string& version, nlohmann::json rules, nlohmann::json notifications,
                           nlohmann::json results);

}  // namespace deadheat::report
