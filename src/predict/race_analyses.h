// SPDX-License-Identifier: Apache-2.0
//
// The entry points behind the table of analysis.h.
#pragma once

#include "predict/analysis.h"

namespace deadheat::predict {

// happens_before.cc
AnalysisResult happens_before(const trace::Trace& trace, const AnalysisOptions& options);
AnalysisResult schedulable_happens_before(const trace::Trace& trace, const AnalysisOptions& options);
// sync_preserving.cc
AnalysisResult sync_preserving(const trace::Trace& trace, const AnalysisOptions& options);
// weak_causal.cc
AnalysisResult weak_causal(const trace::Trace& trace, const AnalysisOptions& options);
// exact.cc; exact.h has the finer entry
AnalysisResult exact(const trace::Trace& trace, const AnalysisOptions& options);
// lockset.cc
AnalysisResult lockset(const trace::Trace& trace, const AnalysisOptions& options);
// atomicity.cc
AnalysisResult atomicity(const trace::Trace& trace, const AnalysisOptions& options);

}  // namespace deadheat::predict
