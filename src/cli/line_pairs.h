// SPDX-License-Identifier: Apache-2.0
//
// A race is known by its two source lines, and a line may access the variable by several instructions: in
// `if (a.x != null) a.x.use()` a write between the two reads breaks what one before the first does not. Which pairs of
// instructions the two lines of a race have. Pure.
#pragma once

#include <string>
#include <vector>

#include "report/race.h"
#include "report/schedule_records.h"

namespace deadheat::cli {

using SitePair = std::vector<std::string>;  // two names; empty: not known

// The two sites of a race; empty when its record does not name them.
SitePair recorded_pair(const report::Race& race);

// The other pairs with a write in them, each once, the nearest to the recorded one first: those that share a site with
// it. `seen`: what an execution that looked at the recorded pair tells of its sites.
std::vector<SitePair> further_pairs(const report::Race& race, const std::vector<report::WantedSite>& seen);

}  // namespace deadheat::cli
