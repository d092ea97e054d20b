// SPDX-License-Identifier: Apache-2.0
#include "cli/pursuit.h"

#include <algorithm>
#include <span>

namespace deadheat::cli {
namespace {

// How often an aim is thought to meet before it was tried, by itself or in the order of a survey, and what is left of
// that with each aim that has missed.
constexpr double kHope = 0.95;
constexpr double kHopeOfSurvey = 0.98;
constexpr double kDisappointment = 0.9;
// The same of holding on one side: behind two aims that have missed.
constexpr double kHopeOfOneSide = 0.8;
constexpr std::size_t kMostWays = 200;
// In an order by chance most surveys that find nothing tell little: the two may need a third between or behind them.
// Three of ten of such orders lead to a rare pair of a tree with five threads; with ten of them one in thirty misses
// it.
constexpr std::uint32_t kMostSurveys = 12;
// Classes may be loaded in one schedule and not in another; but a race of another program is soon given up.
constexpr std::uint32_t kTriesWithoutSite = 3;
// One try in so many explores, if less than one in so many would have missed even if it does.
constexpr std::uint32_t kExploring = 3;
constexpr std::uint32_t kMissesAllowed = 33;
// Of a search. Of a hundred recordings by chance 39 lead to the rarest pair of that tree, by one of their first six
// stops (predict::StopLimits): with ten of them one search in a hundred misses it.
constexpr std::uint32_t kMostRecordings = 12;
constexpr std::uint32_t kMostStops = 48;
constexpr std::uint32_t kMostTimeOuts = 3;
constexpr std::uint32_t kMissesBeforeSearch = 4;
constexpr std::uint32_t kTriesForAMiss = 25;

// Whether at one of the sites nobody could be held: the program has none like it, or only a class initialiser or a
// thread outside control came by.
bool misses_a_site(const report::Execution& execution) {
  if (!execution.records.outcome) return false;
  const auto& sites = execution.records.outcome->sites;
  return std::any_of(sites.begin(), sites.end(), [](const report::WantedSite& site) {
    return !site.found || (!site.reached && (site.unheld || !site.outside.empty()));
  });
}

const char* survey(std::uint32_t number) {
  if (number == 0) return Attempt::kSurveyInTurn;
  return number == 1 ? Attempt::kSurveyYoungestFirst : Attempt::kSurveyByChance;
}

}  // namespace

bool Pursuit::wants_try() const {
  if (tries_wanted_) return tries_.size() < *tries_wanted_;
  if (always_without_site_ && tries_.size() >= kTriesWithoutSite) return false;
  return !met_with_ && tries_.size() < most_;
}

bool Pursuit::wants_survey() const {
  const std::uint32_t most = std::min(always_without_site_ ? kTriesWithoutSite : kMostSurveys, most_);
  if (tries_.empty() || met_with_ || surveys_ >= most) return false;
  // An aim of a try that missed is tried before anybody looks further.
  const auto aims = std::span(ways_).subspan(kWaysWithoutAim);
  const auto untried = [](const Way& way) { return way.tries == 0; };
  if (surveys_ == 0 && !aims.empty() && std::all_of(aims.begin(), aims.end(), untried)) return false;
  return std::none_of(aims.begin(), aims.end(), [](const Way& way) { return Attempt::knows_its_survey(way.aim); });
}

// Whoever asks for many tries wants most of them to meet: hardly any is spent before there is a search then.
std::size_t Pursuit::tries_before_search() const {
  if (!tries_wanted_ || *tries_wanted_ < most_) return most_;
  return std::min(most_, std::max(kMissesBeforeSearch, *tries_wanted_ / kTriesForAMiss));
}

// Not where it cannot help, or would take long: nobody can be held at a site, or executions run into the time limit.
bool Pursuit::wants_search() const {
  if (!searches_ || met_with_ || tries_.size() < tries_before_search() || always_without_site_ ||
      timed_out_ > kMostTimeOuts) {
    return false;
  }
  if (!search_.given_up.empty() || search_.executions >= kMostStops) return false;
  return !stops_.empty() || next_recording() < kMostRecordings;
}

std::uint32_t Pursuit::next_recording() const {
  std::uint32_t number = recordings_;
  while (number < kMostRecordings && hopeless_surveys_.contains(survey(number))) ++number;
  return number;
}

Attempt Pursuit::next_of_search() const {
  const std::uint64_t seed = tries_.size() + 1;
  if (!stops_.empty()) return {seed, "coin", stops_.back()};
  return {next_recording() + 1, "coin", survey(next_recording()), 0, true};
}

const Pursuit::Way& Pursuit::best_way() const {
  double trust = 1;
  for (std::size_t i = kWaysWithoutAim; i < ways_.size(); ++i) {
    if (ways_[i].tries > 0 && ways_[i].met == 0) trust *= kDisappointment;
  }
  const auto hope = [&](std::size_t i) {
    if (i == 0) return 1.0;
    if (i < kWaysWithoutAim) return kHopeOfOneSide;
    return trust * (Attempt::knows_its_survey(ways_[i].aim) ? kHopeOfSurvey : kHope);
  };
  // As if it had been tried once more, with that chance.
  const auto chance = [&](std::size_t i) { return (ways_[i].met + hope(i)) / (ways_[i].tries + 1.0); };
  std::size_t best = 0;
  for (std::size_t i = 1; i < ways_.size(); ++i) {
    if (chance(i) > chance(best)) best = i;
  }
  return ways_[best];
}

bool Pursuit::explores() const {
  const std::size_t number = tries_.size() + 1;
  if (!met_with_ || number % kExploring != 0) return false;
  return misses_ == 0 || (misses_ + 1) * kMissesAllowed < number;
}

std::optional<Attempt> Pursuit::next() const {
  if (wants_search()) return next_of_search();
  if (orders_.empty() && wants_try()) {
    const std::uint64_t seed = tries_.size() + 1;
    if (wants_survey()) return Attempt{seed + surveys_, "coin", survey(surveys_)};
    if (explores()) return Attempt{seed, "coin", Attempt::kRunningOn};
    return Attempt{seed, "coin", best_way().aim, best_way().lead};
  }
  if (met_with_ && orders_.size() < 2) return Attempt{met_with_->seed, orders_.empty() ? "1" : "2", met_with_->aim};
  return std::nullopt;
}

void Pursuit::learn(const report::Execution& execution) {
  if (!execution.records.outcome) return;
  for (const std::string& aim : execution.records.outcome->aims) {
    const bool known = std::any_of(ways_.begin(), ways_.end(), [&](const Way& way) { return way.aim == aim; });
    if (!known && ways_.size() < kMostWays) ways_.push_back({aim});
  }
}

void Pursuit::took(report::Execution execution) {
  if (execution.order != "coin") {
    orders_.push_back(std::move(execution));
    return;
  }
  timed_out_ += execution.timed_out ? 1 : 0;
  if (!met_with_ && Attempt::has_stop(execution.aim)) {
    ++search_.executions;
    if (!stops_.empty()) stops_.pop_back();
    if (execution.records.meetings.empty()) return;
  }
  always_without_site_ = always_without_site_ && misses_a_site(execution);
  if (Attempt::is_survey(execution.aim)) {
    ++surveys_;
    skip_hopeless_surveys();
    if (execution.timed_out) give_up_surveys(execution.aim);
    learn(execution);
    return;
  }
  const bool met = !execution.records.meetings.empty();
  for (Way& way : ways_) {
    if (way.aim != execution.aim || way.lead != execution.lead) continue;
    ++way.tries;
    if (met) ++way.met;
  }
  learn(execution);
  if (!met) ++misses_;
  if (met && !met_with_) {
    met_with_ = Attempt{execution.seed, "coin", execution.aim};
    ways_.push_back({execution.aim, execution.seed, 1, 1});
  }
  tries_.push_back(std::move(execution));
}

void Pursuit::recorded(const Result<std::vector<std::string>>& aims) {
  recordings_ = next_recording() + 1;
  ++search_.recordings;
  if (!aims) {
    search_.given_up = aims.error().message;
    return;
  }
  stops_.assign(aims.value().rbegin(), aims.value().rend());
}

void Pursuit::give_up_surveys(const std::string& kind) {
  hopeless_surveys_.insert(kind);
  skip_hopeless_surveys();
}

void Pursuit::skip_hopeless_surveys() {
  while (surveys_ < kMostSurveys && hopeless_surveys_.contains(survey(surveys_))) ++surveys_;
}

std::optional<std::pair<report::Execution, report::Execution>> Pursuit::orders() const {
  if (orders_.size() < 2) return std::nullopt;
  return std::pair(orders_[0], orders_[1]);
}

}  // namespace deadheat::cli
