// SPDX-License-Identifier: Apache-2.0
#include "classfile/stack_map.h"

#include <gtest/gtest.h>

#include "tests/unit/classfile/class_builder.h"

namespace deadheat::classfile {
namespace {

using Type = VerificationType;
using TypeTag = VerificationType::Tag;

constexpr std::uint8_t kNop = 0x00, kReturn = 0xb1;

InsnId insn(std::uint32_t index) { return static_cast<InsnId>(index); }
Instruction nop() { return Instruction::simple(Opcode::nop); }

Bytes frames_after(ClassBuilder& builder, const Code& code) {
  Result<Bytes> bytes = code.encode(builder.pool());
  EXPECT_TRUE(bytes.ok()) << bytes.error().message;
  for (const EncodedCode::Table& table : EncodedCode(bytes.value()).tables) {
    if (builder.pool().utf8(table.name) == "StackMapTable") return table.bytes;
  }
  return {};
}

// Twelve one-byte instructions to hang frames on.
ClassBuilder& twelve(ClassBuilder& builder, const Bytes& frames) {
  return builder.table("StackMapTable", frames)
      .static_method({kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kReturn}, "(IJLX;)V");
}

// same, same_1, same_1_extended, append 2, chop 1, same_extended, full.
const Bytes kAllForms = {0,   7, 0, 64,  1, 247, 0,   0, 2, 253, 0, 0, 4, 5,      // offsets 0 1 2 3
                         250, 0, 0, 251, 0, 0,   255, 0, 0, 0,   1, 3, 0, 1, 6};  // 4 5 6

TEST(StackMap, AllFormsAreKept) {
  ClassBuilder builder;
  Code code = twelve(builder, kAllForms).code().value();
  EXPECT_EQ(code.frames().size(), 7u);
  EXPECT_EQ(frames_after(builder, code), kAllForms);
}

TEST(StackMap, DeltasMoveAndGrow) {
  ClassBuilder builder;
  Code code = twelve(builder, kAllForms).code().value();
  code.insert_after(insn(0), std::vector<Instruction>(100, nop()));
  code.insert_after(insn(1), {nop(), nop()});
  Bytes expected = {0,   7, 0, 247, 0, 100, 1,   247, 0, 2, 2, 253, 0, 0, 4, 5,
                    250, 0, 0, 251, 0, 0,   255, 0,   0, 0, 1, 3,   0, 1, 6};
  EXPECT_EQ(frames_after(builder, code), expected);
}

TEST(StackMap, MalformedTablesFailTheMethod) {
  auto parses = [](const Bytes& frames) {
    ClassBuilder builder;
    return twelve(builder, frames).code().ok();
  };
  EXPECT_TRUE(parses({0, 1, 3}));
  EXPECT_FALSE(parses({0, 1, 12}));           // past the end
  EXPECT_FALSE(parses({0, 1, 200}));          // reserved
  EXPECT_FALSE(parses({0, 2, 3}));            // cut short
  EXPECT_FALSE(parses({0, 1, 3, 0}));         // too long
  EXPECT_FALSE(parses({0, 1, 64, 9}));        // no such type
  EXPECT_FALSE(parses({0, 1, 64, 8, 0, 0}));  // uninitialised, but no `new` there
}

TEST(StackMap, OldClassesKeepTheirTableAsBytes) {
  ClassBuilder builder(49);
  Code code = twelve(builder, {9, 9, 9}).code().value();
  EXPECT_EQ(code.raw_attributes(), 1u);
}

TEST(StackMap, UninitializedFollowsItsNew) {
  ClassBuilder builder;
  std::uint16_t cls = builder.pool().add_class("X");
  builder.table("StackMapTable", {0, 1, 67, 8, 0, 0});
  Code code = builder.static_method({0xbb, 0, static_cast<std::uint8_t>(cls), 0x57, kReturn}).code().value();
  code.insert_before(insn(0), {nop(), nop()});
  EXPECT_EQ(frames_after(builder, code), (Bytes{0, 1, 69, 8, 0, 2}));
}

TEST(StackMap, FramesStayWithTheJumpsThatSkip) {
  ClassBuilder builder;
  builder.table("StackMapTable", {0, 1, 4});
  Code code = builder.static_method({0x03, 0x99, 0, 3, kReturn}).code().value();
  code.insert_before(insn(2), {nop()}, Code::Jumps::kSkipped);
  code.insert_before(insn(2), {nop(), nop()});
  EXPECT_EQ(frames_after(builder, code), (Bytes{0, 1, 5}));
}

TEST(StackMap, AddedFrameMakesTheTable) {
  ClassBuilder builder;
  Code code = builder.static_method({kReturn}).code().value();
  Label start = code.new_label(), end = code.new_label();
  code.prepend({Instruction::place(start)});
  code.append({Instruction::place(end), Instruction::simple(Opcode::athrow)});
  code.add_handler({start, end, end, 0}, Code::Order::kLast);
  Type throwable = Type::object(builder.pool().add_class("java/lang/Throwable"));
  code.add_frame(end, {}, {&throwable, 1});
  EXPECT_EQ(frames_after(builder, code), (Bytes{0, 1, 65, 7, 0, static_cast<std::uint8_t>(throwable.class_index())}));
}

TEST(StackMap, AddedFrameBetweenRelativeOnes) {
  ClassBuilder builder;
  // entry (IJLX;): append int at 2, same at 4
  Code code = twelve(builder, {0, 2, 252, 0, 2, 1, 1}).code().value();
  Label middle = code.new_label();
  code.insert_before(insn(3), {Instruction::place(middle)});
  Type locals[] = {Type::simple(TypeTag::kInteger)};
  code.add_frame(middle, locals, {});
  auto x = static_cast<std::uint8_t>(builder.pool().add_class("X"));
  EXPECT_EQ(frames_after(builder, code), (Bytes{0, 3, 252, 0, 2, 1,           // as before
                                                248, 0, 0,                    // down to (I)
                                                254, 0, 0, 4, 7, 0, x, 1}));  // up to (IJLX;I)
}

TEST(StackMap, TwoFramesAtOnePlaceAreAnError) {
  ClassBuilder builder;
  Code code = twelve(builder, {0, 1, 3}).code().value();
  Label same = code.new_label();
  code.insert_before(insn(3), {Instruction::place(same)});
  code.add_frame(same, {}, {});
  EXPECT_FALSE(code.encode(builder.pool()));
}

TEST(StackMap, PinnedLocalIsInEveryFrame) {
  ClassBuilder builder;
  builder.locals(8);
  Code code = twelve(builder, {0, 2, 2, 64, 1}).code().value();
  std::uint16_t local = code.new_local(1);
  EXPECT_EQ(local, 8);
  Type object = Type::object(builder.pool().add_class("X"));
  auto x = static_cast<std::uint8_t>(object.class_index());
  code.pin_local(local, object);
  // int, long (two slots), X, then four slots of nothing, then the pinned one.
  EXPECT_EQ(frames_after(builder, code),
            (Bytes{0, 2, 255, 0, 2, 0, 8, 1, 4, 7, 0, x, 0, 0, 0, 0, 7, 0, x, 0, 0, 64, 1}));
}

TEST(StackMap, ConstructorsStartUninitialized) {
  ClassBuilder builder;
  builder.table("StackMapTable", {0, 1, 0});
  builder.method(kAccPublic, "<init>", "()V", {kReturn});
  Code code = builder.code().value();
  code.pin_local(code.new_local(1), Type::simple(TypeTag::kInteger));
  EXPECT_EQ(frames_after(builder, code), (Bytes{0, 1, 255, 0, 0, 0, 5, 6, 0, 0, 0, 1, 0, 0}));
}

}  // namespace
}  // namespace deadheat::classfile
