// SPDX-License-Identifier: Apache-2.0
//
// The verdict on one race, for people: where the two threads met, what broke, what the other order did.
#pragma once

#include <string>

#include "report/race.h"
#include "report/source_lines.h"
#include "report/verdict.h"

namespace deadheat::report {

// The two accesses of a meeting, with their stacks.
std::string meeting_text(const Meeting& meeting, SourceLines& sources);

std::string verdict_text(const Verdict& verdict, const Race& race, SourceLines& sources);

}  // namespace deadheat::report
