// SPDX-License-Identifier: Apache-2.0
//
// Every access of a run by variable, thread and kind, and from it the pairs of a clock analysis: an earlier access is
// unordered with the present one iff it lies behind what the present clock covers of its thread, so the partners in a
// thread are the end of a list. Costs 4 bytes an access, and time by the pairs given out.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/analysis.h"
#include "predict/trace_sizes.h"

namespace deadheat::predict {

// Gathers pairs up to the limit and counts the rest.
class PairCollector {
 public:
  PairCollector(AnalysisResult& result, const AnalysisOptions& options) : result_(result), limit_(options.max_pairs) {}

  void add(EventNumber first, EventNumber second) {
    if (result_.pairs.size() < limit_) {
      result_.pairs.push_back({first, second});
    } else {
      ++dropped_;
    }
  }
  bool is_full() const { return result_.pairs.size() >= limit_; }
  void count_dropped(std::uint64_t more) { dropped_ += more; }
  // Sorts, and says what was left out.
  void finish();

 private:
  AnalysisResult& result_;
  const std::uint64_t limit_;
  std::uint64_t dropped_ = 0;
};

class AccessLog {
 public:
  explicit AccessLog(std::uint32_t variables) : variables_(variables + 1) {}

  void add(const model::Event& access, EventNumber number);
  // All earlier accesses that conflict with this one and are not covered by `clock` (an entry for each thread).
  void collect(const model::Event& access, EventNumber number, const std::uint32_t* clock, PairCollector& pairs) const;
  std::uint64_t memory_bytes() const;

 private:
  struct OfThread {
    std::uint32_t thread = 0;
    std::vector<EventNumber> reads;
    std::vector<EventNumber> writes;
  };
  std::vector<std::vector<OfThread>> variables_;
};

}  // namespace deadheat::predict
