// SPDX-License-Identifier: Apache-2.0
//
// exact: the pairs that some correct reordering shows, all of them within a window. NP-hard, so windows are small.
#pragma once

#include "predict/analysis.h"

namespace deadheat::predict {

// What may be answered without the solver. Either way the answers are the same; tests switch it off to try the formula.
enum class Shortcuts : std::uint8_t {
  kNone,
  kAll,  // yes for what sync-preserving prediction finds; no for what ClosedPast rules out
};

AnalysisResult exact_with(const trace::Trace& trace, const AnalysisOptions& options, Shortcuts shortcuts);

}  // namespace deadheat::predict
