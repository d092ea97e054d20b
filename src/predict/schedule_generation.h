// SPDX-License-Identifier: Apache-2.0
//
// From a match of a pattern to a schedule that shows it (PECAN, section 6: algorithms 3 and 4, for any pattern). Every
// schedule that is given out is feasible by the rules of world.h; docs/prediction.md says how it is made and where the
// printed algorithms fall short.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "predict/closed_past.h"
#include "predict/needs.h"
#include "predict/pattern.h"
#include "predict/prefix_worlds.h"
#include "predict/ptg.h"
#include "predict/world.h"

namespace deadheat::predict {

struct GeneratedSchedule {
  // As many events of the trace, in its order, come first: nearly all of them, if the trace is long.
  EventNumber prefix = 0;
  std::vector<EventNumber> events;  // the others; ends with the last event of the pattern, or with the adjacent two
  // Kept: every read sees what it saw, but for those of the pattern that are the last event of their thread: every
  // thread comes as far as the schedule wants it. Free: some read sees another value, and the program may go another
  // way there.
  Values values = Values::kKept;
  bool needed_solver = false;

  std::size_t size() const { return prefix + events.size(); }
  std::vector<EventNumber> all() const;
};

struct GenerationLimits {
  std::uint32_t window = 400;  // events that the solver is asked about; 0: never
  std::uint32_t query_milliseconds = 2'000;
  std::uint32_t query_work = 0;  // of a question for the solver, in its own unit; 0: no limit but the time
  std::optional<Values> values;  // these only; empty: kept ones first, then free ones
};

class ScheduleGenerator {
 public:
  // The graph must outlive the generator.
  explicit ScheduleGenerator(const Ptg& ptg);
  ScheduleGenerator(const ScheduleGenerator&) = delete;
  ScheduleGenerator& operator=(const ScheduleGenerator&) = delete;

  // `events`: one for each step, in the order of the pattern; for an adjacent one either order. Nothing: no feasible
  // schedule shows it (or, beyond the solver's window, none was found). `is_open` is then whether the solver, as far as
  // it was needed, was not asked or did not answer.
  std::optional<GeneratedSchedule> generate(const Pattern& pattern, std::span<const EventNumber> events,
                                            const GenerationLimits& limits = {}, bool* is_open = nullptr) const;

  // Whether every event but the `free` ones finds what it found, and these what does not depend on values.
  bool is_feasible(const GeneratedSchedule& schedule, Values values, std::span<const EventNumber> free) const;
  // Reads that see another write than in the trace: each may turn its thread to another way.
  std::uint64_t changed_reads(const GeneratedSchedule& schedule) const;

 private:
  class Attempt;
  // Where the threads of the pattern stop at first: before the outermost lock of their first step.
  struct Stops {
    std::vector<EventNumber> of_thread;  // 0: it has no step
    EventNumber first = 0;
    EventNumber last = 0;
  };
  Stops stops_of(std::span<const EventNumber> events) const;
  // `needs`: keep all values, whose needs these are; null: let them go free.
  std::optional<GeneratedSchedule> by_moving(const Pattern& pattern, std::span<const EventNumber> events,
                                             const Stops& stops, const Needs* needs) const;
  std::optional<GeneratedSchedule> by_closing(const Pattern& pattern, std::span<const EventNumber> events) const;
  std::optional<GeneratedSchedule> by_solving(const Pattern& pattern, std::span<const EventNumber> events,
                                              Values values, const GenerationLimits& limits, bool& is_open) const;
  EventNumber quiet_before(EventNumber count) const;

  const Ptg& ptg_;
  std::vector<std::vector<EventNumber>> threads_;  // by thread: its events
  std::vector<EventNumber> permit_events_;         // parks and unparks
  std::optional<ClosedPast> closed_past_;          // over threads_
  const PrefixWorlds prefixes_;
};

}  // namespace deadheat::predict
