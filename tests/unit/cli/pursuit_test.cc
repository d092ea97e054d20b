// SPDX-License-Identifier: Apache-2.0
#include "cli/pursuit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace deadheat::cli {
namespace {

report::Execution made(const Attempt& attempt, bool met) {
  report::Execution run;
  run.seed = attempt.seed;
  run.order = attempt.first;
  run.aim = attempt.aim;
  run.lead = attempt.lead;
  if (met) run.records.meetings.emplace_back();
  return run;
}

// All attempts of a pursuit in which the threads meet with the given seeds.
std::vector<Attempt> attempts(Pursuit pursuit, const std::vector<std::uint64_t>& meeting_seeds) {
  std::vector<Attempt> all;
  while (const auto next = pursuit.next()) {
    all.push_back(*next);
    const bool met =
        !next->is_survey() && std::find(meeting_seeds.begin(), meeting_seeds.end(), next->seed) != meeting_seeds.end();
    pursuit.took(made(*next, met));
  }
  return all;
}

TEST(Pursuit, StopsWhenRealAndTriesBothOrders) {
  std::vector<Attempt> expected = {{1, "coin"}, {2, "coin", "nobody"}, {3, "coin", "nobody-youngest"}};
  for (std::uint64_t seed = 4; seed <= 13; ++seed) expected.push_back({seed, "coin", "nobody-random"});
  // Surveys are no tries.
  expected.insert(expected.end(), {{2, "coin", "first"}, {2, "1", "first"}, {2, "2", "first"}});
  EXPECT_EQ(attempts(Pursuit(std::nullopt, 20), {2, 3}), expected);
}

TEST(Pursuit, GivesUpSoonWhereTheProgramHasNoSuchSite) {
  const auto tries = [](const std::vector<bool>& found) {
    Pursuit pursuit(std::nullopt, 20);
    std::size_t made_so_far = 0;
    while (const auto next = pursuit.next()) {
      report::Execution run = made(*next, false);
      run.records.outcome.emplace();
      run.records.outcome->sites = {{"a", true, true}, {"b", found[std::min(made_so_far++, found.size() - 1)], false}};
      pursuit.took(std::move(run));
    }
    EXPECT_LE(made_so_far, found.size() == 1 ? 6u : 40u);
    return pursuit.tries().size();
  };
  EXPECT_EQ(tries({false}), 3u);
  EXPECT_EQ(tries({false, true, false}), 20u) << "its class was loaded once";
}

TEST(Pursuit, GivesUpSoonWhereNobodyCanBeHeld) {
  const auto tries = [](const report::WantedSite& site) {
    Pursuit pursuit(std::nullopt, 20);
    while (const auto next = pursuit.next()) {
      report::Execution run = made(*next, false);
      run.records.outcome.emplace();
      run.records.outcome->sites = {{"a", true, true}, site};
      pursuit.took(std::move(run));
    }
    return pursuit.tries().size();
  };
  EXPECT_EQ(tries({.name = "b", .found = true, .unheld = true}), 3u) << "a class initialiser";
  EXPECT_EQ(tries({.name = "b", .found = true, .outside = "Cleaner"}), 3u);
  EXPECT_EQ(tries({.name = "b", .found = true, .reached = true, .unheld = true}), 20u) << "others came too";
  EXPECT_EQ(tries({.name = "b", .found = true}), 20u) << "somebody may come in another order";
}

// In a program that spins where another order would not.
TEST(Pursuit, MakesNoMoreSurveysOfAKindThatRanIntoTheTimeLimit) {
  const auto surveys = [](Pursuit pursuit, const std::set<std::string>& late) {
    std::vector<std::string> all;
    while (const auto next = pursuit.next()) {
      if (next->is_survey()) all.push_back(next->aim);
      report::Execution run = made(*next, false);
      run.timed_out = late.contains(next->aim);
      pursuit.took(std::move(run));
    }
    return all;
  };
  EXPECT_EQ(surveys(Pursuit(std::nullopt, 20), {"nobody", "nobody-random"}),
            (std::vector<std::string>{"nobody", "nobody-youngest", "nobody-random"}));
  EXPECT_EQ(surveys(Pursuit(std::nullopt, 20), {"nobody-youngest"}).size(), 12u) << "there is one of it anyway";
  Pursuit told(std::nullopt, 20);
  told.give_up_surveys("nobody-random");
  told.give_up_surveys("nobody");
  EXPECT_EQ(surveys(told, {}), std::vector<std::string>{"nobody-youngest"});
}

TEST(Pursuit, GivesUpAfterTheMost) {
  const std::vector<Attempt> all = attempts(Pursuit(std::nullopt, 20), {});
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const Attempt& attempt) { return !attempt.is_survey(); }), 20);
}

TEST(Pursuit, RunsEverySeedThatWasAskedFor) {
  const std::vector<Attempt> expected = {{1, "coin"}, {2, "coin"}, {3, "coin", "either"}, {1, "1"}, {1, "2"}};
  EXPECT_EQ(attempts(Pursuit(3, 20), {1, 2}), expected);
}

