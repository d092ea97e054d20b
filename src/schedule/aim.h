// SPDX-License-Identifier: Apache-2.0
//
// Where two threads could have met and did not: an access of the one at the first site and one of the other at the
// second, of the same location, at different times. The next execution can hold just these two and let everybody pass
// elsewhere: a thread that is held at every access of a loop is rarely at the right one when the other comes, and what
// it has seen by then may keep it from getting there at all (an iterator that notices a change).
//
// Only a hint: a thread is told by its name and its accesses by their number, and what another schedule makes of them
// is for that execution to show. One that was seen in a survey says in which: what led the two there (a third thread
// that came in between) is done again if the next execution goes the survey's way until it holds them. Unless the write
// came before the read: whoever is held in the middle of a change keeps the other one from getting there, more often
// than not, while one that is held before a read has changed nothing. Such an aim says no survey. Of two writes either
// may come first.
//
// Some pairs meet only if a thread stands still somewhere else first, between two accesses that are neither of the two:
// an aim with a stop says where. The first thread stops there until the second one is held at its visit, and then goes
// on until it meets it, at whatever visit. Such aims come from a recorded run (predict/stops.h), which was a survey.
//
// Pure data and functions, no thread rules.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "schedule/race_pair.h"

namespace deadheat::schedule {

// An execution that holds nobody and switches only where it must, and who goes on there: what a thread does may depend
// on who came before it.
enum class Survey : std::uint8_t { kNone, kInTurn, kYoungestFirst, kAtRandom };

const char* to_text(Survey survey);  // "nobody-random"
std::optional<Survey> parse_survey(std::string_view text);

struct SeenIn {
  Survey survey;
  std::uint64_t seed;
  bool operator==(const SeenIn&) const = default;
};

// Before the visit-th operation of a thread at a site, from 1.
struct Stop {
  std::string site;  // the host's name for it
  std::uint32_t visit = 1;
  bool operator==(const Stop&) const = default;
};

struct Aim {
  std::string first;              // World::name
  std::uint32_t first_visit = 1;  // of the accesses that this thread makes at the two sites, from 1; 0: it has a stop
  std::string second;
  std::uint32_t second_visit = 1;
  std::optional<SeenIn> seen = {};
  std::optional<Stop> stop = {};  // of the first thread; with `seen` only
  bool operator==(const Aim&) const = default;
};

// "0.1@3:0.4@1", or "0.1@3:0.4@1/nobody-random/7" if it was seen in a survey; with a stop
// "0.1!3:0.4@1/nobody-random/7/SITE".
std::string to_text(const Aim& aim);
Result<Aim> parse_aim(std::string_view text);

// Whether the thread named a has started the one named b, or the one that has, and so on.
bool is_ancestor(std::string_view a, std::string_view b);

// The accesses made at the two sites. Beyond `limit` they are not kept.
class Visits {
 public:
  explicit Visits(std::size_t limit = 4096) : limit_(limit) {}

  // The thread is about to make its visit-th access there: its pending operation.
  void add(const World& world, ThreadIndex thread, std::uint32_t visit, const RacePair& pair);
  // Pairs of visits that no monitor and no start of a thread keeps apart, the first visits of each two threads to a
  // location with the read before the write, or without such the first of all; each two threads in turn, those with the
  // write before the read behind, those of which one has started the other last. At most `most`. `survey`: in which
  // they were seen, if it was one.
  std::vector<Aim> aims(std::size_t most, const std::optional<SeenIn>& survey) const;

 private:
  struct Visit {
    ThreadIndex thread;
    std::string name;
    std::uint32_t number;
    Operation op;
    std::uint32_t started;  // threads that had been by then, in order of their index
    std::vector<std::uint64_t> held;
  };
  bool could_meet(const Visit& first, const Visit& second) const;
  // By how much is hoped of them, most first.
  struct Rank {
    bool related;  // one has started the other
    bool write_came_first;
    bool operator<(const Rank& other) const {
      return std::tie(related, write_came_first) < std::tie(other.related, other.write_came_first);
    }
  };
  using AimsOfThreads = std::map<std::pair<ThreadIndex, ThreadIndex>, std::vector<Aim>>;
  std::map<Rank, AimsOfThreads> ranked_aims() const;

  const std::size_t limit_;
  RacePair pair_;
  std::vector<Visit> visits_;
};

}  // namespace deadheat::schedule
