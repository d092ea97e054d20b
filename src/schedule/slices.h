// SPDX-License-Identifier: Apache-2.0
//
// Slices: a thread runs on for a random number of steps, then any other may. Much like the processor of a loaded
// machine, and with few hand-overs: what recording a run uses. The beginning may have shorter slices, so that the
// threads of a short program meet at all.
#pragma once

#include "base/random.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

class Slices final : public Strategy {
 public:
  // mean_length, short_length > 0: steps; the latter holds for the first `short_steps` of the run.
  explicit Slices(std::uint64_t seed, std::uint32_t mean_length = 100, std::uint32_t short_length = 1,
                  std::uint64_t short_steps = 0)
      : random_(seed), mean_length_(mean_length), short_length_(short_length), short_steps_(short_steps) {}

  const char* name() const override { return "slices"; }
  ThreadIndex next(const World& world) override {
    const ThreadIndex last = world.last();
    const bool goes_on =
        last != kNoThread && world.is_enabled(last) && world.pending(last).kind != OperationKind::kYield;
    if (goes_on && left_ > 0) {
      --left_;
      return last;
    }
    left_ = random_.below(2 * (world.steps() < short_steps_ ? short_length_ : mean_length_));
    const auto enabled = world.enabled();
    return enabled[random_.below(static_cast<std::uint32_t>(enabled.size()))];
  }
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t n) override { return random_.below(n); }

 private:
  Random random_;
  const std::uint32_t mean_length_;
  const std::uint32_t short_length_;
  const std::uint64_t short_steps_;
  std::uint32_t left_ = 0;
};

}  // namespace deadheat::schedule
