// SPDX-License-Identifier: Apache-2.0
//
// Which hooks follow an array from method to method (handed_arrays.cc), in order.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "classfile/instrumenter.h"
#include "tests/unit/classfile/class_builder.h"

namespace deadheat::classfile {
namespace {

constexpr std::uint8_t kAload0 = 0x2a, kAload1 = 0x2b, kAstore0 = 0x4b, kAstore1 = 0x4c, kIconst0 = 0x03, kPop = 0x57,
                       kIaload = 0x2e, kReturn = 0xb1, kAreturn = 0xb0, kInvokeStatic = 0xb8, kPutStatic = 0xb3,
                       kNewArray = 0xbc, kInt = 10, kIfnull = 0xc6;

class Guide final : public PointGuide {
 public:
  std::uint32_t site(const Point& point) override {
    const bool is_array = point.kind == PointKind::kArrayRead || point.kind == PointKind::kArrayWrite;
    return is_array ? 1000 + point.bytecode_index : 0;
  }
  bool may_order(const MemberRef&) override { return true; }
  void skipped(std::uint32_t, std::string_view reason) override { ADD_FAILURE() << reason; }
};

Plan plan() {
  constexpr std::string_view kAccess = "(Ljava/lang/Object;IILjava/lang/Object;)Ljava/lang/Object;";
  constexpr std::string_view kStore = "(Ljava/lang/Object;ILjava/lang/Object;ILjava/lang/Object;)Ljava/lang/Object;";
  Plan plan;
  plan.array_read = {"H", "read", kAccess};
  plan.array_write = {"H", "write", kAccess};
  plan.reference_write = {"H", "write", kStore};
  plan.own_read = {"H", "own-read", kAccess};
  plan.own_write = {"H", "own-write", kAccess};
  plan.own_reference_write = {"H", "own-write", kStore};
  plan.array_passed = {"H", "passed", "(II)Ljava/lang/Object;"};
  plan.array_handing = {"H", "handing", "(ILjava/lang/Object;)V"};
  plan.array_handing_fresh = {"H", "handing-fresh", "(I)V"};
  plan.array_handed = {"H", "handed", "()V"};
  plan.array_keeping = {"H", "keeping", "(ILjava/lang/Object;)V"};
  plan.array_kept = {"H", "kept", "(I)Ljava/lang/Object;"};
  plan.array_making = {"H", "making", "(I)V"};
  plan.array_making_if = {"H", "making-if", "(ILjava/lang/Object;)V"};
  plan.array_made = {"H", "made", "(I)Ljava/lang/Object;"};
  return plan;
}

// A static method m of T. Version 49: no frames to declare.
class Method {
 public:
  explicit Method(std::string_view descriptor = "([I)V") : descriptor_(descriptor) {}
  Method& op(std::initializer_list<std::uint8_t> bytes) { return code_.insert(code_.end(), bytes), *this; }
  Method& element() { return op({kIconst0, kIaload, kPop}); }
  Method& fresh() { return op({kIconst0, kNewArray, kInt}); }
  Method& call(std::string_view name, std::string_view descriptor = "([I)V", std::string_view owner = "X") {
    return index(kInvokeStatic, builder_.pool().add_method({owner, name, descriptor}));
  }
  Method& store() { return index(kPutStatic, builder_.pool().add_field({"X", "f", "[I"})); }
  Method& off() { return options_.handed_arrays = false, *this; }

  // The hooks and the calls of X, with a space between. Behind a hook with a token, what the token is of: each is told
  // by a letter, in the order in which they come.
  std::string hooks() {
    if (code_.back() != kAreturn) op({kReturn});
    builder_.stack(8).locals(2).static_method(code_, descriptor_);
    Guide guide;
    const Plan hooks = plan();
    instrument(builder_.cls(), hooks, options_, guide);
    std::string all;
    std::map<std::int32_t, char> tokens;
    std::int32_t token = 0;
    Opcode before = Opcode::nop;
    const Code code = builder_.code().value();
    for (const InsnId at : code.originals()) {
      const Instruction& instruction = code.at(at);
      if (instruction.opcode == Opcode::ldc || instruction.opcode == Opcode::ldc_w) token = constant(instruction);
      const bool is_call = instruction.opcode == Opcode::invokestatic;
      const bool is_zero = before == Opcode::iconst_0;
      before = instruction.opcode;
      if (!is_call) continue;
      const auto hook = builder_.pool().member(instruction.index());
      all += (all.empty() ? "" : " ") + std::string(hook->name);
      const bool has_token = hook->owner == "H" && hook->descriptor.starts_with("(I");
      if (!has_token) continue;
      all += '.';
      const bool none = is_zero && hook->name == "making";
      all += none ? '0' : tokens.try_emplace(token, static_cast<char>('a' + tokens.size())).first->second;
    }
    return all;
  }

