// SPDX-License-Identifier: Apache-2.0
#include "classfile/open_finals.h"

#include <gtest/gtest.h>

#include "tests/unit/classfile/class_builder.h"

namespace deadheat::classfile {
namespace {

constexpr std::uint8_t kIconst1 = 0x04, kAload0 = 0x2a, kAstore0 = 0x4b, kReturn = 0xb1;

using Marks = std::vector<bool>;

// A constructor of T, whose fields are: final int f, final int g, int plain, static final int constant.
class Constructor {
 public:
  explicit Constructor(ClassBuilder& builder) : builder_(builder) {}
  Constructor& op(std::initializer_list<std::uint8_t> bytes) { return code_.insert(code_.end(), bytes), *this; }
  Constructor& calls(const char* owner) {
    return op({kAload0}).index(0xb7, builder_.pool().add_method({owner, "<init>", "()V"}));
  }
  Constructor& sets(const char* field) {
    return op({kAload0, kIconst1}).index(0xb5, builder_.pool().add_field({"T", field, "I"}));
  }
  Constructor& lets_out() {
    return op({kAload0}).index(0xb8, builder_.pool().add_method({"X", "keep", "(Ljava/lang/Object;)V"}));
  }
  Constructor& calls_another() { return index(0xb8, builder_.pool().add_method({"X", "run", "()V"})); }
  void end() { builder_.stack(3).locals(1).method(0, "<init>", "()V", op({kReturn}).code_); }

 private:
  Constructor& index(std::uint8_t opcode, std::uint16_t index) {
    return op({opcode, static_cast<std::uint8_t>(index >> 8), static_cast<std::uint8_t>(index)});
  }
  ClassBuilder& builder_;
  Bytes code_;
};

class OpenFinalsTest : public testing::Test {
 protected:
  OpenFinalsTest() {
    field(kAccFinal, "f");
    field(kAccFinal, "g");
    field(0, "plain");
    field(kAccFinal | kAccStatic, "constant");
  }
  Constructor constructor() { return Constructor(builder_); }
  OpenFinals open() { return open_finals(builder_.cls()); }

 private:
  void field(std::uint16_t flags, const char* name) {
    builder_.cls().fields.push_back({flags, builder_.pool().add_utf8(name), builder_.pool().add_utf8("I"), {}});
  }
  ClassBuilder builder_{49};  // no frames to declare
};

TEST_F(OpenFinalsTest, AConstructorThatKeepsThisHasNone) {
  constructor().calls("java/lang/Object").sets("f").sets("plain").calls_another().sets("g").end();
  EXPECT_FALSE(open().leaks);
  EXPECT_EQ(open().if_this_leaks, Marks());
  EXPECT_EQ(open().if_super_leaks, (Marks{true, true, false, false}));
}

TEST_F(OpenFinalsTest, WhatALeakingConstructorSetsIsOpenBeforeAndBehindTheLeak) {
  constructor().calls("java/lang/Object").sets("f").lets_out().sets("g").end();
  EXPECT_TRUE(open().leaks);
  EXPECT_EQ(open().if_this_leaks, (Marks{true, true, false, false}));
}

TEST_F(OpenFinalsTest, WhatIsSetBeforeSuperIsNot) {
  constructor().sets("f").calls("java/lang/Object").lets_out().sets("g").end();
  EXPECT_EQ(open().if_this_leaks, (Marks{false, true, false, false}));
}

TEST_F(OpenFinalsTest, EachConstructorOpensItsOwn) {
  constructor().calls("java/lang/Object").sets("f").end();
  constructor().calls("java/lang/Object").lets_out().sets("g").end();
  EXPECT_EQ(open().if_this_leaks, (Marks{false, true, false, false}));
  EXPECT_EQ(open().if_super_leaks, (Marks{true, true, false, false}));
}

// The fields are set, and frozen, by the constructor that is called.
TEST_F(OpenFinalsTest, OneThatCallsAnotherOpensNothing) {
  constructor().calls("java/lang/Object").sets("f").end();
  constructor().calls("T").lets_out().end();
  EXPECT_TRUE(open().leaks);
  EXPECT_EQ(open().if_this_leaks, Marks());
}

TEST_F(OpenFinalsTest, NothingIsOpenWhereTheFreezeCouldNotBeTold) {
  constructor().calls("java/lang/Object").lets_out().sets("f").op({kAload0, kAstore0}).end();
  EXPECT_TRUE(open().leaks);
  EXPECT_EQ(open().if_this_leaks, Marks());
  EXPECT_EQ(open().if_super_leaks, Marks());
}

TEST_F(OpenFinalsTest, ASecondSetBehindAnotherConstructorsFreezeOpensNothing) {
  constructor().calls("java/lang/Object").lets_out().sets("f").end();
  constructor().calls("T").sets("g").end();
  EXPECT_TRUE(open().leaks);
  EXPECT_EQ(open().if_this_leaks, Marks());
}

}  // namespace
}  // namespace deadheat::classfile
