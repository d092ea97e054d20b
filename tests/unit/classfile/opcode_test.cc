// SPDX-License-Identifier: Apache-2.0
#include "classfile/opcode.h"

#include <gtest/gtest.h>

#include "classfile/constant_pool.h"
#include "classfile/instruction.h"

namespace deadheat::classfile {
namespace {

TEST(Opcode, NamesSitAtTheirBytes) {
  EXPECT_EQ(info(Opcode::nop).name, "nop");
  EXPECT_EQ(info(static_cast<Opcode>(0x2a)).name, "aload_0");
  EXPECT_EQ(info(static_cast<Opcode>(0xb4)).name, "getfield");
  EXPECT_EQ(info(static_cast<Opcode>(0xc9)).name, "jsr_w");
  EXPECT_EQ(info(static_cast<Opcode>(0xca)).name, "");
}

TEST(Opcode, InversionIsAnInvolutionOverTheConditionals) {
  int conditionals = 0;
  for (int byte = 0; byte < kOpcodeCount; ++byte) {
    auto opcode = static_cast<Opcode>(byte);
    if (!is_conditional_jump(opcode)) continue;
    ++conditionals;
    EXPECT_NE(inverted(opcode), opcode);
    EXPECT_EQ(inverted(inverted(opcode)), opcode) << info(opcode).name;
  }
  EXPECT_EQ(conditionals, 16);
  EXPECT_EQ(inverted(Opcode::ifeq), Opcode::ifne);
  EXPECT_EQ(inverted(Opcode::iflt), Opcode::ifge);
  EXPECT_EQ(inverted(Opcode::if_icmpgt), Opcode::if_icmple);
  EXPECT_EQ(inverted(Opcode::if_acmpne), Opcode::if_acmpeq);
  EXPECT_EQ(inverted(Opcode::ifnull), Opcode::ifnonnull);
}

TEST(Opcode, FallsThrough) {
  EXPECT_TRUE(falls_through(Opcode::ifeq));
  EXPECT_TRUE(falls_through(Opcode::jsr));
  EXPECT_TRUE(falls_through(Opcode::invokestatic));
  for (Opcode opcode : {Opcode::goto_, Opcode::goto_w, Opcode::ret, Opcode::athrow, Opcode::return_, Opcode::ireturn,
                        Opcode::areturn, Opcode::tableswitch, Opcode::lookupswitch}) {
    EXPECT_FALSE(falls_through(opcode)) << info(opcode).name;
  }
}

TEST(Instruction, ShortestLocalForm) {
  EXPECT_EQ(Instruction::local(Opcode::iload, 0).opcode, Opcode::iload_0);
  EXPECT_EQ(Instruction::local(Opcode::dload, 2).opcode, Opcode::dload_2);
  EXPECT_EQ(Instruction::local(Opcode::astore, 3).opcode, Opcode::astore_3);
  EXPECT_EQ(Instruction::local(Opcode::lstore, 1).opcode, Opcode::lstore_1);
  EXPECT_EQ(Instruction::local(Opcode::aload, 4).opcode, Opcode::aload);
  for (Opcode opcode : {Opcode::iload, Opcode::lload, Opcode::fload, Opcode::dload, Opcode::aload, Opcode::istore,
                        Opcode::lstore, Opcode::fstore, Opcode::dstore, Opcode::astore}) {
    for (std::uint16_t local : {0, 1, 2, 3, 4, 300}) EXPECT_EQ(local_index(Instruction::local(opcode, local)), local);
  }
  EXPECT_EQ(local_index(Instruction::simple(Opcode::iadd)), -1);
}

TEST(Instruction, ShortestPush) {
  ConstantPool pool;
  EXPECT_EQ(Instruction::push(-1, pool).opcode, Opcode::iconst_m1);
  EXPECT_EQ(Instruction::push(5, pool).opcode, Opcode::iconst_5);
  EXPECT_EQ(Instruction::push(6, pool).opcode, Opcode::bipush);
  EXPECT_EQ(Instruction::push(-128, pool).opcode, Opcode::bipush);
  EXPECT_EQ(Instruction::push(128, pool).opcode, Opcode::sipush);
  EXPECT_EQ(Instruction::push(-32768, pool).opcode, Opcode::sipush);
  Instruction large = Instruction::push(32768, pool);
  EXPECT_EQ(large.opcode, Opcode::ldc);
  EXPECT_EQ(pool.integer(large.index()), 32768);
}

}  // namespace
}  // namespace deadheat::classfile
