// SPDX-License-Identifier: Apache-2.0
//
// Everything that a recorded run foretells, as one list: data races of several analyses and of the pattern search,
// atomicity and atomic-set violations, the patterns of a user, and whether the run itself was conflict-serialisable.
// Each once by the source lines of its events, with who sees it, its label, and a schedule that shows it. What
// `deadheat predict` shows and re-executes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "predict/analysis.h"
#include "predict/pattern.h"
#include "predict/pattern_search.h"
#include "predict/schedule_generation.h"

namespace deadheat::predict {

// Who sees a finding beside the analyses of analysis.h.
inline constexpr std::string_view kPatternSearch = "patterns";

// The events that a finding is about at one place of the run, and a schedule that leads there.
struct Instance {
  std::vector<EventNumber> events;
  GeneratedSchedule schedule;
};

struct Finding {
  const Pattern* pattern = nullptr;  // null: the run itself is not conflict-serialisable
  std::vector<EventNumber> events;   // one for each step of the pattern; the one that closes the cycle
  std::vector<std::string_view> seen_by;
  Label label = Label::kCandidate;
  std::uint64_t count = 0;  // how many such pairs or matches there are, as far as they were kept apart
  // Nothing: no feasible schedule shows it, or none was found.
  std::optional<GeneratedSchedule> schedule;
  // Other places of the run with the same source lines, the likeliest first: for who tried the schedule and did not see
  // the finding, because some thread read another value and went another way. None if that cannot be.
  std::vector<Instance> others;
};

struct PredictionOptions {
  bool exact = false;  // ask the exact predictor too
  std::span<const Pattern> user_patterns;
  std::uint64_t max_pairs = 1'000'000;  // of one analysis
  SearchLimits search{.instances = 3, .repeats = 3};
  GenerationLimits generation{.window = 400, .query_milliseconds = 500};
  // For all findings together, beyond which the solver is no longer asked for schedules.
  std::uint32_t solver_milliseconds = 10'000;
  // Without `exact`, of questions for schedules that keep all values: these may well have no answer, and are asked of
  // every candidate, so each is small.
  GenerationLimits kept_generation{.window = 200, .query_milliseconds = 500, .query_work = 100'000};
  std::uint32_t kept_solver_milliseconds = 2'000;
};

struct PredictionTimes {
  double analyses = 0;  // seconds, of each part
  double search = 0;
  double schedules = 0;
};

struct Predictions {
  std::vector<Finding> findings;  // by kind, then in the order of their first events
  std::vector<GivenUp> given_up;
  PredictionTimes times;
};

// The trace and the user's patterns must outlive the result.
Predictions predict_all(const trace::Trace& trace, const PredictionOptions& options);

}  // namespace deadheat::predict
