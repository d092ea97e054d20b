// SPDX-License-Identifier: Apache-2.0
#include "engine/locksets.h"

#include <algorithm>
#include <iterator>

namespace deadheat::engine {
namespace {

constexpr std::size_t kMostMoves = 1024;

}  // namespace

LocksetTable::LocksetTable(std::uint32_t most_sets) : most_sets_(std::max(most_sets, 1u)) { number_locked({}); }

LocksetId LocksetTable::number_of(const Locks& locks) {
  const std::lock_guard lock(mutex_);
  return number_locked(locks);
}

LocksetId LocksetTable::number_locked(const Locks& locks) {
  const auto known = numbers_.find(locks);
  if (known != numbers_.end()) return known->second;
  if (sets_.size() >= most_sets_) {
    ++refused_;
    return kUnknownLocks;
  }
  const auto place = numbers_.emplace(locks, LocksetId{static_cast<std::uint32_t>(sets_.size())}).first;
  sets_.push_back(&place->first);
  return place->second;
}

LocksetId LocksetTable::intersect(LocksetId a, LocksetId b) {
  if (a == b || a == LocksetId{} || b == kUnknownLocks) return a;
  if (b == LocksetId{} || a == kUnknownLocks) return b;
  const auto key = std::minmax(a, b);
  const std::lock_guard lock(mutex_);
  const auto known = intersections_.find({key.first, key.second});
  if (known != intersections_.end()) return known->second;
  const Locks& x = *sets_[static_cast<std::uint32_t>(a)];
  const Locks& y = *sets_[static_cast<std::uint32_t>(b)];
  Locks common;
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(common));
  const LocksetId result = number_locked(common);
  if (intersections_.size() >= most_sets_) intersections_.clear();  // a cache: worked out again when asked for
  intersections_.emplace(std::pair(key.first, key.second), result);
  return result;
}

LocksetId LocksetTable::unite(LocksetId a, LocksetId b) {
  if (a == b || b == LocksetId{} || a == kUnknownLocks) return a;
  if (a == LocksetId{} || b == kUnknownLocks) return b;
  const std::lock_guard lock(mutex_);
  const Locks& x = *sets_[static_cast<std::uint32_t>(a)];
  const Locks& y = *sets_[static_cast<std::uint32_t>(b)];
  Locks all;
  std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(all));
  return number_locked(all);
}

std::uint64_t LocksetTable::size() const {
  const std::lock_guard lock(mutex_);
  return sets_.size();
}

std::uint64_t LocksetTable::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

void HeldSet::acquire(LocksetTable& table, std::uint64_t lock) {
  if (++depth_[lock] > 1) return;
  const auto known = moves_.find({id_, lock});
  if (known != moves_.end()) {
    id_ = known->second;
    return;
  }
  const LocksetId before = id_;
  renumber(table);
  if (moves_.size() >= kMostMoves) moves_.clear();
  if (before != kUnknownLocks) moves_.emplace(std::pair(before, lock), id_);
}

void HeldSet::release(LocksetTable& table, std::uint64_t lock) {
  const auto held = depth_.find(lock);
  if (held == depth_.end() || --held->second > 0) return;
  depth_.erase(held);
  renumber(table);
}

void HeldSet::begin_wait(LocksetTable& table, std::uint64_t lock) {
  const auto held = depth_.find(lock);
  if (held == depth_.end()) return;
  given_up_[lock] = held->second;
  depth_.erase(held);
  renumber(table);
}

void HeldSet::end_wait(LocksetTable& table, std::uint64_t lock) {
  const auto before = given_up_.find(lock);
  depth_[lock] = before == given_up_.end() ? 1 : before->second;
  if (before != given_up_.end()) given_up_.erase(before);
  renumber(table);
}

void HeldSet::renumber(LocksetTable& table) {
  if (depth_.empty()) {
    id_ = LocksetId{};
    return;
  }
  Locks locks;
  for (const auto& [lock, depth] : depth_) locks.push_back(lock);
  id_ = table.number_of(locks);
}

}  // namespace deadheat::engine
