// SPDX-License-Identifier: Apache-2.0
//
// The analyses over a recorded run, by name: one table, one entry point each. Single-threaded, deterministic, pure: a
// trace in, findings out. docs/prediction.md says what each calls a race and why its label is what it is.
//
// Events are named by their number: 1 is the first of the trace. The trace must keep the promises of trace/trace.h; a
// trace that breaks the rules of locks or threads gives some answer, never a crash.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace deadheat::predict {

using EventNumber = std::uint32_t;  // 0: none

// Whether a finding can be wrong. "cannot be false": a feasible schedule of the recorded events shows it.
enum class Label : std::uint8_t { kCannotBeFalse, kCandidate };
std::string_view label_text(Label label);  // "cannot be false", "candidate"

// Two conflicting accesses; first < second in the trace.
struct EventPair {
  EventNumber first = 0;
  EventNumber second = 0;
  bool operator==(const EventPair&) const = default;
  bool operator<(const EventPair& other) const {
    return first != other.first ? first < other.first : second < other.second;
  }
};

// Something the analysis did not look at, so that silence about it means nothing.
struct GivenUp {
  std::string_view what;  // one line for a user, e.g. "pairs beyond the limit"
  std::uint64_t count = 0;
};

struct AnalysisOptions {
  bool pairs = true;                          // false: racy alone, which is faster and needs less memory
  std::uint64_t max_pairs = 10'000'000;       // who has more is counted in given_up; racy stays complete
  std::uint32_t window = 400;                 // exact: events looked at together; windows overlap by half
  std::uint32_t query_milliseconds = 10'000;  // exact: for one pair; beyond it the pair is given up
};

struct AnalysisResult {
  std::vector<EventPair> pairs;          // sorted, each once
  std::vector<EventNumber> racy;         // the later events of all racy pairs, sorted, each once
  std::optional<EventNumber> violation;  // atomicity: the event that closes the first cycle
  std::vector<GivenUp> given_up;         // empty: nothing was given up
  std::uint64_t memory_bytes = 0;        // the most that the analysis itself held, beside the trace
};

struct Analysis {
  std::string_view name;  // as after --with
  std::string_view summary;
  Label label;
  bool finds_races;  // false: fills violation instead of pairs and racy
  bool gives_pairs;  // false: racy alone
  AnalysisResult (*run)(const trace::Trace&, const AnalysisOptions&);
};

// In the order in which help and reports list them.
std::span<const Analysis> analyses();
const Analysis* find_analysis(std::string_view name);  // nullptr: no such analysis

}  // namespace deadheat::predict