TEST(Pursuit, ExploresAsLongAsHardlyAnyTryMisses) {
  const auto explored = [](const std::set<std::uint64_t>& missing) {
    Pursuit pursuit(100, 20);
    std::size_t count = 0;
    while (const auto next = pursuit.next()) {
      if (next->aim == Attempt::kRunningOn) ++count;
      pursuit.took(made(*next, !next->is_survey() && !missing.contains(next->seed)));
    }
    return count;
  };
  EXPECT_EQ(explored({}), 33u);
  EXPECT_EQ(explored({3}), 12u) << "one, and those from the 69th try on";
  EXPECT_EQ(explored({3, 69}), 2u);
}

// All attempts of a pursuit in which the ways that meet are given; others tell `aims` when they miss.
std::vector<std::string> aims_tried(Pursuit pursuit, const std::vector<std::string>& meeting,
                                    const std::vector<std::string>& aims) {
  std::vector<std::string> all;
  while (const auto next = pursuit.next()) {
    all.push_back(next->aim);
    const bool met = std::find(meeting.begin(), meeting.end(), next->aim) != meeting.end();
    report::Execution run = made(*next, met);
    run.records.outcome.emplace();
    if (!met) run.records.outcome->aims = aims;
    pursuit.took(run);
  }
  return all;
}

