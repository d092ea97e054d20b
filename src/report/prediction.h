// SPDX-License-Identifier: Apache-2.0
//
// What `deadheat predict` found, as the renderers see it: plain data, filled by the cli from predict's findings and
// from the re-executions. docs/prediction.md says what the words mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/race.h"
#include "report/source_lines.h"

namespace deadheat::report {

// What came of a schedule when the program was run under it.
enum class Attempted : std::uint8_t {
  kNotTried,
  kCreated,     // it happened
  kDiverged,    // a thread did something else than the schedule wanted
  kDeadlocked,  // nobody could go on
  kInfeasible,  // there is no schedule to try
  kFailed,      // the execution says nothing: killed, timed out, no JVM
};
std::string attempted_name(Attempted attempted);

struct Reexecution {
  Attempted attempted = Attempted::kNotTried;
  std::string detail;  // where it diverged, why it failed
  std::string clip;    // created: the file that replays it
  std::vector<std::string> exceptions;
  int exit_status = 0;
  std::uint32_t tries = 1;  // executions, of schedules for different places of the run
};

struct PredictedAccess {
  std::uint64_t event = 0;  // its number in the trace
  std::string thread;
  bool write = false;
  std::string operation;  // "acquires", "reads the volatile", …; empty: it reads or writes a plain variable
  std::string variable;   // or the lock, …
  bool of_variable = true;
  Frame frame;
  std::string location;         // as in the trace, where that is no frame
  std::optional<Access> place;  // where its thread stood when it was created: thread, locks and stack
  std::string within;           // of an access in the JDK: the atomic region around it, or where the lock was taken
};

struct Prediction {
  std::string id;       // P and hexadecimal digits: kind, variables and lines, the same in every run
  std::string kind;     // data race, atomicity violation, …
  std::string pattern;  // its name; empty: none
  std::string shape;    // R(l1) W'(l1) R(l1)
  std::vector<PredictedAccess> accesses;
  std::vector<std::string> seen_by;
  bool cannot_be_false = false;
  std::uint64_t count = 0;
  std::uint64_t schedule_events = 0;  // 0: no schedule
  bool is_of_recorded_run = false;    // it happened when that was recorded; there is nothing to re-execute
  Reexecution run;

  // A thing that happened, or whose label says that it cannot be false.
  bool is_sure() const { return cannot_be_false || run.attempted == Attempted::kCreated; }
};

struct PredictionReport {
  std::string trace;
  std::uint64_t events = 0;
  std::uint32_t threads = 0;
  std::uint32_t variables = 0;
  double analysis_seconds = 0;  // analyses and pattern search
  double schedule_seconds = 0;  // all schedules
  std::vector<Prediction> predictions;
  std::vector<std::pair<std::string, std::uint64_t>> given_up;
  bool reexecuted = false;
};

// "thread 0.1 reads a.b.C.x".
std::string what_is_done(const PredictedAccess& access);
// "data race on a.b.C.x in a.b.C.m (C.java:12) and …".
std::string prediction_headline(const Prediction& prediction);
// "cannot be false" or "candidate"; created: "created".
std::string prediction_label(const Prediction& prediction);

// All of them, and the line that sums up. Text for people, JSON and SARIF 2.1.0 for scripts.
std::string prediction_text(const PredictionReport& report, SourceLines& sources);
std::string prediction_json(const PredictionReport& report, const std::string& version);
std::string prediction_sarif(const PredictionReport& report, const std::string& version, SourceLines& sources);

}  // namespace deadheat::report
