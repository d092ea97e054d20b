// SPDX-License-Identifier: Apache-2.0
//
// Threads that entered a static method of a class while another thread was in its initialiser. The JVM lets only native
// code do that (CallStatic…Method), and makes the method wait at its first use of a static field of the class. Which
// instruction that is nobody tells, so the thread is ordered after the initialiser at its first access after both: a
// race of what the method did before it waited is missed, and none is invented.
//
// Any thread may call; any() is for the access path.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "engine/thread_state.h"

namespace deadheat::agent {

class PendingInits {
 public:
  void add(const engine::ThreadState& ts, const std::uint64_t* init_word);
  bool any() const { return any_.load(std::memory_order_relaxed); }
  // Orders the calling thread after those initialisers that have ended meanwhile.
  void settle(engine::ThreadState& ts);

 private:
  struct Use {
    model::ThreadId thread;
    const std::uint64_t* init_word;
    bool operator==(const Use&) const = default;
  };

  std::mutex mutex_;
  std::vector<Use> uses_;
  std::atomic<bool> any_{false};
};

}  // namespace deadheat::agent
