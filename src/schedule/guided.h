// SPDX-License-Identifier: Apache-2.0
//
// Follows a plan where it can: "run this thread until it has made so many steps", one after the other; what does not
// fit (the thread is blocked, ended, unknown, or already that far) is skipped, and after the plan each thread runs on
// as long as it can. This is how a changed decision log is tried (shrink.h).
#pragma once

#include <string>
#include <vector>

#include "schedule/decision_log.h"
#include "schedule/pair_watch.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

struct PlannedRun {
  std::string thread;
  std::uint64_t until;  // steps of that thread, counted from its begin
  bool operator==(const PlannedRun&) const = default;
};

struct Plan {
  std::vector<PlannedRun> runs;
  struct Choice {
    std::string thread;
    std::uint64_t index;  // steps of that thread before
    std::uint32_t picked;
    bool operator==(const Choice&) const = default;
  };
  std::vector<Choice> choices;
};
Plan plan_of(const DecisionLog& log);

class Guided final : public Strategy {
 public:
  // A thread that made starvation_limit steps in a row after the plan's end gives way: it may spin. With a pair,
  // meetings at it are told to the listener as they come by.
  explicit Guided(Plan plan, std::uint64_t starvation_limit = 100'000, const RacePair& pair = {},
                  Listener* listener = nullptr)
      : plan_(std::move(plan)), starvation_limit_(starvation_limit), watch_(pair, listener) {}

  const char* name() const override { return "guided"; }
  ThreadIndex next(const World& world) override;
  std::uint32_t choose(const World& world, ThreadIndex thread, std::uint32_t n) override;
  void stepping(const World& world, ThreadIndex thread) override { watch_.look(world, thread); }
  // The thread that the plan waits for does not come back: the plan goes on without it.
  void nudge() override { ++at_; }
  StrategyCounts counts() const override;

 private:
  const Plan plan_;
  const std::uint64_t starvation_limit_;
  PairWatch watch_;
  std::uint64_t gave_way_ = 0;
  std::size_t at_ = 0;
  std::uint64_t run_length_ = 0;
};

}  // namespace deadheat::schedule
