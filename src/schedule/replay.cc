// SPDX-License-Identifier: Apache-2.0
#include "schedule/replay.h"

#include "schedule/run_on.h"

namespace deadheat::schedule {
namespace {

std::string describe(const std::optional<Shape>& shape, const NameOfSite& name_of) {
  if (!shape) return "nothing";
  const std::string kind = operation_kind_name(shape->kind);
  if (shape->site == model::SiteId{}) return kind;
  const std::string name = name_of ? name_of(shape->site) : std::string();
  return kind + (name.empty() ? " at site " + std::to_string(model::to_number(shape->site)) : " in " + name);
}

const char* describe(Divergence::Reason reason) {
  switch (reason) {
    case Divergence::Reason::kNoSuchThread:
      return "the thread does not exist";
    case Divergence::Reason::kThreadEnded:
      return "the thread has ended";
    case Divergence::Reason::kNotEnabled:
      return "the thread is blocked";
    case Divergence::Reason::kOtherOperation:
      return "the thread does something else";
    case Divergence::Reason::kOtherChoice:
      return "a notify finds other waiters";
    case Divergence::Reason::kNoTimer:
      return "nobody waits for a time";
    case Divergence::Reason::kLogEnded:
      return "the program goes on after the last step";
  }
  return "unknown";
}

}  // namespace

std::string describe(const Divergence& divergence, const NameOfSite& name_of) {
  return "step " + std::to_string(divergence.step) + ": " + describe(divergence.reason) + " (thread " +
         divergence.thread + ", its step " + std::to_string(divergence.thread_step) + ": expected " +
         describe(divergence.expected, name_of) + ", found " + describe(divergence.actual, name_of) + ")";
}

ThreadIndex Replay::resolve(const World& world, std::uint32_t logged) {
  if (logged >= by_logged_.size()) by_logged_.resize(logged + 1, kNoThread);
  ThreadIndex& known = by_logged_[logged];
  if (known == kNoThread) known = world.find(log_.names()[logged]);
  return known;
}

ThreadIndex Replay::diverge(const World& world, Divergence::Reason reason, ThreadIndex thread) {
  if (divergence_) return kGiveUp;
  Divergence& d = divergence_.emplace();
  d.reason = reason;
  d.step = world.steps();
  if (!cursor_.at_end()) {
    d.expected = cursor_.shape();
    d.thread = log_.names()[cursor_.thread()];
  }
  if (to_number(thread) < world.thread_count()) {
    d.thread = world.name(thread);
    d.thread_step = world.steps(thread);
    if (world.phase(thread) == Phase::kAtPoint)
      d.actual = Shape{world.pending(thread).kind, world.pending(thread).site};
  } else {
    d.thread_step = 0;
  }
  return kGiveUp;
}

ThreadIndex Replay::next(const World& world) {
  using Reason = Divergence::Reason;
  if (divergence_) return kGiveUp;
  if (next_jump_ < log_.jumps().size() && log_.jumps()[next_jump_] == cursor_.step()) {
    if (world.next_deadline() == World::kNever) {
      return world.aside() != 0 ? kWaitForAside : diverge(world, Reason::kNoTimer, kNoThread);
    }
    ++next_jump_;
    return kWaitForTime;
  }
  if (cursor_.at_end()) {
    const ThreadIndex next = run_on(world);
    return log_.complete() ? diverge(world, Reason::kLogEnded, next) : next;
  }
  const ThreadIndex thread = resolve(world, cursor_.thread());
  const bool exists = thread != kNoThread && world.phase(thread) != Phase::kNew;
  // Somebody who is not back yet may still start it, wake it or be it.
  if (world.aside() != 0 && (!exists || !world.is_enabled(thread))) return kWaitForAside;
  if (!exists) return diverge(world, Reason::kNoSuchThread, kNoThread);
  if (world.phase(thread) == Phase::kEnded) return diverge(world, Reason::kThreadEnded, thread);
  const Operation& op = world.pending(thread);
  if (Shape{op.kind, op.site} != cursor_.shape()) return diverge(world, Reason::kOtherOperation, thread);
  if (!world.is_enabled(thread)) return diverge(world, Reason::kNotEnabled, thread);
  if (hold_ == Hold::kWanted && watch_.look(world, thread)) hold_ = Hold::kHolding;
  return hold_ == Hold::kHolding ? kHold : thread;
}

std::uint32_t Replay::choose(const World& world, ThreadIndex thread, std::uint32_t n) {
  if (next_choice_ == log_.choices().size()) {
    if (!cursor_.at_end()) diverge(world, Divergence::Reason::kOtherChoice, thread);
    return 0;
  }
  const DecisionLog::Choice& choice = log_.choices()[next_choice_++];
  if (choice.of != n || resolve(world, choice.thread) != thread || choice.index != world.steps(thread)) {
    diverge(world, Divergence::Reason::kOtherChoice, thread);
  }
  return choice.picked < n ? choice.picked : 0;
}

void Replay::stepping(const World& world, ThreadIndex thread) {
  if (!cursor_.at_end()) cursor_.advance();
  // The first meeting was told when it was held.
  if (hold_ == Hold::kNone) watch_.look(world, thread);
  if (hold_ == Hold::kOver) hold_ = Hold::kNone;
}

void Replay::nudge() {
  if (hold_ == Hold::kHolding) hold_ = Hold::kOver;
}

StrategyCounts Replay::counts() const {
  StrategyCounts counts;
  counts.races = watch_.meetings();
  return counts;
}

}  // namespace deadheat::schedule
