// SPDX-License-Identifier: Apache-2.0
#include "classfile/code.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/classfile/class_builder.h"

namespace deadheat::classfile {
namespace {

constexpr std::uint8_t kNop = 0x00, kIconst0 = 0x03, kPop = 0x57, kIfeq = 0x99, kGoto = 0xa7, kReturn = 0xb1;

InsnId insn(std::uint32_t index) { return static_cast<InsnId>(index); }
Instruction nop() { return Instruction::simple(Opcode::nop); }
Instruction simple(Opcode opcode) { return Instruction::simple(opcode); }

EncodedCode encode(ClassBuilder& builder, const Code& code) {
  Result<Bytes> bytes = code.encode(builder.pool());
  EXPECT_TRUE(bytes.ok()) << bytes.error().message;
  return EncodedCode(bytes.value());
}

void expect_identity(ClassBuilder& builder) {
  Result<Code> code = builder.code();
  ASSERT_TRUE(code.ok()) << code.error().message;
  Result<Bytes> bytes = code.value().encode(builder.pool());
  ASSERT_TRUE(bytes.ok()) << bytes.error().message;
  ByteSpan original = builder.last_method().attributes[0].bytes;
  EXPECT_EQ(bytes.value(), Bytes(original.begin(), original.end()));
}

TEST(Code, UnneededLongFormsAreKept) {
  ClassBuilder builder;
  expect_identity(builder.static_method({
      0xc4, 0x15, 0,       1,        // wide iload 1
      0xc4, 0x84, 0,       1, 0, 1,  // wide iinc 1 1
      0x13, 0,    1,                 // ldc_w 1
      0xc8, 0,    0,       0, 5,     // goto_w +5
      0xc9, 0,    0,       0, 5,     // jsr_w +5
      0xa9, 2,    kReturn,           // ret 2
  }));
}

TEST(Code, SwitchesAreKept) {
  ClassBuilder builder;
  expect_identity(builder.static_method({
      kIconst0, 0xaa,    0, 0,                                                                 // tableswitch
      0,        0,       0, 23, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 24,  // -1 … 0
      kNop,     kReturn,
  }));
  expect_identity(builder.static_method({
      kIconst0, 0xab, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1, 0x80, 0, 0, 0, 0, 0, 0, 20, kNop, kReturn,
  }));
}

TEST(Code, MalformedCodeIsAnError) {
  auto parses = [](const Bytes& code) { return ClassBuilder().static_method(code).code().ok(); };
  EXPECT_TRUE(parses({kReturn}));
  EXPECT_FALSE(parses({}));
  EXPECT_FALSE(parses({0xca}));                                                              // no opcode
  EXPECT_FALSE(parses({0x11, 0}));                                                           // sipush cut short
  EXPECT_FALSE(parses({0xc4, kReturn, 0, 0}));                                               // wide return
  EXPECT_FALSE(parses({kGoto, 0, 1, kReturn}));                                              // into the goto itself
  EXPECT_FALSE(parses({kGoto, 0, 4, kReturn}));                                              // past the end
  EXPECT_FALSE(parses({kGoto, 0xff, 0xff, kReturn}));                                        // before the start
  EXPECT_FALSE(parses({0xaa, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0x80, 0, 0, 0}));  // high < low
  EXPECT_FALSE(parses({0xab, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff}));                 // too many pairs
}

TEST(Code, BadHandlersAreErrors) {
  auto parses = [](TestHandler handler) {
    return ClassBuilder().handler(handler).static_method({0x11, 0, 0, kPop, kReturn}).code().ok();
  };
  EXPECT_TRUE(parses({0, 5, 4, 0}));
  EXPECT_FALSE(parses({0, 0, 4, 0}));
  EXPECT_FALSE(parses({3, 0, 4, 0}));
  EXPECT_FALSE(parses({1, 4, 4, 0}));
  EXPECT_FALSE(parses({0, 6, 4, 0}));
  EXPECT_FALSE(parses({0, 5, 5, 0}));
}

TEST(Code, JumpsMeetCodeInsertedBefore) {
  ClassBuilder builder;
  Code code = builder.static_method({kGoto, 0, 3, kReturn}).code().value();
  code.insert_before(insn(1), {nop(), nop()});
  EXPECT_EQ(encode(builder, code).code, (Bytes{kGoto, 0, 3, kNop, kNop, kReturn}));
}

TEST(Code, JumpsCanSkipCodeInsertedBefore) {
  ClassBuilder builder;
  Code code = builder.static_method({kIconst0, kIfeq, 0, 3, kReturn}).code().value();
  code.insert_before(insn(2), {nop(), nop()}, Code::Jumps::kSkipped);
  EXPECT_EQ(encode(builder, code).code, (Bytes{kIconst0, kIfeq, 0, 5, kNop, kNop, kReturn}));
}

TEST(Code, InsertedBeforeInOrderAfterInReverse) {
  ClassBuilder builder;
  Code code = builder.static_method({kNop, kReturn}).code().value();
  code.insert_before(insn(0), {simple(Opcode::iconst_1)});
  code.insert_before(insn(0), {simple(Opcode::iconst_2)});
  code.insert_after(insn(0), {simple(Opcode::iconst_3)});
  code.insert_after(insn(0), {simple(Opcode::iconst_4)});
  EXPECT_EQ(encode(builder, code).code, (Bytes{4, 5, kNop, 7, 6, kReturn}));
}

TEST(Code, BackwardJumpsGoBehindCodeInsertedAfter) {
  ClassBuilder builder;
  // 0: nop; 1: nop; 2: goto 1
  Code code = builder.static_method({kNop, kNop, kGoto, 0xff, 0xff}).code().value();
  code.insert_after(insn(0), {simple(Opcode::iconst_1), simple(Opcode::pop)});
  EXPECT_EQ(encode(builder, code).code, (Bytes{kNop, 4, kPop, kNop, kGoto, 0xff, 0xff}));
}

TEST(Code, PrependedCodeRunsOnce) {
  ClassBuilder builder;
  Code code = builder.handler({0, 3, 0, 0}).static_method({kGoto, 0, 0}).code().value();
  code.prepend({nop()});
  EncodedCode encoded = encode(builder, code);
  EXPECT_EQ(encoded.code, (Bytes{kNop, kGoto, 0, 0}));
  EXPECT_EQ(encoded.handlers[0].start, 1);
  EXPECT_EQ(encoded.handlers[0].handler, 1);
}

TEST(Code, InsertedCodeLiesInTheRangesOfItsNeighbour) {
  for (Code::Jumps jumps : {Code::Jumps::kIncluded, Code::Jumps::kSkipped}) {
    ClassBuilder builder;
    // 0: nop; [1: nop; 2: nop]; 3: goto 1; 6: return
    Code code =
        builder.handler({1, 3, 6, 0}).static_method({kNop, kNop, kNop, kGoto, 0xff, 0xfe, kReturn}).code().value();
    code.insert_after(insn(0), {nop()});          // outside
    code.insert_before(insn(1), {nop()}, jumps);  // inside
    code.insert_after(insn(2), {nop()});          // inside
    code.insert_before(insn(3), {nop()}, jumps);  // outside
    EncodedCode encoded = encode(builder, code);
    EXPECT_EQ(encoded.handlers[0].start, 2);
    EXPECT_EQ(encoded.handlers[0].end, 6);
    EXPECT_EQ(encoded.handlers[0].handler, 10);
  }
}

TEST(Code, NewHandlersGoInnermostOrOutermost) {
  ClassBuilder builder;
  Code code = builder.handler({0, 1, 1, 7}).static_method({kNop, kReturn}).code().value();
  Label start = code.new_label(), end = code.new_label(), handler = code.new_label();
  code.prepend({Instruction::place(start)});
  code.append({Instruction::place(end), Instruction::place(handler), simple(Opcode::athrow)});
  code.add_handler({start, end, handler, 0}, Code::Order::kLast);
  code.add_handler({start, end, handler, 9}, Code::Order::kFirst);
  EncodedCode encoded = encode(builder, code);
  ASSERT_EQ(encoded.handlers.size(), 3u);
  EXPECT_EQ(encoded.handlers[0].type, 9);
  EXPECT_EQ(encoded.handlers[1].type, 7);
  EXPECT_EQ(encoded.handlers[2].type, 0);
  EXPECT_EQ(encoded.handlers[2].start, 0);
  EXPECT_EQ(encoded.handlers[2].end, 2);
  EXPECT_EQ(encoded.handlers[2].handler, 2);
}

TEST(Code, UnplacedLabelIsAnError) {
  ClassBuilder builder;
  Code code = builder.static_method({kReturn}).code().value();
  code.insert_before(insn(0), {Instruction::jump(Opcode::goto_, code.new_label())});
  EXPECT_FALSE(code.encode(builder.pool()));
}

TEST(Code, LinesAndVariablesMove) {
  ClassBuilder builder;
  builder.table("LineNumberTable", {0, 2, 0, 0, 0, 10, 0, 1, 0, 11});
  builder.table("LocalVariableTable", {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0});
  Code code = builder.static_method({kNop, kReturn}).code().value();
  code.insert_before(insn(0), {nop()});
  code.insert_after(insn(0), {nop()});
  code.insert_before(insn(1), {nop()});
  EncodedCode encoded = encode(builder, code);
  // nop nop nop | nop return
  EXPECT_EQ(encoded.tables[0].bytes, (Bytes{0, 2, 0, 0, 0, 10, 0, 3, 0, 11}));
  EXPECT_EQ(encoded.tables[1].bytes, (Bytes{0, 1, 0, 3, 0, 2, 0, 1, 0, 1, 0, 0}));
}

TEST(Code, OddTablesStayAsTheyAre) {
  ClassBuilder builder;
  builder.table("LineNumberTable", {0, 1, 0, 9, 0, 10});  // past the end
  builder.table("Unknown", {1, 2, 3});
  Code code = builder.static_method({kNop, kReturn}).code().value();
  EXPECT_EQ(code.raw_attributes(), 2u);
  code.insert_before(insn(0), {nop()});
  EncodedCode encoded = encode(builder, code);
  EXPECT_EQ(encoded.tables[0].bytes, (Bytes{0, 1, 0, 9, 0, 10}));
  EXPECT_EQ(encoded.tables[1].bytes, (Bytes{1, 2, 3}));
}

TEST(Code, TypeAnnotationsFollowTheirTargets) {
  ClassBuilder builder;
  const Bytes rest = {0, 0, 1, 0, 1, 0, 2, '[', 0, 1, '@', 0, 1, 0, 0};  // no path; one pair; nested values
  Bytes table = {0, 4};
  auto add = [&](Bytes target) {
    table.insert(table.end(), target.begin(), target.end());
    table.insert(table.end(), rest.begin(), rest.end());
  };
  add({0x40, 0, 1, 0, 0, 0, 1, 0, 3});  // a variable, [0, 1), local 3
  add({0x42, 0, 0});                    // handler 0
  add({0x43, 0, 1});                    // instruction at 1
  add({0x47, 0, 1, 2});                 // its type argument 2
  builder.table("RuntimeVisibleTypeAnnotations", table).handler({0, 1, 1, 0});
  Code code = builder.static_method({kNop, kReturn}).code().value();
  expect_identity(builder);
  code.insert_before(insn(1), {nop(), nop()});
  Label at = code.new_label(), end = code.new_label();
  code.prepend({Instruction::place(at), nop(), Instruction::place(end)});
  code.add_handler({at, end, at, 0}, Code::Order::kFirst);
  EncodedCode encoded = encode(builder, code);

  table = {0, 4};
  add({0x40, 0, 1, 0, 1, 0, 1, 0, 3});
  add({0x42, 0, 1});
  add({0x43, 0, 4});
  add({0x47, 0, 4, 2});
  EXPECT_EQ(encoded.tables[0].bytes, table);
}

TEST(Code, PoolIndicesGrowOverOneByte) {
  ClassBuilder builder;
  for (int i = 0; i < 300; ++i) builder.pool().add_integer(100000 + i);
  Code code = builder.static_method({kReturn}).code().value();
  code.insert_before(insn(0), {Instruction::pool(Opcode::ldc, 7), simple(Opcode::pop),
                               Instruction::pool(Opcode::ldc, 256), simple(Opcode::pop)});
  EXPECT_EQ(encode(builder, code).code, (Bytes{0x12, 7, kPop, 0x13, 1, 0, kPop, kReturn}));
}

TEST(Code, HighLocalsGetTheWidePrefix) {
  ClassBuilder builder;
  Code code = builder.static_method({kReturn}).code().value();
  code.insert_before(insn(0), {Instruction::local(Opcode::iload, 256), Instruction::increment(300, 1),
                               Instruction::increment(1, 200), Instruction::increment(1, -1)});
  EXPECT_EQ(encode(builder, code).code,
            (Bytes{0xc4, 0x15, 1, 0, 0xc4, 0x84, 1, 44, 0, 1, 0xc4, 0x84, 0, 1, 0, 200, 0x84, 1, 0xff, kReturn}));
}

TEST(Code, ConstantZeroIsRefused) {
  ClassBuilder builder;
  Code code = builder.static_method({kReturn}).code().value();
  code.insert_before(insn(0), {Instruction::invoke_static(0)});
  EXPECT_FALSE(code.encode(builder.pool()));
}

TEST(Code, FarGotoAndJsrGrow) {
  ClassBuilder builder(49);
  Code code = builder.static_method({kGoto, 0, 6, 0xa8, 0, 3, kReturn}).code().value();
  code.insert_before(insn(2), std::vector<Instruction>(40000, nop()), Code::Jumps::kSkipped);
  Bytes bytes = encode(builder, code).code;
  EXPECT_EQ(Bytes(bytes.begin(), bytes.begin() + 10), (Bytes{0xc8, 0, 0, 0x9c, 0x4a, 0xc9, 0, 0, 0x9c, 0x45}));
}

TEST(Code, FarConditionalIsInvertedWhereNoFramesAreNeeded) {
  ClassBuilder builder(49);
  Code code = builder.static_method({kIconst0, kIfeq, 0, 3, kReturn}).code().value();
  code.insert_before(insn(2), std::vector<Instruction>(40000, nop()), Code::Jumps::kSkipped);
  Bytes bytes = encode(builder, code).code;
  EXPECT_EQ(Bytes(bytes.begin(), bytes.begin() + 9), (Bytes{kIconst0, 0x9a, 0, 8, 0xc8, 0, 0, 0x9c, 0x45}));
}

TEST(Code, FarConditionalGetsAFrameBehindIt) {
  ClassBuilder builder;
  auto text = static_cast<std::uint8_t>(builder.pool().add_string("text"));
  // 0 ldc; 2 astore_1; 3 lconst_0; 4 iload_0; 5 ifeq 11; 8 pop2; 9 return; 10 nop; 11 pop2; 12 return
  builder.table("StackMapTable", {0, 2, 255, 0, 10, 0, 1, 1, 0, 1, 4, 64, 4});
  Code code =
      builder.static_method({0x12, text, 0x4c, 0x09, 0x1a, kIfeq, 0, 6, 0x58, kReturn, kNop, 0x58, kReturn}, "(I)V")
          .code()
          .value();
  code.insert_before(insn(6), std::vector<Instruction>(40000, nop()));
  EncodedCode encoded = encode(builder, code);
  EXPECT_EQ(Bytes(encoded.code.begin() + 5, encoded.code.begin() + 10), (Bytes{0x9a, 0, 8, 0xc8, 0}));
  auto string = static_cast<std::uint8_t>(builder.pool().add_class("java/lang/String"));
  // Behind the goto_w (offset 13): int, String; a long on the stack. Then the two that were there.
  Bytes frames = encoded.tables[0].bytes;
  EXPECT_EQ(Bytes(frames.begin(), frames.begin() + 14), (Bytes{0, 3, 255, 0, 13, 0, 2, 1, 7, 0, string, 0, 1, 4}));
}

TEST(Code, TooLongIsAnErrorAndLeavesTheMethodAlone) {
  ClassBuilder builder;
  builder.static_method({kNop, kReturn});
  Bytes before = builder.bytes();
  Code code = builder.code().value();
  code.insert_before(insn(0), std::vector<Instruction>(65534, nop()));
  EXPECT_FALSE(code.store(builder.cls(), builder.last_method()));
  EXPECT_EQ(builder.bytes(), before);
  Code just_fits = builder.code().value();
  just_fits.insert_before(insn(0), std::vector<Instruction>(65533, nop()));
  EXPECT_TRUE(just_fits.store(builder.cls(), builder.last_method()).ok());
}

TEST(Code, TooManySlotsAreAnError) {
  ClassBuilder builder;
  Code code = builder.static_method({kReturn}).code().value();
  code.raise_max_stack(70000);
  EXPECT_FALSE(code.encode(builder.pool()));
}

TEST(Code, StoreReplacesTheAttribute) {
  ClassBuilder builder;
  Code code = builder.static_method({kReturn}).code().value();
  EXPECT_FALSE(code.edited());
  EXPECT_EQ(code.new_local(2), 4);
  EXPECT_EQ(code.new_local(1), 6);
  code.replace(insn(0), nop());
  code.append({simple(Opcode::return_)});
  EXPECT_TRUE(code.edited());
  ASSERT_TRUE(code.store(builder.cls(), builder.last_method()).ok());
  Code again = builder.code().value();
  EXPECT_EQ(again.original_count(), 2u);
  EXPECT_EQ(again.max_locals(), 7u);
  EXPECT_EQ(again.original_offset(insn(1)), 1u);
}

}  // namespace
}  // namespace deadheat::classfile
