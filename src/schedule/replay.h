// SPDX-License-Identifier: Apache-2.0
//
// Follows a decision log exactly: step by step the same thread (by name) with the same kind of operation at the same
// site, and the same choices. The first thing that is not as logged is kept as a Divergence and the run is given up. A
// log of a run that did not reach its end is followed to the log's end; then each thread goes on as long as it can.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/decision_log.h"
#include "schedule/listener.h"
#include "schedule/race_pair.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

struct Divergence {
  enum class Reason : std::uint8_t {
    kNoSuchThread,  // it was never started
    kThreadEnded,
    kNotEnabled,      // it stands before the expected or another operation and is blocked
    kOtherOperation,  // its operation has another kind or site
    kOtherChoice,     // a notify finds another number of waiters, or was not logged
    kNoTimer,         // time was moved on, but nobody waits for a time
    kLogEnded,        // the program goes on where it ended
  };
  Reason reason;
  std::uint64_t step;         // steps made before
  std::string thread;         // the expected thread
  std::uint64_t thread_step;  // its steps made before
  std::optional<Shape> expected;
  std::optional<Shape> actual;  // where that thread stands, if it stands at a point
};
std::string describe(const Divergence& divergence);

class Replay final : public Strategy {
 public:
  // The log must outlive this. With a pair, meetings at it are told to the listener as they come by.
  explicit Replay(const DecisionLog& log, const RacePair& pair = {}, Listener* listener = nullptr)
      : log_(log), cursor_(log), pair_(pair), listener_(listener) {}

  const char* name() const override { return "replay"; }
  ThreadIndex next(const World& world) override;
  std::uint32_t choose(const World& world, ThreadIndex thread, std::uint32_t n) override;
  void stepping(const World& world, ThreadIndex thread) override;
  StrategyCounts counts() const override { return counts_; }

  const std::optional<Divergence>& divergence() const { return divergence_; }
  bool at_end() const { return cursor_.at_end() && next_choice_ == log_.choices().size(); }

 private:
  ThreadIndex resolve(const World& world, std::uint32_t logged);
  ThreadIndex diverge(const World& world, Divergence::Reason reason, ThreadIndex thread);

  const DecisionLog& log_;
  DecisionLog::Cursor cursor_;
  std::size_t next_choice_ = 0;
  std::size_t next_jump_ = 0;
  const RacePair pair_;
  Listener* const listener_;
  StrategyCounts counts_;
  std::vector<ThreadIndex> by_logged_;  // thread here, by index there; kNoThread: not met yet
  std::optional<Divergence> divergence_;
};

}  // namespace deadheat::schedule
