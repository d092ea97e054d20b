// SPDX-License-Identifier: Apache-2.0
//
// How often each rule was taken: one row per rule of the FastTrack paper's table (Flanagan and Freund, PLDI 2009,
// figure 2), then the synchronisation operations. One array per thread, written by that thread only (a relaxed load and
// store, no locked instruction), summed by whoever asks. The front end's inlined exits are not counted here.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace deadheat::engine {

enum class Rule : std::uint8_t {
  kReadSameEpoch,  // also: in the last met read set, or the own write of this epoch covers it
  kReadShared,     // R is a read set
  kReadExclusive,  // R is ordered before this read
  kReadShare,      // R is concurrent with this read: the variable becomes read-shared
  kWriteSameEpoch,
  kWriteExclusive,  // R is one read or none
  kWriteShared,     // R is a read set; the variable is no longer shared
  kAcquire,         // an acquire that reached the engine
  kAcquireJoin,     // of these: the clock grew
  kRelease,
  kReleaseTick,         // of these: a new epoch began (docs/engine.md, "Ticks")
  kReleaseJoin,         // blind releases that did not cover the word they met
  kApproximateAcquire,  // acquires from a history trimmed too far: an edge too many, perhaps a race missed, never a
                        // false alarm
  kFrozenRead,          // reads that a freeze excused (frozen.h)
  kCount
};

inline constexpr std::size_t kRuleCount = static_cast<std::size_t>(Rule::kCount);

using RuleTotals = std::array<std::uint64_t, kRuleCount>;

class RuleCounts {
 public:
  void add(Rule rule) {
    std::atomic<std::uint64_t>& count = counts_[static_cast<std::size_t>(rule)];
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void add_to(RuleTotals& totals) const {
    for (std::size_t i = 0; i < kRuleCount; ++i) totals[i] += counts_[i].load(std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::uint64_t>, kRuleCount> counts_{};
};

// The rule's name as the paper prints it, e.g. "READ SAME EPOCH".
const char* rule_name(Rule rule);

// A row of the paper's table: how often, and what share of all reads (writes, synchronisation calls) took this rule.
struct RuleRow {
  const char* group;  // "READ", "WRITE" or "SYNC"
  const char* name;
  std::uint64_t count;
  double percent;
};
// The accesses first, in the paper's order. SYNC shares are of acquires and releases together.
std::array<RuleRow, kRuleCount> rule_table(const RuleTotals& totals);

// Everything --stats and the "what was not watched" part of a report need. Peaks are over the life of the engine.
struct EngineStats {
  RuleTotals rules{};
  std::uint64_t threads_begun = 0;
  std::uint64_t threads_live = 0;
  std::uint64_t threads_live_peak = 0;
  std::uint64_t slots_used = 0;       // columns of the vector clocks ever used
  std::uint64_t slots_recycled = 0;   // starts in the slot of a thread already ended and ordered before
  std::uint64_t slots_exhausted = 0;  // slots whose clock reached 28 bits
  std::uint64_t approximate_starts =
      0;  // no slot left: start ordered after an unrelated ended thread (an edge too many)
  std::uint64_t unwatched_threads = 0;  // no slot at all: accesses not remembered; synchronisation still is
  std::uint64_t history_entries = 0;
  std::uint64_t read_sets_live = 0;
  std::uint64_t read_sets_peak = 0;
  std::uint64_t read_sets_made = 0;
  std::uint64_t read_sets_retired = 0;        // all members ordered before every live thread
  std::uint64_t read_sets_retired_early = 0;  // over budget: reads forgotten, perhaps a race missed
  std::uint64_t joined_clocks_live = 0;
  std::uint64_t joined_clocks_peak = 0;
  // Of the detectors of candidates (candidates.h).
  std::uint64_t locksets = 0;
  std::uint64_t locksets_refused = 0;  // no room: taken for protected
  std::uint64_t variables_inflated = 0;
  std::uint64_t variables_forgotten = 0;  // began anew: earlier accesses forgotten
  std::uint64_t accesses_forgotten = 0;   // of variables with too many different ones
};

}  // namespace deadheat::engine
