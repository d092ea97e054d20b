// SPDX-License-Identifier: Apache-2.0
#include "agent/own_thread.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <future>

namespace deadheat::agent {
namespace {

TEST(OwnThread, DoesItsWorkAndTakesNoSignals) {
  std::promise<bool> blocked;
  ASSERT_TRUE(start_own_thread([&blocked] {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    blocked.set_value(sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGUSR1) == 1);
  }));
  EXPECT_TRUE(blocked.get_future().get());
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGTERM), 0) << "the mask of who made it is as before";
}

}  // namespace
}  // namespace deadheat::agent
