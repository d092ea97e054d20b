// SPDX-License-Identifier: Apache-2.0
#include "schedule/event_follower.h"

#include <algorithm>
#include <string_view>

namespace deadheat::schedule {

using model::EventKind;

namespace {

// What an event without a site is told with.
constexpr std::string_view kOutside =
    " by the VM itself or in native code (a thread that ends locks its Thread object)";

bool fits(const Operation& op, const ScriptEvent& event) {
  const OperationKind wanted = event.kind == EventKind::kWrite ? OperationKind::kWrite : OperationKind::kRead;
  return op.kind == wanted && op.site == event.site;
}

}  // namespace

std::string describe(const Followed::What& what, const NameOfSite& name_of) {
  const std::string place = what.site == model::SiteId{} || !name_of ? std::string() : name_of(what.site);
  if (!place.empty()) return what.text + " in " + place;
  return what.site == model::SiteId{} ? what.text : what.text + " in code that this run has not loaded";
}

const char* result_name(Followed::Result result) {
  switch (result) {
    case Followed::Result::kUnderWay:
      return "under way";
    case Followed::Result::kCreated:
      return "created";
    case Followed::Result::kDiverged:
      return "diverged";
    case Followed::Result::kBlocked:
      return "blocked";
    case Followed::Result::kNotShown:
      return "not shown";
  }
  return "unknown";
}

EventFollower::EventFollower(const EventScript& script, std::uint64_t seed, Listener* listener)
    : script_(script),
      listener_(listener),
      after_(seed),
      threads_(script.threads.size()),
      happened_(script.events.size(), kNotYet),
      objects_(script.steps.size()) {
  for (std::uint32_t e = 0; e < script.events.size(); ++e) threads_[script.events[e].thread].events.push_back(e);
}

void EventFollower::happen(const World& world, ThreadIndex thread, std::uint32_t event, std::uint64_t object) {
  happened_[event] = count_++;
  for (std::uint32_t s = 0; s < script_.steps.size(); ++s) {
    if (script_.steps[s].event != event) continue;
    objects_[s] = object;
    tell_step(world, thread, s);
  }
}

void EventFollower::tell_step(const World& world, ThreadIndex thread, std::uint32_t step) {
  if (listener_ != nullptr) listener_->on_step(world, thread, step);
}

EventFollower::Sign EventFollower::sign_of(const Thread& thread, std::size_t at) const {
  const ScriptEvent& event = script_.events[thread.events[at]];
  return {event.kind, event.site};
}

bool EventFollower::can_be_left_out(const Thread& thread, std::size_t at) const {
  return script_.events[thread.events[at]].soft && !is_step(thread.events[at]);
}

// Whether a hard event is one that comes after soft ones, which are then left out.
bool EventFollower::skip_to(Thread& thread, Sign sign) {
  std::size_t at = thread.next;
  for (; at < thread.events.size() && sign_of(thread, at) != sign; ++at) {
    if (!can_be_left_out(thread, at)) return false;
  }
  if (at == thread.events.size()) return false;
  leave_out(thread, at);
  return true;
}

// Whether a soft event is one of those further on, and what comes before it there are the last unforeseen ones; then
// these have happened, and what is before them is left out.
bool EventFollower::skip_soft(Thread& thread, Sign sign) {
  constexpr std::size_t kReach = 1024;
  constexpr std::size_t kLeftOutForEach = 4;  // how much more evidence allows
  const std::vector<Sign>& before = thread.unforeseen;
  const std::size_t end = std::min(thread.events.size(), thread.next + kReach);
  for (std::size_t at = thread.next; at < end && can_be_left_out(thread, at); ++at) {
    if (sign_of(thread, at) != sign) continue;
    std::size_t fits = 1;
    while (fits <= before.size() && fits <= at - thread.next &&
           sign_of(thread, at - fits) == before[before.size() - fits]) {
      ++fits;
    }
    const std::size_t left_out = at + 1 - fits - thread.next;
    if (fits <= kMostEvidence && left_out > (fits - 1) * kLeftOutForEach + 1) continue;
    leave_out(thread, at + 1 - fits);
    followed_.unforeseen -= fits - 1;
    for (; thread.next < at; ++thread.next) happened_[thread.events[thread.next]] = count_++;
    return true;
  }
  return false;
}

// Whether the thread stands before its next hard event though soft ones were to come: they will not any more.
bool EventFollower::pass_soft(const World& world, Thread& thread) {
  if (thread.index == kNoThread || world.phase(thread.index) != Phase::kAtPoint) return false;
  thread.next_hard = std::max(thread.next_hard, thread.next);
  while (thread.next_hard < thread.events.size() && can_be_left_out(thread, thread.next_hard)) ++thread.next_hard;
  if (thread.next_hard == thread.next || thread.next_hard == thread.events.size()) return false;
  const ScriptEvent& hard = script_.events[thread.events[thread.next_hard]];
  if (hard.soft) return false;  // a step: it may stand before another one at that site
  if (hard.site == model::SiteId{} || world.pending(thread.index).site != hard.site) return false;
  leave_out(thread, thread.next_hard);
  return true;
}

void EventFollower::leave_out(Thread& thread, std::size_t until) {
  for (; thread.next < until; ++thread.next) {
    happened_[thread.events[thread.next]] = count_;
    ++followed_.skipped;
  }
}

void EventFollower::on_event(const World& world, ThreadIndex index, EventKind kind, model::SiteId site,
                             std::uint64_t object, bool soft) {
  if (!is_under_way()) return;
  if (to_number(index) >= by_index_.size()) by_index_.resize(to_number(index) + 1);
  Thread*& known = by_index_[to_number(index)];
  if (known == nullptr) {
    const auto found = std::find(script_.threads.begin(), script_.threads.end(), world.name(index));
    if (found == script_.threads.end()) return;  // it has no part in this
    known = &threads_[static_cast<std::size_t>(found - script_.threads.begin())];
    known->index = index;
  }
  Thread& thread = *known;
  if (thread.next == thread.events.size()) return;  // beyond its part
  const std::uint32_t expected = thread.events[thread.next];
  const Sign sign{kind, site};
  if (sign_of(thread, thread.next) == sign || (soft ? skip_soft(thread, sign) : skip_to(thread, sign))) {
    thread.unforeseen.clear();
    happen(world, index, thread.events[thread.next++], object);
    return;
  }
  if (soft) {
    ++followed_.unforeseen;
    if (thread.unforeseen.size() == kMostEvidence) thread.unforeseen.erase(thread.unforeseen.begin());
    thread.unforeseen.push_back(sign);
    return;
  }
  // It has done its part in the anomaly, and may well do something else now, because of it. Whoever needs it to let go
  // of something makes it do that (who_lets_go).
  if (!has_step_left(thread)) {
    thread.strayed = true;
    return leave_out(thread, thread.events.size());
  }
  const std::string_view where = site == model::SiteId{} ? kOutside : "";
  give_up(world, Followed::Result::kDiverged, expected, {model::event_kind_name(kind) + std::string(where), site});
}

bool EventFollower::has_step_left(const Thread& thread) const {
  return std::any_of(script_.steps.begin(), script_.steps.end(), [&](const auto& step) {
    return happened_[step.event] == kNotYet && &threads_[script_.events[step.event].thread] == &thread;
  });
}

ThreadIndex EventFollower::give_up(const World&, Followed::Result result, std::uint32_t event, Followed::What actual) {
  followed_.result = result;
  followed_.event = event + 1;
  followed_.thread = script_.threads[script_.events[event].thread];
  followed_.expected = {model::event_kind_name(script_.events[event].kind), script_.events[event].site};
  followed_.actual = std::move(actual);
  return kGiveUp;
}

// Steps of the anomaly are never left out, and nobody runs ahead beyond his next one.
bool EventFollower::is_step(std::uint32_t event) const {
  return std::any_of(script_.steps.begin(), script_.steps.end(), [&](const auto& step) { return step.event == event; });
}

// Who has to let go of something before the thread can go on, and can go on himself. The script has nobody wait for
// long, but a library that does something once takes its locks in another thread than it did.
ThreadIndex EventFollower::who_lets_go(const World& world, ThreadIndex thread) const {
  ThreadIndex holder = world.waits_for(thread);
  for (std::size_t far = 0; far < by_index_.size() && holder != kNoThread; ++far) {
    if (world.is_enabled(holder)) break;
    holder = world.waits_for(holder);
  }
  if (holder == kNoThread || !world.is_enabled(holder)) return kNoThread;
  const Thread* known = to_number(holder) < by_index_.size() ? by_index_[to_number(holder)] : nullptr;
  if (known == nullptr || known->next == known->events.size()) return holder;
  const std::uint32_t event = known->events[known->next];
  return is_step(event) && fits(world.pending(holder), script_.events[event]) ? kNoThread : holder;
}

// A thread that does not follow the script any more and can go on: it may wake, or let go of, what the script has it
// do by now.
ThreadIndex EventFollower::who_strayed(const World& world) const {
  for (const Thread& thread : threads_) {
    if (thread.strayed && world.phase(thread.index) != Phase::kEnded && world.is_enabled(thread.index)) {
      return thread.index;
    }
  }
  return kNoThread;
}

// Lets the thread of the event go, or says why it cannot.
ThreadIndex EventFollower::bring(const World& world, std::uint32_t event) {
  Thread& thread = thread_of(event);
  if (thread.index == kNoThread) thread.index = world.find(script_.threads[script_.events[event].thread]);
  const ThreadIndex index = thread.index;
  const bool exists = index != kNoThread && world.phase(index) != Phase::kNew;
  if (exists && world.is_enabled(index)) return index;
  // Somebody who is not back yet may still start it, wake it or be it.
  if (world.aside() != 0) return kWaitForAside;
  if (!exists) return give_up(world, Followed::Result::kDiverged, event, {"the thread was never started"});
  if (world.phase(index) == Phase::kEnded) {
    return give_up(world, Followed::Result::kDiverged, event, {"the thread has ended"});
  }
  if (world.has_timer(index) && world.next_deadline() != World::kNever) return kWaitForTime;
  if (const ThreadIndex ahead = who_lets_go(world, index); ahead != kNoThread) return ahead;
  if (const ThreadIndex strayed = who_strayed(world); strayed != kNoThread) return strayed;
  const ThreadIndex holder = world.waits_for(index);
  return give_up(world, Followed::Result::kBlocked, event,
                 {std::string("the thread stands before ") + operation_kind_name(world.pending(index).kind) +
                      (holder == kNoThread ? ", and nobody wakes it" : ", and waits for thread " + world.name(holder)),
                  world.pending(index).site});
}

bool EventFollower::stands_before(const World& world, std::uint32_t event) {
  const Thread& thread = thread_of(event);
  if (thread.index == kNoThread || world.phase(thread.index) != Phase::kAtPoint) return false;
  // Soft events may still be between.
  return thread.next < thread.events.size() && fits(world.pending(thread.index), script_.events[event]);
}

// Both threads of a race up to their accesses; the first of the script then goes first.
ThreadIndex EventFollower::meet(const World& world) {
  const std::uint32_t first = script_.steps[0].event;
  const std::uint32_t second = script_.steps[1].event;
  for (const std::uint32_t event : {first, second}) {
    if (happened_[event] != kNotYet) {
      return give_up(world, Followed::Result::kNotShown, event, {"it happened before the other thread was there"});
    }
    if (!stands_before(world, event)) return bring(world, event);
  }
  const ThreadIndex a = thread_of(first).index;
  const ThreadIndex b = thread_of(second).index;
  if (!races(world.pending(a), world.pending(b))) {
    return give_up(world, Followed::Result::kNotShown, second, {"the two accesses are of different variables"});
  }
  if (!world.is_enabled(a) || !world.is_enabled(b)) return bring(world, world.is_enabled(a) ? second : first);
  followed_.result = Followed::Result::kCreated;
  ++meetings_;
  tell_step(world, a, 0);
  tell_step(world, b, 1);
  if (listener_ != nullptr) {
    listener_->on_race(world, {world.steps(), b, a, world.pending(b), world.pending(a), a});
  }
  return a;
}

bool EventFollower::shows_anomaly() const {
  const auto& steps = script_.steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i > 0 && happened_[steps[i].event] <= happened_[steps[i - 1].event]) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if ((steps[i].variable == steps[j].variable) != (objects_[i] == objects_[j])) return false;
    }
  }
  return true;
}

