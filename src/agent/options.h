// SPDX-License-Identifier: Apache-2.0
//
// The agent's options, from the text behind `-agentpath:…=`: key=value pairs separated by commas, values
// percent-encoded where they hold a comma, an equals sign, a percent sign or a space. The deadheat program writes this
// text; people may too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace deadheat::agent {

inline constexpr std::uint32_t kMostHistory = 1u << 21;

enum class EngineKind {
  kDetect,     // FastTrack
  kAlwaysHit,  // for benchmarks: every check ends on the fast path
  kCount,      // for benchmarks: every event is a call into C++ that counts it
  kOff,        // the agent is loaded and nothing is rewritten
  kHybrid,     // candidates (engine/candidates.h)
  kLockset,
  kSchedule,   // the controlled scheduler instead of a detector, or (detect=on) with one
  kRelations,  // may-trigger relations are learnt, nothing else (hunt.h)
};

// Whether what the engine finds are candidates, which need not be races of this run.
constexpr bool finds_candidates(EngineKind kind) { return kind == EngineKind::kHybrid || kind == EngineKind::kLockset; }

// engine=schedule
struct ScheduleOptions {
  std::string strategy = "random";  // random|pct|pos|race|replay|guided|slices|events
  std::uint64_t seed = 1;
  std::uint32_t depth = 3;                // pct
  std::uint64_t expected_steps = 10'000;  // pct
  std::uint64_t step_limit = 0;           // 0: none
  std::uint32_t time_limit = 0;           // seconds; 0: none
  std::vector<std::string> sites;   // at=…|…: plain accesses to be told (site_name()); race: the pair, the first
                                    // and the last of them
  std::string resolution = "coin";  // first=coin|1|2: who goes first when they meet
  // aim=THREAD@VISIT:THREAD@VISIT[/SURVEY/SEED] or THREAD!VISIT:THREAD@VISIT/SURVEY/SEED/SITE (one of at=…, between
  // the pair): whom race holds (schedule/aim.h); first, second: only at this site;
  // either: at both, and threads run on; nobody…: a survey
  std::string aim;
  std::uint64_t lead = 0;  // lead=NUMBER: race's seed up to the first meeting; 0: seed
  // replay=FILE: the decisions to follow; strategy=guided: plan=FILE; strategy=events: the schedule of events
  std::string replay;
  bool until_race = false;           // until=race: a replay holds everybody at the first meeting (conductor.h)
  std::int64_t clock = 0;            // milliseconds since 1970 at the start; 0: the real time
  std::vector<std::string> atomic;   // atomic=a.b.C.m;…: with trace=on, methods that are meant to be atomic
  bool atomic_public = false;        // atomic_methods=public: all public ones of the program
  std::vector<std::string> methods;  // methods=a.b.C.m;…: with trace=on, methods whose begin and end are told
  // agents=mixed: what other agents do while the VM starts is part of the schedule, and threads have the VM's ids
  // (thread_ids.h), for decisions that were recorded so
  bool agents_apart = true;
  bool detect = false;    // detect=on: FastTrack runs along
  bool trace = false;     // trace=on: every operation goes to the file `trace`, all plain accesses included
  bool decisions = true;  // decisions=off: what was decided is not kept; for long runs that nobody replays
};

// engine=detect with hunt=…, and engine=relations
struct HuntOptions {
  std::string strategy;            // hunt=drfinder|contest; empty: threads are left alone
  std::string relations;           // relations=FILE: what earlier runs have learnt
  std::uint32_t depth = 12;        // hunt_depth: methods of a stack that are looked at
  std::uint32_t hold_limit = 500;  // hold_limit: milliseconds, of one hold
  std::uint32_t hold_share = 40;   // hold_share: percent of the run's time that may go into holds, beyond a grace
};

struct Options {
  ScheduleOptions schedule;
  HuntOptions hunt;
  std::string directory;  // dir: where each JVM makes its own folder; empty: .deadheat/runs/by-hand
  EngineKind engine = EngineKind::kDetect;
  bool fast_path = true;       // fast_path=off: every access is a call into C++
  bool drop_redundant = true;  // redundant=keep: no check is left out by the rewriter
  std::uint32_t history =
      kMostHistory;  // history=N: different ways to accesses that are kept with their stacks; 0: none
  // array_words=N: megabytes of native memory for the words of arrays, above which they are in the heap; none: a
  // quarter of the largest heap
  std::optional<std::uint32_t> array_words;
  bool check_history = false;        // check_history=on: compare each remembered stack with the real one (slow)
  bool allocations = false;          // allocations=on: keep where every object was allocated, for reports (slow)
  bool halt_on_error = false;        // halt_on_error=on: end the process at the first race
  bool dump_classes = false;         // dump=on: rewritten classes are written to the run folder
  std::vector<std::string> include;  // include=a.b.*;c.*: watch only these (and what they inherit)
  std::vector<std::string> exclude;  // exclude=…: do not watch these
};

// Whether races are decided by happens-before detection: by itself, or beside the controlled scheduler.
constexpr bool detects(const Options& options) {
  return options.engine == EngineKind::kDetect || (options.engine == EngineKind::kSchedule && options.schedule.detect);
}

// Whether accesses and order go to an engine with words: all but the controlled scheduler alone, whose gate they go to.
constexpr bool has_words(const Options& options) {
  return options.engine != EngineKind::kSchedule || options.schedule.detect;
}

// Whether the shim decides accesses by itself where it can; what it decides is not counted.
constexpr bool decides_inline(const Options& options) {
  return options.fast_path && (detects(options) || options.engine == EngineKind::kAlwaysHit);
}

// One line each, for the message about a wrong option.
std::string option_help();

Result<Options> parse_options(std::string_view text);

}  // namespace deadheat::agent
