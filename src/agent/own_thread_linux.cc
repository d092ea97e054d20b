// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <signal.h>

#include <memory>
#include <utility>

#include "agent/own_thread.h"

namespace deadheat::agent {

namespace {

void* run(void* work) {
  const std::unique_ptr<std::function<void()>> mine(static_cast<std::function<void()>*>(work));
  (*mine)();
  return nullptr;
}

}  // namespace

bool start_own_thread(std::function<void()> work) {
  auto kept = std::make_unique<std::function<void()>>(std::move(work));
  // A thread begins with the mask of who makes it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool started = pthread_create(&thread, nullptr, &run, kept.get()) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!started) return false;
  static_cast<void>(kept.release());  // the thread has it
  pthread_detach(thread);
  return true;
}

}  // namespace deadheat::agent
