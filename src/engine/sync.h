// SPDX-License-Identifier: Apache-2.0
//
// Happens-before edges through synchronisation words (sync_word.h). Called by the thread that synchronises, with its
// own ThreadState. An acquire whose release is already known is one array load; every other call may take a short lock.
//
// Two kinds of release:
//   release       the releasing thread has acquired what the word holds (leaving a monitor, an atomic update after its
//                 acquire, ending a wait): the new word replaces the old one.
//   release_join  blind: a volatile write, an unpark, an interrupt. Later acquirers must see this release *and* all
//   before.
//
// Concurrent use. A word guarded by what it stands for (a monitor's word, touched while the monitor is held) needs
// nothing more: w = release(ts, w). A word that several threads update at once is updated by CAS (VolatileSync in
// volatile_sync.h does it over std::atomic; a front end whose words live in managed objects writes the same loop):
//
//   acquire        again: w = *p; if (!acquire(ts, w)) goto again;
//   release_join   again: w = *p; n = release_join(ts, w); if (!CAS(p, w, n)) { discard(ts, n, w); goto again; }
//                  discard(ts, w, n);
//   atomic update  again: w = *p; if (!acquire(ts, w)) goto again;
//                  n = release(ts); if (!CAS(p, w, n)) { discard(ts, n, w); goto again; }
//                  discard(ts, w, n);
//
// discard is a no-op unless its first word is inflated and differs from the second, a test to inline. A joined clock
// never changes once made (a blind release that must be joined makes a new one), so a word that has not changed still
// means the same, and a lost CAS loses nothing.
//
// Order against the operation itself: release before the program's own volatile write, acquire after the program's own
// volatile read; then every true edge is seen.
#pragma once

#include <cstdint>

#include "engine/thread_state.h"

namespace deadheat::engine {

// Half of acquire(): the word's release is not yet known to be ordered before this thread.
bool acquire_slow(ThreadState& ts, SyncWord word);

// Orders what was released into the word before what this thread does next. False: the word is out of date (its joined
// clock was freed because another thread replaced the word): reload and call again. Never false for a word guarded by a
// lock.
inline bool acquire(ThreadState& ts, SyncWord word) {
  ts.counts.add(Rule::kAcquire);
  if (!is_inflated(word) && ts.is_ordered(epoch_of(word))) return true;
  return acquire_slow(ts, word);
}

// Everything this thread did so far is published in the returned word; a new epoch begins if anything happened in this
// one.
SyncWord release(ThreadState& ts);
// The same for a word only the holder of its lock touches: frees what the old word held.
SyncWord release(ThreadState& ts, SyncWord old_word);
// Both, for a word guarded by a lock: an atomic update made under it.
inline SyncWord acquire_release(ThreadState& ts, SyncWord word) {
  acquire(ts, word);
  return release(ts, word);
}
// Returns `word` itself when it is out of date (then the CAS fails and the loop goes round).
SyncWord release_join(ThreadState& ts, SyncWord word);

// For the detectors of candidates: this thread has taken, gives up, begins or ends to wait for a lock; shared: the read
// side of a lock, which it may hold beside the other. Lock numbers are the front end's. No order comes of it.
void on_lock(ThreadState& ts, std::uint64_t lock);
void on_unlock(ThreadState& ts, std::uint64_t lock);
void on_lock_shared(ThreadState& ts, std::uint64_t lock);
void on_unlock_shared(ThreadState& ts, std::uint64_t lock);
void on_wait_begin(ThreadState& ts, std::uint64_t lock);
void on_wait_end(ThreadState& ts, std::uint64_t lock);

// `unused` is not stored anywhere (any more), `kept` is: frees unused's joined clock, if it has one of its own.
void discard(ThreadState& ts, SyncWord unused, SyncWord kept);
// The object of this word is gone.
void free_sync(ThreadState& ts, SyncWord word);

}  // namespace deadheat::engine
