// SPDX-License-Identifier: Apache-2.0
//
// Everything there is to say about one run, or about all runs in the database: the one model that the text, JSON and
// SARIF renderers share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/race.h"
#include "report/records.h"
#include "report/suppressions.h"
#include "report/verdict.h"

namespace deadheat::report {

struct SuppressedRace {
  Race race;
  std::string rule;  // "file:line: race:pattern"
};

struct RunReport {
  std::vector<Race> races;  // to be shown
  std::vector<SuppressedRace> suppressed;
  std::map<std::string, Verdict> verdicts;  // by race id, of those that `deadheat confirm` tried
  std::vector<JvmRecords> jvms;             // empty when the report is not about one run
};

RunReport make_run_report(std::vector<Race> races, std::vector<JvmRecords> jvms, const Suppressions& suppressions);

// The counter over all JVMs; 0 when none has it.
std::int64_t total(const std::vector<JvmRecords>& jvms, const std::string& counter);

}  // namespace deadheat::report
