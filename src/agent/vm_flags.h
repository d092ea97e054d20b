// SPDX-License-Identifier: Apache-2.0
//
// Settings of the VM that suit rewritten code better than its defaults. The first are made while the agent is loaded:
// the options are read by then, the heap is not made yet, and no compiler has started. A setting that the user has made
// himself stays, and a VM that does not know one of them, or does not say where it is (vm_tables.h), goes on with its
// own. An option on the command line would do too, but a VM that does not know an option refuses to start.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "agent/vm_tables.h"

namespace deadheat::agent {

// How far the compilers inline; docs/performance.md, "Less inlining", has the measurements. Any thread may call.
class InliningLimits {
 public:
  // While the agent is loaded.
  void start(const VmTables& vm);
  // `points`: hooks in the program's classes rewritten so far. A program of many keeps the compilers busy for as long
  // as it runs, and then it pays to inline less.
  void adapt(std::uint64_t points) {
    if (points > kManyPoints && !many_.load(std::memory_order_relaxed)) lower();
  }

 private:
  // Between the programs that were measured: kernels have tens, nine programs of packages 2,000 to 44,000.
  static constexpr std::uint64_t kManyPoints = 1'000;

  void lower();

  struct Limit {
    char* value;  // in the VM
    std::int32_t with_many_points;
  };
  std::vector<Limit> limits_;  // that the user has not set himself; does not change after start()
  std::atomic<bool> many_{false};
};

// Room for what outlives one collection only, as the cells of arrays do (DeadheatMap): where there is none it goes to
// the old generation, which is collected seldom. While the agent is loaded.
void make_room_for_survivors(const VmTables& vm);

// How the header of an object tells that nobody holds its lock and its identity hash was never asked for:
// `unhashed_mask` of its first word is `unhashed`. And where the hash goes. Never true with a VM that does not say so.
struct HashBits {
  std::uint64_t unhashed_mask = 0;
  std::uint64_t unhashed = 1;
  std::uint64_t shift = 0;  // where in the word the hash is
  std::uint64_t most = 0;   // the largest hash
};
HashBits hash_bits(const VmTables& vm);

}  // namespace deadheat::agent
