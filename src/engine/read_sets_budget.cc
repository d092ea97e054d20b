// SPDX-License-Identifier: Apache-2.0
//
// The part of ReadSets that keeps their memory within its budget. Cold: runs when a set is made beyond the budget.
#include <algorithm>
#include <vector>

#include "engine/read_sets.h"
#include "engine/thread_table.h"

namespace deadheat::engine {

void ReadSets::stay_within_budget() {
  const std::unique_lock sweep(sweep_mutex_, std::try_to_lock);
  if (!sweep.owns_lock()) return;  // another thread is at it
  retire_ordered();
  if (bytes_.load(std::memory_order_relaxed) > budget_ / 4 * 3) retire_oldest();
}

// Sets that no live thread can be in conflict with.
void ReadSets::retire_ordered() {
  std::vector<std::uint32_t> known(threads_.clock_length());
  threads_.known_to_all(known.data());
  const auto is_known = [&known](ShadowWord read) { return clock_of(read) <= known[slot_of(read)]; };
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    std::vector<ReadSet*> done;
    shard.by_id.for_each([&done, &is_known](ReadSet* set) {
      if (set->pins == 0 && std::all_of(set->begin(), set->end(), is_known)) done.push_back(set);
    });
    retired_.fetch_add(done.size(), std::memory_order_relaxed);
    for (ReadSet* set : done) remove(shard, set);
  }
}

// The older half of each shard. Reads are forgotten, so this is counted as a loss.
void ReadSets::retire_oldest() {
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    std::vector<ReadSet*> candidates;
    shard.by_id.for_each([&candidates](ReadSet* set) {
      if (set->pins == 0) candidates.push_back(set);
    });
    const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>((candidates.size() + 1) / 2);
    std::nth_element(candidates.begin(), middle, candidates.end(),
                     [](const ReadSet* a, const ReadSet* b) { return a->id < b->id; });
    retired_early_.fetch_add(static_cast<std::uint64_t>(middle - candidates.begin()), std::memory_order_relaxed);
    std::for_each(candidates.begin(), middle, [this, &shard](ReadSet* set) { remove(shard, set); });
  }
}

}  // namespace deadheat::engine
