// SPDX-License-Identifier: Apache-2.0
//
// Every strategy that searches, for tests that must hold under all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schedule/pct.h"
#include "schedule/pos.h"
#include "schedule/race_directed.h"
#include "schedule/random_walk.h"
#include "schedule/slices.h"

namespace deadheat::schedule {

inline const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names = {"random-walk", "pct", "pos", "race-directed", "slices"};
  return names;
}

inline std::unique_ptr<Strategy> make_strategy(const std::string& name, std::uint64_t seed,
                                               const RacePair& pair = {model::SiteId{1}, model::SiteId{2}}) {
  if (name == "pct") return std::make_unique<Pct>(seed, PctOptions{.depth = 3, .expected_steps = 40});
  if (name == "pos") return std::make_unique<Pos>(seed);
  if (name == "race-directed")
    return std::make_unique<RaceDirected>(seed, RaceDirectedOptions{.pair = pair, .livelock_limit = 10'000}, nullptr);
  if (name == "slices") return std::make_unique<Slices>(seed, SliceLengths{.first = 3, .second = 3});
  return std::make_unique<RandomWalk>(seed);
}

}  // namespace deadheat::schedule
