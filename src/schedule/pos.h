// SPDX-License-Identifier: Apache-2.0
//
// Partial order sampling (Yuan, Yang, Gu, CAV 2018): every pending operation has a random priority, the highest enabled
// one is executed, and the enabled operations that conflict with it draw again. Operations that commute are not
// reordered for nothing, so that partial orders are sampled more evenly than by a random walk.
#pragma once

#include <vector>

#include "base/random.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

class Pos final : public Strategy {
 public:
  explicit Pos(std::uint64_t seed) : random_(seed) {}

  const char* name() const override { return "pos"; }
  ThreadIndex next(const World& world) override;
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t n) override { return random_.below(n); }
  void stepping(const World& world, ThreadIndex thread) override;

 private:
  static constexpr std::uint64_t kNotDrawn = 0;

  Random random_;
  std::vector<std::uint64_t> priorities_;  // by thread, of its pending operation
};

}  // namespace deadheat::schedule
