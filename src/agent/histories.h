// SPDX-License-Identifier: Apache-2.0
//
// The histories of the threads that run. Any thread may call; needs no JVM.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "agent/thread_history.h"
#include "model/ids.h"

namespace deadheat::agent {

class Histories {
 public:
  // On the thread's first and last step.
  ThreadHistory* begin(model::ThreadId thread);
  void end(model::ThreadId thread);
  // On the thread itself: the names of the locks it holds (history_layout.h), outermost first.
  std::vector<std::uint64_t> held(model::ThreadId thread) const;
  // How often threads came by ways for which there was no room (HistoryView::not_kept), those that have ended included.
  std::uint64_t ways_not_kept() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::uint32_t, std::unique_ptr<ThreadHistory>> histories_;
  std::uint64_t not_kept_by_ended_ = 0;  // under mutex_
};

}  // namespace deadheat::agent
