// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_history.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "engine/shadow_word.h"

namespace deadheat::agent {

namespace {

constexpr std::uint32_t kGrowth = 8;
// A table is too small once so many times its size of other ways were looked for.
constexpr std::uint32_t kMissesPerPlace = 4;
constexpr std::uint32_t kParts = 8;

}  // namespace

ThreadHistory::ThreadHistory() {
  view.owner = this;
  resize(kFirstSize);
}

void ThreadHistory::resize(std::uint32_t size) {
  recent_ = std::make_unique<std::uint64_t[]>(size);
  view.recent = recent_.get();
  view.recent_mask = size - 1;
  view.until_growth = size < kMostSize ? size * kMissesPerPlace : std::numeric_limits<std::int32_t>::max();
}

void ThreadHistory::enlarge() { resize(std::min((view.recent_mask + 1) * kGrowth, kMostSize)); }

void ThreadHistory::remember(std::uint64_t key, std::uint32_t number) {
  view.recent[key & view.recent_mask] = (key & ~std::uint64_t{engine::kMaxSite}) | number;
}

void ThreadHistory::forget_some() {
  const std::uint32_t part = (view.recent_mask + 1) / kParts;
  std::fill_n(view.recent + forgotten_++ % kParts * part, part, 0);
}

void ThreadHistory::count_not_kept() {
  std::atomic_ref(view.not_kept).store(not_kept() + 1, std::memory_order_relaxed);
}

std::uint64_t ThreadHistory::not_kept() const {
  return std::atomic_ref(const_cast<std::uint64_t&>(view.not_kept)).load(std::memory_order_relaxed);
}

std::vector<std::uint64_t> ThreadHistory::held() const {
  return {view.held, view.held + std::min(view.depth, kMostHeldLocks)};
}

}  // namespace deadheat::agent
