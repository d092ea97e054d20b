// SPDX-License-Identifier: Apache-2.0
//
// A plan as text, one line each: "run THREAD UNTIL", "choice THREAD INDEX PICKED" (guided.h has their meaning).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "schedule/guided.h"

namespace deadheat::schedule {

std::string to_text(const Plan& plan);
// Any text gives a plan or an Error that names the line.
Result<Plan> parse_plan(std::string_view text);

}  // namespace deadheat::schedule
