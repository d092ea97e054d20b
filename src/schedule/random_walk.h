// SPDX-License-Identifier: Apache-2.0
//
// Random walk: every enabled thread is equally likely to make the next step. The smallest strategy, and the template
// for others.
#pragma once

#include "base/random.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

class RandomWalk final : public Strategy {
 public:
  explicit RandomWalk(std::uint64_t seed) : random_(seed) {}

  const char* name() const override { return "random-walk"; }
  ThreadIndex next(const World& world) override {
    const auto enabled = world.enabled();
    return enabled[random_.below(static_cast<std::uint32_t>(enabled.size()))];
  }
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t n) override { return random_.below(n); }

 private:
  Random random_;
};

}  // namespace deadheat::schedule
