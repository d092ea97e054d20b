// SPDX-License-Identifier: Apache-2.0
//
// One run of the user's command that leaves a trace: what `deadheat record` is, and what `deadheat predict` begins
// with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "cli/run_place.h"
#include "report/records.h"
#include "report/schedule_records.h"

namespace deadheat::cli {

struct RecordedTrace {
  std::filesystem::path path;
  std::optional<report::TraceContent> content;  // absent: the JVM did not come to its end
};

struct Recording {
  std::vector<RecordedTrace> traces;  // of the JVMs of the run, the longest first; at least one
  int exit_status = 0;                // the program's own
  std::int64_t clock = 0;             // milliseconds since 1970 at the start, for who runs it again
};

// What the JVMs of a run left, the longest trace first.
std::vector<RecordedTrace> recorded_traces(const std::vector<report::JvmRecords>& jvms);

// Runs options.command under the controlled scheduler in the run's folder. Fails when no JVM was recorded.
Result<Recording> record_run(const Options& options, RunPlace& place);

// Puts the first trace where the user wants it.
Status deliver(Recording& recording, const std::filesystem::path& wanted);

}  // namespace deadheat::cli
