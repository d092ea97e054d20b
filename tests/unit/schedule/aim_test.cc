// SPDX-License-Identifier: Apache-2.0
//
// What a try that missed tells the next one.
#include "schedule/aim.h"

#include <gtest/gtest.h>

#include <set>

#include "schedule/race_directed.h"
#include "tests/unit/schedule/simulation.h"

namespace deadheat::schedule {
namespace {

constexpr std::uint32_t kReadSite = 1, kWriteSite = 2;

// An iterator that notices changes, and a thread that changes one of the nodes: once the change is announced an
// iterator made before it gives up, so it has to be held at the very node, or be made later.
struct Tree {
  int version = 0;
  void run(Actor& main) {
    const ThreadIndex reader = main.start([this](Actor& a) {
      a.yield();
      const int expected = version;
      for (std::uint64_t node = 1; node <= 4; ++node) {
        if (version != expected) return;
        a.read(node, kReadSite);
      }
    });
    const ThreadIndex writer = main.start([this](Actor& a) {
      a.yield();
      ++version;
      a.write(3, kWriteSite);
    });
    main.join(reader);
    main.join(writer);
  }
};

RaceDirectedOptions options() { return {.pair = {model::SiteId{kReadSite}, model::SiteId{kWriteSite}}}; }

StrategyCounts counts_of(std::uint64_t seed, const RaceDirectedOptions& options) {
  RaceDirected strategy(seed, options, nullptr);
  Tree tree;
  log_of(strategy, [&](Actor& main) { tree.run(main); });
  return strategy.counts();
}

struct Meetings : Listener {
  void on_race(const World&, const Meeting& meeting) override { all.push_back(meeting); }
  std::vector<Meeting> all;
};

TEST(Aim, IsReadAsItIsWritten) {
  const Aim aim{"0.1", 3, "0.2.7", 12};
  EXPECT_EQ(to_text(aim), "0.1@3:0.2.7@12");
  const auto parsed = parse_aim(to_text(aim));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value(), aim);
  for (const Survey survey : {Survey::kInTurn, Survey::kYoungestFirst, Survey::kAtRandom}) {
    Aim seen = aim;
    seen.seen = {survey, 18'446'744'073'709'551'615u};
    EXPECT_EQ(to_text(seen), std::string("0.1@3:0.2.7@12/") + to_text(survey) + "/18446744073709551615");
    const auto again = parse_aim(to_text(seen));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.value(), seen);
  }
}

TEST(Aim, AStopIsReadAsItIsWritten) {
  const Aim aim{"0.1", 0, "0.2.7", 12, SeenIn{Survey::kAtRandom, 7}, Stop{"a/B$C.m(La/D;:/@!)V@12", 3}};
  EXPECT_EQ(to_text(aim), "0.1!3:0.2.7@12/nobody-random/7/a/B$C.m(La/D;:/@!)V@12");
  const auto parsed = parse_aim(to_text(aim));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value(), aim);
}

// The reader goes from the first node to the second and from there to the third; the writer takes the second off, puts
// another third behind it and writes there. Only a reader that is stopped at the second comes to that one.
struct Overtaken {
  static constexpr std::uint32_t kLinkSite = 3;
  int next_of_first = 2, next_of_second = 3;
  void run(Actor& main) {
    const ThreadIndex reader = main.start([this](Actor& a) {
      a.read(1, kLinkSite);
      if (next_of_first == 0) return;
      a.read(2, kLinkSite);
      a.read(static_cast<std::uint64_t>(10 + next_of_second), kReadSite);
    });
    const ThreadIndex writer = main.start([this](Actor& a) {
      next_of_first = 0;
      next_of_second = 4;
      a.write(14, kWriteSite);
    });
    main.join(reader);
    main.join(writer);
  }
};

