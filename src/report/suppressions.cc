// SPDX-License-Identifier: Apache-2.0
#include "report/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace deadheat::report {
namespace {

constexpr std::array<std::pair<std::string_view, SuppressionKind>, 3> kSuppressionKinds = {{
    {"race", SuppressionKind::kRace},
    {"race_top", SuppressionKind::kRaceTop},
    {"thread", SuppressionKind::kThread},
}};
constexpr std::string_view kSpace = " \t\r";

struct LineError {
  std::size_t column;  // from 0, in the whole line
  std::string message;
};

std::optional<SuppressionKind> suppression_kind_named(std::string_view name) {
  for (const auto& [known, kind] : kSuppressionKinds) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

// What is wrong with the trimmed line that begins at `start`, if anything.
std::optional<LineError> problem_with(std::string_view line, std::size_t start) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos)
    return LineError{start, "expected kind:pattern, for example race:com.acme.Cache"};
  const std::string_view kind = line.substr(0, colon);
  const std::string_view pattern = line.substr(colon + 1);
  if (!suppression_kind_named(kind)) {
    return LineError{start, fmt::format("unknown kind '{}'; deadheat knows race, race_top and thread", kind)};
  }
  if (pattern.find_first_not_of("^$*") == std::string_view::npos) {
    return LineError{start + colon + 1, "the pattern is empty: it would suppress everything"};
  }
  const std::size_t caret = pattern.find('^', 1);
  if (caret != std::string_view::npos) {
    return LineError{start + colon + 1 + caret, "'^' is only allowed at the beginning of a pattern"};
  }
  return std::nullopt;
}

bool frame_matches(const Pattern& pattern, const Frame& frame) {
  return pattern.matches(qualified_method(frame)) || pattern.matches(frame.file);
}

bool access_matches(const Suppression& entry, const Access& access) {
  switch (entry.kind) {
    case SuppressionKind::kThread:
      return entry.pattern.matches(access.thread.name);
    case SuppressionKind::kRaceTop:
      return !access.stack.empty() && frame_matches(entry.pattern, access.stack.front());
    case SuppressionKind::kRace:
      return std::any_of(access.stack.begin(), access.stack.end(),
                         [&](const Frame& frame) { return frame_matches(entry.pattern, frame); });
  }
  return false;
}

bool covers(const Suppression& entry, const Race& race) {
  if (entry.kind == SuppressionKind::kRace &&
      (entry.pattern.matches(race.id) || entry.pattern.matches(variable_name(race.variable)))) {
    return true;
  }
  return std::any_of(race.accesses.begin(), race.accesses.end(),
                     [&](const Access& access) { return access_matches(entry, access); });
}

}  // namespace

Result<Suppressions> Suppressions::parse(std::string_view text, const std::string& file_name) {
  Suppressions result;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t start = line.find_first_not_of(kSpace);
    if (start == std::string::npos || line[start] == '#') continue;
    const std::string entry = line.substr(start, line.find_last_not_of(kSpace) - start + 1);
    if (auto problem = problem_with(entry, start)) {
      return Error{fmt::format("{}:{}:{}: {}", file_name, number, problem->column + 1, problem->message)};
    }
    const std::size_t colon = entry.find(':');
    result.entries_.push_back({*suppression_kind_named(std::string_view(entry).substr(0, colon)),
                               Pattern(std::string_view(entry).substr(colon + 1)), entry,
                               fmt::format("{}:{}", file_name, number)});
  }
  return result;
}

Result<Suppressions> Suppressions::load(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  std::ostringstream text;
  if (input) text << input.rdbuf();
  if (!input) return Error{fmt::format("cannot read the suppressions {}: {}", file.string(), std::strerror(errno))};
  return parse(text.str(), file.string());
}

const Suppression* Suppressions::match(const Race& race) const {
  auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Suppression& entry) { return covers(entry, race); });
  return found == entries_.end() ? nullptr : &*found;
}

}  // namespace deadheat::report
