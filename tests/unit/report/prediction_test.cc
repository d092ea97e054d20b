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

// A method that is meant to be atomic is entered nowhere but in itself.
TEST(PredictionTest, WhatHasNoPlaceIsToldWithoutOne) {
  PredictionReport report;
  Prediction& prediction = report.predictions.emplace_back();
  prediction.kind = "not serialisable";
  prediction.accesses.resize(2);
  prediction.accesses[0] = {.event = 3, .thread = "0.1", .operation = "enters the atomic region", .variable = "a.B.m"};
  prediction.accesses[0].of_variable = false;
  prediction.accesses[1] = {.event = 7, .thread = "0.1", .variable = "a.B.x", .location = "12"};
  SourceLines sources({});
  const std::string text = prediction_text(report, sources);
  EXPECT_NE(text.find("  thread 0.1 enters the atomic region a.B.m, event 3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  thread 0.1 reads a.B.x in location 12, event 7\n"), std::string::npos) << text;
  EXPECT_EQ(prediction_headline(prediction), "not serialisable on a.B.x in location 12");
}

}  // namespace
}  // namespace deadheat::report
