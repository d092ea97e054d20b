// SPDX-License-Identifier: Apache-2.0
//
// Slices: a thread runs on for a random number of steps, then any other may. Much like the processor of a loaded
// machine, and with few hand-overs: what recording a run uses.
#pragma once

#include "base/random.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

class Slices final : public Strategy {
 public:
  // mean_length > 0: steps.
  explicit Slices(std::uint64_t seed, std::uint32_t mean_length = 100) : random_(seed), mean_length_(mean_length) {}

  const char* name() const override { return "slices"; }
  ThreadIndex next(const World& world) override {
    const ThreadIndex last = world.last();
    const bool goes_on =
        last != kNoThread && world.is_enabled(last) && world.pending(last).kind != OperationKind::kYield;
    if (goes_on && left_ > 0) {
      --left_;
      return last;
    }
    left_ = random_.below(2 * mean_length_);
    const auto enabled = world.enabled();
    return enabled[random_.below(static_cast<std::uint32_t>(enabled.size()))];
  }
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t n) override { return random_.below(n); }

 private:
  Random random_;
  const std::uint32_t mean_length_;
  std::uint32_t left_ = 0;
};

}  // namespace deadheat::schedule
