// SPDX-License-Identifier: Apache-2.0
#include "report/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace deadheat::report {
namespace {

std::string counted(std::int64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_commas(number), number == 1 ? one : many);
}

std::int64_t count_unwatched(const std::vector<JvmRecords>& jvms, bool whole_classes) {
  std::int64_t count = 0;
  for (const JvmRecords& jvm : jvms) {
    count += std::count_if(jvm.unwatched.begin(), jvm.unwatched.end(),
                           [&](const Unwatched& entry) { return entry.method.empty() == whole_classes; });
  }
  return count;
}

std::string jvm_name(const JvmRecords& jvm) {
  return jvm.command.empty() ? fmt::format("JVM {}", jvm.pid) : fmt::format("JVM {} ({})", jvm.pid, jvm.command);
}

}  // namespace

std::string with_commas(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first = digits.front() == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
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

std::string summary_line(const RunReport& report, const std::filesystem::path& details) {
  const auto found = static_cast<std::int64_t>(report.races.size());
  std::string line = found == 0 ? "no races found" : counted(found, "race", "races") + " found";
  line += fmt::format(" in {}", counted(report.jvms.size(), "JVM", "JVMs"));
  line += fmt::format(", {} watched", counted(total(report.jvms, "classes_watched"), "class", "classes"));

  std::vector<std::string> gaps;
  if (const std::int64_t methods = count_unwatched(report.jvms, false)) {
    gaps.push_back(counted(methods, "method", "methods") + " skipped");
  }
  if (const std::int64_t classes = count_unwatched(report.jvms, true)) {
    gaps.push_back(counted(classes, "class", "classes") + " not watched");
  }
  if (!gaps.empty()) line += fmt::format(" ({}: see {})", fmt::join(gaps, ", "), details.string());
  if (!report.suppressed.empty()) line += fmt::format("; {} suppressed", with_commas(report.suppressed.size()));
  return line;
}

std::string counters_table(const std::vector<JvmRecords>& jvms) {
  std::map<std::string, std::int64_t> sums;
  for (const JvmRecords& jvm : jvms) {
    for (const auto& [name, value] : jvm.counters) sums[name] += value;
  }
  std::size_t width = 0;
  for (const auto& [name, value] : sums) width = std::max(width, name.size());
  std::string table;
  for (const auto& [name, value] : sums) table += fmt::format("  {:<{}}  {:>20}\n", name, width, with_commas(value));
  return table;
}

}  // namespace deadheat::report
