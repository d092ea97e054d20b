// SPDX-License-Identifier: Apache-2.0
//
// What a JVM under the controlled scheduler leaves in its records (docs/records.md): plain data, read leniently like
// every record.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/race.h"

namespace deadheat::report {

// Two threads stood at the two accesses at one moment, both free to go: the race is real.
struct Meeting {
  std::uint64_t step = 0;
  std::vector<Access> accesses;  // [0] came last, [1] had been waiting for it
  std::size_t first = 0;         // which of them went first
};

struct Uncaught {
  Thread thread;
  std::string exception;  // its class
  std::string message;
  Stack stack;
  std::size_t meetings_before = 0;  // how often the pair had met by then
};

struct BlockedThread {
  std::string scheduled_name;
  Thread thread;
  std::string operation;
  std::string waits_for;  // scheduled name; empty: nobody in particular
  std::vector<std::string> locks;
  Stack stack;
  std::string awaits = {};  // monitor, lock, notify, end (of a thread), permit; empty: not told
  std::string lock = {};    // class and number of what it waits for or on
  std::string holder = {};  // the name of the thread that would have to act
};

struct Deadlock {
  std::vector<BlockedThread> threads;
  std::vector<std::string> cycle;  // scheduled names
  std::size_t meetings_before = 0;
};

struct AccessSite {
  std::string name;
  bool write = false;
  bool operator==(const AccessSite&) const = default;
};

// One of the sites the scheduler was asked to look at.
struct WantedSite {
  std::string name;
  bool found = false;              // a class with this site was loaded
  bool reached = false;            // a thread made a step there
  bool unheld = false;             // a thread came by where none is held: while a class was initialised or loaded
  std::string outside = {};        // the name of a thread that came by and is not under control; empty: none did
  std::vector<AccessSite> beside;  // further accesses of the same variable in the same source line
};

struct ScheduleOutcome {
  std::string strategy;
  std::uint64_t seed = 0;
  std::int64_t clock = 0;  // milliseconds since 1970 at the start
  bool ended = false;      // the program came to its end under control
  std::string stop;        // why control ended
  bool timed_out() const { return stop == "time limit"; }
  std::uint64_t steps = 0;
  std::uint64_t clock_steps = 0;  // of them: looks at the clock
  std::uint64_t switches = 0;
  std::uint64_t put_aside = 0;
  std::uint64_t thrashing_releases = 0;
  std::uint64_t livelock_releases = 0;
  std::string diverged;  // where a replay left its log; empty: it did not
  std::vector<WantedSite> sites;
  std::vector<std::string> aims;  // where the pair could have met (schedule/aim.h); it did not
};

// How a schedule of events was followed (deadheat predict).
struct Followed {
  std::string result;        // created, diverged, blocked, not shown, under way
  std::uint64_t event = 0;   // where not: the event, from 1
  std::uint64_t events = 0;  // of the schedule
  std::string thread;        // scheduled name
  std::string expected;
  std::string actual;
};

// What a recorded JVM has put into its trace.
struct TraceContent {
  std::uint64_t events = 0;
  std::uint64_t threads = 0;
  std::uint64_t variables = 0;
  std::uint64_t unnamed = 0;  // accesses that are missing: their object could not be numbered
};

struct ScheduleRecords {
  std::vector<Meeting> meetings;
  std::vector<Uncaught> uncaught;
  std::vector<Deadlock> deadlocks;
  std::vector<Stack> asides;               // where threads blocked outside the model
  bool held = false;                       // everybody stands still at the last meeting, for a debugger
  std::optional<Followed> followed;        // absent: no schedule of events was asked for
  std::map<std::uint64_t, Access> steps;   // of the anomaly that the schedule is made for, as far as they were reached
  std::optional<TraceContent> trace;       // absent: not recorded, or not to its end
  std::optional<ScheduleOutcome> outcome;  // absent: killed, or never under control
};

// Adds a record of one of the scheduler's types; false when the type is none of them.
bool add_schedule_record(const nlohmann::json& record, ScheduleRecords& records);

nlohmann::json uncaught_to_json(const Uncaught& uncaught);
Uncaught uncaught_from_json(const nlohmann::json& value);
// The threads of the cycle, each of which waits for the next, and those beside it. All are beside it when there is
// none.
struct DeadlockParts {
  std::vector<const BlockedThread*> cycle;
  std::vector<const BlockedThread*> beside;
};
DeadlockParts parts_of(const Deadlock& deadlock);
// "waits to enter the monitor of java.lang.Object@2, held by thread "t2"".
std::string waiting_words(const BlockedThread& blocked);
// One for each thread: its name, what it waits for and where it stands.
std::vector<std::string> blocked_lines(const Deadlock& deadlock);
nlohmann::json deadlock_to_json(const Deadlock& deadlock);
Deadlock deadlock_from_json(const nlohmann::json& value);
nlohmann::json meeting_to_json(const Meeting& meeting);
Meeting meeting_from_json(const nlohmann::json& value);

}  // namespace deadheat::report
