// SPDX-License-Identifier: Apache-2.0
//
// The user's list of races not to report, in ThreadSanitizer's file format: one "kind:pattern" a line, '#' starts a
// comment line. Kinds:
//   race:      any frame of either stack (class.method or file), the variable, or the race's id
//   race_top:  the innermost frame of either stack
//   thread:    the name of either thread
// Patterns: pattern.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/pattern.h"
#include "report/race.h"

namespace deadheat::report {

enum class SuppressionKind : std::uint8_t { kRace, kRaceTop, kThread };

struct Suppression {
  SuppressionKind kind;
  Pattern pattern;
  std::string text;   // as in the file
  std::string place;  // file:line
};

class Suppressions {
 public:
  // No suppressions at all.
  Suppressions() = default;

  // The error of a wrong line reads "file:line:column: what is wrong".
  static Result<Suppressions> parse(std::string_view text, const std::string& file_name);
  static Result<Suppressions> load(const std::filesystem::path& file);

  // The first suppression that covers the race; null when it is to be reported.
  const Suppression* match(const Race& race) const;

 private:
  std::vector<Suppression> entries_;
};

}  // namespace deadheat::report
