// SPDX-License-Identifier: Apache-2.0
//
// Running ahead changes nothing: random programs make the same decisions, in the same virtual time, with the same
// events in the same order, whether each access is a point or the scheduler catches up with many of them later.
#include <gtest/gtest.h>

#include "base/random.h"
#include "schedule/race_directed.h"
#include "schedule/slices.h"
#include "tests/unit/schedule/simulation.h"

namespace deadheat::schedule {
namespace {

struct Told {
  ThreadIndex thread;
  OperationKind kind;
  std::uint64_t object;
  bool operator==(const Told&) const = default;
};

struct Events final : Listener {
  std::vector<Told> told;
  void on_operation(const World&, ThreadIndex thread, const Operation& op, Passage) override {
    told.push_back({thread, op.kind, op.object});
  }
};

// One step of a random program. An access may be at a place where no switch is offered.
struct Step {
  enum What { kAccess, kSection, kSleep, kPark, kUnpark, kYield, kUnscheduled, kHowMany } what;
  Operation op;
  bool silent;
};

std::vector<Step> random_steps(Random& random, std::uint32_t length) {
  std::vector<Step> steps;
  for (std::uint32_t i = 0; i < length; ++i) {
    Step step{Step::kAccess, {}, random.one_in(4)};
    if (random.one_in(3)) step.what = static_cast<Step::What>(random.below(Step::kHowMany));
    step.op.kind = static_cast<OperationKind>(static_cast<std::uint32_t>(OperationKind::kRead) + random.below(5));
    step.op.object = random.below(3);
    step.op.site = model::SiteId{random.below(20)};
    step.op.timeout = 500 * random.below(40);
    steps.push_back(step);
  }
  return steps;
}

// What the scheduler is told of accesses made ahead. Counts are for runs whose decisions nobody keeps.
enum class Ahead { kNever, kOneByOne, kCounted };

class Runner {
 public:
  Runner(Actor& actor, Events& events, Ahead ahead)
      : actor_(actor),
        scheduler_(actor.simulation().scheduler()),
        events_(events),
        ahead_(ahead),
        room_(scheduler_.room(actor.self())) {}

  void run(const std::vector<Step>& steps) {
    go_on();
    for (const Step& step : steps) run(step);
    catch_up();
  }

 private:
  void run(const Step& step) {
    switch (step.what) {
      case Step::kSection:
        perform({.kind = OperationKind::kLock, .object = step.op.object});
        access(step.op, step.silent);
        return perform({.kind = OperationKind::kUnlock, .object = step.op.object});
      case Step::kSleep:
        return perform({.kind = OperationKind::kSleep, .timeout = step.op.timeout});
      case Step::kPark:
        return perform({.kind = OperationKind::kPark, .timeout = step.op.timeout});
      case Step::kUnpark:
        return perform({.kind = OperationKind::kUnpark, .target = ThreadIndex{1 + model::to_number(step.op.site) % 3}});
      case Step::kYield:
        return perform({.kind = OperationKind::kYield});
      case Step::kUnscheduled:
        catch_up();
        scheduler_.enter_unscheduled(actor_.self());
        go_on();
        for (int i = 0; i < 3; ++i) access(step.op, step.silent);
        catch_up();
        scheduler_.leave_unscheduled(actor_.self());
        return go_on();
      default:
        return access(step.op, step.silent);
    }
  }

  void perform(const Operation& op) {
    catch_up();
    actor_.perform(op);
    go_on();
  }
  void access(const Operation& op, bool silent) {
    if (ahead_ != Ahead::kNever && waiting_.size() < left_) {
      waiting_.push_back({op, silent});
      return;
    }
    catch_up();
    silent ? actor_.perform_silently(op) : actor_.perform(op);
    go_on();
  }
  void catch_up() {
    if (waiting_.empty()) return;
    scheduler_.catch_up(actor_.self(), [&](const World& world, const auto& tell) {
      AccessCounts counts;
      for (const auto& [op, silent] : waiting_) {
        if (ahead_ == Ahead::kCounted)
          counts.add(silent);
        else
          tell(op, silent);
        events_.on_operation(world, actor_.self(), op, Passage::kGranted);
      }
      if (ahead_ == Ahead::kCounted) tell(counts);
    });
    waiting_.clear();
  }
  void go_on() { left_ = room_; }

