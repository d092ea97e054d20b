// SPDX-License-Identifier: Apache-2.0
//
// How threads are really made to wait and to go on. The scheduler calls add() and wake() from any thread, wait() on the
// thread it is about. One wake() is owed to every wait(), and may come before it.
#pragma once

#include <deque>
#include <mutex>
#include <semaphore>

#include "schedule/operation.h"

namespace deadheat::schedule {

class Gate {
 public:
  virtual ~Gate() = default;
  // Called once for every thread, in order of the index, before any wait or wake of it.
  virtual void add(ThreadIndex thread) = 0;
  virtual void wait(ThreadIndex thread) = 0;
  virtual void wake(ThreadIndex thread) = 0;
};

// The default: one semaphore a thread.
class SemaphoreGate final : public Gate {
 public:
  void add(ThreadIndex thread) override;
  void wait(ThreadIndex thread) override;
  void wake(ThreadIndex thread) override;

 private:
  std::binary_semaphore& semaphore(ThreadIndex thread);

  std::mutex mutex_;  // guards the growth of semaphores_; a semaphore never moves
  std::deque<std::binary_semaphore> semaphores_;
};

}  // namespace deadheat::schedule
