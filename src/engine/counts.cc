// SPDX-License-Identifier: Apache-2.0
#include "engine/counts.h"

#include <cstring>

namespace deadheat::engine {
namespace {

const char* group_of(Rule rule) {
  return rule <= Rule::kReadShare ? "READ" : rule <= Rule::kWriteShared ? "WRITE" : "SYNC";
}

// Rules that do not refine another one: their counts add up to the calls of their group.
bool is_whole(Rule rule) { return rule <= Rule::kWriteShared || rule == Rule::kAcquire || rule == Rule::kRelease; }

}  // namespace

std::array<RuleRow, kRuleCount> rule_table(const RuleTotals& totals) {
  std::array<RuleRow, kRuleCount> rows{};
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const Rule rule{static_cast<std::uint8_t>(i)};
    std::uint64_t all = 0;
    for (std::size_t j = 0; j < kRuleCount; ++j) {
      const Rule other{static_cast<std::uint8_t>(j)};
      if (is_whole(other) && std::strcmp(group_of(other), group_of(rule)) == 0) all += totals[j];
    }
    const double percent = all == 0 ? 0 : 100.0 * static_cast<double>(totals[i]) / static_cast<double>(all);
    rows[i] = {group_of(rule), rule_name(rule), totals[i], percent};
  }
  return rows;
}

const char* rule_name(Rule rule) {
  switch (rule) {
    case Rule::kReadSameEpoch:
      return "READ SAME EPOCH";
    case Rule::kReadShared:
      return "READ SHARED";
    case Rule::kReadExclusive:
      return "READ EXCLUSIVE";
    case Rule::kReadShare:
      return "READ SHARE";
    case Rule::kWriteSameEpoch:
      return "WRITE SAME EPOCH";
    case Rule::kWriteExclusive:
      return "WRITE EXCLUSIVE";
    case Rule::kWriteShared:
      return "WRITE SHARED";
    case Rule::kAcquire:
      return "ACQUIRE";
    case Rule::kAcquireJoin:
      return "ACQUIRE JOIN";
    case Rule::kRelease:
      return "RELEASE";
    case Rule::kReleaseTick:
      return "RELEASE TICK";
    case Rule::kReleaseJoin:
      return "RELEASE JOIN";
    case Rule::kApproximateAcquire:
      return "APPROXIMATE ACQUIRE";
    case Rule::kFrozenRead:
      return "FROZEN READ";
    case Rule::kCount:
      break;
  }
  return "";
}

}  // namespace deadheat::engine
