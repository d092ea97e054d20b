// SPDX-License-Identifier: Apache-2.0
//
// What is said of a suspected race after the program was run under the race-directed scheduler: real, harmful or not
// confirmed. Plain data and a pure judgement; `deadheat confirm` makes the executions.
//
// "Real" needs a meeting: both threads stood at the two accesses, on one location, both free to go. "Harmful" needs a
// bad end *after* a meeting, in the same execution, and that the meeting has to do with it: either the control (the
// program without a preemption) does not come to it, or one order of the two accesses does and the other does not. And
// not what may only follow from a failure before the meeting: once an exception has ended a thread there, that the exit
// status is bad, or that others wait for this thread for ever, says nothing about the race.
// Nothing here ever says "safe".
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/schedule_records.h"

namespace deadheat::report {

// One execution of the program, over all its JVMs.
struct Execution {
  std::uint64_t seed = 0;
  std::string order = "coin";  // who goes first when they meet: coin, 1, 2 (the first or the second site)
  std::string aim;             // whom the scheduler was told to hold; empty: whoever comes by
  std::uint64_t lead = 0;      // the seed up to the first meeting, if it was another one
  int exit_status = 0;         // as a shell reports it
  int signal = 0;              // 0: ended by itself
  bool timed_out = false;
  bool under_control = false;  // a JVM came up with the scheduler
  ScheduleRecords records;     // of all JVMs; the outcome is that of the JVM with the meeting, else of the longest
  std::uint64_t output_hash = 0;
  std::string output_head;  // its first lines
  std::string matched;      // the first line of the output that --fail-on fits
};

enum class HarmKind : std::uint8_t { kException, kExit, kDeadlock, kCrash, kOutput };

struct Harm {
  HarmKind kind = HarmKind::kExit;
  std::string what;  // one line
  std::uint64_t seed = 0;
  std::string order;
  std::optional<Uncaught> uncaught;
  std::optional<Deadlock> deadlock;
  std::string went_first = {};  // the access that did when they met: "the write in a.B.c (B.java:7)"
};

enum class VerdictKind : std::uint8_t { kNotConfirmed, kReal, kHarmful };

// What came of one pair of instructions in the two lines of a race.
struct PairTried {
  std::string first, second;  // sites
  VerdictKind kind = VerdictKind::kNotConfirmed;
  std::uint64_t tries = 0;
  std::uint64_t met = 0;
};

// What was made beyond the tries of a pair that met in none of them (docs/confirm.md, the search).
struct Search {
  std::uint32_t recordings = 0;  // of runs
  std::uint32_t executions = 0;  // with a thread stopped where a recording says; the one with a meeting is a try too
  std::string given_up;          // why no more of them; empty: there was no reason to
  bool operator==(const Search&) const = default;
};
// What got in the way of it; only after a search.
std::string search_line(const Search& search);

// Both orders of a real race, with the same seed.
enum class OrdersCompared : std::uint8_t { kNotTried, kIncomplete, kNoDifferenceSeen, kDifferent };

struct Verdict {
  std::string race;
  VerdictKind kind = VerdictKind::kNotConfirmed;
  std::uint64_t tries = 0;
  std::uint64_t met = 0;            // tries in which the two met
  std::uint64_t harmful_tries = 0;  // of these, with harm
  std::uint64_t seed = 0;           // of the meeting shown
  std::optional<Meeting> meeting;
  std::vector<Harm> harms;  // each kind and place once
  // Exceptions that were uncaught in the executions with a meeting and are no harm, with why not; each once.
  std::vector<Harm> other_exceptions;
  OrdersCompared orders = OrdersCompared::kNotTried;
  std::vector<std::string> differences;  // between the two orders
  std::vector<std::string> went_first;   // in each of the two orders; empty: that does not tell them apart
  // What the control printed and what both orders did, where that is not the same: an update may be lost in either
  // order.
  std::string unlike_control;
  std::vector<std::string> obstacles;  // why it was not confirmed
  std::string clip;                    // the file; empty: none
  // The lines of a race may access its variable several times (a check, and a use). The pair on record is tried first,
  // the others until one does harm; all but these two members is about the worst of them.
  std::vector<PairTried> pairs;
  std::uint64_t pairs_left = 0;  // too many: not tried
  Search search;
  std::uint64_t timed_out = 0;  // executions that ran into the time limit, for all pairs and surveys included
  bool interrupted = false;     // more would have been tried
};

// What the user knows about good executions.
struct Expectation {
  std::optional<int> exit;  // --expect-exit; without it 0
};

const char* verdict_name(VerdictKind kind);  // "harmful", "real", "not confirmed"

using Orders = std::optional<std::pair<Execution, Execution>>;

// Which bad ends say something about the race: kind and line of each.
struct Background {
  std::set<std::string> usual;          // of the control
  std::set<std::string> order_decides;  // of one order of a real race and not of the other
};
Background background(const Execution& control, const Orders& orders, const Expectation& expectation);

// The harm of one execution, if the pair met in it.
std::vector<Harm> harms_of(const Execution& run, const Background& background, const Expectation& expectation);

// What two executions did differently, one line each; empty when no difference was seen.
std::vector<std::string> differences(const Execution& a, const Execution& b);

Verdict judge(const std::string& race, const std::vector<Execution>& tries, const Orders& orders,
              const Execution& control, const Expectation& expectation);

// Whether it tells more of what the race does: for the pairs of instructions of one race.
bool tells_more(const Verdict& verdict, const Verdict& other);

nlohmann::json verdict_to_json(const Verdict& verdict);
Verdict verdict_from_json(const nlohmann::json& value);

// "harmful: uncaught java.lang.… (met in 3 of 3 tries, seed 1)": for lists.
std::string verdict_line(const Verdict& verdict);
// "2 executions ran into the time limit (--time-limit)".
std::string time_limit_line(const Verdict& verdict);

}  // namespace deadheat::report
