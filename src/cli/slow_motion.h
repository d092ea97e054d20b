// SPDX-License-Identifier: Apache-2.0
//
// The steps of a clip as text: who did what where, in order.
#pragma once

#include <string>

#include "cli/clip.h"
#include "report/source_lines.h"
#include "schedule/decision_log.h"

namespace deadheat::cli {

// One line a step: its number, the thread's scheduled name, the operation, the place, and the source line where it is
// found. Steps without a place (a thread begins or ends) have none.
std::string slow_motion(const schedule::DecisionLog& log, const Clip& clip, report::SourceLines& sources);

}  // namespace deadheat::cli
