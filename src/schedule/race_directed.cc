// SPDX-License-Identifier: Apache-2.0
#include "schedule/race_directed.h"

#include <algorithm>
#include <iterator>

#include "schedule/run_on.h"

namespace deadheat::schedule {

namespace {

constexpr std::size_t kMostAims = 64;
// One step in so many is anybody's while the two of an aim are on their way: they may wait for somebody without saying
// so. Rarely: each may be the change that keeps them from getting there.
constexpr std::uint32_t kAnybody = 64;
// With one side, or if threads shall run on, a thread is left before it has to be at one step in so many.
constexpr std::uint32_t kSwitch = 32;

}  // namespace

void RaceDirected::set_hold(const World& world, ThreadIndex index, Hold hold) {
  Thread& state = thread(index);
  if (state.hold == Hold::kPostponed) --postponed_;
  if (hold == Hold::kPostponed) {
    ++postponed_;
    postponed_at_ = world.now();
    release_at_ = std::min(release_at_, world.steps() + options_.livelock_limit);
  }
  if (state.hold != hold && hold != Hold::kFree) {
    for (Thread& other : threads_) other.yields = 0;
  }
  state.hold = hold;
  state.since = world.steps();
}

void RaceDirected::release(const World& world, ThreadIndex index) {
  ++thread(index).in_vain;
  drop_aim();
  set_hold(world, index, Hold::kReleased);
}

// From here on by chance: the survey has led to nothing, and would again.
void RaceDirected::drop_aim() {
  if (aiming_ && in_order_of_survey()) random_ = Random(options_.seed_until_met.value_or(seed_));
  aiming_ = false;
  stopped_ = false;
}

// Whether the thread stands where the aim stops it. Once: no other operation of it has that number.
bool RaceDirected::stops_here(const World& world, ThreadIndex index) {
  if (!aiming_ || !options_.aim->stop || index != first_ || index == goes_on_) return false;
  if (world.pending(index).site != options_.stop_site) return false;
  return thread(index).at_stop + 1 == options_.aim->stop->visit &&
         (second_ == kNoThread || thread(second_).hold != Hold::kPostponed);
}

// The second thread is held: what the first one was to see has happened.
void RaceDirected::end_stop(const World& world) {
  if (!stopped_) return;
  stopped_ = false;
  set_hold(world, first_, Hold::kFree);
  goes_on_ = first_;
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
    release(world, ThreadIndex{i});
    ++counts_.livelock_releases;
  }
}

// Whoever spins waits for another thread: when all that are free do, it is one of those held.
bool RaceDirected::only_spinners_free(const World& world) {
  if (postponed_ == 0) return false;
  bool any_held = false;
  for (const ThreadIndex index : world.enabled()) {
    const Thread& state = thread(index);
    if (state.hold == Hold::kPostponed) {
      any_held = true;
    } else if (state.yields < options_.spin_limit) {
      return false;
    }
  }
  return any_held;
}

// Whether virtual time may jump although those who are held could go.
bool RaceDirected::waits_for_time(const World& world) const {
  const std::uint64_t deadline = world.next_deadline();
  if (counts_.races != 0 || deadline == World::kNever || deadline - postponed_at_ > options_.patience) return false;
  if (world.pending(world.next_due()).kind == OperationKind::kSleep) return true;
  if (!aiming_) return false;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (world.has_timer(ThreadIndex{i}) && is_awaited(world, ThreadIndex{i})) return true;
  }
  return false;
}

// Everybody who could go is postponed or spins, and nobody else can come: of those held, the one that was held in vain
// most often goes, at random among equals.
ThreadIndex RaceDirected::nobody_free(const World& world) {
  if (waits_for_time(world)) return kWaitForTime;
  if (world.aside() != 0 && !nudged_) return kWaitForAside;
  nudged_ = false;
  scratch_.clear();
  std::uint32_t most = 0;
  for (const ThreadIndex index : world.enabled()) {
    const Thread& state = thread(index);
    if (state.hold != Hold::kPostponed || state.in_vain < most) continue;
    if (state.in_vain > most) scratch_.clear();
    most = state.in_vain;
    scratch_.push_back(index);
  }
  const ThreadIndex chosen = scratch_[random_.below(static_cast<std::uint32_t>(scratch_.size()))];
  release(world, chosen);
  ++counts_.thrashing_releases;
  return chosen;
}

