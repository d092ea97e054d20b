// SPDX-License-Identifier: Apache-2.0
//
// What the JVMs of one run left behind. Each JVM writes RUN/jvm-PID/records.jsonl, one JSON object a line, flushed a
// line at a time (docs/records.md), so a JVM killed at any moment leaves everything but a torn last line. Reading takes
// place in the deadheat program, after the JVMs or while they still run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/hunt_records.h"
#include "report/race.h"
#include "report/schedule_records.h"

namespace deadheat::report {

// A class or method that could not be watched: a race in it goes unseen.
struct Unwatched {
  std::string class_name;
  std::string method;  // empty: the whole class
  std::string reason;
  bool synchronises = false;  // its synchronisation is watched all the same
};

struct JvmRecords {
  std::filesystem::path folder;
  std::int64_t pid = 0;
  std::string vm;       // OpenJDK 64-Bit Server VM
  std::string version;  // of the VM
  std::string java;     // its folder
  std::string command;

  std::vector<Race> races;  // one per id
  std::vector<Unwatched> unwatched;
  std::vector<std::string> warnings;
  std::optional<HuntOutcome> hunt;               // of a JVM under a hunt
  ScheduleRecords schedule;                      // of a JVM under the controlled scheduler
  std::map<std::string, std::int64_t> counters;  // of the end record, the rules of the analysis as "rule …"

  bool ended = false;           // false: killed, crashed, or still running
  bool gave_up = false;         // the agent could not do its work: what was not found says nothing
  bool torn_tail = false;       // the last line breaks off
  std::uint64_t bad_lines = 0;  // whole lines that are no record
};

// Reads one records file. Fails only when the file cannot be read; bad content is counted.
Result<JvmRecords> read_jvm_records(const std::filesystem::path& file);

// Reads every JVM of a run folder, by process id. A run without a JVM yields an empty list.
Result<std::vector<JvmRecords>> read_run(const std::filesystem::path& run_folder);

// The races of all JVMs, one per id in order of first sight, counts added up.
std::vector<Race> merge_races(const std::vector<JvmRecords>& jvms);

}  // namespace deadheat::report
