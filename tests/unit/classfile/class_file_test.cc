// SPDX-License-Identifier: Apache-2.0
#include "classfile/class_file.h"

#include <gtest/gtest.h>

#include "tests/unit/classfile/class_builder.h"

namespace deadheat::classfile {
namespace {

Bytes small_class() {
  ClassBuilder builder;
  builder.cls().interfaces.push_back(builder.pool().add_class("I"));
  builder.cls().fields.push_back({kAccPrivate, builder.pool().add_utf8("f"), builder.pool().add_utf8("J"), {}});
  builder.cls().attributes.push_back({builder.pool().add_utf8("Custom"), builder.cls().own({1, 2, 3})});
  return builder.static_method({0xb1}).bytes();
}

TEST(ClassFile, RoundTripIsByteExact) {
  Bytes bytes = small_class();
  Result<ClassFile> cls = ClassFile::parse(bytes);
  ASSERT_TRUE(cls.ok());
  EXPECT_EQ(cls.value().write(), bytes);
}

TEST(ClassFile, Names) {
  Bytes bytes = small_class();
  ClassFile cls = ClassFile::parse(bytes).value();
  EXPECT_EQ(cls.name(), "T");
  EXPECT_EQ(cls.super_name(), "java/lang/Object");
  EXPECT_EQ(cls.name_of(cls.methods[0]), "m");
  EXPECT_EQ(cls.descriptor_of(cls.methods[0]), "()V");
  ASSERT_NE(cls.find(cls.attributes, "Custom"), nullptr);
  EXPECT_EQ(cls.find(cls.attributes, "Custom")->bytes.size(), 3u);
  EXPECT_EQ(cls.find(cls.attributes, "Other"), nullptr);
}

TEST(ClassFile, EveryTruncationIsAnError) {
  Bytes bytes = small_class();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(ClassFile::parse(ByteSpan(bytes).first(length))) << length;
  }
}

TEST(ClassFile, TrailingByteIsAnError) {
  Bytes bytes = small_class();
  bytes.push_back(0);
  EXPECT_FALSE(ClassFile::parse(bytes));
}

TEST(ClassFile, WrongMagicIsAnError) {
  Bytes bytes = small_class();
  bytes[0] ^= 1;
  EXPECT_FALSE(ClassFile::parse(bytes));
}

TEST(ClassFile, OwnedBytesSurviveAMove) {
  ClassFile cls;
  ByteSpan kept = cls.own({7, 8});
  ClassFile moved = std::move(cls);
  for (int i = 0; i < 100; ++i) moved.own({0});
  EXPECT_EQ(kept[0], 7);
  EXPECT_EQ(kept[1], 8);
}

}  // namespace
}  // namespace deadheat::classfile
