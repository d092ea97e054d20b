// SPDX-License-Identifier: Apache-2.0
#include "classfile/descriptor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace deadheat::classfile {
namespace {

TEST(Descriptor, FieldKinds) {
  for (std::string_view text : {"Z", "B", "C", "S", "I"}) EXPECT_EQ(field_kind(text), Kind::kInt) << text;
  EXPECT_EQ(field_kind("J"), Kind::kLong);
  EXPECT_EQ(field_kind("D"), Kind::kDouble);
  EXPECT_EQ(field_kind("F"), Kind::kFloat);
  EXPECT_EQ(field_kind("Ljava/lang/String;"), Kind::kReference);
  EXPECT_EQ(field_kind("[[J"), Kind::kReference);
}

TEST(Descriptor, MalformedFields) {
  for (std::string_view text : {"", "V", "[", "[V", "L", "L;", "Lx", "II", "Lx;I", "X"}) {
    EXPECT_FALSE(field_kind(text)) << text;
  }
  EXPECT_FALSE(field_kind(std::string(256, '[') + "I"));
  EXPECT_TRUE(field_kind(std::string(255, '[') + "I"));
}

TEST(Descriptor, MethodShape) {
  std::optional<MethodShape> shape = method_shape("(IJLjava/lang/Object;[D)D");
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->parameter_slots, 5u);
  EXPECT_EQ(shape->return_kind, Kind::kDouble);
  EXPECT_EQ(shape->return_type, "D");
  EXPECT_EQ(method_shape("()V")->return_kind, Kind::kVoid);
}

TEST(Descriptor, MalformedMethods) {
  for (std::string_view text : {"", "(", "()", "(V)V", "(I", "(I)", "I", "()VV", "(Lx)V", "()L"}) {
    EXPECT_FALSE(method_shape(text)) << text;
  }
  EXPECT_TRUE(method_shape("(" + std::string(255, 'I') + ")V"));
  EXPECT_FALSE(method_shape("(" + std::string(256, 'I') + ")V"));
}

TEST(Descriptor, WalksParameters) {
  std::vector<std::string_view> seen;
  Parameters parameters("(I[[Lx/Y;JLa;)Z");
  while (std::optional<std::string_view> type = parameters.next()) seen.push_back(*type);
  EXPECT_EQ(seen, (std::vector<std::string_view>{"I", "[[Lx/Y;", "J", "La;"}));
  EXPECT_FALSE(parameters.failed());
  EXPECT_EQ(parameters.rest(), "Z");
}

}  // namespace
}  // namespace deadheat::classfile
