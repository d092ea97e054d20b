// SPDX-License-Identifier: Apache-2.0
#include "predict/stops.h"

#include <gtest/gtest.h>

#include <tuple>

namespace deadheat::predict {
namespace {

using model::EventKind;

constexpr std::uint32_t kReadSite = 1, kWriteSite = 2;
constexpr std::uint64_t kLink = 1, kOther = 2, kOld = 3, kNew = 4, kLock = 1;

using Line = std::tuple<std::uint32_t, EventKind, std::uint64_t, std::uint32_t>;  // thread, kind, object, site

std::vector<Stop> stops_in(const std::vector<Line>& lines, const StopLimits& limits = {}) {
  trace::Trace trace;
  for (const auto& [thread, kind, object, site] : lines) {
    trace.events.push_back(
        {.kind = kind, .thread = model::ThreadId{thread}, .site = model::SiteId{site}, .object = object});
  }
  PairSites sites{std::vector<bool>(100), std::vector<bool>(100)};
  sites.first[kReadSite] = sites.second[kWriteSite] = true;
  return find_stops(trace, sites, limits);
}

const Line kFork1{1, EventKind::kFork, 2, 50}, kFork2{1, EventKind::kFork, 3, 51};

// A walk that is over when the change comes: it has to stop before the link that the change sets.
TEST(StopsTest, AThreadStopsBeforeWhatAnotherChangesMeanwhile) {
  const std::vector<Line> lines = {kFork1,
                                   kFork2,
                                   {2, EventKind::kRead, kOther, 10},
                                   {2, EventKind::kRead, kLink, 11},
                                   {2, EventKind::kRead, kOld, kReadSite},
                                   {3, EventKind::kWrite, kLink, 12},
                                   {3, EventKind::kWrite, kNew, kWriteSite}};
  EXPECT_EQ(stops_in(lines), (std::vector<Stop>{{4, 1, 7, 1}}));
}

TEST(StopsTest, VisitsAreCountedByThreadAndSite) {
  const std::vector<Line> lines = {kFork1,
                                   kFork2,
                                   {3, EventKind::kRead, kOther, 11},
                                   {3, EventKind::kWrite, kOld, kWriteSite},
                                   {2, EventKind::kRead, kOther, 11},
                                   {2, EventKind::kRead, kLink, 11},
                                   {2, EventKind::kRead, kOld, kReadSite},
                                   {3, EventKind::kWrite, kLink, 12},
                                   {3, EventKind::kWrite, kNew, kWriteSite}};
  EXPECT_EQ(stops_in(lines), (std::vector<Stop>{{6, 2, 9, 2}}));
}

TEST(StopsTest, NotBehindTheLastAccessAtTheOtherSite) {
  const std::vector<Line> lines = {kFork1,
                                   kFork2,
                                   {2, EventKind::kRead, kOld, kReadSite},
                                   {2, EventKind::kRead, kLink, 11},
                                   {3, EventKind::kWrite, kLink, 12},
                                   {3, EventKind::kWrite, kNew, kWriteSite}};
  EXPECT_TRUE(stops_in(lines).empty());
}

TEST(StopsTest, AThreadThatNeverComesThereIsTriedLastAndSeldom) {
  const std::vector<Line> lines = {kFork1,
                                   kFork2,
                                   {2, EventKind::kRead, kLink, 11},
                                   {2, EventKind::kRead, kLink, 13},
                                   {2, EventKind::kRead, kLink, 14},
                                   {3, EventKind::kWrite, kLink, 12},
                                   {3, EventKind::kWrite, kNew, kWriteSite}};
  EXPECT_EQ(stops_in(lines), (std::vector<Stop>{{5, 1, 7, 1}, {4, 1, 7, 1}}));
  EXPECT_TRUE(stops_in(lines, {.unlikely = 0}).empty());
}

// The lock around the read is wanted by the writer: the reader stops before it.
TEST(StopsTest, NobodyIsStoppedWithALockThatTheOtherNeeds) {
  std::vector<Line> lines = {kFork1,
                             kFork2,
                             {2, EventKind::kAcquire, kLock, 20},
                             {2, EventKind::kRead, kLink, 11},
                             {2, EventKind::kRelease, kLock, 21},
                             {2, EventKind::kRead, kOld, kReadSite},
                             {3, EventKind::kAcquire, kLock, 30},
                             {3, EventKind::kWrite, kLink, 12},
                             {3, EventKind::kRelease, kLock, 31},
                             {3, EventKind::kWrite, kNew, kWriteSite}};
  EXPECT_EQ(stops_in(lines), (std::vector<Stop>{{3, 1, 10, 1}}));
}

TEST(StopsTest, TwoAccessesUnderOneLockAreLeftAlone) {
  const std::vector<Line> lines = {kFork1,
                                   kFork2,
                                   {2, EventKind::kRead, kLink, 11},
                                   {2, EventKind::kAcquire, kLock, 20},
                                   {2, EventKind::kRead, kOld, kReadSite},
                                   {2, EventKind::kRelease, kLock, 21},
                                   {3, EventKind::kAcquire, kLock, 30},
                                   {3, EventKind::kWrite, kLink, 12},
                                   {3, EventKind::kWrite, kNew, kWriteSite},
                                   {3, EventKind::kRelease, kLock, 31}};
  EXPECT_TRUE(stops_in(lines).empty());
}

TEST(StopsTest, NobodyIsStoppedBeforeHeHasStartedTheOther) {
  const std::vector<Line> lines = {{1, EventKind::kRead, kLink, 11},
                                   kFork1,
                                   {1, EventKind::kRead, kOld, kReadSite},
                                   {2, EventKind::kWrite, kLink, 12},
                                   {2, EventKind::kWrite, kNew, kWriteSite}};
  EXPECT_TRUE(stops_in(lines).empty());
}

TEST(StopsTest, NothingInNothing) { EXPECT_TRUE(stops_in({}).empty()); }

}  // namespace
}  // namespace deadheat::predict
