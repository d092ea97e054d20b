// SPDX-License-Identifier: Apache-2.0
//
// Which methods are looked at closely, and that the others would have been left as they were.
#include "classfile/hook_need.h"

#include <gtest/gtest.h>

#include "tests/unit/classfile/class_builder.h"

namespace deadheat::classfile {
namespace {

constexpr std::uint8_t kAconstNull = 0x01, kIconst0 = 0x03, kAload0 = 0x2a, kIaload = 0x2e, kPop = 0x57, kReturn = 0xb1,
                       kGetfield = 0xb4, kInvokestatic = 0xb8, kMonitorenter = 0xc2, kTableswitch = 0xaa,
                       kLookupswitch = 0xab, kWide = 0xc4, kIinc = 0x84, kGetstatic = 0xb2;

// Watches fields of other classes, and "v".
class Guide final : public PointGuide {
 public:
  std::uint32_t site(const Point&) override { return 7; }
  bool may_watch(const MemberRef& field) override { return field.owner != "T" || field.name == "v"; }
  bool may_wrap(std::uint32_t) override { return wraps; }
  bool is_region(std::uint32_t) override { return wraps; }
  bool may_order(const MemberRef&) override { return true; }
  void skipped(std::uint32_t, std::string_view reason) override { ADD_FAILURE() << reason; }
  bool wraps = false;
};

class HookNeedTest : public testing::Test {
 protected:
  HookNeedTest() {
    plan_.static_read = {"H", "read", "(I)V"};
    plan_.monitor_request = {"H", "request", "(Ljava/lang/Object;I)V"};
    plan_.region_entered = {"H", "enter", "()V"};
    plan_.region_left = {"H", "leave", "()V"};
    plan_.add_call({"X", "called", "", CallRule::Action::kAfter, {"H", "after", "()V"}, {}});
    options_.arrays = options_.drop_redundant = false;
  }
  bool need(const Bytes& code, std::uint16_t flags = kAccStatic, std::string_view name = "m") {
    builder_.stack(8).locals(3).method(flags, name, "()V", code);
    const HookSet sets[] = {{plan_, options_, guide_}};
    return HookNeed(builder_.cls(), sets).may_take_any(static_cast<std::uint32_t>(builder_.cls().methods.size()) - 1);
  }
  Bytes named(std::uint8_t opcode, std::uint16_t index) {
    return {opcode, static_cast<std::uint8_t>(index >> 8), static_cast<std::uint8_t>(index), kPop, kReturn};
  }
  Bytes field(const char* owner, const char* name) {
    return named(kGetstatic, builder_.pool().add_field({owner, name, "I"}));
  }

  ClassBuilder builder_;
  Plan plan_;
  InstrumentOptions options_;
  Guide guide_;
};

TEST_F(HookNeedTest, FieldsAreThoseThatTheGuideMayWatch) {
  EXPECT_FALSE(need(field("T", "x")));
  EXPECT_TRUE(need(field("T", "v")));
  EXPECT_TRUE(need(field("X", "x")));
  options_.fields = false;
  EXPECT_FALSE(need(field("T", "v")));
}

TEST_F(HookNeedTest, CallsAreThoseOfARule) {
  EXPECT_FALSE(need(named(kInvokestatic, builder_.pool().add_method({"X", "other", "()I"}))));
  EXPECT_TRUE(need(named(kInvokestatic, builder_.pool().add_method({"X", "called", "()I"}))));
  EXPECT_FALSE(need(named(kInvokestatic, builder_.pool().add_method({"Y", "called", "()I"}))));
}

TEST_F(HookNeedTest, InstructionsThatNameNothing) {
  const Bytes load = {kAconstNull, kIconst0, kIaload, kPop, kReturn};
  EXPECT_FALSE(need(load));
  options_.arrays = true;
  EXPECT_TRUE(need(load));
  EXPECT_TRUE(need({kAconstNull, kMonitorenter, kReturn}));
  options_.monitors = false;
  EXPECT_FALSE(need({kAconstNull, kMonitorenter, kReturn}));
}

TEST_F(HookNeedTest, WhatGoesAroundTheMethod) {
  EXPECT_TRUE(need({kReturn}, kAccSynchronized));
  EXPECT_TRUE(need({kReturn}, kAccStatic, "<clinit>"));
  EXPECT_FALSE(need({kReturn}, 0, "<init>"));
  options_.init = 3;
  EXPECT_TRUE(need({kReturn}, 0, "<init>"));
  EXPECT_TRUE(need({kReturn}));
  EXPECT_FALSE(need({kReturn}, 0));
  guide_.wraps = true;
  EXPECT_TRUE(need({kReturn}, 0));
}

// A point behind each instruction of varying length is found, and nothing is taken for one that is none.
TEST_F(HookNeedTest, InstructionsOfAnyLength) {
  const Bytes table = {kIconst0, kTableswitch, 0, 0, 0, 0, 0, 27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, kMonitorenter, 0, 0,
                       0,        kMonitorenter};
  const Bytes lookup = {kIconst0, kLookupswitch, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, kMonitorenter, 0, 0, 0, 19};
  const Bytes wide = {kWide, kIinc, 0, 1, 0, kMonitorenter, kWide, 0x15, 0, kMonitorenter, kPop};
  for (const Bytes& start : {table, lookup, wide}) {
    Bytes code = start;
    code.push_back(kReturn);
    EXPECT_FALSE(need(code));
    code.back() = kMonitorenter;
    EXPECT_TRUE(need(code));
  }
}

TEST_F(HookNeedTest, WhatCannotBeReadIsLookedAt) {
  EXPECT_TRUE(need({0xff}));
  EXPECT_TRUE(need({kGetfield, 0}));
  EXPECT_TRUE(need({kAload0, kTableswitch, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1}));
  EXPECT_TRUE(need({kAload0, kLookupswitch, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff}));
}

TEST_F(HookNeedTest, AClassWithoutPointsStaysAsItIs) {
  const Bytes code = field("T", "x");
  builder_.stack(8).locals(3).method(kAccStatic, "m", "()V", code);
  const Bytes before = builder_.bytes();
  EXPECT_EQ(instrument(builder_.cls(), plan_, options_, guide_).methods, 0u);
  EXPECT_EQ(builder_.bytes(), before);
}

}  // namespace
}  // namespace deadheat::classfile
