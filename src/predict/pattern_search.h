// SPDX-License-Identifier: Apache-2.0
//
// Where a trace, reordered as far as the partial order and the locks allow, may show a pattern (PECAN, section 5.2).
// What is found is a candidate: schedule_generation.h tries to make a schedule of it.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/pattern.h"
#include "predict/ptg.h"

namespace deadheat::predict {

struct PatternMatch {
  const Pattern* pattern = nullptr;
  std::vector<EventNumber> events;  // one for each step
};

// A variable that is accessed often must not use up what others need. So the variables are looked at in rounds: in the
// first only some accesses of each, those that differ in site and thread before all others, in the last all of them;
// and no variable gets more than its share of the combinations that are left.
struct SearchLimits {
  std::uint64_t matches = 10'000;    // a pattern
  std::uint64_t steps = 20'000'000;  // combinations looked at for a pattern
  std::uint32_t instances = 1;       // of the same sites, by different threads
  std::uint32_t repeats = 1;         // of the same sites and threads, in different units; not counted in `matches`
  // By event, or null: a match with such an access does not stand for one without.
  const std::vector<bool>* apart = nullptr;
};

struct SearchResult {
  std::vector<PatternMatch> matches;     // by the sites of their events, in the order in which they were found
  std::uint64_t patterns_cut_short = 0;  // a limit was reached: there may be more
  // Where it was: variables, counted for each pattern, of which not every combination was looked at; and of how many.
  std::uint64_t variables_cut_short = 0;
  std::uint64_t variables = 0;
};

// The patterns must outlive the result.
SearchResult search(const Ptg& ptg, std::span<const Pattern> patterns, const SearchLimits& limits = {});

// The mutation condition (algorithms 1 and 2, for any pattern): no event has to come before one that the pattern wants
// earlier, and while one thread does its step every other thread that is in the middle of the pattern can stand
// somewhere between its steps without holding a lock that is held there.
bool can_be_ordered(const Ptg& ptg, const Pattern& pattern, std::span<const EventNumber> events);

}  // namespace deadheat::predict
