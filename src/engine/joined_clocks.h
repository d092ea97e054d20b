// SPDX-License-Identifier: Apache-2.0
//
// The clocks behind inflated sync words: joins of several releases, none of which covers the others. A clock never
// changes between make and free. Any thread may call; each call locks one of a few shards for the length of a copy.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "engine/slot.h"
#include "engine/sync_word.h"

namespace deadheat::engine {

class JoinedClocks {
 public:
  // near: any number that differs between threads, to keep them out of each other's way.
  SyncWord make(ClockView clock, std::uint32_t near);
  // Copies the clock to `out` and sets width. False: the word was freed.
  bool copy(SyncWord word, std::uint32_t* out, std::uint32_t& width);
  // Freeing twice is harmless: the generation in the word no longer matches.
  void free(SyncWord word);

  std::uint64_t live();
  std::uint64_t peak();  // summed over the shards, so at least the true peak

 private:
  static constexpr std::uint32_t kShardBits = 4;
  static constexpr std::uint32_t kShards = 1u << kShardBits;

  struct Entry {
    std::uint32_t generation = 1;
    std::vector<std::uint32_t> columns;  // empty: free
  };
  struct Shard {
    std::mutex mutex;  // guards the rest
    std::vector<Entry> entries;
    std::vector<std::uint32_t> free_entries;
    std::uint64_t live = 0;
    std::uint64_t peak = 0;
  };

  Entry* find(Shard& shard, SyncWord word);
  Shard& shard_of(SyncWord word) { return shards_[inflated_index(word) % kShards]; }

  std::array<Shard, kShards> shards_;
};

}  // namespace deadheat::engine
