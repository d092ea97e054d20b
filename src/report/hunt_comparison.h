// SPDX-License-Identifier: Apache-2.0
//
// What strategies found side by side, as in the DrFinder paper: its Table 3 (races by each, found by it alone, missed,
// times as factors of the program's own, thrashing) as text, and Figure 6 (races found in the first i runs) as an SVG
// picture and as an HTML page with both. The same for several depths of one strategy, which are not set against each
// other but against the rest: Table 4, and a picture of races by depth.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "report/hunt_records.h"

namespace deadheat::report {

// One run of the program.
struct HuntRun {
  std::uint64_t seed = 0;
  std::set<std::string> races;  // ids
  double seconds = 0;
  HuntOutcome outcome;
};

struct StrategyRuns {
  std::string strategy;
  std::vector<HuntRun> runs;  // in the order of their seeds
  std::uint32_t depth = 0;    // not 0: one of several depths of the same strategy

  std::set<std::string> races() const;
  double mean_seconds() const;
  HuntOutcome outcome() const;
};

struct HuntComparison {
  std::vector<StrategyRuns> strategies;
  double plain_seconds = 0;     // of the program without the agent; 0: not measured
  double learning_seconds = 0;  // of the run that only learns relations; 0: there was none
};

// "50.0%", or "-" when nobody was held.
std::string thrashing_rate(const HuntOutcome& outcome);

std::string comparison_table(const HuntComparison& comparison);
// The number of races found in the first 1, 2, … runs.
std::vector<std::size_t> cumulative_races(const StrategyRuns& runs);
std::string comparison_svg(const HuntComparison& comparison);
std::string comparison_html(const HuntComparison& comparison, const std::string& title);

}  // namespace deadheat::report
