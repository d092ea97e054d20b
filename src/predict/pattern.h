// SPDX-License-Identifier: Apache-2.0
//
// Access anomalies as patterns (PECAN, ISSTA 2011, section 3): a sequence of accesses, each with a thread, a variable,
// a unit of work (an atomic region) and a kind. The known ones are a table; a user's come from a text file:
//
//   # a check and a use with an update of another thread between
//   pattern stale-check
//   E  = e1 - e2 - e3
//   T  = t1 - t2 - t1
//   SV = s1 - s1 - s1
//   AR = u1 - u2 - u1
//   AT = r  - w  - r
//
// Names of one line stand for the same thing wherever they are equal, and for different things where they differ.
// `pattern NAME adjacent` asks for accesses that come right after each other. docs/prediction.md has more.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace deadheat::predict {

enum class PatternKind : std::uint8_t {
  kDataRace,
  kAtomicityViolation,  // one variable
  kAtomicSetViolation,  // two variables, the shapes of Vaziri et al. and Hammer et al.
  kNotSerialisable,     // two variables, conflict-serialisable in no order, on neither list
  kUser,
};

struct PatternStep {
  std::uint8_t thread = 0;  // numbers from 0 in the order of their first use
  std::uint8_t variable = 0;
  std::uint8_t unit = 0;
  bool is_write = false;
};

struct Pattern {
  std::string name;
  PatternKind kind = PatternKind::kUser;
  bool adjacent = false;
  std::vector<PatternStep> steps;
};

// Data races, the five unserialisable triples, the nine two-variable shapes of the lists, the eighteen they miss.
std::span<const Pattern> known_patterns();

// "W(l1) R'(l1) R'(l2) W(l2)": a prime for each further thread.
std::string pattern_text(const Pattern& pattern);

// The patterns of a file. An error reads "NAME:LINE:COLUMN: what is wrong, what was expected".
Result<std::vector<Pattern>> parse_patterns(std::string_view text, std::string_view file_name);

}  // namespace deadheat::predict
