// SPDX-License-Identifier: Apache-2.0
#include "engine/shadow_word.h"

#include <gtest/gtest.h>

#include "engine/sync_word.h"

namespace deadheat::engine {
namespace {

TEST(ShadowWord, PacksAndUnpacksItsLimits) {
  const ShadowWord word = make_word(make_epoch(SlotId{kMaxSlot}, kMaxClock), model::SiteId{kMaxSite});
  EXPECT_EQ(slot_of(word), kMaxSlot);
  EXPECT_EQ(clock_of(word), kMaxClock);
  EXPECT_EQ(model::to_number(site_of(word)), kMaxSite);
  EXPECT_FALSE(is_read_set(word));
  EXPECT_EQ(bits(epoch_of(word)), bits(word) >> 22);
}

TEST(ShadowWord, ReadSetsAreNeverAnEpochOfAThread) {
  const ShadowWord word = make_read_set_word(kMaxReadSetId);
  EXPECT_TRUE(is_read_set(word));
  EXPECT_EQ(read_set_id(word), kMaxReadSetId);
  EXPECT_GT(slot_of(epoch_of(word)), kMaxSlot);
  EXPECT_NE(word, kNoReadSet);
  EXPECT_NE(epoch_of(kNoReadSet), kNoEpoch) << "an unwatched thread must match no word";
}

TEST(ShadowWord, MarksOfWritesAreNoReads) {
  const Epoch epoch = make_epoch(SlotId{kMaxSlot}, kMaxClock);
  EXPECT_EQ(epoch_of(make_write_mark(epoch)), epoch) << "the reads of its thread are to hit";
  EXPECT_EQ(reads_of(make_write_mark(epoch)), kNeverAccessed);
  EXPECT_EQ(reads_of(kNeverAccessed), kNeverAccessed);
  EXPECT_EQ(reads_of(make_word(epoch, model::SiteId{1})), make_word(epoch, model::SiteId{1}));
  const ShadowWord set = make_read_set_word(std::uint64_t{1} << kSiteBits);
  EXPECT_EQ(reads_of(set), set) << "its number ends like a mark";
}

TEST(SyncWord, FormsDoNotOverlap) {
  const SyncWord epoch = make_sync_word(make_epoch(SlotId{kMaxSlot}, kMaxClock));
  EXPECT_FALSE(is_inflated(epoch));
  EXPECT_EQ(slot_of(epoch_of(epoch)), kMaxSlot);
  const SyncWord inflated = make_inflated_word(0x7fffffff, 0xffffffff);
  EXPECT_TRUE(is_inflated(inflated));
  EXPECT_EQ(inflated_generation(inflated), 0x7fffffffu);
  EXPECT_EQ(inflated_index(inflated), 0xffffffffu);
}

}  // namespace
}  // namespace deadheat::engine
