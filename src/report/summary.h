// SPDX-License-Identifier: Apache-2.0
//
// The lines that close a run. They say what was found and, never less loudly, what was not watched: a skipped method, a
// JVM that was killed, a record that broke off. "No races" without them would be a false verdict.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/run_report.h"

namespace deadheat::report {

// 1234567 as "1,234,567".
std::string with_commas(std::int64_t number);

// One line each, without "deadheat: ": the JVMs that did not end in order, torn or unreadable records, the agent's
// warnings. `is_running` tells whether a process still lives.
std::vector<std::string> caveats(const RunReport& report, bool (*is_running)(std::int64_t pid));

// Whether in every JVM the agent gave up, or the end came without a single class watched: then nothing can be said
// about races.
bool nothing_watched(const RunReport& report);

// "no races found in 1 JVM, 1,234 classes watched (3 methods skipped: see RUN)". `details` is where the user finds the
// list of what was skipped.
std::string summary_line(const RunReport& report, const std::filesystem::path& details);

// The counters of all JVMs as an aligned table, for --stats; the rules have one of their own (rules_table.h).
std::string counters_table(const std::vector<JvmRecords>& jvms);

}  // namespace deadheat::report
