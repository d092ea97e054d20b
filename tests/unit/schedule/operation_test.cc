// SPDX-License-Identifier: Apache-2.0
#include "schedule/operation.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace deadheat::schedule {
namespace {

using enum OperationKind;

constexpr ThreadIndex kA{0};
constexpr ThreadIndex kB{1};

Operation at(OperationKind kind, std::uint64_t object, std::uint32_t extent = 1) {
  return {.kind = kind, .object = object, .extent = extent};
}

TEST(Operation, EveryKindHasANameOfItsOwn) {
  std::set<std::string> names;
  for (std::uint8_t kind = 0; kind < kOperationKinds; ++kind) {
    names.insert(operation_kind_name(static_cast<OperationKind>(kind)));
  }
  EXPECT_EQ(names.size(), kOperationKinds);
  EXPECT_FALSE(names.contains("unknown"));
  EXPECT_STREQ(operation_kind_name(static_cast<OperationKind>(kOperationKinds)), "unknown");
}

TEST(Operation, ARaceNeedsOverlapAWriteAndAPlainAccess) {
  EXPECT_TRUE(races(at(kRead, 1), at(kWrite, 1)));
  EXPECT_TRUE(races(at(kWrite, 1), at(kWrite, 1)));
  EXPECT_TRUE(races(at(kRead, 1), at(kVolatileUpdate, 1)));
  EXPECT_TRUE(races(at(kVolatileRead, 1), at(kWrite, 1)));
  EXPECT_FALSE(races(at(kRead, 1), at(kRead, 1)));
  EXPECT_FALSE(races(at(kRead, 1), at(kVolatileRead, 1)));
  EXPECT_FALSE(races(at(kWrite, 1), at(kWrite, 2)));
  EXPECT_FALSE(races(at(kVolatileWrite, 1), at(kVolatileWrite, 1)));
  EXPECT_FALSE(races(at(kWrite, 1), at(kLock, 1)));
  EXPECT_TRUE(races(at(kRead, 10, 5), at(kWrite, 14)));
  EXPECT_FALSE(races(at(kRead, 10, 5), at(kWrite, 15)));
  EXPECT_TRUE(races(at(kWrite, 12), at(kWrite, 10, 5)));
  EXPECT_FALSE(races(at(kRead, 10, 0), at(kWrite, 10)));
}

TEST(Operation, ConflictsAreWhatDoesNotCommute) {
  const auto conflict = [](const Operation& a, const Operation& b) {
    EXPECT_EQ(conflicts(kA, a, kB, b), conflicts(kB, b, kA, a));
    return conflicts(kA, a, kB, b);
  };
  EXPECT_TRUE(conflict(at(kVolatileWrite, 1), at(kVolatileRead, 1)));
  EXPECT_FALSE(conflict(at(kVolatileRead, 1), at(kVolatileRead, 1)));
  EXPECT_TRUE(conflict(at(kLock, 1), at(kLock, 1)));
  EXPECT_TRUE(conflict(at(kLock, 1), at(kEnd, 1)));
  EXPECT_FALSE(conflict(at(kLock, 1), at(kLock, 2)));
  EXPECT_FALSE(conflict(at(kLock, 1), at(kWrite, 1)));
  EXPECT_TRUE(conflict({.kind = kPark}, {.kind = kUnpark, .target = kA}));
  EXPECT_FALSE(conflict({.kind = kPark}, {.kind = kUnpark, .target = kB}));
  EXPECT_TRUE(conflict({.kind = kEnd}, {.kind = kJoin, .target = kA}));
  EXPECT_TRUE(conflict({.kind = kInterrupt, .target = ThreadIndex{5}}, {.kind = kInterrupt, .target = ThreadIndex{5}}));
  EXPECT_FALSE(conflict({.kind = kYield}, {.kind = kYield}));
}

}  // namespace
}  // namespace deadheat::schedule
