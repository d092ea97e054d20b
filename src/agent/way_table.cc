// SPDX-License-Identifier: Apache-2.0
#include "agent/way_table.h"

#include <algorithm>

#include "agent/history_layout.h"
#include "agent/options.h"

namespace deadheat::agent {

namespace {

constexpr std::uint64_t kNumberMask = engine::kMaxSite;

std::uint64_t load(const std::uint64_t& word) {
  return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_acquire);
}

void store(std::uint64_t& word, std::uint64_t value) { std::atomic_ref(word).store(value, std::memory_order_release); }

}  // namespace

static_assert(kMostWays == kMostHistory && (WayTable::kMostEntries & (WayTable::kMostEntries - 1)) == 0);

WayTable::WayTable(std::uint32_t most) : most_(std::min(most, kMostWays)), ways_(most_) {
  block_.get()[0] = kFewestEntries;
}

std::uint32_t WayTable::find(std::uint64_t hash) const {
  if ((load(filter_of(hash)) >> (hash >> kFilterShift) % 64 & 1) == 0) return 0;
  const std::uint64_t entries = load(block_.get()[0]);
  for (std::uint64_t at = hash;; ++at) {
    const std::uint64_t entry = load(block_.get()[entries + (at & (entries - 1))]);
    if (entry == 0) return 0;
    if ((entry ^ hash) <= kNumberMask) return static_cast<std::uint32_t>(entry & kNumberMask);
  }
}

std::uint32_t WayTable::intern(const Way& way, std::uint64_t hash) {
  const std::lock_guard lock(mutex_);
  if (const std::uint32_t known = find(hash); known != 0) return known;
  const std::uint32_t size = size_.load(std::memory_order_relaxed);
  if (size == most_) store(block_.get()[1], 1);
  if (size >= (way.locks && !way.locks->empty() ? most_ - most_ / 4 : most_)) {
    is_full_.store(true, std::memory_order_relaxed);
    return 0;
  }
  ways_.get()[size] = {way.site, way.context.value_or(0), way.locks ? intern_locks(*way.locks) : kNoLockList,
                       (way.context ? kHasContext : 0) | static_cast<std::uint32_t>(hash & kNumberMask)};
  size_.store(size + 1, std::memory_order_release);
  store(filter_of(hash), filter_of(hash) | std::uint64_t{1} << (hash >> kFilterShift) % 64);
  if (2 * std::uint64_t{size} >= load(block_.get()[0])) grow();
  put(hash, kFirstWay + size, load(block_.get()[0]));
  return kFirstWay + size;
}

// Who still looks into the smaller table finds what it had, and asks for the rest.
void WayTable::grow() {
  const std::uint64_t before = load(block_.get()[0]);
  for (std::uint64_t i = before; i < 2 * before; ++i) {
    const std::uint64_t entry = block_.get()[i];
    if (entry == 0) continue;
    const auto number = static_cast<std::uint32_t>(entry & kNumberMask);
    put((entry & ~kNumberMask) | (ways_.get()[number - kFirstWay].flags & kNumberMask), number, 2 * before);
  }
  store(block_.get()[0], 2 * before);
}

void WayTable::put(std::uint64_t hash, std::uint32_t number, std::uint64_t entries) {
  std::uint64_t at = hash;
  while (block_.get()[entries + (at & (entries - 1))] != 0) ++at;
  store(block_.get()[entries + (at & (entries - 1))], (hash & ~kNumberMask) | number);
}

std::uint32_t WayTable::intern_locks(const std::vector<std::uint64_t>& locks) {
  std::uint64_t digest = 0;
  for (const std::uint64_t name : locks) digest = locks_digest(digest, name);
  const auto [place, is_new] = locks_by_digest_.try_emplace(digest, static_cast<std::uint32_t>(lock_lists_.size()));
  if (is_new) lock_lists_.push_back(locks);
  return place->second;
}

Way WayTable::at(std::uint32_t number) const {
  const Record& record = ways_.get()[number - kFirstWay];
  Way way{.site = record.site, .context = std::nullopt, .locks = std::nullopt};
  if ((record.flags & kHasContext) != 0) way.context = record.context;
  if (record.locks == kNoLockList) return way;
  const std::lock_guard lock(mutex_);
  way.locks = lock_lists_[record.locks];
  return way;
}

}  // namespace deadheat::agent
