// SPDX-License-Identifier: Apache-2.0
//
// What a thread has recently put into shadow words, with the calling context of each access and the locks held at it:
// where the full stack of the *previous* access of a race comes from. One per thread; the thread itself appends (the
// shim does, without a lock), any thread may look. Needs no JVM.
//
// An entry says how the thread comes to a place from now on. As long as it comes in the same way nothing is appended:
// an access of epoch e is told by the last entry of its place that is not younger than e. An entry is renewed while it
// has half the ring before it, so an access can be told for at least half the ring's entries, which are most often far
// more accesses.
//
// It begins small, because virtual threads come by the hundred thousand, grows as it fills, and goes round once it has
// its full size.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "agent/history_layout.h"

namespace deadheat::agent {

// An access found in a history.
struct PastAccess {
  std::uint32_t context = 0;
  // Different contexts with the same epoch and site: the thread came by more than once between two releases, and the
  // last time is given.
  std::uint32_t contexts = 0;
  std::optional<std::vector<std::uint64_t>> locks;  // outermost first; nothing: no longer in the history
};

class ThreadHistory {
 public:
  static constexpr std::uint32_t kFirstSize = 64;

  // `most`: entries at full size, a power of two.
  explicit ThreadHistory(std::uint32_t most);

  // By the thread itself: an access, as the shim appends it. The shim's twin of this is DeadheatHistory.record().
  void append(std::uint64_t word, std::uint32_t context);
  // The shim has reached `limit`. Grows if there is leave to, else begins the next lap. Returns by how many bytes it
  // has grown.
  std::size_t make_room(bool may_grow);

  // On any thread: the last access with this word; nothing if there is none (any more: see overwritten()).
  std::optional<PastAccess> find(std::uint64_t word) const;
  // Whether anything has been overwritten.
  bool overwritten() const;
  // The locks held now, outermost first; on the thread itself.
  std::vector<std::uint64_t> held() const;

  // The thread has ended: gives back what it does not use.
  void close();
  std::size_t bytes() const;

  HistoryView view;  // the shim is given its address

 private:
  struct Snapshot;
  Snapshot snapshot() const;
  void resize(std::uint32_t size);

  const std::uint32_t most_;
  mutable std::mutex mutex_;  // size, laps and the buffers; not their content
  std::uint32_t laps_ = 0;
  std::uint32_t lap_end_ = 0;  // where the lap before ended; 0: nothing is left of it
  std::unique_ptr<HistoryEntry[]> entries_;
  std::unique_ptr<KnownAccess[]> known_;
};

}  // namespace deadheat::agent