// All twelve.
std::vector<std::string> with_surveys(std::vector<std::string> before, const std::vector<std::string>& after) {
  before.insert(before.end(), {"nobody", "nobody-youngest"});
  before.insert(before.end(), 10, "nobody-random");
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

TEST(Pursuit, AimsAfterAMissAndStaysWithWhatMeets) {
  // Both orders go with the aim of the first meeting.
  EXPECT_EQ(aims_tried(Pursuit(4, 20), {"a"}, {"a", "b", "c"}),
            (std::vector<std::string>{"", "a", "a", "a", "a", "a"}));
}

TEST(Pursuit, LooksFurtherWhenAnAimMisses) {
  EXPECT_EQ(aims_tried(Pursuit(4, 20), {"b"}, {"a", "b", "c"}), with_surveys({"", "a"}, {"b", "b", "b", "b"}));
}

// Surveys tell aims; the third one is the first with an order to follow.
TEST(Pursuit, PrefersAnAimThatSaysHowToGetThere) {
  Pursuit pursuit(4, 20);
  std::vector<std::string> tried;
  while (const auto next = pursuit.next()) {
    tried.push_back(next->aim);
    report::Execution run = made(*next, next->aim == "a/nobody-random/4");
    run.records.outcome.emplace();
    if (next->aim == "nobody-youngest") run.records.outcome->aims = {"a"};
    if (next->aim == "nobody-random") run.records.outcome->aims = {"b", "a/nobody-random/4"};
    pursuit.took(run);
  }
  const std::string met = "a/nobody-random/4";
  EXPECT_EQ(tried,
            (std::vector<std::string>{"", "nobody", "nobody-youngest", "nobody-random", met, met, met, met, met}));
}

TEST(Pursuit, DoesNotAimAsLongAsHoldingEverybodyMeets) {
  EXPECT_EQ(aims_tried(Pursuit(3, 20), {""}, {"a"}), (std::vector<std::string>{"", "", "either", "", ""}));
}

TEST(Pursuit, GoesBackToHoldingEverybodyWhenNoAimMeets) {
  const std::vector<std::string> tried = aims_tried(Pursuit(30, 30), {}, {"a", "b", "c"});
  // Hope of the next aim falls with each that misses: one side comes before the third.
  EXPECT_EQ((std::vector<std::string>{tried.begin(), tried.begin() + 18}),
            with_surveys({"", "a"}, {"b", "first", "second", "c"}));
  EXPECT_GT(std::count(tried.begin(), tried.end(), ""), 5);
}

TEST(Pursuit, LooksAroundWhenAMissTellsNothing) {
  EXPECT_EQ(aims_tried(Pursuit(4, 20), {}, {}), with_surveys({""}, {"first", "second", ""}));
}

TEST(Pursuit, RepeatsTheFirstMeetingUnlessTheWayThatLedToItNeverMisses) {
  Pursuit pursuit(8, 20);
  std::vector<std::uint64_t> leads;
  for (const bool met : {false, true, true, true, true, true}) {
    Attempt attempt = pursuit.next().value();
    while (attempt.is_survey()) {
      pursuit.took(made(attempt, false));
      attempt = pursuit.next().value();
    }
    leads.push_back(attempt.lead);
    EXPECT_EQ(attempt.aim, leads.size() == 1 ? "" : "first");
    pursuit.took(made(attempt, met));
  }
  EXPECT_EQ(leads, (std::vector<std::uint64_t>{0, 0, 2, 2, 2, 2}));
}

TEST(Pursuit, AnAimThatBeginsToMissMakesRoomForAnother) {
  Pursuit pursuit(10, 20);
  const auto take = [&](bool met) {
    const Attempt attempt = pursuit.next().value();
    report::Execution run = made(attempt, met);
    run.records.outcome.emplace();
    run.records.outcome->aims = {"a", "b"};
    pursuit.took(run);
    return attempt.aim;
  };
  take(false);
  EXPECT_EQ(take(true), "a");
  EXPECT_EQ(take(true), "a");
  EXPECT_EQ(take(false), "a");
  EXPECT_EQ(take(false), "a");  // as it met first
  EXPECT_EQ(take(true), "b");   // not tried yet: thought of better than two of three
}

// All attempts of a search: after the tries that missed. Recordings tell `aims`; one of those may meet.
std::vector<Attempt> search_of(Pursuit& pursuit, const std::vector<std::string>& aims,
                               const std::string& meeting = "") {
  std::vector<Attempt> search;
  while (const auto next = pursuit.next()) {
    const bool met = !meeting.empty() && next->aim == meeting;
    if (next->records || Attempt::has_stop(next->aim)) search.push_back(*next);
    if (next->records) {
      pursuit.recorded(aims);
    } else {
      pursuit.took(made(*next, met));
    }
  }
  return search;
}

TEST(Pursuit, SearchesWhenTheTriesHaveMissed) {
  Pursuit pursuit(std::nullopt, 20, true);
  const std::vector<Attempt> search = search_of(pursuit, {"0.1!1:0.2@1/x", "0.1!2:0.2@1/x"}, "0.1!2:0.2@1/x");
  const std::vector<Attempt> expected = {{1, "coin", "nobody", 0, true},
                                         {21, "coin", "0.1!1:0.2@1/x"},
                                         {21, "coin", "0.1!2:0.2@1/x"},
                                         {21, "1", "0.1!2:0.2@1/x"},
                                         {21, "2", "0.1!2:0.2@1/x"}};
  EXPECT_EQ(search, expected);
  EXPECT_EQ(pursuit.tries().size(), 21u) << "the one that met is a try";
  EXPECT_EQ(pursuit.search(), (report::Search{1, 2, ""}));
}

TEST(Pursuit, TriesAfterASearchGoTheWayItFound) {
  const auto met = [](const report::Execution& run) { return !run.records.meetings.empty(); };
  for (const auto& [tries, misses] : {std::pair(20u, 4u), {100u, 4u}, {200u, 8u}}) {
    Pursuit pursuit(tries, 20, true);
    search_of(pursuit, {"0.1!1:0.2@1/x"}, "0.1!1:0.2@1/x");
    EXPECT_EQ(pursuit.tries().size(), tries);
    EXPECT_EQ(std::count_if(pursuit.tries().begin(), pursuit.tries().end(), met), tries - misses);
  }
}

TEST(Pursuit, ASearchComesToAnEnd) {
  Pursuit in_vain(std::nullopt, 20, true);
  EXPECT_EQ(search_of(in_vain, {}).size(), 12u);
  EXPECT_EQ(in_vain.tries().size(), 20u);
  Pursuit many(std::nullopt, 20, true);
  search_of(many, std::vector<std::string>(10, "0.1!1:0.2@1/x"));
  EXPECT_EQ(many.search().executions, 48u);
  EXPECT_EQ(many.tries().size(), 20u);
  Pursuit broken(std::nullopt, 20, true);
  while (const auto next = broken.next()) {
    if (next->records) {
      broken.recorded(Error{"no"});
    } else {
      broken.took(made(*next, false));
    }
  }
  EXPECT_EQ(broken.search(), (report::Search{1, 0, "no"}));
}

TEST(Pursuit, DoesNotSearchWhereThatCannotHelpOrIsNotWanted) {
  Pursuit unwanted(std::nullopt, 20);
  EXPECT_TRUE(search_of(unwanted, {}).empty());
  Pursuit few(10, 20, true);
  EXPECT_TRUE(search_of(few, {}).empty());
  Pursuit slow(std::nullopt, 20, true);
  while (const auto next = slow.next()) {
    ASSERT_FALSE(next->records);
    report::Execution run = made(*next, false);
    run.timed_out = !next->is_survey();
    slow.took(std::move(run));
  }
  Pursuit without_turns(std::nullopt, 20, true);
  without_turns.give_up_surveys("nobody");
  EXPECT_EQ(search_of(without_turns, {}).front(), (Attempt{2, "coin", "nobody-youngest", 0, true}));
}

TEST(Pursuit, HasTheOrdersOnlyWhenBothWereMade) {
  Pursuit pursuit(std::nullopt, 20);
  pursuit.took(made({1, "coin"}, true));
  pursuit.took(made({1, "1"}, true));
  EXPECT_FALSE(pursuit.orders());
  pursuit.took(made({1, "2"}, true));
  ASSERT_TRUE(pursuit.orders());
  EXPECT_EQ(pursuit.orders()->second.order, "2");
  EXPECT_FALSE(pursuit.next());
}

}  // namespace
}  // namespace deadheat::cli
