// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <gtest/gtest.h>

namespace deadheat {
namespace {

TEST(ByteReader, ReadsBigEndian) {
  const std::uint8_t input[] = {1, 2, 3, 4, 5, 6, 7};
  ByteReader reader(input);
  EXPECT_EQ(reader.u1(), 0x01u);
  EXPECT_EQ(reader.u2(), 0x0203u);
  EXPECT_EQ(reader.u4(), 0x04050607u);
  EXPECT_TRUE(reader.at_end());
  EXPECT_FALSE(reader.failed());
}

TEST(ByteReader, FailureIsSticky) {
  const std::uint8_t input[] = {1, 2, 3};
  ByteReader reader(input);
  EXPECT_EQ(reader.u4(), 0u);
  EXPECT_TRUE(reader.failed());
  EXPECT_EQ(reader.u1(), 0u) << "bytes that are there must not be handed out after a failure";
  EXPECT_TRUE(reader.take(1).empty());
  EXPECT_EQ(reader.remaining(), 0u);
}

TEST(ByteReader, TakeDoesNotOverflow) {
  const std::uint8_t input[] = {1, 2, 3};
  ByteReader reader(input);
  reader.u1();
  EXPECT_TRUE(reader.take(SIZE_MAX).empty());
  EXPECT_TRUE(reader.failed());
}

TEST(ByteWriter, WhatItWritesReadsBack) {
  ByteWriter writer;
  writer.u1(0xab);
  writer.u2(0xcdef);
  writer.u4(0);
  writer.u8(0x0123456789abcdef);
  writer.patch_u4(3, 0xdeadbeef);
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.u1(), 0xabu);
  EXPECT_EQ(reader.u2(), 0xcdefu);
  EXPECT_EQ(reader.u4(), 0xdeadbeefu);
  EXPECT_EQ(reader.u8(), 0x0123456789abcdefu);
  EXPECT_TRUE(reader.at_end());
}

}  // namespace
}  // namespace deadheat
