// SPDX-License-Identifier: Apache-2.0
//
// The CAS loops of sync.h over a std::atomic word, for synchronisation objects that several threads touch at once:
// volatile locations, atomics, permits. For words in native memory; a front end with words elsewhere writes the same
// loops.
#pragma once

#include <atomic>

#include "engine/sync.h"

namespace deadheat::engine {

using AtomicSyncWord = std::atomic<SyncWord>;

// Lock-free when the word is an epoch. Each is called on the synchronising thread: on_read after the program's own
// read, on_write before its own write, on_update (a successful read-modify-write) on either side.
struct VolatileSync {
  static void on_read(ThreadState& ts, const AtomicSyncWord& word);
  static void on_write(ThreadState& ts, AtomicSyncWord& word);
  static void on_update(ThreadState& ts, AtomicSyncWord& word);
};

}  // namespace deadheat::engine
