// SPDX-License-Identifier: Apache-2.0
#include "engine/volatile_sync.h"

namespace deadheat::engine {

namespace {

// Acquires what the word holds and returns it. A word found out of date has been replaced; one that has not was freed
// while in use, a front end's bug that must not hang the host.
SyncWord acquire_current(ThreadState& ts, const AtomicSyncWord& word) {
  SyncWord seen = word.load();
  while (!acquire(ts, seen)) {
    const SyncWord now = word.load();
    if (now == seen) break;
    seen = now;
  }
  return seen;
}

}  // namespace

void VolatileSync::on_read(ThreadState& ts, const AtomicSyncWord& word) { acquire_current(ts, word); }

void VolatileSync::on_write(ThreadState& ts, AtomicSyncWord& word) {
  SyncWord seen = word.load();
  for (;;) {
    const SyncWord expected = seen;
    const SyncWord next = release_join(ts, expected);
    if (word.compare_exchange_strong(seen, next)) return discard(ts, expected, next);
    discard(ts, next, expected);
  }
}

VolatileSync::Update VolatileSync::begin_update(ThreadState& ts, AtomicSyncWord& word) {
  for (;;) {
    SyncWord seen = acquire_current(ts, word);
    const SyncWord next = release(ts);
    if (word.compare_exchange_strong(seen, next)) return {seen, next};
    discard(ts, next, seen);
  }
}

void VolatileSync::end_update(ThreadState& ts, AtomicSyncWord& word, const Update& update, bool succeeded) {
  SyncWord after = update.after;
  if (!succeeded && word.compare_exchange_strong(after, update.before)) {
    discard(ts, update.after, update.before);
  } else {
    discard(ts, update.before, update.after);
  }
  on_read(ts, word);
}

}  // namespace deadheat::engine
