// SPDX-License-Identifier: Apache-2.0
#include "report/run_report.h"

#include <fmt/format.h>

#include <utility>

namespace deadheat::report {

RunReport make_run_report(std::vector<Race> races, std::vector<JvmRecords> jvms, const Suppressions& suppressions) {
  RunReport report;
  report.jvms = std::move(jvms);
  for (Race& race : races) {
    if (const Suppression* rule = suppressions.match(race)) {
      report.suppressed.push_back({std::move(race), fmt::format("{}: {}", rule->place, rule->text)});
    } else {
      report.races.push_back(std::move(race));
    }
  }
  return report;
}

std::int64_t total(const std::vector<JvmRecords>& jvms, const std::string& counter) {
  std::int64_t sum = 0;
  for (const JvmRecords& jvm : jvms) {
    auto found = jvm.counters.find(counter);
    if (found != jvm.counters.end()) sum += found->second;
  }
  return sum;
}

}  // namespace deadheat::report
