// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "cli/output_match.h"
#include "predict/analysis.h"

namespace deadheat::cli {
namespace {

Result<std::uint32_t> number(const std::string& text, std::uint32_t least, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    return Error{fmt::format("'{}' is not a whole number from {} to {}", text, least, most)};
  }
  return value;
}

Status set_exit_code(Options& options, const std::string& text) {
  Result<std::uint32_t> code = number(text, 0, 255);
  if (!code) return code.error();
  options.exit_code = static_cast<int>(code.value());
  return Ok{};
}

template <auto kMember, std::uint32_t kLeast, std::uint32_t kMost>
Status set_number(Options& options, const std::string& text) {
  Result<std::uint32_t> value = number(text, kLeast, kMost);
  if (!value) return value.error();
  options.*kMember = value.value();
  return Ok{};
}

Status set_expected_exit(Options& options, const std::string& text) {
  Result<std::uint32_t> code = number(text, 0, 255);
  if (!code) return code.error();
  options.expect_exit = static_cast<int>(code.value());
  return Ok{};
}

// Told here, so that a wrong expression is a wrong command line.
Status set_fail_on(Options& options, const std::string& text) {
  if (text.empty()) return Error{"the expression is empty; write for example 'ERROR|lost'"};
  if (Result<OutputMatch> match = OutputMatch::compile(text); !match) return match.error();
  options.fail_on = text;
  return Ok{};
}

Status set_until(Options& options, const std::string& text) {
  if (text != "race") return Error{fmt::format("'{}' is nothing to stop at; write --until race", text)};
  options.until_race = true;
  return Ok{};
}

Status set_detector(Options& options, const std::string& text) {
  if (text == "fasttrack") {
    options.detector = DetectorKind::kFastTrack;
  } else if (text == "hybrid") {
    options.detector = DetectorKind::kHybrid;
  } else if (text == "lockset") {
    options.detector = DetectorKind::kLockset;
  } else {
    return Error{fmt::format("'{}' is none of fasttrack, hybrid, lockset", text)};
  }
  return Ok{};
}

Status add_strategy(Options& options, const std::string& text) {
  const auto names = hunt_strategies();
  if (std::find(names.begin(), names.end(), text) == names.end()) {
    return Error{fmt::format("'{}' is none of {}", text, fmt::join(names, ", "))};
  }
  if (std::find(options.strategies.begin(), options.strategies.end(), text) == options.strategies.end()) {
    options.strategies.push_back(text);
  }
  return Ok{};
}

// N, or N..M.
Status set_depth(Options& options, const std::string& text) {
  constexpr std::uint32_t kMostDepth = 100;  // as in agent/options.cc
  const std::size_t dots = text.find("..");
  Result<std::uint32_t> first = number(text.substr(0, dots), 1, kMostDepth);
  if (!first) return first.error();
  options.depth = first.value();
  options.last_depth = 0;
  if (dots == std::string::npos) return Ok{};
  Result<std::uint32_t> last = number(text.substr(dots + 2), 1, kMostDepth);
  if (!last) return last.error();
  if (last.value() <= first.value()) return Error{fmt::format("'{}' is no range: write the smaller depth first", text)};
  options.last_depth = last.value();
  return Ok{};
}

Status set_chart(Options& options, const std::string& text) {
  if (!text.ends_with(".svg") && !text.ends_with(".html")) {
    return Error{fmt::format("'{}' ends neither in .svg nor in .html", text)};
  }
  options.chart = text;
  return Ok{};
}

constexpr std::uint32_t kMostHistory = 1u << 21;  // as in agent/options.h

Status set_history(Options& options, const std::string& text) {
  Result<std::uint32_t> entries = number(text, 0, kMostHistory);
  if (!entries) return entries.error();
  options.history = entries.value();
  return Ok{};
}

// A class pattern: a name with '*' for any text.
Status add_class_pattern(std::vector<std::string>& patterns, const std::string& text) {
  const std::size_t bad = text.find_first_of(" \t\n;,/\\^");
  if (text.empty()) return Error{"the class pattern is empty; write for example com.acme.*"};
  if (bad != std::string::npos) {
    return Error{
        fmt::format("'{}' in '{}' cannot be part of a class pattern; write for example com.acme.*", text[bad], text)};
  }
  patterns.push_back(text);
  return Ok{};
}

template <auto kMember>
Status add_method_pattern(Options& options, const std::string& text) {
  if (text.find('.') == std::string::npos && text.find('*') == std::string::npos) {
    return Error{fmt::format("'{}' names no method; write for example com.acme.Account.transfer or *.transfer", text)};
  }
  return add_class_pattern(options.*kMember, text);
}

Status set_atomic_methods(Options& options, const std::string& text) {
  if (text != "public") return Error{fmt::format("'{}' is not known; write --atomic-methods public", text)};
  options.atomic_public = true;
  return Ok{};
}

template <auto kMember, auto kValue>
Status assign(Options& options, const std::string&) {
  options.*kMember = kValue;
  return Ok{};
}

template <auto kMember>
Status store(Options& options, const std::string& value) {
  if (value.empty()) return Error{"the name is empty"};
  options.*kMember = value;
  return Ok{};
}

template <auto kMember>
Status append(Options& options, const std::string& value) {
  (options.*kMember).emplace_back(value);
  return Ok{};
}

template <auto kMember>
Status append_class_pattern(Options& options, const std::string& value) {
  return add_class_pattern(options.*kMember, value);
}

// Told here: with a wrong folder a report would just have no source lines.
Status add_source_path(Options& options, const std::string& text) {
  std::error_code error;
  if (!std::filesystem::is_directory(text, error)) return Error{fmt::format("there is no folder '{}'", text)};
  options.source_paths.emplace_back(text);
  return Ok{};
}

Status set_trace_format(Options& options, const std::string& text) {
  if (text == "text") {
    options.trace_format = TraceFormat::kText;
  } else if (text == "std") {
    options.trace_format = TraceFormat::kPublic;
  } else if (text == "binary") {
    options.trace_format = TraceFormat::kBinary;
  } else {
    return Error{fmt::format("'{}' is none of text, std, binary", text)};
  }
  return Ok{};
}

Status set_event_range(Options& options, const std::string& text) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, options.first_event);
  bool good = first.ec == std::errc() && options.first_event > 0 && first.ptr != end && *first.ptr == '-';
  if (good && first.ptr + 1 != end) {
    const auto last = std::from_chars(first.ptr + 1, end, options.last_event);
    good = last.ec == std::errc() && last.ptr == end && options.last_event >= options.first_event;
  }
  if (!good)
    return Error{fmt::format("'{}' is no range of events; write for example 100-250, or 100- to the end", text)};
  return Ok{};
}

