// SPDX-License-Identifier: Apache-2.0
#include "schedule/pct.h"

#include <algorithm>

namespace deadheat::schedule {

// A look at the clock weighs 1.
constexpr std::uint64_t kStepWeight = 10;

Pct::Pct(std::uint64_t seed, const PctOptions& options) : options_(options), random_(seed) {
  const std::uint64_t steps = std::max<std::uint64_t>(options.expected_steps, 1);
  for (std::uint32_t i = 1; i < options.depth; ++i) change_points_.push_back(random_.next() % steps + 1);
}

ThreadIndex Pct::highest(const World& world) const {
  const auto enabled = world.enabled();
  return *std::max_element(enabled.begin(), enabled.end(), [this](ThreadIndex a, ThreadIndex b) {
    return priorities_[to_number(a)] < priorities_[to_number(b)];
  });
}

ThreadIndex Pct::next(const World& world) {
  constexpr std::int64_t kRandom = std::int64_t{1} << 62;
  while (priorities_.size() < world.thread_count()) {
    priorities_.push_back(kRandom + static_cast<std::int64_t>(random_.next() >> 2));
  }
  for (std::size_t i = 0; i < change_points_.size(); ++i) {
    if (change_points_[i] != steps_ + 1) continue;
    change_points_[i] = 0;
    priorities_[to_number(highest(world))] = static_cast<std::int64_t>(i) + 1;
  }
  const ThreadIndex chosen = highest(world);
  const bool goes_on = chosen == world.last() && world.enabled().size() > 1;
  const std::uint64_t weight = world.pending(chosen).kind == OperationKind::kClock ? 1 : kStepWeight;
  run_length_ = goes_on ? run_length_ + weight : 0;
  if (run_length_ < options_.starvation_limit * kStepWeight) return chosen;
  ++counts_.livelock_releases;
  run_length_ = 0;
  priorities_[to_number(chosen)] = --lowest_;
  return highest(world);
}

void Pct::stepping(const World& world, ThreadIndex thread) {
  const OperationKind kind = world.pending(thread).kind;
  if (kind != OperationKind::kClock) ++steps_;
  if (kind != OperationKind::kYield) return;
  yields_.resize(world.thread_count());
  std::uint32_t& yields = yields_[to_number(thread)];
  if (++yields < (options_.depth == 1 ? options_.spin_limit : 1)) return;
  yields = 0;
  priorities_[to_number(thread)] = --lowest_;
}

}  // namespace deadheat::schedule
