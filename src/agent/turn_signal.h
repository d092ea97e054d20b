// SPDX-License-Identifier: Apache-2.0
//
// What a held thread sleeps on until it is let go. Not std::binary_semaphore, which gives up the processor a few times
// before it sleeps: on a busy machine each of these is a switch to somebody else's work.
#pragma once

#include <semaphore.h>

#include <cerrno>

namespace deadheat::agent {

class TurnSignal {
 public:
  TurnSignal() { sem_init(&semaphore_, 0, 0); }
  ~TurnSignal() { sem_destroy(&semaphore_); }
  TurnSignal(const TurnSignal&) = delete;
  TurnSignal& operator=(const TurnSignal&) = delete;

  void acquire() {
    while (sem_wait(&semaphore_) != 0 && errno == EINTR) continue;
  }
  void release() { sem_post(&semaphore_); }

 private:
  sem_t semaphore_;
};

}  // namespace deadheat::agent
