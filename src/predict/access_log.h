// SPDX-License-Identifier: Apache-2.0
//
// Every access of a run as chains by variable, thread and kind, and from them the pairs of a clock analysis: an earlier
// access is unordered with the present one iff it lies behind what the present clock covers of its thread, so the
// partners in a thread are the end of a chain. Costs 4 bytes an event, and time by the pairs given out.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/analysis.h"
#include "predict/pair_table.h"
#include "predict/trace_sizes.h"

namespace deadheat::predict {

// Gathers pairs up to the limit, and counts the accesses that have more.
class PairCollector {
 public:
  PairCollector(AnalysisResult& result, const AnalysisOptions& options) : result_(result), limit_(options.max_pairs) {}

  void add(EventNumber first, EventNumber second) { result_.pairs.push_back({first, second}); }
  bool is_full() const { return result_.pairs.size() >= limit_; }
  void count_cut_short() { ++cut_short_; }
  // Sorts, and says what was left out.
  void finish();

 private:
  AnalysisResult& result_;
  const std::uint64_t limit_;
  std::uint64_t cut_short_ = 0;
};

class AccessLog {
 public:
  // Nothing is kept unless `is_on`. Up to `most_dense` chains are made at once, beyond that only those that are used.
  AccessLog(const TraceSizes& sizes, bool is_on, std::size_t most_dense = std::size_t{1} << 24);

  void add(const model::Event& access, EventNumber number) {
    Chain& chain = chains_[index_of(static_cast<std::uint32_t>(access.object), to_number(access.thread))];
    EventNumber& last = access.kind == model::EventKind::kWrite ? chain.last_write : chain.last_read;
    earlier_[number] = last;
    last = number;
  }
  // All earlier accesses that conflict with this one and are not covered by `clock` (an entry for each thread).
  void collect(const model::Event& access, EventNumber number, const std::uint32_t* clock, PairCollector& pairs) const;
  std::uint64_t memory_bytes() const {
    return chains_.capacity() * sizeof(Chain) + earlier_.capacity() * sizeof(EventNumber) + sparse_.memory_bytes();
  }

 private:
  struct Chain {
    EventNumber last_read = 0;
    EventNumber last_write = 0;
  };
  std::size_t index_of(std::uint32_t variable, std::uint32_t thread) {
    if (is_dense_) return std::size_t{variable} * (threads_ + 1) + thread;
    const std::uint32_t index = sparse_.insert(variable, thread);
    if (index == chains_.size()) chains_.emplace_back();
    return index;
  }
  const Chain* find(std::uint32_t variable, std::uint32_t thread) const {
    if (is_dense_) return &chains_[std::size_t{variable} * (threads_ + 1) + thread];
    const std::uint32_t index = sparse_.find(variable, thread);
    return index == PairTable::kNone ? nullptr : &chains_[index];
  }

  const std::uint32_t threads_;
  const bool is_dense_;  // a chain for every variable and thread; else only for those that meet
  std::vector<Chain> chains_;
  PairTable sparse_;
  std::vector<EventNumber> earlier_;  // by event: the access before it in its chain
};

}  // namespace deadheat::predict
