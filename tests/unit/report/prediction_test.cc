// SPDX-License-Identifier: Apache-2.0
#include "report/prediction.h"

#include <gtest/gtest.h>

namespace deadheat::report {
namespace {

// The last of the three could have been re-executed, and was not.
TEST(PredictionTest, TheRecordedRunIsNotAmongTheReexecutions) {
  PredictionReport report;
  report.reexecuted = true;
  report.predictions.resize(3);
  report.predictions[0].run.attempted = Attempted::kCreated;
  report.predictions[1].is_of_recorded_run = true;
  SourceLines sources({});
  EXPECT_NE(prediction_text(report, sources).find("re-executed: 1 not tried, 1 created\n"), std::string::npos);
  report.predictions.pop_back();
  EXPECT_NE(prediction_text(report, sources).find("re-executed: 1 created\n"), std::string::npos);
}

}  // namespace
}  // namespace deadheat::report