TEST(Aim, AStopBringsTogetherWhatHoldingTheTwoDoesNot) {
  const auto meets = [](std::uint64_t seed, const RaceDirectedOptions& options) {
    RaceDirected strategy(seed, options, nullptr);
    Overtaken program;
    log_of(strategy, [&](Actor& main) { program.run(main); });
    return strategy.counts().races != 0;
  };
  const auto with = [](const char* aim) {
    RaceDirectedOptions stopping = options();
    stopping.aim = parse_aim(aim).value();
    stopping.stop_site = model::SiteId{Overtaken::kLinkSite};
    return stopping;
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_TRUE(meets(seed, with("0.1!2:0.2@1/nobody/1/link"))) << seed;
    EXPECT_FALSE(meets(seed, with("0.1!1:0.2@1/nobody/1/link"))) << "it sees that the second was taken off";
    EXPECT_FALSE(meets(seed, with("0.1!3:0.2@1/nobody/1/link"))) << "it never comes there";
    EXPECT_FALSE(meets(seed, with("0.1!2:0.2@2/nobody/1/link"))) << "the other one never comes";
    EXPECT_FALSE(meets(seed, with("0.7!2:0.2@1/nobody/1/link"))) << "there is no such thread";
  }
}

TEST(Aim, OtherTextsAreNone) {
  for (const char* text : {"0.1!1:0.2@1",
                           "0.1!1:0.2@1/nobody/7",
                           "0.1!1:0.2@1/nobody/7/",
                           "0.1!0:0.2@1/nobody/7/a",
                           "!1:0.2@1/nobody/7/a",
                           "0.1!1:0.2!1/nobody/7/a",
                           "0.1@1:0.2@1/nobody/7/a",
                           "0.1!1/nobody/7/a:0.2@1",
                           "0.1!1:0.2@1/everybody/7/a",
                           "",
                           ":",
                           "0.1@1",
                           "0.1@1:",
                           "0.1@0:0.2@1",
                           "@1:0.2@1",
                           "0.1@x:0.2@1",
                           "0.1@1:0.2@1x",
                           "0.1@99999999999:0.2@1",
                           "0.1@1:0.2@1/",
                           "0.1@1:0.2@1/nobody",
                           "0.1@1:0.2@1/nobody/",
                           "0.1@1:0.2@1/nobody/7x",
                           "0.1@1:0.2@1/everybody/7",
                           "0.1@1:0.2@1//7",
                           "0.1@1/nobody/7:0.2@1",
                           "0.1@1/nobody/7"}) {
    EXPECT_FALSE(parse_aim(text).ok()) << text;
  }
}

TEST(Aim, ASurveyFindsWhereTheTwoCouldMeet) {
  RaceDirectedOptions survey = options();
  survey.survey = Survey::kInTurn;
  const StrategyCounts counts = counts_of(1, survey);
  EXPECT_EQ(counts.races, 0u);
  EXPECT_EQ(counts.aims, std::vector<std::string>{"0.1@3:0.2@1/nobody/1"});
}

TEST(Aim, HoldingJustTheTwoMeetsWhereHoldingEverybodyMisses) {
  constexpr int kSeeds = 200;
  int without = 0, with = 0;
  RaceDirectedOptions aimed = options();
  aimed.aim = parse_aim("0.1@3:0.2@1").value();
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    without += counts_of(seed, options()).races != 0;
    with += counts_of(seed, aimed).races != 0;
  }
  EXPECT_LT(without, kSeeds * 3 / 4);
  EXPECT_EQ(with, kSeeds);
}

