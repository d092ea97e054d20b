// SPDX-License-Identifier: Apache-2.0
//
// Follows a decision log exactly: step by step the same thread (by name) with the same kind of operation at the same
// site, and the same choices. The first thing that is not as logged is kept as a Divergence and the run is given up. A
// log of a run that did not reach its end is followed to the log's end; then each thread goes on as long as it can.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/decision_log.h"
#include "schedule/listener.h"
#include "schedule/pair_watch.h"
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
// `name_of` says where a site is, for people; empty: it is not known, and its number is told.
using NameOfSite = std::function<std::string(model::SiteId)>;
std::string describe(const Divergence& divergence, const NameOfSite& name_of = {});

class Replay final : public Strategy {
 public:
  // The log must outlive this. With a pair, meetings at it are told to the listener as they come by; with
  // hold_at_meeting nobody goes on from the first one until the host nudges.
  explicit Replay(const DecisionLog& log, const RacePair& pair = {}, Listener* listener = nullptr,
                  bool hold_at_meeting = false)
      : log_(log), cursor_(log), watch_(pair, listener), hold_(hold_at_meeting ? Hold::kWanted : Hold::kNone) {}

  const char* name() const override { return "replay"; }
  ThreadIndex next(const World& world) override;
  std::uint32_t choose(const World& world, ThreadIndex thread, std::uint32_t n) override;
  void stepping(const World& world, ThreadIndex thread) override;
  void nudge() override;
  StrategyCounts counts() const override;

  const std::optional<Divergence>& divergence() const { return divergence_; }
  bool at_end() const { return cursor_.at_end() && next_choice_ == log_.choices().size(); }

 private:
  enum class Hold : std::uint8_t { kNone, kWanted, kHolding, kOver };

  ThreadIndex resolve(const World& world, std::uint32_t logged);
  ThreadIndex diverge(const World& world, Divergence::Reason reason, ThreadIndex thread);

  const DecisionLog& log_;
  DecisionLog::Cursor cursor_;
  std::size_t next_choice_ = 0;
  std::size_t next_jump_ = 0;
  PairWatch watch_;
  Hold hold_;
  std::vector<ThreadIndex> by_logged_;  // thread here, by index there; kNoThread: not met yet
  std::optional<Divergence> divergence_;
};

}  // namespace deadheat::schedule