  Actor& actor_;
  Scheduler& scheduler_;
  Events& events_;
  const Ahead ahead_;
  const std::uint64_t& room_;
  std::uint64_t left_ = 0;
  std::vector<std::pair<Operation, bool>> waiting_;
};

struct Done {
  DecisionLog log;
  Outcome outcome;
  std::vector<Told> told;
};

Done run(std::uint64_t seed, Ahead ahead, bool keeps_decisions, Strategy& strategy) {
  Random random(seed);
  std::vector<std::vector<Step>> threads(3);
  for (std::vector<Step>& steps : threads) steps = random_steps(random, 60);
  Events events;
  SchedulerOptions options{.tell_operations = true};
  if (!keeps_decisions) options.log_limit = 0;
  options.silent_limit = 4;
  options.unscheduled_limit = 6;
  if (random.one_in(4)) options.step_limit = 100 + random.below(100);
  Simulation simulation(strategy, options, &events);
  simulation.run([&](Actor& main) {
    std::vector<ThreadIndex> children;
    for (const std::vector<Step>& steps : threads) {
      children.push_back(
          main.start([&events, &steps, ahead](Actor& actor) { Runner(actor, events, ahead).run(steps); }));
    }
    for (const ThreadIndex child : children) main.join(child);
  });
  return {simulation.scheduler().log(), simulation.scheduler().outcome(), events.told};
}

void compare(const Done& slow, const Done& fast, std::uint64_t seed) {
  ASSERT_TRUE(slow.log == fast.log) << "seed " << seed;
  ASSERT_EQ(slow.outcome.virtual_time, fast.outcome.virtual_time) << "seed " << seed;
  ASSERT_EQ(slow.outcome.steps, fast.outcome.steps) << "seed " << seed;
  ASSERT_EQ(slow.outcome.switches, fast.outcome.switches) << "seed " << seed;
  ASSERT_EQ(slow.outcome.silent_operations, fast.outcome.silent_operations) << "seed " << seed;
  ASSERT_EQ(slow.outcome.forced_points, fast.outcome.forced_points) << "seed " << seed;
  ASSERT_EQ(slow.outcome.unlogged_steps, fast.outcome.unlogged_steps) << "seed " << seed;
  ASSERT_EQ(slow.outcome.reason, fast.outcome.reason) << "seed " << seed;
  ASSERT_EQ(slow.told, fast.told) << "seed " << seed;
}

// `make`: a strategy for a seed. Returns how many operations were silent.
template <typename Make>
std::uint64_t expect_no_change(const Make& make) {
  std::uint64_t silent = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const Ahead ahead : {Ahead::kOneByOne, Ahead::kCounted}) {
      auto strategy = make(seed);
      auto other = make(seed);
      const Done slow = run(seed, Ahead::kNever, ahead == Ahead::kOneByOne, strategy);
      const Done fast = run(seed, ahead, ahead == Ahead::kOneByOne, other);
      compare(slow, fast, seed);
      if (testing::Test::HasFatalFailure()) return silent;
      silent += fast.outcome.silent_operations;
    }
  }
  return silent;
}

TEST(RunningAhead, ChangesNothing) {
  const auto make = [](std::uint64_t seed) {
    return Slices(seed, {.first = 3, .first_steps = 50, .second = 5, .growth = 10, .longest = 20});
  };
  EXPECT_GT(expect_no_change(make), 0u);
}

TEST(RunningAhead, ChangesNothingInASurvey) {
  for (const Survey survey : {Survey::kInTurn, Survey::kYoungestFirst, Survey::kAtRandom}) {
    const auto make = [&](std::uint64_t seed) {
      RaceDirectedOptions options{.pair = {model::SiteId{1}, model::SiteId{2}}};
      options.survey = survey;
      options.fair_run = 7;
      return RaceDirected(seed, options, nullptr);
    };
    EXPECT_GT(expect_no_change(make), 0u);
  }
}

TEST(RunningAhead, OthersAskEachTime) {
  struct Asked final : Strategy {
    std::uint64_t asked = 0;
    const char* name() const override { return "asked"; }
    ThreadIndex next(const World& world) override {
      ++asked;
      return world.enabled().front();
    }
    std::uint32_t choose(const World&, ThreadIndex, std::uint32_t) override { return 0; }
  } strategy;
  Simulation simulation(strategy);
  simulation.run([](Actor& main) {
    for (int i = 0; i < 10; ++i) {
      main.read(1);
      EXPECT_EQ(main.simulation().scheduler().room(main.self()), 0u);
    }
  });
  EXPECT_EQ(strategy.asked, 12u);
}

}  // namespace
}  // namespace deadheat::schedule
