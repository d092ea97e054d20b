// SPDX-License-Identifier: Apache-2.0
//
// A strategy answers one question: who next? (And a small one: which of n?) It is called by the scheduler under its
// lock, on whichever thread reached a point, so it must be fast and must not call the scheduler. It sees the whole
// modelled world. All its chance comes from one seeded generator, so that the same seed and the same program give the
// same answers. docs/scheduler.md has the recipe for a new one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/world.h"

namespace deadheat::schedule {

// What a strategy can answer besides a thread.
inline constexpr ThreadIndex kWaitForAside{~0u - 1};  // nobody yet: a thread that is aside has to come back first
inline constexpr ThreadIndex kGiveUp{~0u - 2};        // stop the run (a replay that diverged); the scheduler runs free
inline constexpr ThreadIndex kWaitForTime{~0u -
                                          3};  // nobody yet: virtual time jumps to the next deadline, which there is
inline constexpr ThreadIndex kHold{~0u - 4};   // nobody, until the host nudges

struct StrategyCounts {
  std::uint64_t livelock_releases = 0;   // threads let go because they had been held back for too long
  std::uint64_t thrashing_releases = 0;  // threads let go because everybody was held back
  std::uint64_t races = 0;               // meetings at a racing pair
  std::vector<std::string> aims;         // without a meeting: where there could be one (aim.h)
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual const char* name() const = 0;

  // One of world.enabled(), which is not empty; or one of the four above. After waiting it is asked again.
  virtual ThreadIndex next(const World& world) = 0;
  // Which of n > 1 waiters a notify of thread wakes (0 has waited longest); called while that step is executed.
  virtual std::uint32_t choose(const World& world, ThreadIndex thread, std::uint32_t n) = 0;
  // The step is about to be executed: the operation is still pending. Not called for silent operations.
  virtual void stepping(const World& world, ThreadIndex thread) {
    (void)world;
    (void)thread;
  }
  // How many further steps of the thread that made the last one next() would allow, whatever accesses they are (kRead …
  // kVolatileUpdate) and whatever becomes enabled meanwhile: the scheduler need not ask for them (Scheduler::catch_up),
  // and tells of them with ran_ahead. stepping() is not called for these.
  virtual std::uint64_t steps_ahead() const { return 0; }
  virtual void ran_ahead(std::uint64_t steps) { (void)steps; }
  // The host has waited long enough for a thread that is aside: do without it at the next decision.
  virtual void nudge() {}
  virtual StrategyCounts counts() const { return {}; }
};

}  // namespace deadheat::schedule
