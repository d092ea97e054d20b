// SPDX-License-Identifier: Apache-2.0
//
// What the shim sees of a managed thread's record (ManagedThread), at its beginning: so that most accesses and uses of
// classes of a recorded run need no call into the agent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "agent/ahead_buffer.h"

namespace deadheat::agent {

// Operation::object of what is no Java object: above the number of a class initialiser, and above (part of) an address.
// No object has these numbers.
inline constexpr std::uint64_t kInitialiserKey = std::uint64_t{0x7fffffff} << 32;
// In the lower half: some field of the object, by way of a call; above the offset of an array's element. Set by the
// shim.
inline constexpr std::uint64_t kSomeField = 0x80000000;
// In the lower half: the freeze of the object's final fields. No field has this number.
inline constexpr std::uint64_t kFreezeOf = 0x7fffffff;
inline constexpr std::uint64_t kOutsideHeapKey = std::uint64_t{0x7ffffffe} << 32;

// Some of the numbers that were put into it, found without a search; a newer one may take the place of an older. Its
// thread's own.
template <std::size_t kPlaces>
struct RecentNumbers {
  static_assert((kPlaces & (kPlaces - 1)) == 0);
  std::array<std::uint32_t, kPlaces> numbers{};

  void put(std::uint32_t number) { numbers[number & (kPlaces - 1)] = number; }
};

inline constexpr std::size_t kRecentSites = 512;
inline constexpr std::size_t kRecentInits = 64;

// Who holds a StampedLock: the number of its readers, or this.
inline constexpr int kHeldByWriter = -1;

struct GateView {
  AheadBuffer ahead;
  RecentNumbers<kRecentSites> sites;  // of static fields, where all that comes of their classes' initialisers is known
  RecentNumbers<kRecentInits> inits;  // class initialisers of which the same is true
  std::uint32_t lock_site = 0;        // while a method of a lock runs: where it was called, 0 if that is not known
  // While a method of a StampedLock runs: who held it when the method began, and the stamp that it has got.
  std::int32_t lock_holds = 0;
  std::int64_t lock_stamp = 0;
};

}  // namespace deadheat::agent
