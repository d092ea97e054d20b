// SPDX-License-Identifier: Apache-2.0
//
// The one seeded generator of the project (SplitMix64). Every random choice comes from an instance whose seed is
// printed or stored, so that it can be made again.
#pragma once

#include <cstdint>

namespace deadheat {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Uniform in [0, bound); bound > 0. The bias of the multiply-shift is below 2^-32 for the bounds in use.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((next() >> 32) * bound >> 32); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace deadheat
