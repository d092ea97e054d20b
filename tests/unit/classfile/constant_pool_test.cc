// SPDX-License-Identifier: Apache-2.0
#include "classfile/constant_pool.h"

#include <gtest/gtest.h>

#include <string>

namespace deadheat::classfile {
namespace {

using Bytes = std::vector<std::uint8_t>;

// One entry of every tag.
Bytes every_tag() {
  ByteWriter out;
  auto utf8 = [&](std::string_view text) {
    out.u1(1);
    out.u2(static_cast<std::uint32_t>(text.size()));
    out.put(text);
  };
  auto entry = [&](int tag, std::initializer_list<int> u2s) {
    out.u1(static_cast<std::uint32_t>(tag));
    for (int value : u2s) out.u2(static_cast<std::uint32_t>(value));
  };
  out.u2(22);
  utf8("Owner");               // 1
  utf8("name");                // 2
  utf8("()V");                 // 3
  entry(7, {1});               // 4 class
  entry(12, {2, 3});           // 5 name and type
  entry(10, {4, 5});           // 6 method
  entry(9, {4, 5});            // 7 field
  entry(11, {4, 5});           // 8 interface method
  entry(8, {2});               // 9 string
  entry(3, {0xffff, 0xfffe});  // 10 integer -2
  entry(4, {0x3f80, 0});       // 11 float
  entry(5, {0, 0, 0, 7});      // 12 long
  entry(6, {0, 0, 0, 0});      // 14 double
  entry(16, {3});              // 16 method type
  out.u1(15);                  // 17 method handle
  out.u1(6);
  out.u2(6);
  entry(17, {0, 5});  // 18 dynamic
  entry(18, {0, 5});  // 19 invoke dynamic
  entry(19, {1});     // 20 module
  entry(20, {1});     // 21 package
  return out.release();
}

Result<ConstantPool> parse(const Bytes& bytes) {
  ByteReader in(bytes);
  return ConstantPool::parse(in);
}

TEST(ConstantPool, ReadsAndWritesEveryTag) {
  Bytes bytes = every_tag();
  Result<ConstantPool> pool = parse(bytes);
  ASSERT_TRUE(pool.ok());
  ByteWriter out;
  pool.value().write(out);
  EXPECT_EQ(out.bytes(), bytes);
  EXPECT_EQ(pool.value().byte_size(), bytes.size());
}

TEST(ConstantPool, Getters) {
  Bytes bytes = every_tag();
  ConstantPool pool = parse(bytes).value();
  EXPECT_EQ(pool.size(), 22u);
  EXPECT_EQ(pool.utf8(1), "Owner");
  EXPECT_EQ(pool.class_name(4), "Owner");
  EXPECT_EQ(pool.class_name(20), "Owner");
  EXPECT_EQ(pool.string(9), "name");
  EXPECT_EQ(pool.integer(10), -2);
  for (std::uint32_t index : {6u, 7u, 8u}) {
    std::optional<MemberRef> member = pool.member(index);
    ASSERT_TRUE(member);
    EXPECT_EQ(member->owner, "Owner");
    EXPECT_EQ(member->name, "name");
    EXPECT_EQ(member->descriptor, "()V");
  }
  ASSERT_TRUE(pool.member(19));
  EXPECT_EQ(pool.member(19)->owner, "");
}

TEST(ConstantPool, WrongIndexOrTagYieldsNothing) {
  Bytes bytes = every_tag();
  ConstantPool pool = parse(bytes).value();
  for (std::uint32_t index : {0u, 13u, 15u, 22u, 65535u, 1000000u}) {
    EXPECT_EQ(pool.tag(index), Tag::kNone);
    EXPECT_FALSE(pool.utf8(index));
    EXPECT_FALSE(pool.class_name(index));
    EXPECT_FALSE(pool.member(index));
  }
  EXPECT_FALSE(pool.utf8(4));
  EXPECT_FALSE(pool.class_name(1));
  EXPECT_FALSE(pool.integer(11));
}

TEST(ConstantPool, EveryTruncationIsAnError) {
  Bytes bytes = every_tag();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(parse(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)))) << length;
  }
}

TEST(ConstantPool, BadTagAndLongAtTheEndAreErrors) {
  EXPECT_FALSE(parse({0, 2, 2, 0, 0}));
  EXPECT_FALSE(parse({0, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(parse({0, 0}));
}

TEST(ConstantPool, FindsWhatIsThere) {
  Bytes bytes = every_tag();
  ConstantPool pool = parse(bytes).value();
  EXPECT_EQ(pool.add_utf8("name"), 2);
  EXPECT_EQ(pool.add_class("Owner"), 4);
  EXPECT_EQ(pool.add_method({"Owner", "name", "()V"}), 6);
  EXPECT_EQ(pool.add_field({"Owner", "name", "()V"}), 7);
  EXPECT_EQ(pool.add_interface_method({"Owner", "name", "()V"}), 8);
  EXPECT_EQ(pool.add_string("name"), 9);
  EXPECT_EQ(pool.add_integer(-2), 10);
  EXPECT_EQ(pool.add_long(7), 12);
  EXPECT_EQ(pool.byte_size(), bytes.size());
}

TEST(ConstantPool, AddsAtTheEnd) {
  Bytes bytes = every_tag();
  ConstantPool pool = parse(bytes).value();
  std::uint16_t number = pool.add_long(1);
  EXPECT_EQ(number, 22);
  std::uint16_t method = pool.add_method({"New", "name", "(I)V"});
  EXPECT_EQ(pool.add_method({"New", "name", "(I)V"}), method);
  EXPECT_EQ(pool.tag(number + 1u), Tag::kNone);
  ByteWriter out;
  pool.write(out);
  EXPECT_EQ(out.size(), pool.byte_size());
  Bytes written = out.release();
  ConstantPool again = parse(written).value();
  EXPECT_EQ(again.size(), pool.size());
  EXPECT_EQ(again.member(method)->owner, "New");
  EXPECT_EQ(again.member(method)->descriptor, "(I)V");
}

TEST(ConstantPool, TextStaysInPlaceWhileThePoolGrows) {
  ConstantPool pool;
  std::string_view first = *pool.utf8(pool.add_utf8("first"));
  for (int i = 0; i < 5000; ++i) pool.add_utf8("text " + std::to_string(i));
  EXPECT_EQ(first, "first");
}

TEST(ConstantPool, FullPoolSaysSoAndStaysWhole) {
  ConstantPool pool;
  for (int i = 0; i < 65533; ++i) ASSERT_NE(pool.add_integer(i), 0);
  EXPECT_EQ(pool.add_long(1), 0);  // needs two
  EXPECT_TRUE(pool.full());
  EXPECT_EQ(pool.add_integer(70000), 65534);
  EXPECT_EQ(pool.add_integer(70001), 0);
  EXPECT_EQ(pool.add_integer(5), 6);  // still found
  EXPECT_EQ(pool.add_method({"A", "b", "()V"}), 0);
  ByteWriter out;
  pool.write(out);
  EXPECT_TRUE(parse(out.bytes()).ok());
}

TEST(ConstantPool, OverlongTextIsRefused) {
  ConstantPool pool;
  EXPECT_EQ(pool.add_utf8(std::string(65536, 'x')), 0);
  EXPECT_TRUE(pool.full());
}

}  // namespace
}  // namespace deadheat::classfile
