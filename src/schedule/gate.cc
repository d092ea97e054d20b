// SPDX-License-Identifier: Apache-2.0
#include "schedule/gate.h"

namespace deadheat::schedule {

void SemaphoreGate::add(ThreadIndex thread) {
  const std::lock_guard lock(mutex_);
  while (semaphores_.size() <= to_number(thread)) semaphores_.emplace_back(0);
}

std::binary_semaphore& SemaphoreGate::semaphore(ThreadIndex thread) {
  const std::lock_guard lock(mutex_);
  return semaphores_[to_number(thread)];
}

void SemaphoreGate::wait(ThreadIndex thread) { semaphore(thread).acquire(); }
void SemaphoreGate::wake(ThreadIndex thread) { semaphore(thread).release(); }

}  // namespace deadheat::schedule
