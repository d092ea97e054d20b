// SPDX-License-Identifier: Apache-2.0
#include "predict/analysis.h"

#include "predict/race_analyses.h"

namespace deadheat::predict {

namespace {

constexpr Analysis kAnalyses[] = {
    {"hb", "happens-before of this run (FastTrack)", Label::kCandidate, true, true, happens_before},
    {"shb", "schedulable happens-before", Label::kCannotBeFalse, true, true, schedulable_happens_before},
    {"wcp", "weak-causally-precedes", Label::kCandidate, true, true, weak_causal},
    {"syncp", "sync-preserving prediction", Label::kCannotBeFalse, true, true, sync_preserving},
    {"exact", "every race of a correct reordering, in windows (Z3)", Label::kCannotBeFalse, true, true, exact},
    {"lockset", "no lock is held at every access (Eraser)", Label::kCandidate, true, false, lockset},
    {"atomicity", "conflict-serialisability of the regions", Label::kCannotBeFalse, false, false, atomicity},
};

}  // namespace

std::string_view label_text(Label label) { return label == Label::kCannotBeFalse ? "cannot be false" : "candidate"; }

std::span<const Analysis> analyses() { return kAnalyses; }

const Analysis* find_analysis(std::string_view name) {
  for (const Analysis& analysis : kAnalyses) {
    if (analysis.name == name) return &analysis;
  }
  return nullptr;
}

}  // namespace deadheat::predict
