// SPDX-License-Identifier: Apache-2.0
//
// The text report, in ThreadSanitizer's order: what raced, the access, the previous access, where the threads and the
// object come from, one SUMMARY line.
#pragma once

#include <string>

#include "report/race.h"
#include "report/source_lines.h"

namespace deadheat::report {

// The whole report of one race, ending in a newline.
std::string race_text(const Race& race, SourceLines& sources);

// "data race on field a.b.C.x in a.b.C.m (C.java:12)": the SUMMARY line without its prefix. Names the first application
// frame when the access is inside the JDK.
std::string race_headline(const Race& race);

}  // namespace deadheat::report
