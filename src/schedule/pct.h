// SPDX-License-Identifier: Apache-2.0
//
// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): threads have random
// priorities, the highest enabled one runs, and at depth - 1 random steps the running thread falls below all others.
// A bug of depth d in a program of n threads and k steps is found with probability at least 1 / (n · k^(d-1)).
//
// Two additions for programs that spin, which would starve the others for ever: a thread that yields, or that made
// starvation_limit steps in a row while others could go, becomes the lowest. With depth 1 every thread shall run until
// it blocks: there only who yields spin_limit times is taken to wait for another. And looks at the clock do not count
// among the k steps: nothing happens there but that time goes on, and a program that waits for some time by looking
// would have nearly all its change points in that loop. Such a loop ends by itself, mostly, so ten looks count as one
// step towards starvation.
#pragma once

#include <vector>

#include "base/random.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

struct PctOptions {
  std::uint32_t depth = 3;                // d, at least 1
  std::uint64_t expected_steps = 10'000;  // k, without looks at the clock
  std::uint64_t starvation_limit = 100'000;
  std::uint32_t spin_limit = 50;
};

class Pct final : public Strategy {
 public:
  Pct(std::uint64_t seed, const PctOptions& options);

  const char* name() const override { return "pct"; }
  ThreadIndex next(const World& world) override;
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t n) override { return random_.below(n); }
  void stepping(const World& world, ThreadIndex thread) override;
  StrategyCounts counts() const override { return counts_; }

 private:
  ThreadIndex highest(const World& world) const;

  const PctOptions options_;
  Random random_;
  StrategyCounts counts_;
  // By thread, greater goes first: random ones are above 2^62, changed ones are 1 … depth - 1, starved ones negative.
  std::vector<std::int64_t> priorities_;
  std::int64_t lowest_ = 0;
  std::vector<std::uint32_t> yields_;         // by thread, since it became the lowest
  std::vector<std::uint64_t> change_points_;  // before which step; the i-th gives priority i + 1; 0: it is over
  std::uint64_t steps_ = 0;                   // so far, those that count
  std::uint64_t run_length_ = 0;  // of world.last() with others enabled: ten for a step, one for a look at the clock
};

}  // namespace deadheat::schedule
