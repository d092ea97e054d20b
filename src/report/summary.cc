// SPDX-License-Identifier: Apache-2.0
#include "report/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace deadheat::report {
namespace {

constexpr const char* kClassesWatched = "classes_watched";

std::string counted(std::int64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_commas(number), number == 1 ? one : many);
}

enum class Gap { kClass, kMethod, kAccesses };

Gap gap_of(const Unwatched& entry) {
  if (entry.synchronises) return Gap::kAccesses;
  return entry.method.empty() ? Gap::kClass : Gap::kMethod;
}

std::int64_t count_unwatched(const std::vector<JvmRecords>& jvms, Gap gap) {
  std::int64_t count = 0;
  for (const JvmRecords& jvm : jvms) {
    count += std::count_if(jvm.unwatched.begin(), jvm.unwatched.end(),
                           [&](const Unwatched& entry) { return gap_of(entry) == gap; });
  }
  return count;
}

// What was not watched, as the parts of "(3 methods skipped, 1 thread not watched: see …)".
std::vector<std::string> gaps(const std::vector<JvmRecords>& jvms) {
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t number, std::string_view one, std::string_view many, std::string_view what) {
    if (number > 0) parts.push_back(fmt::format("{} {}", counted(number, one, many), what));
  };
  add(count_unwatched(jvms, Gap::kMethod), "method", "methods", "skipped");
  add(count_unwatched(jvms, Gap::kAccesses), "method", "methods", "watched for synchronisation only");
  add(count_unwatched(jvms, Gap::kClass), "class", "classes", "not watched");
  add(total(jvms, "unwatched_threads"), "thread", "threads", "not watched");
  add(total(jvms, "points_refused"), "access", "accesses", "not watched");
  add(total(jvms, "variables_forgotten"), "variable", "variables", "begun anew for lack of room");
  add(total(jvms, "accesses_forgotten"), "access", "accesses", "forgotten for lack of room");
  add(total(jvms, "locksets_refused"), "set of locks", "sets of locks", "not told apart");
  return parts;
}

std::string jvm_name(const JvmRecords& jvm) { return fmt::format("JVM {}", jvm.pid); }

}  // namespace

std::string with_commas(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first = digits.front() == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::vector<std::string> caveats(const RunReport& report, bool (*is_running)(std::int64_t pid)) {
  std::vector<std::string> lines;
  for (const JvmRecords& jvm : report.jvms) {
    for (const std::string& warning : jvm.warnings) {
      lines.push_back(fmt::format("warning from {}: {}", jvm_name(jvm), warning));
    }
    if (!jvm.ended) {
      lines.push_back(is_running(jvm.pid)
                          ? fmt::format("{} is still running: what it finds from now on is not in this report; "
                                        "see 'deadheat report RUN' later",
                                        jvm_name(jvm))
                          : fmt::format("{} was killed or crashed: the races it found until then are in this report",
                                        jvm_name(jvm)));
    }
    if (jvm.torn_tail) lines.push_back(fmt::format("the last record of {} breaks off and is lost", jvm_name(jvm)));
    if (jvm.bad_lines > 0) {
      lines.push_back(
          fmt::format("{} of {} could not be read", counted(jvm.bad_lines, "record", "records"), jvm_name(jvm)));
    }
  }
  return lines;
}

bool nothing_watched(const RunReport& report) {
  return std::all_of(report.jvms.begin(), report.jvms.end(), [](const JvmRecords& jvm) {
    auto watched = jvm.counters.find(kClassesWatched);
    return jvm.gave_up || (jvm.ended && (watched == jvm.counters.end() || watched->second == 0));
  });
}

std::string summary_line(const RunReport& report, const std::filesystem::path& details) {
  const std::int64_t candidates =
      std::count_if(report.races.begin(), report.races.end(), [](const Race& race) { return !race.detector.empty(); });
  const auto found = static_cast<std::int64_t>(report.races.size()) - candidates;
  std::string line = counted(found, "race", "races") + " found";
  if (candidates > 0) {
    const std::string possible = counted(candidates, "possible race", "possible races");
    line = found == 0 ? possible + " found" : counted(found, "race", "races") + " and " + possible + " found";
  } else if (found == 0) {
    line = "no races found";
  }
  line += fmt::format(" in {}", counted(report.jvms.size(), "JVM", "JVMs"));
  // A JVM that was killed has not counted.
  if (const std::int64_t classes = total(report.jvms, kClassesWatched)) {
    line += fmt::format(", {} watched", counted(classes, "class", "classes"));
  }
  const std::vector<std::string> parts = gaps(report.jvms);
  if (!parts.empty()) line += fmt::format(" ({}: see {})", fmt::join(parts, ", "), details.string());
  if (!report.suppressed.empty()) line += fmt::format("; {} suppressed", with_commas(report.suppressed.size()));
  return line;
}

std::string counters_table(const std::vector<JvmRecords>& jvms) {
  std::map<std::string, std::int64_t> sums;
  for (const JvmRecords& jvm : jvms) {
    for (const auto& [name, value] : jvm.counters) {
      if (!name.starts_with("rule ")) sums[name] += value;
    }
  }
  std::size_t width = 0;
  for (const auto& [name, value] : sums) width = std::max(width, name.size());
  std::string table;
  for (const auto& [name, value] : sums) table += fmt::format("  {:<{}}  {:>20}\n", name, width, with_commas(value));
  return table;
}

}  // namespace deadheat::report
