// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation words that several threads touch at once (volatile locations, atomics, permits), over std::atomic:
// the CAS loops of sync.h. For words in native memory; a front end with words elsewhere writes the same loops.
//
// None of the calls is atomic with the program's own operation, so each stands on the side where no edge can be lost:
//
//   volatile read      x = *location;             on_read(ts, word);
//   volatile write     on_write(ts, word);        *location = x;
//   atomic update      t = begin_update(ts, word);  done = CAS(location, …);  end_update(ts, word, t, done);
//
// An update that fails takes its release back (a failed compareAndSet is only a read) unless another thread has built
// on it meanwhile. What remains is an edge too many for operations that overlap in time on the same location, the price
// of not holding a lock over the operation. Who wants none holds ScopedSyncLock over operation and call.
#pragma once

#include <array>
#include <atomic>
#include <mutex>

#include "engine/sync.h"

namespace deadheat::engine {

using AtomicSyncWord = std::atomic<SyncWord>;

struct VolatileSync {
  struct Update {
    SyncWord before;
    SyncWord after;
  };
  static void on_read(ThreadState& ts, const AtomicSyncWord& word);
  static void on_write(ThreadState& ts, AtomicSyncWord& word);
  static Update begin_update(ThreadState& ts, AtomicSyncWord& word);
  static void end_update(ThreadState& ts, AtomicSyncWord& word, const Update& update, bool succeeded);
};

// A fixed number of locks, picked by a hash of whatever names the location. Hold at most one, and nothing that can
// wait.
class SyncLocks {
 public:
  std::mutex& of(std::uint64_t name) { return locks_[name * 0x9e3779b97f4a7c15u >> 58].mutex; }

 private:
  struct alignas(64) Lock {
    std::mutex mutex;
  };
  std::array<Lock, 64> locks_;
};

class ScopedSyncLock {
 public:
  ScopedSyncLock(SyncLocks& locks, std::uint64_t name) : guard_(locks.of(name)) {}

 private:
  std::lock_guard<std::mutex> guard_;
};

}  // namespace deadheat::engine
