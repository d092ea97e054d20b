// SPDX-License-Identifier: Apache-2.0
#include "engine/read_set_index.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "base/random.h"

namespace deadheat::engine {
namespace {

using ById = ReadSetIndex<&ReadSet::id, &ReadSet::next_by_id>;

ReadSet set_with(std::uint64_t id, std::uint64_t hash) { return {id, hash, 0, 0, 0, nullptr, nullptr}; }

TEST(ReadSetIndex, EmptyFindsNothing) {
  const ById index;
  EXPECT_EQ(index.find(7), nullptr);
  index.for_each([](ReadSet*) { FAIL(); });
}

TEST(ReadSetIndex, TellsSetsOfOneNumberApart) {
  ReadSetIndex<&ReadSet::hash, &ReadSet::next_by_hash> index;
  ReadSet a = set_with(1, 5);
  ReadSet b = set_with(2, 5);
  index.insert(&a);
  index.insert(&b);
  EXPECT_EQ(index.find(5, [](const ReadSet& set) { return set.id == 1; }), &a);
  EXPECT_EQ(index.find(5, [](const ReadSet& set) { return set.id == 2; }), &b);
  EXPECT_EQ(index.find(5, [](const ReadSet& set) { return set.id == 3; }), nullptr);
  index.erase(&b);
  EXPECT_EQ(index.find(5), &a);
}

// Against a std::map, through several sizes of the table.
TEST(ReadSetIndex, RandomInsertionsAndErasures) {
  Random random(1);
  std::deque<ReadSet> sets;
  std::map<std::uint64_t, ReadSet*> expected;
  ById index;
  for (int step = 0; step < 50'000; ++step) {
    const std::uint64_t id = random.below(4000) * std::uint64_t{16};  // as shards number them
    const auto known = expected.find(id);
    ASSERT_EQ(index.find(id), known == expected.end() ? nullptr : known->second);
    if (known == expected.end()) {
      sets.push_back(set_with(id, 0));
      index.insert(&sets.back());
      expected.emplace(id, &sets.back());
    } else if (random.one_in(2)) {
      index.erase(known->second);
      expected.erase(known);
    }
  }
  std::size_t seen = 0;
  index.for_each([&](ReadSet* set) {
    EXPECT_EQ(expected.at(set->id), set);
    ++seen;
  });
  EXPECT_EQ(seen, expected.size());
}

}  // namespace
}  // namespace deadheat::engine