// The next one of a survey; kNoThread when everybody is held. One that is held is not drawn from, as one that has ended
// is not: if it ran to its end in the survey the same draws give the others the same order.
ThreadIndex RaceDirected::pick_as_in(Survey survey, const World& world) {
  const auto is_free = [&](ThreadIndex index) {
    return world.is_enabled(index) && thread(index).hold != Hold::kPostponed;
  };
  const bool fair = run_length_ < options_.fair_run;
  if (fair && runs_on(world) && is_free(world.last())) return world.last();
  scratch_.clear();
  std::copy_if(world.enabled().begin(), world.enabled().end(), std::back_inserter(scratch_), is_free);
  if (!fair) {
    run_length_ = 0;
    if (scratch_.size() > 1) std::erase(scratch_, world.last());
  }
  if (scratch_.empty()) return kNoThread;
  if (survey != Survey::kAtRandom) return next_in_circle(scratch_, world.last(), survey == Survey::kYoungestFirst);
  return scratch_[random_.below(static_cast<std::uint32_t>(scratch_.size()))];
}

// A random thread in Enabled \ postponed; kNoThread when there is none.
ThreadIndex RaceDirected::pick_free(const World& world) {
  if (aiming_ && goes_on_ != kNoThread && world.is_enabled(goes_on_)) return goes_on_;
  if (aiming_ && in_order_of_survey()) return pick_as_in(options_.aim->seen->survey, world);
  const auto enabled = world.enabled();
  if (aiming_ && comes_by(world, world.last())) return world.last();
  if (aiming_ && !random_.one_in(kAnybody)) {
    scratch_.clear();
    for (const ThreadIndex index : enabled) {
      if (is_awaited(world, index)) scratch_.push_back(index);
    }
    if (!scratch_.empty()) return scratch_[random_.below(static_cast<std::uint32_t>(scratch_.size()))];
  }
  if ((options_.one_side || options_.run_on) && runs_on(world) && thread(world.last()).hold != Hold::kPostponed &&
      !random_.one_in(kSwitch)) {
    return world.last();
  }
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
  aiming_ = false;
  if (counts_.races == 1 && (options_.seed_until_met || in_order_of_survey())) random_ = Random(seed_);
  thread(arrived).in_vain = 0;
  for (const ThreadIndex other : racing) thread(other).in_vain = 0;
  const Operation& op = world.pending(arrived);
  const Operation& other = world.pending(racing.front());
  const bool arrived_first = arrived_goes_first(op, other);
  const ThreadIndex first = arrived_first ? arrived : racing.front();
  if (listener_ != nullptr) listener_->on_race(world, {world.steps(), arrived, racing.front(), op, other, first});
  const Hold loser = random_.one_in(2) ? Hold::kReleased : Hold::kPostponed;
  if (arrived_first) {
    for (const ThreadIndex behind : racing) set_hold(world, behind, loser);
    return arrived;
  }
  set_hold(world, arrived, loser);
  forced_.assign(racing.rbegin(), racing.rend());
  forced_.pop_back();
  return first;
}

