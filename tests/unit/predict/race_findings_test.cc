// SPDX-License-Identifier: Apache-2.0
#include "predict/race_findings.h"

#include <gtest/gtest.h>

namespace deadheat::predict {
namespace {

using model::EventKind;
using Names = std::vector<std::string_view>;

trace::Trace make(const std::vector<std::tuple<std::uint32_t, EventKind, std::uint64_t, std::uint32_t>>& events) {
  trace::Trace trace;
  for (const auto& [thread, kind, object, site] : events) {
    trace.events.push_back(
        {.kind = kind, .thread = model::ThreadId{thread}, .site = model::SiteId{site}, .object = object});
  }
  return trace;
}

// The lock orders the two in this run; in another schedule the second section comes first.
TEST(RaceFindingsTest, SaysWhoSeesAFindingAndWhetherItCanBeFalse) {
  const trace::Trace trace = make({{1, EventKind::kWrite, 1, 10},
                                   {1, EventKind::kAcquire, 1, 11},
                                   {1, EventKind::kRelease, 1, 12},
                                   {2, EventKind::kAcquire, 1, 20},
                                   {2, EventKind::kRelease, 1, 21},
                                   {2, EventKind::kWrite, 1, 22},
                                   {2, EventKind::kWrite, 2, 23},
                                   {3, EventKind::kWrite, 2, 30}});
  const Names all{"hb", "shb", "wcp", "syncp", "exact", "lockset", "atomicity"};
  const auto findings = race_findings(trace, all).findings;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].seen_by, (Names{"wcp", "syncp", "exact"}));
  EXPECT_EQ(findings[0].label, Label::kCannotBeFalse);
  EXPECT_EQ(findings[0].example, (EventPair{1, 6}));
  EXPECT_EQ(findings[0].variable, 1u);
  EXPECT_EQ(findings[1].seen_by, (Names{"hb", "shb", "wcp", "syncp", "exact"}));

  const Names only_wcp{"wcp"};
  const auto candidates = race_findings(trace, only_wcp).findings;
  ASSERT_EQ(candidates.size(), 2u);
  EXPECT_EQ(candidates[0].label, Label::kCandidate);
}

TEST(RaceFindingsTest, APairOfSitesIsOneFindingInWhateverOrder) {
  const trace::Trace trace =
      make({{1, EventKind::kWrite, 1, 10}, {2, EventKind::kWrite, 1, 20}, {1, EventKind::kWrite, 1, 10}});
  const Names names{"hb"};
  const auto findings = race_findings(trace, names).findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].pairs, 2u);
  EXPECT_EQ(to_number(findings[0].first_site), 10u);
  EXPECT_EQ(to_number(findings[0].second_site), 20u);
}

TEST(RaceFindingsTest, WhatAnAnalysisGaveUpIsHandedOn) {
  trace::Trace trace = make({});
  for (std::uint32_t i = 0; i < 20; ++i) {
    trace.events.push_back({.kind = EventKind::kWrite, .thread = model::ThreadId{1 + i % 2}, .object = 1});
  }
  const Names names{"hb"};
  const auto result = race_findings(trace, names, {.max_pairs = 10});
  ASSERT_EQ(result.given_up.size(), 1u);
  EXPECT_EQ(result.given_up[0].count, 14u);  // the pairs of the first six of the later events have room
}

}  // namespace
}  // namespace deadheat::predict
