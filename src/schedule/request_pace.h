// SPDX-License-Identifier: Apache-2.0
//
// How often a place in the program is looked at: at first always, then the less often the longer nothing came of it, so
// that a lock in a hot loop costs next to nothing. Something that came of it (a new relation, a lock order reversed)
// brings it back to always. Plain data; the host keeps one for each place, under its own lock.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace deadheat::schedule {

class RequestPace {
 public:
  static constexpr std::uint32_t kAlways = 8;    // looks that may come to nothing before any is skipped
  static constexpr std::uint32_t kLongest = 16;  // at most 2^kLongest requests are skipped in a row

  void good() { misses_ = 0; }
  // How many of the next requests to skip.
  std::uint32_t skip(Random& random) {
    if (misses_ < kAlways + kLongest) ++misses_;
    return misses_ <= kAlways ? 0 : random.below(std::uint32_t{1} << (misses_ - kAlways));
  }

 private:
  std::uint8_t misses_ = 0;
};

// How much of a run's time may go into holding threads: a grace, and a share of what has passed. Nanoseconds.
class HoldBudget {
 public:
  HoldBudget(std::int64_t grace, std::uint32_t percent) : grace_(grace), percent_(percent) {}
  bool allows(std::int64_t elapsed) const { return spent_ <= grace_ + elapsed / 100 * percent_; }
  void spend(std::int64_t nanoseconds) { spent_ += nanoseconds; }
  std::int64_t spent() const { return spent_; }

 private:
  const std::int64_t grace_;
  const std::uint32_t percent_;
  std::int64_t spent_ = 0;
};

}  // namespace deadheat::schedule
