// SPDX-License-Identifier: Apache-2.0
//
// What the detectors of candidates (candidates.h) keep of a thread. Its own, like all of ThreadState.
#pragma once

#include <array>
#include <cstdint>

#include "engine/locksets.h"

namespace deadheat::engine {

struct CandidateThread {
  HeldSet held_for_writing;  // monitors too
  HeldSet held_for_reading;
  LocksetId held{};                      // in any mode
  std::array<std::uint64_t, 64> sent{};  // pairs of sites reported lately, by their low bits
};

}  // namespace deadheat::engine
