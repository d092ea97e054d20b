// SPDX-License-Identifier: Apache-2.0
//
// Which stack stands behind a calling context in a method: taken from the VM when the pair is first met, never again.
// (The line in the method itself is that of the access.)
// Programs that recurse without end have contexts without end, so both the number of stacks and the share of time spent
// on taking them are bounded; what was refused is counted. Any thread may call; needs no JVM.
//
// The context is a 32-bit hash (probabilistic calling context, Bond and McKinley, OOPSLA 2007): two stacks that share a
// hash and a method would be taken for one. Among n contexts of one method that is n * n / 2^33 pairs on average.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "agent/stack_tree.h"

namespace deadheat::agent {

struct ContextBudget {
  std::size_t most_stacks = 1u << 19;
  std::int64_t grace_nanoseconds = 250'000'000;  // always allowed
  int share = 50;                                // beyond that one part in so many of the processor time
};

class ContextTable {
 public:
  explicit ContextTable(const ContextBudget& budget = {}) : budget_(budget) {}

  std::optional<StackId> find(std::uint32_t context, std::uint32_t method) const;
  // Whether a stack that is not known may be taken now: there is budget left after `now` nanoseconds of work. A
  // refusal counts for `refused` stacks.
  bool affords(std::int64_t now, std::int64_t refused = 1);
  // The stack, and how long taking it took.
  void put(std::uint32_t context, std::uint32_t method, StackId stack, std::int64_t nanoseconds);

  std::uint64_t stacks() const { return stacks_.load(std::memory_order_relaxed); }
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }
  std::int64_t spent() const { return spent_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kShards = 32;
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<std::uint64_t, StackId> stacks;  // by context << 32 | method
  };
  static std::uint64_t key(std::uint32_t context, std::uint32_t method) {
    return std::uint64_t{context} << 32 | method;
  }
  const Shard& shard(std::uint64_t key) const { return shards_[(key * 0x9e3779b97f4a7c15) >> 59]; }

  const ContextBudget budget_;
  std::array<Shard, kShards> shards_;
  std::atomic<std::uint64_t> stacks_{0};
  std::atomic<std::uint64_t> refused_{0};
  std::atomic<std::int64_t> spent_{0};
};

}  // namespace deadheat::agent
