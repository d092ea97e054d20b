// SPDX-License-Identifier: Apache-2.0
//
// The verdict on one race, for people: where the two threads met, what broke, what the other order did.
#pragma once

#include <string>

#include "report/race.h"
#include "report/source_lines.h"
#include "report/verdict.h"

namespace deadheat::report {

std::string verdict_text(const Verdict& verdict, const Race& race, SourceLines& sources);

}  // namespace deadheat::report
