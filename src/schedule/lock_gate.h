// SPDX-License-Identifier: Apache-2.0
//
// Who may go on at a lock request: DrFinder's Algorithms 2 and 3 for threads that run in parallel. A requester is held
// while a thread that may trigger a request for a lock of the same type is escorted to it: the escorted thread passes
// every request, all others wait at theirs. When it has acquired such a lock, the held thread goes on, behind it.
//
// Read with the errata: line 33 draws from the threads that wait for a lock, line 43 expects the lock that the held
// thread asked for, line 53 removes the held thread. Lines 54 and 55, which let everybody wait until a thread for
// which there is nobody to escort has its lock, are left out: without an escort threads pass side by side.
//
// One addition: a thread that was escorted past another keeps its lead over it (three times in four). Else it would be
// held at its next request for the very thread it has just overtaken, and of several locks in a row only every other
// order would be reversed.
//
// Pure decisions: no thread waits in here and no time passes. The host keeps a thread that was not let through until
// take_freed() names it, and tells when an escort has become hopeless. Not synchronised. docs/hunt.md.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "schedule/may_trigger.h"

namespace deadheat::schedule {

// The host's number for a thread.
enum class GateThread : std::uint32_t {};

// What the host can say of the other threads at the moment of a decision.
class Foresight {
 public:
  virtual ~Foresight() = default;
  // The threads, besides those at the gate, that are free to run and may trigger a request for a lock of this type.
  virtual std::vector<GateThread> running_towards(LockType type, GateThread besides) = 0;
  // The same question about a thread that waits at the gate.
  virtual bool waiting_may_trigger(GateThread waiting, LockType type) = 0;
};

enum class EscortEnd : std::uint8_t {
  kAcquired,  // as expected
  kBlocked,   // it waits for something: a lock, perhaps the held thread's, or another thread
  kEnded,     // the thread has ended
  kTime,      // the hold has reached its limit
};

struct Escort {
  GateThread held{};
  GateThread escorted{};
  LockType type{};
};

struct GateCounts {
  std::uint64_t requests = 0;
  std::uint64_t escorts = 0;
  std::uint64_t ends[4] = {};  // by EscortEnd
  // DrFinder's thrashing: holds that did not end with the expected lock.
  std::uint64_t thrashing() const { return ends[1] + ends[2] + ends[3]; }
};

class LockGate {
 public:
  LockGate(std::uint64_t seed, Foresight& foresight) : random_(seed), foresight_(foresight) {}

  // The thread is about to request a lock. True: it goes on at once.
  bool request(GateThread thread, LockType type);
  // The thread has acquired a lock. The escort that this ends, if any.
  std::optional<Escort> acquired(GateThread thread, LockType type);
  // The thread will not be seen again.
  void ended(GateThread thread);
  // The escort under way comes to nothing.
  void give_up(EscortEnd why);
  // The thread no longer waits at the gate, whatever becomes of it: its time is over.
  void leave(GateThread thread);

  const std::optional<Escort>& escort() const { return escort_; }
  bool waits(GateThread thread) const;
  // Those that were let go since the last call; the host wakes them.
  std::vector<GateThread> take_freed();
  const GateCounts& counts() const { return counts_; }

 private:
  struct Waiting {
    GateThread thread;
    LockType type;
  };
  // Algorithm 3, schedule(): until nobody waits or somebody is escorted.
  void schedule();
  void end_escort(EscortEnd why);
  void free(GateThread thread);
  std::vector<GateThread> candidates(const Waiting& requester);

  Random random_;
  Foresight& foresight_;
  std::vector<Waiting> waiting_;                       // RTHs
  std::optional<Escort> escort_;                       // allowedTH and allowedLK, and for whom
  std::set<std::pair<GateThread, GateThread>> leads_;  // who is ahead of whom
  std::vector<GateThread> freed_;
  GateCounts counts_;
};

}  // namespace deadheat::schedule
