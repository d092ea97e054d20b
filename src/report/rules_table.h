// SPDX-License-Identifier: Apache-2.0
//
// How often each rule of FastTrack was taken, in the shape of the paper's figure 2 (Flanagan and Freund, PLDI 2009):
// for
// --stats. What the shim's inlined fast path decides is counted nowhere, so shares are given only where every JVM ran
// without it; a share of the rest would be a wrong number.
#pragma once

#include <string>
#include <vector>

#include "report/records.h"

namespace deadheat::report {

// The rules of all JVMs as an aligned table, each line indented; empty when no JVM has counted any.
std::string rules_table(const std::vector<JvmRecords>& jvms);

}  // namespace deadheat::report