ThreadIndex RaceDirected::next(const World& world) {
  threads_.resize(world.thread_count());
  if (aiming_) find_aimed(world);
  while (!forced_.empty()) {
    const ThreadIndex index = forced_.back();
    forced_.pop_back();
    if (world.is_enabled(index) && stands_at(world, index, options_.pair)) return index;
  }
  if (options_.survey != Survey::kNone) return pick_as_in(options_.survey, world);
  release_livelocked(world);
  if (only_spinners_free(world)) return nobody_free(world);
  while (true) {
    const ThreadIndex index = pick_free(world);
    if (index == kNoThread) return nobody_free(world);
    if (stops_here(world, index)) {
      stopped_ = true;
      set_hold(world, index, Hold::kPostponed);
      continue;
    }
    if (!stands_at(world, index, options_.pair)) return index;
    std::vector<ThreadIndex> racing = racing_with(world, index, options_.pair);
    const bool must_go = thread(index).hold == Hold::kReleased || passes(world, index);
    // As printed, only with those held there: they do not race among themselves, and a pending one that is not held
    // will meet this one in its turn. Unless this one goes now.
    if (!must_go) std::erase_if(racing, [this](ThreadIndex other) { return thread(other).hold == Hold::kFree; });
    if (!racing.empty()) return resolve(world, index, racing);
    if (must_go) return index;
    set_hold(world, index, Hold::kPostponed);
    if (index == second_) end_stop(world);
  }
}

bool RaceDirected::is_aimed_at(ThreadIndex index) const {
  const Aim& aim = *options_.aim;
  const std::uint32_t visit = threads_[to_number(index)].visits + 1;
  return (visit == aim.first_visit && index == first_) || (visit == aim.second_visit && index == second_);
}

void RaceDirected::find_aimed(const World& world) {
  for (; names_seen_ < world.thread_count(); ++names_seen_) {
    const ThreadIndex index{names_seen_};
    if (world.name(index) == options_.aim->first) first_ = index;
    if (world.name(index) == options_.aim->second) second_ = index;
  }
}

// Whether it is one of the two of the aim and still on its way, or has to start one of them.
bool RaceDirected::is_awaited(const World& world, ThreadIndex index) const {
  const Thread& state = threads_[to_number(index)];
  if (state.hold == Hold::kPostponed) return false;
  const auto awaited = [&](ThreadIndex aimed, const std::string& name, std::uint32_t visit) {
    if (index == aimed) return state.visits < visit;
    const bool started = aimed != kNoThread && world.phase(aimed) != Phase::kNew;
    return !started && is_ancestor(world.name(index), name);
  };
  const Aim& aim = *options_.aim;
  return awaited(first_, aim.first, aim.first_visit) || awaited(second_, aim.second, aim.second_visit);
}

// Whether the thread stands at a site where it is not wanted.
bool RaceDirected::comes_by(const World& world, ThreadIndex index) const {
  return index != kNoThread && world.is_enabled(index) && stands_at(world, index, options_.pair) &&
         threads_[to_number(index)].hold != Hold::kPostponed && !is_aimed_at(index);
}

bool RaceDirected::passes(const World& world, ThreadIndex index) {
  if (aiming_) return !is_aimed_at(index);
  if (options_.one_side && world.pending(index).site != *options_.one_side) return true;
  const std::uint32_t in_vain = thread(index).in_vain;
  return in_vain != 0 && random_.below(options_.patient_holds + in_vain) < in_vain;
}

void RaceDirected::stepping(const World& world, ThreadIndex index) {
  threads_.resize(world.thread_count());
  if (stands_at(world, index, options_.pair)) visits_.add(world, index, ++thread(index).visits, options_.pair);
  set_hold(world, index, Hold::kFree);
  if (options_.stop_site != model::SiteId{} && world.pending(index).site == options_.stop_site) ++thread(index).at_stop;
  if (index == goes_on_) goes_on_ = kNoThread;
  run_length_ = index == world.last() ? run_length_ + 1 : 0;
  if (may_spin(world.pending(index).kind)) ++thread(index).yields;
}

std::uint64_t RaceDirected::steps_ahead() const {
  if (options_.survey == Survey::kNone || run_length_ >= options_.fair_run) return 0;
  return options_.fair_run - run_length_;
}

StrategyCounts RaceDirected::counts() const {
  StrategyCounts counts = counts_;
  if (counts.races != 0) return counts;
  std::optional<SeenIn> seen;
  if (options_.survey != Survey::kNone) seen = {options_.survey, seed_};
  for (const Aim& aim : visits_.aims(kMostAims, seen)) counts.aims.push_back(to_text(aim));
  return counts;
}

}  // namespace deadheat::schedule