// Told here, so that a wrong name is a wrong command line.
Status add_analyses(Options& options, const std::string& text) {
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string name = text.substr(at, comma - at);
    if (predict::find_analysis(name) == nullptr) {
      std::vector<std::string_view> names;
      for (const predict::Analysis& analysis : predict::analyses()) names.push_back(analysis.name);
      return Error{fmt::format("'{}' is no analysis; these are: {}", name, fmt::join(names, ", "))};
    }
    options.analyses.push_back(name);
    at = comma + 1;
  }
  return Ok{};
}

Status set_found_code(Options& options, const std::string& text) {
  Result<std::uint32_t> code = number(text, 0, 255);
  if (!code) return code.error();
  options.found_code = static_cast<int>(code.value());
  return Ok{};
}

constexpr VerbSpec kVerbs[] = {
    {Verb::kRun, "run", "[options] -- command…", CommandUse::kMust,
     "run a program and report the data races that happen in it"},
    {Verb::kHunt, "hunt", "[options] -- command…", CommandUse::kMust,
     "run a program again and again with reversed lock orders, to find hidden races"},
    {Verb::kConfirm, "confirm", "[options] [RACE-ID… | --all] -- command…", CommandUse::kMust,
     "make suspected races happen, and say which are real and what they break"},
    {Verb::kReplay, "replay", "[options] CLIP [-- command…]", CommandUse::kMay,
     "run a confirmed race again, step for step"},
    {Verb::kReport, "report", "[options] [RUN]", CommandUse::kNone,
     "show the races of earlier runs: of run number RUN, or of all"},
    {Verb::kRecord, "record", "[options] -- command…", CommandUse::kMust,
     "run a program under control and leave a trace of every access and every synchronisation"},
    {Verb::kPredict, "predict", "[options] [TRACE] [-- command…]", CommandUse::kMay,
     "record a run, or read a trace, and say which races and atomicity violations other schedules of it would show"},
    {Verb::kTraceInfo, "trace info", "[options] FILE…", CommandUse::kNone, "say what traces hold"},
    {Verb::kTraceCat, "trace cat", "[options] FILE…", CommandUse::kNone, "print traces as text"},
    {Verb::kTraceCheck, "trace check", "[options] FILE…", CommandUse::kNone,
     "name what is wrong in traces: lines that cannot be read, events that break the rules of a run"},
    {Verb::kTraceConvert, "trace convert", "[options] FILE", CommandUse::kNone, "write a trace in another format"},
    {Verb::kTraceSlice, "trace slice", "[options] FILE", CommandUse::kNone,
     "cut a part out of a trace that is a trace itself, in which the same events are ordered"},
    {Verb::kTraceAnalyse, "trace analyse", "--with ANALYSIS [options] FILE…", CommandUse::kNone,
     "find the races, or the atomicity violation, that an analysis sees in traces"},
};

