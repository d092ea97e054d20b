// SPDX-License-Identifier: Apache-2.0
//
// The command line's one table: every verb and every option, from which the parser, --help and docs/options.md are
// made. Verbs get the result as a const Options&.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace deadheat::cli {

enum class Verb : std::uint8_t {
  kRun,
  kHunt,
  kConfirm,
  kReplay,
  kReport,
  kRecord,
  kPredict,
  kTraceInfo,
  kTraceCat,
  kTraceCheck,
  kTraceConvert,
  kTraceSlice,
  kTraceAnalyse,
};

enum class DetectorKind : std::uint8_t { kFastTrack, kHybrid, kLockset };

enum class ReportFormat : std::uint8_t { kText, kJson, kSarif };

enum class TraceFormat : std::uint8_t { kText, kPublic, kBinary };

// How many seeds are tried for one race unless the user says otherwise.
inline constexpr std::uint32_t kMostTries = 20;
// How many executions make a clip shorter unless the user says otherwise.
inline constexpr std::uint32_t kMostShrinkTries = 300;

struct Options {
  Verb verb = Verb::kRun;
  std::optional<std::filesystem::path> state;
  std::optional<std::filesystem::path> suppressions;
  std::vector<std::filesystem::path> source_paths;

  // run
  std::vector<std::string> command;
  std::optional<std::filesystem::path> json_file;
  std::optional<std::filesystem::path> sarif_file;
  std::optional<std::filesystem::path> log_path;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  DetectorKind detector = DetectorKind::kFastTrack;
  bool fast_path = true;
  std::uint32_t history = 1u << 21;
  bool allocations = false;
  bool stats = false;
  bool halt_on_error = false;
  int exit_code = 66;  // ThreadSanitizer's; 0: the program's own

  // confirm
  std::vector<std::string> race_ids;   // empty: all that are known
  bool all = false;                    // said so; without race_ids only
  std::optional<std::uint32_t> tries;  // empty: until the race is real, at most kMostTries
  std::optional<std::uint32_t> jobs;   // empty: one for each core
  std::uint32_t time_limit = 60;       // seconds, of one execution
  std::optional<int> expect_exit;
  std::string fail_on;  // a regular expression; empty: none
  bool show_output = false;

  // hunt
  std::uint32_t runs = 10;              // of each strategy
  std::vector<std::string> strategies;  // empty: drfinder
  bool compare = false;                 // all strategies
  std::uint32_t depth = 12;
  std::uint32_t last_depth = 0;  // not 0: every second depth from `depth` to here is hunted with
  std::optional<std::uint32_t>
      seed;  // of the first run; empty: behind the last one of earlier hunts. record: of the schedule
  std::uint32_t hold_limit = 500;  // milliseconds
  std::uint32_t run_limit = 600;   // seconds, of one run
  bool fresh = false;
  std::optional<std::filesystem::path> chart;

  // replay
  std::filesystem::path clip;
  bool slow = false;
  bool until_race = false;  // hold the threads there, for a debugger
  bool shrink = false;
  std::optional<std::uint32_t> shrink_tries;  // empty: kMostShrinkTries; with shrink only

  // report
  ReportFormat format = ReportFormat::kText;
  std::optional<std::uint32_t> run;  // empty: all runs

  // record, predict
  std::vector<std::string> atomic;  // methods that are meant to be atomic beside the synchronized ones
  bool atomic_public = false;
  std::vector<std::string> methods;  // record: methods whose begin and end are told

  // predict
  std::vector<std::filesystem::path> pattern_files;
  bool exact = false;
  bool reexecute = true;  // where there is a command
  std::uint32_t most_executions = 100;

  // trace
  std::vector<std::string> files;  // "-": the standard input
  std::optional<std::filesystem::path> output;
  bool json = false;
  bool numbers = false;
  std::uint32_t most_problems = 20;
  TraceFormat trace_format = TraceFormat::kText;
  bool strict = false;
  std::optional<std::filesystem::path> locations_file;
  std::uint64_t first_event = 1;
  std::uint64_t last_event = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::string> threads;
  std::vector<std::string> variables;
  std::vector<std::string> analyses;
  std::uint64_t most_pairs = 10'000'000;
  bool racy_only = false;
  int found_code = 0;  // exit status when something was found
};

enum class CommandUse : std::uint8_t { kNone, kMay, kMust };  // what may follow '--'

struct VerbSpec {
  Verb verb;
  std::string_view name;   // one word, or a group and a word: "trace info"
  std::string_view usage;  // what follows the verb
  CommandUse command;
  std::string_view help;
};

struct OptionSpec {
  Verb verb;
  std::string_view name;   // --json
  std::string_view value;  // FILE; empty for a switch
  bool repeatable;
  std::string_view help;
  Status (*apply)(Options&, const std::string& value);
  std::string_view short_name = {};  // -o
};

// The strategies of `deadheat hunt`.
std::span<const std::string_view> hunt_strategies();

std::span<const VerbSpec> verb_table();
std::span<const OptionSpec> option_table();

}  // namespace deadheat::cli
