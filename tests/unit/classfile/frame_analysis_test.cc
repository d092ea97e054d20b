// SPDX-License-Identifier: Apache-2.0
#include "classfile/frame_analysis.h"

#include <gtest/gtest.h>

#include "tests/unit/classfile/class_builder.h"

namespace deadheat::classfile {
namespace {

using Found = AbstractValue::Kind;

InsnId insn(std::uint32_t index) { return static_cast<InsnId>(index); }

// One method under analysis, with a cursor.
class Analysed {
 public:
  explicit Analysed(ClassBuilder& builder)
      : code_(builder.code().value()),
        analysis_(FrameAnalysis::run(builder.cls(), builder.last_method(), code_)),
        cursor_(analysis_) {}

  const FrameAnalysis& analysis() const { return analysis_; }
  // The state before the instruction with that index.
  const FrameAnalysis::Cursor& before(std::uint32_t index) {
    EXPECT_TRUE(cursor_.seek(insn(index))) << index;
    return cursor_;
  }

 private:
  Code code_;
  FrameAnalysis analysis_;
  FrameAnalysis::Cursor cursor_;
};

std::uint8_t low(std::uint16_t index) { return static_cast<std::uint8_t>(index); }

TEST(FrameAnalysis, ParametersAndSlotSizes) {
  ClassBuilder builder;
  builder.locals(6).method(0, "m", "(JILX;F)V", {0xb1});
  Analysed method(builder);
  const FrameAnalysis::Cursor& at = method.before(0);
  EXPECT_EQ(at.local(0).kind(), Found::kReference);
  EXPECT_EQ(at.local(1).kind(), Found::kLong);
  EXPECT_EQ(at.local(2).kind(), Found::kSecondSlot);
  EXPECT_EQ(at.local(3).kind(), Found::kInt);
  EXPECT_EQ(at.local(4).kind(), Found::kReference);
  EXPECT_EQ(at.local(5).kind(), Found::kFloat);
  EXPECT_EQ(at.local(6).kind(), Found::kTop);
  EXPECT_EQ(at.stack_slots(), 0u);
}

TEST(FrameAnalysis, LongsTakeTwoStackSlots) {
  ClassBuilder builder;
  builder.static_method({0x0a, 0x03, 0x58, 0xb1});  // lconst_1; iconst_0; pop2 (half a long: the verifier's affair)
  Analysed method(builder);
  EXPECT_EQ(method.before(2).stack_slots(), 3u);
  EXPECT_EQ(method.before(2).stack(0).kind(), Found::kInt);
  EXPECT_EQ(method.before(2).stack(1).kind(), Found::kSecondSlot);
  EXPECT_EQ(method.before(2).stack(2).kind(), Found::kLong);
  EXPECT_EQ(method.before(2).stack(3).kind(), Found::kTop);
}

TEST(FrameAnalysis, SameLocalIsTheSameValueUntilStored) {
  ClassBuilder builder;
  // aload_0; aload_0; pop2; aload_1; astore_0; aload_0; aload_1; pop2; return
  builder.static_method({0x2a, 0x2a, 0x58, 0x2b, 0x4b, 0x2a, 0x2b, 0x58, 0xb1}, "(LX;LX;)V");
  Analysed method(builder);
  EXPECT_EQ(method.before(2).stack(0), method.before(2).stack(1));
  AbstractValue first = method.before(2).stack(0);
  EXPECT_EQ(method.before(7).stack(0), method.before(7).stack(1));
  EXPECT_NE(method.before(7).stack(0), first);
}

TEST(FrameAnalysis, SmallConstantsAreEqual) {
  ClassBuilder builder;
  builder.static_method({0x03, 0x10, 0, 0x04, 0xb1});  // iconst_0; bipush 0; iconst_1
  Analysed method(builder);
  EXPECT_EQ(method.before(3).stack(1), method.before(3).stack(2));
  EXPECT_NE(method.before(3).stack(0), method.before(3).stack(1));
}

TEST(FrameAnalysis, ConstructorCallInitializesAllCopies) {
  ClassBuilder builder;
  auto cls = low(builder.pool().add_class("X"));
  auto init = low(builder.pool().add_method({"X", "<init>", "()V"}));
  // new X; dup; astore_0; dup; invokespecial; return
  builder.static_method({0xbb, 0, cls, 0x59, 0x4b, 0x59, 0xb7, 0, init, 0xb1});
  Analysed method(builder);
  EXPECT_EQ(method.before(4).local(0).kind(), Found::kUninitialized);
  EXPECT_EQ(method.before(4).stack(0).made_at(), insn(0));
  EXPECT_EQ(method.before(5).local(0).kind(), Found::kReference);
  EXPECT_EQ(method.before(5).stack(0), method.before(5).local(0));
}

TEST(FrameAnalysis, ThisIsUninitializedBeforeSuper) {
  ClassBuilder builder;
  auto init = low(builder.pool().add_method({"java/lang/Object", "<init>", "()V"}));
  builder.method(0, "<init>", "()V", {0x2a, 0xb7, 0, init, 0xb1});
  Analysed method(builder);
  EXPECT_EQ(method.before(1).stack(0).kind(), Found::kUninitializedThis);
  EXPECT_EQ(method.before(2).local(0).kind(), Found::kReference);
}

TEST(FrameAnalysis, ArrayIsFreshUntilItEscapes) {
  ClassBuilder builder;
  auto use = low(builder.pool().add_method({"X", "use", "([I)V"}));
  // iconst_2; newarray int; dup; iconst_0; iconst_5; iastore; astore_0; aload_0; arraylength; pop;
  // aload_0; invokestatic use; aload_0; pop; return
  builder.static_method(
      {0x05, 0xbc, 10, 0x59, 0x03, 0x08, 0x4f, 0x4b, 0x2a, 0xbe, 0x57, 0x2a, 0xb8, 0, use, 0x2a, 0x57, 0xb1});
  Analysed method(builder);
  EXPECT_EQ(method.before(5).stack(2).kind(), Found::kFreshArray);  // iastore's array
  EXPECT_EQ(method.before(8).stack(0).kind(), Found::kFreshArray);
  EXPECT_EQ(method.before(11).stack(0).kind(), Found::kFreshArray);
  EXPECT_EQ(method.before(11).stack(0).made_at(), insn(1));
  EXPECT_EQ(method.before(12).local(0).kind(), Found::kReference);
  EXPECT_EQ(method.before(12).local(0).number(), method.before(11).local(0).number());
}

TEST(FrameAnalysis, ArrayStoredIntoAnArrayEscapesTheArrayStoredToDoesNot) {
  ClassBuilder builder;
  auto cls = low(builder.pool().add_class("[I"));
  // iconst_1; anewarray [I; astore_0; iconst_1; newarray int; astore_1; aload_0; iconst_0; aload_1; aastore; return
  builder.static_method({0x04, 0xbd, 0, cls, 0x4b, 0x04, 0xbc, 10, 0x4c, 0x2a, 0x03, 0x2b, 0x53, 0xb1});
  Analysed method(builder);
  EXPECT_EQ(method.before(9).stack(0).kind(), Found::kFreshArray);
  EXPECT_EQ(method.before(10).local(0).kind(), Found::kFreshArray);
  EXPECT_EQ(method.before(10).local(1).kind(), Found::kReference);
}

TEST(FrameAnalysis, ArrayKnownUnderTwoNamesIsNotFresh) {
  ClassBuilder builder;
  // 0 iconst_1; 1 newarray int; 3 astore_1; 4 aload_1; 5 astore_2; 6 iload_0; 7 ifeq 12; 10 aconst_null; 11 astore_2;
  // 12 return: local 2 is the array or null, so what happens to local 2 happens to local 1
  builder.static_method({0x04, 0xbc, 10, 0x4c, 0x2b, 0x4d, 0x1a, 0x99, 0, 5, 0x01, 0x4d, 0xb1}, "(I)V");
  Analysed method(builder);
  EXPECT_EQ(method.before(6).local(1).kind(), Found::kFreshArray);
  EXPECT_EQ(method.before(9).local(1).kind(), Found::kReference);
  EXPECT_EQ(method.before(9).local(2).kind(), Found::kReference);
}

TEST(FrameAnalysis, HandlerSeesTheEscapeOfTheCallThatThrew) {
  ClassBuilder builder;
  auto use = low(builder.pool().add_method({"X", "use", "([I)V"}));
  // 0 iconst_1; 1 newarray; 3 astore_0; [4 aload_0; 5 invokestatic]; 8 return; 9 athrow
  builder.handler({4, 8, 9, 0}).static_method({0x04, 0xbc, 10, 0x4b, 0x2a, 0xb8, 0, use, 0xb1, 0xbf});
  Analysed method(builder);
  EXPECT_EQ(method.before(6).stack_slots(), 1u);
  EXPECT_EQ(method.before(6).stack(0).kind(), Found::kReference);
  EXPECT_EQ(method.before(6).local(0).kind(), Found::kReference);
}

TEST(FrameAnalysis, MergesGetTheirOwnNumber) {
  ClassBuilder builder;
  // 0 iload_0; 1 ifeq 9; 4 aload_1; 5 goto 10; 8 nop(dead); 9 aload_2; 10 astore_1; 11 aload_1; 12 pop; 13 return
  builder.static_method({0x1a, 0x99, 0, 8, 0x2b, 0xa7, 0, 5, 0x00, 0x2c, 0x4c, 0x2b, 0x57, 0xb1}, "(ILX;LX;)V");
  Analysed method(builder);
  EXPECT_TRUE(method.analysis().is_join(insn(6)));
  EXPECT_FALSE(method.analysis().reachable(insn(4)));
  AbstractValue merged = method.before(6).stack(0);
  EXPECT_EQ(merged.kind(), Found::kReference);
  EXPECT_NE(merged, method.before(6).local(1));
  EXPECT_NE(merged, method.before(6).local(2));
  EXPECT_EQ(method.before(8).stack(0), merged);
}

TEST(FrameAnalysis, ValueOfTheLastIterationIsAnotherValue) {
  ClassBuilder builder;
  auto next = low(builder.pool().add_method({"X", "next", "()LX;"}));
  // 0 aload_0; 1 astore_1; 2 aload_0; 3 astore_0(nop-like); 4 invokestatic next; 7 astore_0; 8 goto 0
  builder.static_method({0x2a, 0x4c, 0x2a, 0x4b, 0xb8, 0, next, 0x4b, 0xa7, 0xff, 0xf8}, "(LX;)V");
  Analysed method(builder);
  // Before the call local 1 is the object of the iteration before, after it local 0 is the new one.
  EXPECT_EQ(method.before(5).local(0), method.before(5).local(1));
  EXPECT_NE(method.before(6).local(0), method.before(6).local(1));
  EXPECT_NE(method.before(6).local(0), method.before(0).local(0));
}

TEST(FrameAnalysis, HalfALongIsUnusable) {
  ClassBuilder builder;
  builder.static_method({0x09, 0x40, 0x03, 0x3c, 0xb1});  // lconst_0; lstore_1; iconst_0; istore_1
  Analysed method(builder);
  EXPECT_EQ(method.before(2).local(1).kind(), Found::kLong);
  EXPECT_EQ(method.before(4).local(1).kind(), Found::kInt);
  EXPECT_EQ(method.before(4).local(2).kind(), Found::kTop);
}

TEST(FrameAnalysis, OddMethodsAreNotKnown) {
  auto known = [](const Bytes& code) {
    ClassBuilder builder;
    builder.static_method(code);
    Analysed method(builder);
    FrameAnalysis::Cursor cursor(method.analysis());
    EXPECT_EQ(cursor.seek(insn(0)), method.analysis().known());
    return method.analysis().known();
  };
  EXPECT_TRUE(known({0xb1}));
  EXPECT_FALSE(known({0x57, 0xb1}));                          // pop of nothing
  EXPECT_FALSE(known({0x03, 0x03, 0x03, 0x03, 0x03, 0xb1}));  // over max_stack
  EXPECT_FALSE(known({0x1a, 0x57, 0xb1}));                    // a local never set
  EXPECT_FALSE(known({0x00}));                                // falls off the end
  EXPECT_FALSE(known({0xa8, 0, 3, 0xb1}));                    // jsr
  EXPECT_FALSE(known({0xb8, 0, 1, 0xb1}));                    // a bad constant
  EXPECT_FALSE(known({0x03, 0xa7, 0xff, 0xff}));              // a growing stack
}

TEST(FrameAnalysis, CursorGoesAnywhereWhileTheCodeIsEdited) {
  ClassBuilder builder;
  builder.static_method({0x03, 0x04, 0x05, 0x57, 0x58, 0xb1});
  Code code = builder.code().value();
  FrameAnalysis analysis = FrameAnalysis::run(builder.cls(), builder.last_method(), code);
  FrameAnalysis::Cursor cursor(analysis);
  code.insert_before(insn(1), {Instruction::simple(Opcode::nop)});
  code.replace(insn(2), Instruction::simple(Opcode::nop));
  for (std::uint32_t index : {5u, 3u, 0u, 4u, 4u, 2u, 3u}) {
    ASSERT_TRUE(cursor.seek(insn(index)));
    constexpr std::uint32_t kDepths[] = {0, 1, 2, 3, 2, 0};
    EXPECT_EQ(cursor.stack_slots(), kDepths[index]);
  }
}

}  // namespace
}  // namespace deadheat::classfile