// A reader that gives up when anybody has changed something before it is there, and others who do.
TEST(Aim, TheTwoGoBeforeThoseWhoMightKeepThemFromGettingThere) {
  constexpr int kSeeds = 100;
  int met = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RaceDirectedOptions aimed = options();
    aimed.aim = parse_aim("0.1@1:0.2@1").value();
    RaceDirected strategy(seed, aimed, nullptr);
    int version = 0;
    log_of(strategy, [&](Actor& main) {
      std::vector<ThreadIndex> threads;
      threads.push_back(main.start([&](Actor& a) {
        for (int i = 0; i < 5; ++i) a.update(100);
        if (version == 0) a.read(1, kReadSite);
      }));
      threads.push_back(main.start([&](Actor& a) {
        for (int i = 0; i < 5; ++i) a.update(200);
        a.write(1, kWriteSite);
      }));
      for (std::uint64_t other = 0; other < 4; ++other) {
        threads.push_back(main.start([&, other](Actor& a) {
          for (int i = 0; i < 5; ++i) a.update(300 + other);
          version = 1;
        }));
      }
      for (const ThreadIndex thread : threads) main.join(thread);
    });
    if (strategy.counts().races != 0) ++met;
  }
  EXPECT_GE(met, kSeeds * 95 / 100);
}

// The writer is started last and has to come before somebody who is started before it.
TEST(Aim, WhoeverHasToStartOneOfTheTwoGoesBeforeTheOthersToo) {
  const auto counts = [](std::uint64_t seed, const RaceDirectedOptions& options) {
    RaceDirected strategy(seed, options, nullptr);
    bool removed = false;
    log_of(strategy, [&](Actor& main) {
      std::vector<ThreadIndex> threads;
      threads.push_back(main.start([](Actor& a) { a.read(1, kReadSite); }));
      threads.push_back(main.start([&](Actor& a) {
        a.update(100);
        removed = true;
      }));
      for (std::uint64_t i = 0; i < 5; ++i) main.update(200);
      threads.push_back(main.start([&](Actor& a) {
        if (!removed) a.write(1, kWriteSite);
      }));
      for (const ThreadIndex thread : threads) main.join(thread);
    });
    return strategy.counts();
  };
  RaceDirectedOptions survey = options();
  survey.survey = Survey::kInTurn;
  EXPECT_TRUE(counts(1, survey).aims.empty());
  survey.survey = Survey::kYoungestFirst;
  EXPECT_EQ(counts(1, survey).aims, std::vector<std::string>{"0.1@1:0.3@1"});
  constexpr int kSeeds = 100;
  RaceDirectedOptions aimed = options();
  aimed.aim = parse_aim("0.1@1:0.3@1").value();
  int met = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) met += counts(seed, aimed).races != 0;
  EXPECT_GE(met, kSeeds * 9 / 10);
}

TEST(Aim, OneThatDoesNotComeOffIsDropped) {
  // Nobody has so many visits, nobody has this name: as without it, once the only one that is held has to go.
  for (const char* text : {"0.1@99:0.2@1", "0.9@1:0.2@1"}) {
    RaceDirectedOptions aimed = options();
    aimed.aim = parse_aim(text).value();
    for (std::uint64_t seed = 0; seed < 20; ++seed) counts_of(seed, aimed);  // it ends
  }
}

TEST(Aim, AMeetingTellsNothing) {
  RaceDirectedOptions aimed = options();
  aimed.aim = parse_aim("0.1@3:0.2@1").value();
  const StrategyCounts counts = counts_of(1, aimed);
  EXPECT_EQ(counts.races, 1u);
  EXPECT_TRUE(counts.aims.empty());
}

// With the seed of a meeting up to it, every seed meets, and both coins come up.
TEST(Lead, LeadsToTheSameMeetingAndOnFromThereByChance) {
  std::uint64_t met_with = 0;
  while (counts_of(met_with, options()).races == 0) ++met_with;
  RaceDirectedOptions led = options();
  led.seed_until_met = met_with;
  std::set<std::uint64_t> steps;
  std::set<ThreadIndex> first;
  Meetings meetings;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RaceDirected strategy(seed, led, &meetings);
    Tree tree;
    log_of(strategy, [&](Actor& main) { tree.run(main); });
    ASSERT_EQ(meetings.all.size(), seed) << "seed " << seed;
    steps.insert(meetings.all.back().step);
    first.insert(meetings.all.back().first);
  }
  EXPECT_EQ(steps.size(), 1u);
  EXPECT_EQ(first.size(), 2u);
}

