// SPDX-License-Identifier: Apache-2.0
//
// What a held thread sleeps on until it is let go. To sleep and be woken takes some 15 microseconds on a virtual
// machine with two processors. Of two threads that take turns the one that has handed over is soon the next: it looks
// for its turn for a while before it sleeps, as long as that helps most of the time. With more threads, or on a busy
// machine, it does not, and each look takes the processor from whoever has work: then one wait in a few tries again.
// Such a try is a long one: the other thread is asleep as a rule, and has to be woken before it can hand back.
//
// Two threads under random walk: 48,000 to 64,000 switches a second without looking, 180,000 to 330,000 with it, for
// less processor time; h2 with three threads took half as much processor time again when everybody always looked.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <cerrno>
#include <chrono>

namespace deadheat::agent {

class TurnSignal {
 public:
  TurnSignal() { sem_init(&semaphore_, 0, 0); }
  ~TurnSignal() { sem_destroy(&semaphore_); }
  TurnSignal(const TurnSignal&) = delete;
  TurnSignal& operator=(const TurnSignal&) = delete;

  void acquire() {
    if (is_worth_looking()) {
      if (comes_within(kSoon)) return;
    } else if (is_time_to_try() && comes_within(kAfterWaking)) {
      return;
    }
    while (sem_wait(&semaphore_) != 0 && errno == EINTR) continue;
  }
  void release() { sem_post(&semaphore_); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds kSoon{5};
  static constexpr std::chrono::microseconds kAfterWaking{40};
  static constexpr int kGain = 2, kLoss = 3, kMost = 32;  // so that three hits of five are the least
  static constexpr unsigned kTryAgain = 64;
  static constexpr int kLooks = 16;  // between two looks at the clock

  static bool is_worth_looking() { return credit_.load(std::memory_order_relaxed) > 0; }
  static bool is_time_to_try() { return waits_.fetch_add(1, std::memory_order_relaxed) % kTryAgain == 0; }

  bool comes_within(std::chrono::microseconds most) {
    const Clock::time_point end = Clock::now() + most;
    bool came = false;
    do {
      for (int i = 0; i < kLooks && !came; ++i) {
        came = sem_trywait(&semaphore_) == 0;
        if (!came) __builtin_ia32_pause();
      }
    } while (!came && Clock::now() < end);
    const int credit = credit_.load(std::memory_order_relaxed);  // of two that change it at once one counts
    credit_.store(came ? (credit < kMost ? credit + kGain : credit) : (credit > kLoss ? credit - kLoss : 0),
                  std::memory_order_relaxed);
    return came;
  }

  sem_t semaphore_;
  // Of all threads: one that waits seldom does not know.
  static inline std::atomic<int> credit_{0};
  static inline std::atomic<unsigned> waits_{0};
};

}  // namespace deadheat::agent