 private:
  Method& index(std::uint8_t opcode, std::uint16_t index) {
    return op({opcode, static_cast<std::uint8_t>(index >> 8), static_cast<std::uint8_t>(index)});
  }
  std::int32_t constant(const Instruction& instruction) {
    return static_cast<std::int32_t>(builder_.pool().integer(instruction.index()).value_or(0));
  }

  ClassBuilder builder_{49};
  std::string_view descriptor_;
  Bytes code_;
  InstrumentOptions options_ = [] {
    InstrumentOptions options;
    options.handed_arrays = true;
    return options;
  }();
};

TEST(HandedArrays, AParameterIsAskedForAndGivenBack) {
  EXPECT_EQ(Method().op({kAload0}).element().hooks(), "passed.a own-read keeping.a");
  EXPECT_EQ(Method().off().op({kAload0}).element().hooks(), "read");
}

TEST(HandedArrays, WhatIsStoredIsWatchedFromThenOnAndNotGivenBack) {
  EXPECT_EQ(Method().op({kAload0}).element().op({kAload0}).store().op({kAload0}).element().hooks(),
            "passed.a own-read read");
  EXPECT_EQ(Method().op({kAload0}).store().op({kAload0}).element().hooks(), "passed.a read");
}

TEST(HandedArrays, ACallMayKeepIt) {
  EXPECT_EQ(Method().op({kAload0}).call("g").op({kAload0}).element().hooks(),
            "passed.a handing.b g kept.b own-read keeping.a");
  EXPECT_EQ(Method().op({kAload0}).call("g", "([I)V", "java/util/Arrays").op({kAload0}).element().hooks(),
            "passed.a g read")
      << "the JDK does not tell";
}

TEST(HandedArrays, OneThatIsMadeHereIsHandedOnce) {
  EXPECT_EQ(Method("()V").fresh().call("g").hooks(), "handing-fresh.a g handed");
  EXPECT_EQ(Method("()V").fresh().op({kAstore0, kAload0}).call("g").op({kAload0}).element().hooks(),
            "handing-fresh.a g handed read");
}

TEST(HandedArrays, TheSameArrayTwiceIsNotHanded) {
  EXPECT_EQ(Method().op({kAload0, kAload0}).call("g", "([I[I)V").hooks(), "passed.a handed g keeping.a");
  EXPECT_EQ(Method().op({kAload0, kAload0}).call("g", "([ILjava/lang/Object;)V").hooks(),
            "passed.a handed g keeping.a");
}

TEST(HandedArrays, OfTwoParametersOneCanBeHanded) {
  EXPECT_EQ(Method("([I[I)V").op({kAload0}).element().op({kAload1}).element().hooks(),
            "passed.a passed.b own-read own-read keeping.a keeping.b");
}

TEST(HandedArrays, WhatIsReturnedIsTold) {
  EXPECT_EQ(Method("()[I").fresh().op({kAreturn}).hooks(), "making.a");
  EXPECT_EQ(Method("()[I").call("g", "()[I").op({kAreturn}).hooks(), "making.0 g made.a making-if.b");
  EXPECT_EQ(Method("([I)[I").op({kAload0, kAreturn}).hooks(), "passed.a making.0") << "the caller's own";
}

TEST(HandedArrays, WhatACallReturnsIsFollowedWhereItGoesOn) {
  EXPECT_EQ(Method("()V").call("g", "()[I").op({kPop}).hooks(), "g");
  EXPECT_EQ(Method("()V").call("g", "()[I").element().hooks(), "making.0 g made.a own-read");
  EXPECT_EQ(Method("()V").call("g", "()[I").call("h").hooks(), "making.0 g made.a handing.b h kept.b");
}

TEST(HandedArrays, TwoNamesForOneArrayEndIt) {
  // astore_1 of the parameter or of another array: which one cannot be told behind the join.
  Method method("([I[I)V");
  method.op({kAload1, kIfnull, 0, 5, kAload0, kAstore1}).op({kAload1}).store().op({kAload0}).element();
  EXPECT_EQ(method.hooks(), "passed.a passed.b read");
}

TEST(HandedArrays, AMethodWhoseStackIsNotKnownForgetsWhatItWasHanded) {
  // jsr to the next instruction, which drops the address.
  EXPECT_EQ(Method("([I)[I").op({0xa8, 0, 3, kPop, kAload0, kAreturn}).hooks(), "handed making.0");
}

}  // namespace
}  // namespace deadheat::classfile