// Three walks over many nodes, and a thread that changes one of them, once.
TEST(OneSide, TheOneThatComesByOnceIsWaitingWhenAWalkComesThere) {
  constexpr int kSeeds = 100;
  const auto met = [](const RaceDirectedOptions& options) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      RaceDirected strategy(seed, options, nullptr);
      log_of(strategy, [&](Actor& main) {
        std::vector<ThreadIndex> threads;
        for (int walk = 0; walk < 3; ++walk) {
          threads.push_back(main.start([](Actor& a) {
            for (std::uint64_t node = 1; node <= 40; ++node) a.read(node, kReadSite);
          }));
        }
        threads.push_back(main.start([](Actor& a) { a.write(30, kWriteSite); }));
        for (const ThreadIndex thread : threads) main.join(thread);
      });
      if (strategy.counts().races != 0) ++count;
    }
    return count;
  };
  RaceDirectedOptions at_write = options(), at_read = options();
  at_write.one_side = at_write.pair.second;
  at_read.one_side = at_read.pair.first;
  EXPECT_GE(met(at_write), kSeeds * 3 / 4);  // now and then all three walks are over when the writer comes
  EXPECT_LT(met(at_read), kSeeds / 2);       // the writer goes at once
}

// The accesses of three threads and of the one that starts them, all at one location.
TEST(Aim, MonitorsAndStartsKeepVisitsApart) {
  RaceDirectedOptions survey = options();
  survey.survey = Survey::kInTurn;
  RaceDirected strategy(1, survey, nullptr);
  log_of(strategy, [](Actor& main) {
    main.write(1, kWriteSite);  // before anybody else is there
    std::vector<ThreadIndex> threads;
    threads.push_back(main.start([](Actor& a) {
      a.lock(7);
      a.read(1, kReadSite);
      a.unlock(7);
    }));
    threads.push_back(main.start([](Actor& a) {
      a.lock(7);
      a.write(1, kWriteSite);
      a.unlock(7);
    }));
    threads.push_back(main.start([](Actor& a) {
      a.lock(8);
      a.write(1, kWriteSite);
      a.unlock(8);
      a.write(2, kWriteSite);
    }));
    main.read(1, kReadSite);
    for (const ThreadIndex thread : threads) main.join(thread);
  });
  // Main's read comes last: it has started the others, which it may have waited for.
  EXPECT_EQ(strategy.counts().aims,
            (std::vector<std::string>{"0.1@1:0.3@1/nobody/1", "0@2:0.2@1/nobody/1", "0@2:0.3@1/nobody/1"}));
}

// The reader comes by both nodes, once before the writer and once behind it; another one comes behind it alone.
TEST(Aim, TheReadIsHeldBeforeTheWriteUnlessItComesBehindItAlone) {
  RaceDirectedOptions survey = options();
  survey.survey = Survey::kInTurn;
  RaceDirected strategy(1, survey, nullptr);
  log_of(strategy, [](Actor& main) {
    bool written = false;
    std::vector<ThreadIndex> threads;
    threads.push_back(main.start([&](Actor& a) {
      a.read(1, kReadSite);
      while (!written) a.yield();
      a.read(2, kReadSite);
      a.read(1, kReadSite);
    }));
    threads.push_back(main.start([&](Actor& a) {
      a.write(2, kWriteSite);
      a.write(1, kWriteSite);
      written = true;
    }));
    threads.push_back(main.start([](Actor& a) { a.read(2, kReadSite); }));
    for (const ThreadIndex thread : threads) main.join(thread);
  });
  EXPECT_EQ(strategy.counts().aims, (std::vector<std::string>{"0.1@1:0.2@2/nobody/1", "0.1@2:0.2@1", "0.3@1:0.2@1"}));
}

