// SPDX-License-Identifier: Apache-2.0
//
// The histories of all threads, of those that ended too: a race is often found when the thread of the previous access
// is gone. Memory is bounded: beyond it those that ended first go first, and running threads do not grow theirs. Any
// thread may call; needs no JVM.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agent/thread_history.h"
#include "model/ids.h"

namespace deadheat::agent {

enum class Lookup : std::uint8_t {
  kFound,
  kOverwritten,  // it was there, a larger history would have kept it
  kUnknown,      // the thread has no history, or is gone for too long
};

class Histories {
 public:
  // `entries` a thread, rounded up to a power of two; 0: no histories at all.
  explicit Histories(std::uint32_t entries, std::size_t most_bytes = std::size_t{256} << 20);

  bool enabled() const { return entries_ != 0; }
  std::uint32_t entries() const { return entries_; }

  // On the thread's first and last step. Null when there are none.
  ThreadHistory* begin(model::ThreadId thread);
  void end(model::ThreadId thread);
  // The ring of this thread, given by itself, is full.
  void make_room(ThreadHistory& history);

  Lookup find(model::ThreadId thread, std::uint64_t word, PastAccess& found) const;
  // On the thread itself: the names of the locks it holds (history_layout.h).
  std::vector<std::uint64_t> held(model::ThreadId thread) const;

 private:
  std::shared_ptr<ThreadHistory> of(model::ThreadId thread) const;
  void drop_oldest();  // under mutex_

  const std::uint32_t entries_;
  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint32_t, std::shared_ptr<ThreadHistory>> histories_;
  std::deque<std::uint32_t> ended_;  // oldest first
  std::size_t bytes_ = 0;
};

}  // namespace deadheat::agent
