// SPDX-License-Identifier: Apache-2.0
//
// The races of several analyses as one list: each pair of sites once, with the analyses that see it and the best label
// among them. What `deadheat predict` shows before it re-executes anything.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "predict/analysis.h"

namespace deadheat::predict {

struct RaceFinding {
  EventPair example;  // of an analysis that cannot be wrong, if one sees it
  model::SiteId first_site{};
  model::SiteId second_site{};
  std::uint64_t variable = 0;             // of the example
  std::uint64_t pairs = 0;                // pairs of events with these sites that some analysis sees
  std::vector<std::string_view> seen_by;  // names, in the order of the table
  Label label = Label::kCandidate;
};

struct RaceFindings {
  std::vector<RaceFinding> findings;  // in the order of their examples
  std::vector<GivenUp> given_up;      // of all analyses
};

// The names must be of analyses that give pairs; others are passed over. Sites are unordered: (a, b) is (b, a).
RaceFindings race_findings(const trace::Trace& trace, std::span<const std::string_view> names,
                           const AnalysisOptions& options = {});

}  // namespace deadheat::predict
