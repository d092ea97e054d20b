// SPDX-License-Identifier: Apache-2.0
#include "model/event.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace deadheat::model {
namespace {

TEST(Event, EveryKindHasANameOfItsOwn) {
  std::set<std::string> names;
  for (int kind = 0; kind <= static_cast<int>(EventKind::kUnpark); ++kind) {
    names.insert(event_kind_name(static_cast<EventKind>(kind)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(EventKind::kUnpark) + 1);
  EXPECT_EQ(names.count(""), 0u);
}

TEST(Event, IsSmall) { EXPECT_LE(sizeof(Event), 32u); }

}  // namespace
}  // namespace deadheat::model
