// SPDX-License-Identifier: Apache-2.0
//
// Slices: a thread runs on for a random number of steps, then any other may. Much like the processor of a loaded
// machine, and with few hand-overs: what recording a run uses. Slices are short at the beginning, so that the threads
// of a short program meet at all, and grow with the run: what has not happened in many slices of one length rarely
// happens in many more.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/random.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

// Mean lengths in steps, > 0: `first` holds for the first `first_steps` of the run; then `second`, until that is less
// than a part in `growth` of the steps made; then that part, at most `longest`.
struct SliceLengths {
  std::uint32_t first = 100;
  std::uint64_t first_steps = 0;
  std::uint32_t second = 100;
  std::uint64_t growth = ~std::uint64_t{0};
  std::uint32_t longest = 100;
};

class Slices final : public Strategy {
 public:
  explicit Slices(std::uint64_t seed, const SliceLengths& lengths = {}) : random_(seed), lengths_(lengths) {}

  const char* name() const override { return "slices"; }
  ThreadIndex next(const World& world) override {
    const ThreadIndex last = world.last();
    const bool goes_on = last != kNoThread && world.is_enabled(last) && !may_spin(world.pending(last).kind);
    if (goes_on && left_ > 0) {
      --left_;
      return last;
    }
    left_ = random_.below(2 * mean_length(world.steps()));
    const auto enabled = world.enabled();
    return enabled[random_.below(static_cast<std::uint32_t>(enabled.size()))];
  }
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t n) override { return random_.below(n); }
  std::uint64_t steps_ahead() const override { return left_; }
  void ran_ahead(std::uint64_t steps) override { left_ -= static_cast<std::uint32_t>(steps); }

 private:
  std::uint32_t mean_length(std::uint64_t steps) const {
    if (steps < lengths_.first_steps) return lengths_.first;
    const std::uint64_t part = steps / lengths_.growth;
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(part, lengths_.second, std::max(lengths_.second, lengths_.longest)));
  }

  Random random_;
  const SliceLengths lengths_;
  std::uint32_t left_ = 0;
};

}  // namespace deadheat::schedule