// The writer comes to its access only behind all the others but the reader, in the order of their numbers: a removal
// that makes the place for an insertion, several times over.
struct Removals {
  int done = 0;
  static constexpr int kAll = 3;
  void run(Actor& main) {
    std::vector<ThreadIndex> threads;
    threads.push_back(main.start([](Actor& a) {
      for (std::uint64_t node = 1; node <= 4; ++node) a.read(node, kReadSite);
    }));
    for (int number = 0; number < kAll; ++number) {
      threads.push_back(main.start([this, number](Actor& a) {
        for (int i = 0; i < 5; ++i) a.update(100);
        if (done == number) ++done;
      }));
    }
    threads.push_back(main.start([this](Actor& a) {
      a.update(100);
      if (done == kAll) a.write(2, kWriteSite);
    }));
    for (const ThreadIndex thread : threads) main.join(thread);
  }
};

StrategyCounts removals(std::uint64_t seed, const RaceDirectedOptions& options, Meetings& meetings) {
  RaceDirected strategy(seed, options, &meetings);
  Removals program;
  log_of(strategy, [&](Actor& main) { program.run(main); });
  return strategy.counts();
}

// Every seed meets, at the same step, and both coins come up.
TEST(Aim, OneOfASurveyIsFollowedInItsOrder) {
  for (const Survey order : {Survey::kInTurn, Survey::kAtRandom}) {
    RaceDirectedOptions survey = options();
    survey.survey = order;
    Meetings meetings;
    std::uint64_t survey_seed = 1;
    StrategyCounts seen = removals(survey_seed, survey, meetings);
    while (seen.aims.empty() && survey_seed < 1000) seen = removals(++survey_seed, survey, meetings);
    ASSERT_EQ(seen.aims, std::vector<std::string>{"0.1@2:0.5@1/" + std::string(to_text(order)) + "/" +
                                                  std::to_string(survey_seed)});
    RaceDirectedOptions plain = options(), aimed = options();
    plain.aim = parse_aim("0.1@2:0.5@1").value();
    aimed.aim = parse_aim(seen.aims.front()).value();
    constexpr int kSeeds = 40;
    int without = 0;
    std::set<std::uint64_t> steps;
    std::set<ThreadIndex> first;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      without += removals(seed, plain, meetings).races != 0;
      meetings.all.clear();
      ASSERT_EQ(removals(seed, aimed, meetings).races, 1u) << to_text(order) << ", seed " << seed;
      steps.insert(meetings.all.front().step);
      first.insert(meetings.all.front().first);
    }
    EXPECT_LT(without, kSeeds / 2) << "the two go before the others";
    EXPECT_EQ(steps.size(), 1u);
    EXPECT_EQ(first.size(), 2u);
  }
}

// Where the survey leads to nothing the rest is chance, another one with each seed.
TEST(Aim, OneOfASurveyThatDoesNotComeOffLeavesTheRestToTheSeed) {
  RaceDirectedOptions aimed = options();
  aimed.aim = parse_aim("0.1@2:0.5@99/nobody-random/1").value();
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RaceDirected strategy(seed, aimed, nullptr);
    std::vector<std::uint32_t> order;
    log_of(strategy, [&](Actor& main) {
      const auto tells = [&](Actor& a) {
        for (int i = 0; i < 4; ++i) {
          a.update(100);
          order.push_back(to_number(a.self()));
        }
      };
      const ThreadIndex held = main.start([&](Actor& a) {
        a.read(1, kReadSite);
        a.read(1, kReadSite);
        a.unpark(ThreadIndex{2});
        tells(a);
      });
      const ThreadIndex waits = main.start([&](Actor& a) {
        a.park();
        tells(a);
      });
      main.join(held);
      main.join(waits);
    });
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 5u);
}

}  // namespace
}  // namespace deadheat::schedule
