// SPDX-License-Identifier: Apache-2.0
#include "agent/histories.h"

#include <gtest/gtest.h>

namespace deadheat::agent {
namespace {

TEST(Histories, WaysWithoutRoomAreCountedForThreadsThatRunAndThatHaveEnded) {
  constexpr model::ThreadId kFirst{1}, kSecond{2}, kUnknown{3};
  Histories histories;
  ThreadHistory* first = histories.begin(kFirst);
  ThreadHistory* second = histories.begin(kSecond);
  EXPECT_EQ(histories.ways_not_kept(), 0u);
  first->count_not_kept();
  first->count_not_kept();
  second->view.not_kept += 5;  // as the shim does
  EXPECT_EQ(histories.ways_not_kept(), 7u);
  histories.end(kFirst);
  histories.end(kUnknown);
  second->count_not_kept();
  EXPECT_EQ(histories.ways_not_kept(), 8u);
  histories.end(kSecond);
  EXPECT_EQ(histories.ways_not_kept(), 8u);
}

}  // namespace
}  // namespace deadheat::agent