constexpr OptionSpec kOptions[] = {
    {Verb::kRun, "--json", "FILE", false, "also write the races to FILE as JSON", store<&Options::json_file>},
    {Verb::kRun, "--sarif", "FILE", false, "also write the races to FILE as SARIF 2.1.0, for code scanning services",
     store<&Options::sarif_file>},
    {Verb::kRun, "--log-path", "FILE", false, "write the text report to FILE instead of stderr",
     store<&Options::log_path>},
    {Verb::kRun, "--suppressions", "FILE", false, "do not report the races this file lists (see docs/suppressions.md)",
     store<&Options::suppressions>},
    {Verb::kRun, "--exit-code", "N", false,
     "exit status when races were found (default 66); 0 keeps the program's own status", set_exit_code},
    {Verb::kRun, "--detector", "NAME", false,
     "fasttrack (the default): the races of this run; hybrid: pairs without a common lock, ordered by nothing but "
     "locks; "
     "lockset: variables without a lock of their own. The last two are slower and find possible races, which may be "
     "none",
     set_detector},
    {Verb::kRun, "--halt-on-error", "", false, "stop the program at the first race",
     assign<&Options::halt_on_error, true>},
    {Verb::kRun, "--include", "PATTERN", true, "watch only classes of this name; '*' stands for any text",
     append_class_pattern<&Options::include>},
    {Verb::kRun, "--exclude", "PATTERN", true, "do not watch classes of this name",
     append_class_pattern<&Options::exclude>},
    {Verb::kRun, "--source-path", "DIR", true,
     "look for source files below DIR too; the working directory is always searched", add_source_path},
    {Verb::kRun, "--history", "N", false,
     "how many different ways to an access (place, calls, locks held) are kept, for the previous access of a race "
     "(default and most: 2097152); 0 turns it off and is faster",
     set_history},
    {Verb::kRun, "--allocations", "", false,
     "keep where objects were allocated and tell it of the objects of races: many times slower where objects are made",
     assign<&Options::allocations, true>},
    {Verb::kRun, "--stats", "", false,
     "print the counters of the analysis at the end, and how often each rule of FastTrack was taken (shares only with "
     "--no-fast-path: the fast path does not count)",
     assign<&Options::stats, true>},
    {Verb::kRun, "--no-fast-path", "", false,
     "send every access through the full analysis: slower, same findings; to check deadheat itself",
     assign<&Options::fast_path, false>},
    {Verb::kRun, "--state", "DIR", false,
     "keep the state in DIR (default: .deadheat in the working directory or the nearest folder above that has one)",
     store<&Options::state>},

    {Verb::kHunt, "-n", "N", false, "runs of each strategy (default 10)", set_number<&Options::runs, 1, 1'000'000>},
    {Verb::kHunt, "--strategy", "NAME", true,
     "drfinder (the default): hold a thread at a lock while another is on its way to one like it; contest: random "
     "delays at locks; random, pct, pos: the controlled scheduler lets one thread run at a time and decides at each "
     "synchronisation who goes on; native: left alone. Given more than once: compared",
     add_strategy},
    {Verb::kHunt, "--compare", "", false, "run every strategy and print what each found, missed and took",
     assign<&Options::compare, true>},
    {Verb::kHunt, "--chart", "FILE", false,
     "write the races found in the first runs of each strategy (of a range of depths: by depth) to FILE: a picture "
     "(.svg) or a page (.html)",
     set_chart},
    {Verb::kHunt, "--depth", "N[..M]", false,
     "how many methods of a stack are related to a lock (default 12); with a range every second depth of it is tried "
     "and compared with native runs, contest and pct",
     set_depth},
    {Verb::kHunt, "--seed", "N", false, "of the first run (default: the one behind the last of earlier hunts)",
     set_number<&Options::seed, 1, 4'000'000'000>},
    {Verb::kHunt, "--hold-limit", "MILLISECONDS", false, "no thread is held longer than this (default 500)",
     set_number<&Options::hold_limit, 1, 3'600'000>},
    {Verb::kHunt, "--fresh", "", false, "forget what earlier hunts have learnt", assign<&Options::fresh, true>},
    {Verb::kHunt, "--jobs", "N", false, "so many runs side by side (default: one for each core)",
     set_number<&Options::jobs, 1, 1024>},
    {Verb::kHunt, "--time-limit", "SECONDS", false, "for one run of the program (default 600)",
     set_number<&Options::run_limit, 1, 1'000'000>},
    {Verb::kHunt, "--json", "FILE", false, "also write the races to FILE as JSON", store<&Options::json_file>},
    {Verb::kHunt, "--sarif", "FILE", false, "also write the races to FILE as SARIF 2.1.0, for code scanning services",
     store<&Options::sarif_file>},
    {Verb::kHunt, "--suppressions", "FILE", false, "do not report the races this file lists (see docs/suppressions.md)",
     store<&Options::suppressions>},
    {Verb::kHunt, "--exit-code", "N", false, "exit status when races were found (default 66); 0: none of its own",
     set_exit_code},
    {Verb::kHunt, "--include", "PATTERN", true, "watch only classes of this name; '*' stands for any text",
     append_class_pattern<&Options::include>},
    {Verb::kHunt, "--exclude", "PATTERN", true, "do not watch classes of this name",
     append_class_pattern<&Options::exclude>},
    {Verb::kHunt, "--source-path", "DIR", true,
     "look for source files below DIR too; the working directory is always searched", add_source_path},
    {Verb::kHunt, "--state", "DIR", false,
     "keep the state in DIR (default: .deadheat in the working directory or the nearest folder above that has one)",
     store<&Options::state>},

    {Verb::kConfirm, "--all", "", false,
     "try every race that is known (the default without a race's id); when none is, the program is run up to three "
     "times to find some",
     assign<&Options::all, true>},
    {Verb::kConfirm, "--tries", "N", false, "run N seeds for each race (default: until the race is real, at most 20)",
     set_number<&Options::tries, 1, 1'000'000>},
    {Verb::kConfirm, "--jobs", "N", false, "so many executions side by side (default: one for each core)",
     set_number<&Options::jobs, 1, 1024>},
    {Verb::kConfirm, "--time-limit", "SECONDS", false, "for one execution of the program (default 60)",
     set_number<&Options::time_limit, 1, 1'000'000>},
    {Verb::kConfirm, "--expect-exit", "N", false, "an exit status other than N after the race is harm",
     set_expected_exit},
    {Verb::kConfirm, "--fail-on", "REGEX", false, "a line of the output that this fits is harm (RE2 syntax)",
     set_fail_on},
    {Verb::kConfirm, "--show-output", "", false,
     "show what the program prints (without this it is kept in the run's folder)", assign<&Options::show_output, true>},
    {Verb::kConfirm, "--json", "FILE", false, "also write the verdicts to FILE as JSON", store<&Options::json_file>},
    {Verb::kConfirm, "--exit-code", "N", false,
     "exit status when a race was confirmed (default 66); 0: none of its own", set_exit_code},
    {Verb::kConfirm, "--source-path", "DIR", true,
     "look for source files below DIR too; the working directory is always searched", add_source_path},
    {Verb::kConfirm, "--state", "DIR", false,
     "keep the state in DIR (default: .deadheat in the working directory or the nearest folder above that has one)",
     store<&Options::state>},

    {Verb::kReplay, "--slow", "", false, "print each step with its thread, operation and source line",
     assign<&Options::slow, true>},
    {Verb::kReplay, "--until", "race", false,
     "hold both threads where they meet, with a port for a debugger, until Enter is pressed", set_until},
    {Verb::kReplay, "--shrink", "", false,
     "look for an interleaving with fewer context switches and the same outcome; leaves it as a clip of its own",
     assign<&Options::shrink, true>},
    {Verb::kReplay, "--tries", "N", false, "--shrink: at most N executions (default 300)",
     set_number<&Options::shrink_tries, 1, 1'000'000>},
    {Verb::kReplay, "--time-limit", "SECONDS", false, "for the execution (default 60)",
     set_number<&Options::time_limit, 1, 1'000'000>},
    {Verb::kReplay, "--source-path", "DIR", true,
     "look for source files below DIR too; the working directory is always searched", add_source_path},
    {Verb::kReplay, "--state", "DIR", false,
     "keep the state in DIR (default: .deadheat in the working directory or the nearest folder above that has one)",
     store<&Options::state>},

    {Verb::kReport, "--text", "", false, "print text (the default)", assign<&Options::format, ReportFormat::kText>},
    {Verb::kReport, "--json", "", false, "print JSON", assign<&Options::format, ReportFormat::kJson>},
    {Verb::kReport, "--sarif", "", false, "print SARIF 2.1.0", assign<&Options::format, ReportFormat::kSarif>},
    {Verb::kReport, "--suppressions", "FILE", false, "leave out the races this file lists",
     store<&Options::suppressions>},
    {Verb::kReport, "--source-path", "DIR", true,
     "look for source files below DIR too; the working directory is always searched", add_source_path},
    {Verb::kReport, "--state", "DIR", false,
     "read the state in DIR (default: .deadheat in the working directory or the nearest folder above that has one)",
     store<&Options::state>},

    {Verb::kRecord, "--output", "FILE", false,
     "put the trace into FILE (default: it stays in the run's folder, which is told)", store<&Options::output>, "-o"},
    {Verb::kRecord, "--seed", "N", false, "of the schedule (default 1): one seed, one trace",
     set_number<&Options::seed, 0, 0xffffffff>},
    {Verb::kRecord, "--time-limit", "SECONDS", false, "end the program after this time (default 60)",
     set_number<&Options::time_limit, 1, 1'000'000>},
    {Verb::kRecord, "--include", "PATTERN", true,
     "record accesses only in classes of this name; '*' stands for any text", append_class_pattern<&Options::include>},
    {Verb::kRecord, "--atomic", "CLASS.METHOD", true,
     "take methods of this name as atomic regions, beside synchronized blocks and methods; '*' stands for any text",
     add_method_pattern<&Options::atomic>},
    {Verb::kRecord, "--atomic-methods", "public", false,
     "take every public method of the program as an atomic region, but for main and run", set_atomic_methods},
    {Verb::kRecord, "--methods", "CLASS.METHOD", true,
     "also record where methods of this name are entered and left; '*' stands for any text",
     add_method_pattern<&Options::methods>},
    {Verb::kRecord, "--exclude", "PATTERN", true, "do not record accesses in classes of this name",
     append_class_pattern<&Options::exclude>},
    {Verb::kRecord, "--state", "DIR", false,
     "keep the state in DIR (default: .deadheat in the working directory or the nearest folder above that has one)",
     store<&Options::state>},

    {Verb::kPredict, "--patterns", "FILE", true,
     "look for the patterns of FILE too (docs/prediction.md has the format and examples)",
     append<&Options::pattern_files>},
    {Verb::kPredict, "--exact", "", false,
     "ask the exact predictor too: all races that some schedule of the recorded events shows, within windows of 400 "
     "events; slow",
     assign<&Options::exact, true>},
    {Verb::kPredict, "--only-predict", "", false, "do not run the program again for what was found",
     assign<&Options::reexecute, false>},
    {Verb::kPredict, "--most", "N", false, "run the program again at most N times (default 100)",
     set_number<&Options::most_executions, 1, 1'000'000>},
    {Verb::kPredict, "--jobs", "N", false, "so many executions side by side (default: one for each core)",
     set_number<&Options::jobs, 1, 1024>},
    {Verb::kPredict, "--json", "FILE", false, "also write what was found to FILE as JSON", store<&Options::json_file>},
    {Verb::kPredict, "--sarif", "FILE", false,
     "also write what was found to FILE as SARIF 2.1.0, for code scanning services", store<&Options::sarif_file>},
    {Verb::kPredict, "--output", "FILE", false,
     "put the trace into FILE (default: it stays in the run's folder, which is told)", store<&Options::output>, "-o"},
    {Verb::kPredict, "--seed", "N", false, "of the schedule of the recorded run (default 1)",
     set_number<&Options::seed, 0, 0xffffffff>},
    {Verb::kPredict, "--time-limit", "SECONDS", false, "for one execution of the program (default 60)",
     set_number<&Options::time_limit, 1, 1'000'000>},
    {Verb::kPredict, "--include", "PATTERN", true,
     "record accesses only in classes of this name; '*' stands for any text", append_class_pattern<&Options::include>},
    {Verb::kPredict, "--atomic", "CLASS.METHOD", true,
     "take methods of this name as atomic regions, beside synchronized blocks and methods; '*' stands for any text",
     add_method_pattern<&Options::atomic>},
    {Verb::kPredict, "--atomic-methods", "public", false,
     "take every public method of the program as an atomic region, but for main and run", set_atomic_methods},
    {Verb::kPredict, "--exclude", "PATTERN", true, "do not record accesses in classes of this name",
     append_class_pattern<&Options::exclude>},
    {Verb::kPredict, "--exit-code", "N", false,
     "exit status when something was found that is real (default 66); 0 keeps the program's own status", set_exit_code},
    {Verb::kPredict, "--source-path", "DIR", true,
     "look for source files below DIR too; the working directory is always searched", add_source_path},
    {Verb::kPredict, "--state", "DIR", false,
     "keep the state in DIR (default: .deadheat in the working directory or the nearest folder above that has one)",
     store<&Options::state>},

    {Verb::kTraceInfo, "--json", "", false, "print one JSON object a line and file", assign<&Options::json, true>},

    {Verb::kTraceCat, "--numbers", "", false, "print the number of each event before it",
     assign<&Options::numbers, true>},

    {Verb::kTraceCheck, "--most", "N", false, "list at most N problems of a file (default 20)",
     set_number<&Options::most_problems, 1, 1'000'000'000>},
    {Verb::kTraceCheck, "--json", "", false, "print one JSON object a line and file", assign<&Options::json, true>},

    {Verb::kTraceConvert, "--to", "FORMAT", false,
     "text (the default): deadheat's own dialect; std: the public dialect of other analysers, to which the rest is "
     "lowered; binary: small, and fast to read",
     set_trace_format},
    {Verb::kTraceConvert, "--output", "FILE", false, "write to FILE instead of the standard output",
     store<&Options::output>, "-o"},
    {Verb::kTraceConvert, "--strict", "", false, "refuse a trace that does not fit instead of lowering what does not",
     assign<&Options::strict, true>},
    {Verb::kTraceConvert, "--locations", "FILE", false,
     "with --to std: write to FILE which number stands for which location", store<&Options::locations_file>},

    {Verb::kTraceSlice, "--events", "FIRST-LAST", false, "keep these events, and what is open before the first",
     set_event_range},
    {Verb::kTraceSlice, "--thread", "NAME", true, "keep only plain accesses of this thread", append<&Options::threads>},
    {Verb::kTraceSlice, "--variable", "NAME", true, "keep only plain accesses to this variable",
     append<&Options::variables>},
    {Verb::kTraceSlice, "--output", "FILE", false, "write to FILE instead of the standard output",
     store<&Options::output>, "-o"},

    {Verb::kTraceAnalyse, "--with", "ANALYSIS", true,
     "hb, shb, wcp, syncp, exact, lockset or atomicity (docs/prediction.md); several with commas or several times",
     add_analyses},
    {Verb::kTraceAnalyse, "--json", "", false, "print one JSON object a line, for each file and analysis",
     assign<&Options::json, true>},
    {Verb::kTraceAnalyse, "--racy", "", false,
     "leave out the pairs: only the later events of races, which is faster and needs less memory",
     assign<&Options::racy_only, true>},
    {Verb::kTraceAnalyse, "--most", "N", false, "at most N pairs of a file; more are counted (default 10000000)",
     set_number<&Options::most_pairs, 1, 1'000'000'000>},
    {Verb::kTraceAnalyse, "--exit-code", "N", false, "exit status when something was found (default 0)",
     set_found_code},
};

constexpr std::string_view kStrategies[] = {"native", "contest", "random", "pct", "pos", "drfinder"};

}  // namespace

std::span<const std::string_view> hunt_strategies() { return kStrategies; }

std::span<const VerbSpec> verb_table() { return kVerbs; }

std::span<const OptionSpec> option_table() { return kOptions; }

}  // namespace deadheat::cli
