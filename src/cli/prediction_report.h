// SPDX-License-Identifier: Apache-2.0
//
// From the findings of src/predict to what the renderers show.
#pragma once

#include <string>
#include <vector>

#include "predict/findings.h"
#include "report/prediction.h"

namespace deadheat::cli {

// One prediction for each finding, in the same order; those without a schedule are marked as infeasible.
report::PredictionReport make_prediction_report(const std::string& trace_file, const trace::Trace& trace,
                                                const predict::Predictions& predictions);

// The accesses of one instance of a finding.
std::vector<report::PredictedAccess> accesses_of(const trace::Trace& trace,
                                                 const std::vector<predict::EventNumber>& events);

}  // namespace deadheat::cli
