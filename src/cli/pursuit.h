// SPDX-License-Identifier: Apache-2.0
//
// The executions made for one suspected race: seed after seed until the race is real (or as many as the user wants),
// then both orders with the seed of the first meeting. Pure: says what comes next and is told what came of it.
//
// Tries learn from each other. One that missed tells where the two could have met (schedule/aim.h); if the first one
// cannot, because a thread did not come far enough, or what it told does not come off, surveys that hold nobody do: in
// the order of the threads, the youngest thread first, and ten by chance, until one tells an aim that says how to get
// there. The first try that met can be repeated up to the meeting and gone on with otherwise. Then whatever has met
// most often, for its number of tries, is tried next: holding whoever comes by, one of the aims, whoever comes by on
// one side, or that repetition. An aim that was not tried yet is thought well of, most of all one of a survey, less so
// with every one that has missed.
//
// Whoever asks for many tries wants to see what a meeting may lead to: once two have met, each third try holds whoever
// comes by with threads that run on, as long as hardly any try has missed.
//
// A pair that has met in none of as many tries as are made without a number, or in the first few of at least as many,
// is searched for: surveys are recorded, and executions stop one thread where such a recording says (predict/stops.h),
// until the two meet. Neither are tries, but the one with the meeting.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "report/verdict.h"

namespace deadheat::cli {

struct Attempt {
  static constexpr const char* kSurveyInTurn = "nobody";
  static constexpr const char* kSurveyYoungestFirst = "nobody-youngest";
  static constexpr const char* kSurveyByChance = "nobody-random";
  static constexpr const char* kFirstSide = "first";
  static constexpr const char* kSecondSide = "second";
  static constexpr const char* kRunningOn = "either";  // whoever comes by, in another order than by single steps

  std::uint64_t seed = 1;
  std::string first = "coin";  // who goes first: coin, 1, 2
  std::string aim = {};        // whom to hold; empty: whoever comes by
  std::uint64_t lead = 0;      // the seed up to the first meeting, if it is another one
  bool records = false;        // a survey that leaves a trace
  static bool is_survey(std::string_view aim) { return aim.starts_with("nobody"); }
  bool is_survey() const { return is_survey(aim); }
  // Whether the aim says in which survey it was seen.
  static bool knows_its_survey(std::string_view aim) { return aim.find('/') != std::string_view::npos; }
  // Whether it stops a thread first.
  static bool has_stop(std::string_view aim) { return aim.substr(0, aim.find(':')).find('!') != aim.npos; }
  bool operator==(const Attempt&) const = default;
};

class Pursuit {
 public:
  // Without a number of tries: until real, at most `most`; a few where nobody can be held at one of the sites.
  // `searches`: whether there is a search once tries have missed; not if fewer than `most` are wanted.
  Pursuit(std::optional<std::uint32_t> tries, std::uint32_t most, bool searches = false)
      : tries_wanted_(tries), most_(most), searches_(searches) {}

  // Nothing: done.
  std::optional<Attempt> next() const;
  void took(report::Execution execution);
  // Surveys of this kind (an Attempt's aim) run into the time limit, here or for another race: no more of them.
  void give_up_surveys(const std::string& kind);
  // In place of took(), for an attempt that records: the aims with a stop, the likeliest first; or why there are none.
  void recorded(const Result<std::vector<std::string>>& aims);

  // Surveys are none.
  const std::vector<report::Execution>& tries() const { return tries_; }
  // Once both were made.
  std::optional<std::pair<report::Execution, report::Execution>> orders() const;
  bool has_met() const { return met_with_.has_value(); }
  const report::Search& search() const { return search_; }

 private:
  struct Way {
    std::string aim;
    std::uint64_t lead = 0;
    std::uint32_t tries = 0;
    std::uint32_t met = 0;
  };
  bool wants_try() const;
  bool wants_survey() const;
  bool wants_search() const;
  std::size_t tries_before_search() const;
  Attempt next_of_search() const;
  std::uint32_t next_recording() const;
  bool explores() const;
  const Way& best_way() const;
  void learn(const report::Execution& execution);
  void skip_hopeless_surveys();

  const std::optional<std::uint32_t> tries_wanted_;
  const std::uint32_t most_;
  const bool searches_;
  std::vector<report::Execution> tries_;
  std::vector<report::Execution> orders_;
  static constexpr std::size_t kWaysWithoutAim = 3;
  std::vector<Way> ways_ = {{""}, {Attempt::kFirstSide}, {Attempt::kSecondSide}};
  std::uint32_t misses_ = 0;   // of the tries
  std::uint32_t surveys_ = 0;  // made, or given up
  std::set<std::string> hopeless_surveys_;
  bool always_without_site_ = true;  // so far
  std::optional<Attempt> met_with_;  // the first try with a meeting
  std::uint32_t timed_out_ = 0;      // executions
  report::Search search_;
  std::uint32_t recordings_ = 0;    // made, or given up
  std::vector<std::string> stops_;  // aims of the last recording that are still to be tried, the next one last
};

}  // namespace deadheat::cli
