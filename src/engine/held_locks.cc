// SPDX-License-Identifier: Apache-2.0
#include "engine/held_locks.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace deadheat::engine {

using model::EventKind;

HeldLocks::HeldLocks() { number_of({}); }

void HeldLocks::on_event(const model::Event& event) {
  const EventKind kind = event.kind;
  if (kind == EventKind::kEnd) threads_.erase(event.thread);
  if (kind != EventKind::kAcquire && kind != EventKind::kRelease && kind != EventKind::kWaitBegin &&
      kind != EventKind::kWaitEnd) {
    return;
  }
  Thread& thread = threads_[event.thread];
  const auto held = thread.depth.find(event.object);
  if (kind == EventKind::kAcquire) {
    ++thread.depth[event.object];
  } else if (kind == EventKind::kWaitEnd) {
    thread.depth[event.object] = std::max(thread.given_up[event.object], 1u);
    thread.given_up.erase(event.object);
  } else if (held != thread.depth.end()) {
    if (kind == EventKind::kWaitBegin) thread.given_up[event.object] = held->second;
    if (kind == EventKind::kWaitBegin || --held->second == 0) thread.depth.erase(held);
  }
  Locks locks;
  for (const auto& [lock, depth] : thread.depth) locks.push_back(lock);
  thread.held = number_of(std::move(locks));
}

LocksetId HeldLocks::held_by(model::ThreadId thread) {
  const auto found = threads_.find(thread);
  return found == threads_.end() ? LocksetId{} : found->second.held;
}

LocksetId HeldLocks::intersect(LocksetId a, LocksetId b) {
  if (a == b || a == LocksetId{}) return a;
  if (b == LocksetId{}) return b;
  const auto key = std::minmax(a, b);
  const auto [place, is_new] = intersections_.try_emplace({key.first, key.second});
  if (is_new) {
    const Locks& x = sets_[static_cast<std::uint32_t>(a)];
    const Locks& y = sets_[static_cast<std::uint32_t>(b)];
    Locks common;
    std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(common));
    place->second = number_of(std::move(common));
  }
  return place->second;
}

LocksetId HeldLocks::number_of(Locks locks) {
  const auto [place, is_new] = numbers_.try_emplace(locks, LocksetId{static_cast<std::uint32_t>(sets_.size())});
  if (is_new) sets_.push_back(std::move(locks));
  return place->second;
}

}  // namespace deadheat::engine
