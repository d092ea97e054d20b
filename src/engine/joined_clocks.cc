// SPDX-License-Identifier: Apache-2.0
#include "engine/joined_clocks.h"

#include <algorithm>

namespace deadheat::engine {

SyncWord JoinedClocks::make(ClockView clock, std::uint32_t near) {
  const std::uint32_t which = near % kShards;
  Shard& shard = shards_[which];
  const std::lock_guard lock(shard.mutex);
  std::uint32_t local;
  if (shard.free_entries.empty()) {
    local = static_cast<std::uint32_t>(shard.entries.size());
    shard.entries.emplace_back();
  } else {
    local = shard.free_entries.back();
    shard.free_entries.pop_back();
  }
  Entry& entry = shard.entries[local];
  entry.columns.assign(clock.columns, clock.columns + clock.width);
  shard.peak = std::max(shard.peak, ++shard.live);
  return make_inflated_word(entry.generation, local << kShardBits | which);
}

JoinedClocks::Entry* JoinedClocks::find(Shard& shard, SyncWord word) {
  const std::uint32_t local = inflated_index(word) >> kShardBits;
  if (local >= shard.entries.size()) return nullptr;
  Entry& entry = shard.entries[local];
  return entry.generation == inflated_generation(word) && !entry.columns.empty() ? &entry : nullptr;
}

bool JoinedClocks::copy(SyncWord word, std::uint32_t* out, std::uint32_t& width) {
  Shard& shard = shard_of(word);
  const std::lock_guard lock(shard.mutex);
  const Entry* entry = find(shard, word);
  if (entry == nullptr) return false;
  std::copy(entry->columns.begin(), entry->columns.end(), out);
  width = static_cast<std::uint32_t>(entry->columns.size());
  return true;
}

void JoinedClocks::free(SyncWord word) {
  Shard& shard = shard_of(word);
  const std::lock_guard lock(shard.mutex);
  Entry* entry = find(shard, word);
  if (entry == nullptr) return;
  entry->columns.clear();  // keeps the storage for the next clock in this entry
  entry->generation = (entry->generation + 1) & 0x7fffffff;
  shard.free_entries.push_back(inflated_index(word) >> kShardBits);
  --shard.live;
}

std::uint64_t JoinedClocks::live() {
  std::uint64_t sum = 0;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum += shard.live;
  }
  return sum;
}

std::uint64_t JoinedClocks::peak() {
  std::uint64_t sum = 0;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum += shard.peak;
  }
  return sum;
}

}  // namespace deadheat::engine
