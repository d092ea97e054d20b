// SPDX-License-Identifier: Apache-2.0
#include "classfile/instruction.h"

#include "base/check.h"
#include "classfile/constant_pool.h"

namespace deadheat::classfile {
namespace {

constexpr int byte_of(Opcode opcode) { return static_cast<int>(opcode); }

}  // namespace

Instruction Instruction::local(Opcode opcode, std::uint16_t index) {
  DH_CHECK(info(opcode).layout == Layout::kLocal);
  if (index > 3 || opcode == Opcode::ret) return {opcode, false, 0, index};
  // iload_0 … aload_3 and istore_0 … astore_3 come in fours, in the order of iload … aload and istore … astore.
  Opcode base = opcode < Opcode::istore ? Opcode::iload : Opcode::istore;
  Opcode first = opcode < Opcode::istore ? Opcode::iload_0 : Opcode::istore_0;
  return {static_cast<Opcode>(byte_of(first) + 4 * (byte_of(opcode) - byte_of(base)) + index)};
}

Instruction Instruction::push(std::int32_t value, ConstantPool& pool) {
  if (value >= -1 && value <= 5) return {static_cast<Opcode>(byte_of(Opcode::iconst_0) + value)};
  if (value >= -128 && value <= 127) return {Opcode::bipush, false, 0, value};
  if (value >= -32768 && value <= 32767) return {Opcode::sipush, false, 0, value};
  return Instruction::pool(Opcode::ldc, pool.add_integer(value));
}

std::int32_t local_index(const Instruction& instruction) {
  Opcode opcode = instruction.opcode;
  Layout layout = info(opcode).layout;
  if (layout == Layout::kLocal || layout == Layout::kIncrement) return instruction.operand;
  if (opcode >= Opcode::iload_0 && opcode <= Opcode::aload_3) return (byte_of(opcode) - byte_of(Opcode::iload_0)) & 3;
  if (opcode >= Opcode::istore_0 && opcode <= Opcode::astore_3) {
    return (byte_of(opcode) - byte_of(Opcode::istore_0)) & 3;
  }
  return -1;
}

}  // namespace deadheat::classfile
