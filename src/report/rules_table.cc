// SPDX-License-Identifier: Apache-2.0
#include "report/rules_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "report/run_report.h"
#include "report/summary.h"

namespace deadheat::report {
namespace {

enum class Group : std::uint8_t { kRead, kWrite, kOther };

struct RuleSpec {
  Group group;
  bool whole;  // false: refines the rule above it, whose operations it shares
  std::string_view name;
};

// The names of the end record (engine/counts.h), in the paper's order.
constexpr std::array kRules = {
    RuleSpec{Group::kRead, true, "READ SAME EPOCH"},
    RuleSpec{Group::kRead, true, "READ SHARED"},
    RuleSpec{Group::kRead, true, "READ EXCLUSIVE"},
    RuleSpec{Group::kRead, true, "READ SHARE"},
    RuleSpec{Group::kRead, false, "FROZEN READ"},
    RuleSpec{Group::kWrite, true, "WRITE SAME EPOCH"},
    RuleSpec{Group::kWrite, true, "WRITE EXCLUSIVE"},
    RuleSpec{Group::kWrite, true, "WRITE SHARED"},
    RuleSpec{Group::kOther, true, "ACQUIRE"},
    RuleSpec{Group::kOther, false, "ACQUIRE JOIN"},
    RuleSpec{Group::kOther, false, "APPROXIMATE ACQUIRE"},
    RuleSpec{Group::kOther, true, "RELEASE"},
    RuleSpec{Group::kOther, false, "RELEASE TICK"},
    RuleSpec{Group::kOther, false, "RELEASE JOIN"},
};

struct GroupSpec {
  std::string_view title;
  std::string_view share;  // what a rule's share is of
};
constexpr std::array<GroupSpec, 3> kGroups = {{{"Reads", "reads"}, {"Writes", "writes"}, {"Other", "other"}}};

constexpr std::string_view kNotCounted =
    "  What the inlined fast path decides is not counted: all but a few of the SAME EPOCH and EXCLUSIVE accesses, and\n"
    "  locks without news. So these are counts of what reached the engine, and no shares are given; run with\n"
    "  --no-fast-path for them.\n";
constexpr std::string_view kRedundant =
    "  Accesses that were found redundant when their class was loaded are in no row (points_redundant counts the "
    "places).\n";

std::string counter_of(std::string_view rule) { return fmt::format("rule {}", rule); }

bool counts_every_access(const std::vector<JvmRecords>& jvms) {
  return std::all_of(jvms.begin(), jvms.end(), [](const JvmRecords& jvm) {
    const auto found = jvm.counters.find("fast_path");
    return !jvm.ended || (found != jvm.counters.end() && found->second == 0);
  });
}

std::string share(std::int64_t part, std::int64_t all, std::string_view of) {
  if (all <= 0) return {};
  return fmt::format("{:>6.1f} % of {}", 100.0 * static_cast<double>(part) / static_cast<double>(all), of);
}

void add_row(std::string& table, int indent, std::string_view name, std::int64_t count, const std::string& shares) {
  std::string row = fmt::format("{:{}}{:<{}}  {:>20}", "", indent, name, 26 - indent, with_commas(count));
  if (!shares.empty()) row += "  " + shares;
  table += row + "\n";
}

}  // namespace

std::string rules_table(const std::vector<JvmRecords>& jvms) {
  std::array<std::int64_t, kGroups.size()> sums{};
  std::int64_t all = 0;
  for (const RuleSpec& rule : kRules) {
    if (!rule.whole) continue;
    const std::int64_t count = total(jvms, counter_of(rule.name));
    sums[static_cast<std::size_t>(rule.group)] += count;
    all += count;
  }
  if (all == 0) return {};
  const bool shares = counts_every_access(jvms);
  std::string table;
  for (std::size_t group = 0; group < kGroups.size(); ++group) {
    add_row(table, 2, kGroups[group].title, sums[group], shares ? share(sums[group], all, "all operations") : "");
    for (const RuleSpec& rule : kRules) {
      if (static_cast<std::size_t>(rule.group) != group) continue;
      const std::int64_t count = total(jvms, counter_of(rule.name));
      if (count == 0 && !rule.whole) continue;
      add_row(table, rule.whole ? 4 : 6, rule.name, count,
              shares ? share(count, sums[group], kGroups[group].share) : "");
    }
  }
  if (!shares) table += kNotCounted;
  if (total(jvms, "points_redundant") > 0) table += kRedundant;
  return table;
}

}  // namespace deadheat::report
