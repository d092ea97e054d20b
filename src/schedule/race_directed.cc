// SPDX-License-Identifier: Apache-2.0
#include "schedule/race_directed.h"

#include <algorithm>

namespace deadheat::schedule {

void RaceDirected::set_hold(const World& world, ThreadIndex index, Hold hold) {
  Thread& state = thread(index);
  if (state.hold == Hold::kPostponed) --postponed_;
  if (hold == Hold::kPostponed) {
    ++postponed_;
    postponed_at_ = world.now();
    release_at_ = std::min(release_at_, world.steps() + options_.livelock_limit);
  }
  state.hold = hold;
  state.since = world.steps();
}

void RaceDirected::release_livelocked(const World& world) {
  if (world.steps() < release_at_) return;
  release_at_ = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].hold != Hold::kPostponed) continue;
    const std::uint64_t release_at = threads_[i].since + options_.livelock_limit;
    if (world.steps() < release_at) {
      release_at_ = std::min(release_at_, release_at);
      continue;
    }
    set_hold(world, ThreadIndex{i}, Hold::kReleased);
    ++counts_.livelock_releases;
  }
}

// Everybody who could go is postponed, and nobody else can come: one of them, at random, goes.
ThreadIndex RaceDirected::nobody_free(const World& world) {
  const std::uint64_t deadline = world.next_deadline();
  if (deadline != World::kNever && deadline - postponed_at_ <= options_.patience) return kWaitForTime;
  if (world.aside() != 0 && !nudged_) return kWaitForAside;
  nudged_ = false;
  const auto enabled = world.enabled();
  const ThreadIndex chosen = enabled[random_.below(static_cast<std::uint32_t>(enabled.size()))];
  set_hold(world, chosen, Hold::kReleased);
  ++counts_.thrashing_releases;
  return chosen;
}

// A random thread in Enabled \ postponed; kNoThread when there is none.
ThreadIndex RaceDirected::pick_free(const World& world) {
  const auto enabled = world.enabled();
  if (postponed_ == 0) return enabled[random_.below(static_cast<std::uint32_t>(enabled.size()))];
  scratch_.clear();
  for (const ThreadIndex index : enabled) {
    if (thread(index).hold != Hold::kPostponed) scratch_.push_back(index);
  }
  return scratch_.empty() ? kNoThread : scratch_[random_.below(static_cast<std::uint32_t>(scratch_.size()))];
}

bool RaceDirected::arrived_goes_first(const Operation& arrived, const Operation& other) {
  if (options_.resolution == Resolution::kCoin || arrived.site == other.site) return random_.one_in(2);
  return arrived.site ==
         (options_.resolution == Resolution::kFirstSiteFirst ? options_.pair.first : options_.pair.second);
}

ThreadIndex RaceDirected::resolve(const World& world, ThreadIndex arrived, const std::vector<ThreadIndex>& racing) {
  ++counts_.races;
  const Operation& op = world.pending(arrived);
  const Operation& other = world.pending(racing.front());
  const bool arrived_first = arrived_goes_first(op, other);
  const ThreadIndex first = arrived_first ? arrived : racing.front();
  if (listener_ != nullptr) listener_->on_race(world, {world.steps(), arrived, racing.front(), op, other, first});
  if (arrived_first) return arrived;
  set_hold(world, arrived, Hold::kPostponed);
  forced_.assign(racing.rbegin(), racing.rend());
  forced_.pop_back();
  return first;
}

ThreadIndex RaceDirected::next(const World& world) {
  threads_.resize(world.thread_count());
  while (!forced_.empty()) {
    const ThreadIndex index = forced_.back();
    forced_.pop_back();
    if (world.is_enabled(index) && stands_at(world, index, options_.pair)) return index;
  }
  release_livelocked(world);
  while (true) {
    const ThreadIndex index = pick_free(world);
    if (index == kNoThread) return nobody_free(world);
    if (!stands_at(world, index, options_.pair)) return index;
    std::vector<ThreadIndex> racing = racing_with(world, index, options_.pair);
    const bool must_go = thread(index).hold == Hold::kReleased;
    // As printed, only with those held there: they do not race among themselves, and a pending one that is not held
    // will meet this one in its turn. Unless this one goes now.
    if (!must_go) std::erase_if(racing, [this](ThreadIndex other) { return thread(other).hold == Hold::kFree; });
    if (!racing.empty()) return resolve(world, index, racing);
    if (must_go) return index;
    set_hold(world, index, Hold::kPostponed);
  }
}

void RaceDirected::stepping(const World& world, ThreadIndex index) { set_hold(world, index, Hold::kFree); }

}  // namespace deadheat::schedule