void EventFollower::finish() {
  if (shows_anomaly()) {
    followed_.result = Followed::Result::kCreated;
    ++meetings_;
    return;
  }
  followed_.result = Followed::Result::kNotShown;
  followed_.event = script_.steps.back().event + 1;
  followed_.thread = script_.threads[script_.events[script_.steps.back().event].thread];
  followed_.actual = {"its events happened in another order, or on other variables"};
}

ThreadIndex EventFollower::next(const World& world) {
  if (followed_.result == Followed::Result::kCreated) return after_.next(world);
  if (!is_under_way()) return kGiveUp;
  const auto last = static_cast<std::uint32_t>(script_.adjacent ? script_.steps[0].event : script_.events.size());
  for (; at_ < last; ++at_) {
    if (happened_[at_] != kNotYet) continue;
    Thread& thread = thread_of(at_);
    const bool has_ended = thread.index != kNoThread && world.phase(thread.index) == Phase::kEnded;
    if (has_ended && !has_step_left(thread)) {
      leave_out(thread, thread.events.size());
    } else if (!pass_soft(world, thread)) {
      break;
    }
  }
  if (at_ < last) return bring(world, at_);
  if (script_.adjacent) return meet(world);
  finish();
  return is_under_way() || followed_.result != Followed::Result::kCreated ? kGiveUp : after_.next(world);
}

std::uint32_t EventFollower::choose(const World& world, ThreadIndex thread, std::uint32_t n) {
  if (!is_under_way()) return after_.choose(world, thread, n);
  const Thread* known = to_number(thread) < by_index_.size() ? by_index_[to_number(thread)] : nullptr;
  if (known == nullptr || known->next == known->events.size()) return 0;
  const ScriptEvent& event = script_.events[known->events[known->next]];
  if (event.kind != EventKind::kNotify || !event.peer) return 0;
  const auto waiters = world.waiters(world.pending(thread).object);
  for (std::uint32_t i = 0; i < waiters.size() && i < n; ++i) {
    if (world.name(waiters[i]) == script_.threads[*event.peer]) return i;
  }
  return 0;
}

StrategyCounts EventFollower::counts() const {
  StrategyCounts counts;
  counts.races = meetings_;
  return counts;
}

}  // namespace deadheat::schedule
