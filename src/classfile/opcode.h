// SPDX-License-Identifier: Apache-2.0
//
// The opcodes of the JVM (JVMS 6.5) and their fixed properties: name, operand layout, and what they do to the operand
// stack where that does not depend on a constant-pool entry.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "classfile/descriptor.h"

namespace deadheat::classfile {

// Names are the specification's; a trailing underscore avoids a keyword. Values are the instruction's byte.
enum class Opcode : std::uint8_t {
  nop,
  aconst_null,
  iconst_m1,
  iconst_0,
  iconst_1,
  iconst_2,
  iconst_3,
  iconst_4,
  iconst_5,
  lconst_0,
  lconst_1,
  fconst_0,
  fconst_1,
  fconst_2,
  dconst_0,
  dconst_1,
  bipush,
  sipush,
  ldc,
  ldc_w,
  ldc2_w,
  iload,
  lload,
  fload,
  dload,
  aload,
  iload_0,
  iload_1,
  iload_2,
  iload_3,
  lload_0,
  lload_1,
  lload_2,
  lload_3,
  fload_0,
  fload_1,
  fload_2,
  fload_3,
  dload_0,
  dload_1,
  dload_2,
  dload_3,
  aload_0,
  aload_1,
  aload_2,
  aload_3,
  iaload,
  laload,
  faload,
  daload,
  aaload,
  baload,
  caload,
  saload,
  istore,
  lstore,
  fstore,
  dstore,
  astore,
  istore_0,
  istore_1,
  istore_2,
  istore_3,
  lstore_0,
  lstore_1,
  lstore_2,
  lstore_3,
  fstore_0,
  fstore_1,
  fstore_2,
  fstore_3,
  dstore_0,
  dstore_1,
  dstore_2,
  dstore_3,
  astore_0,
  astore_1,
  astore_2,
  astore_3,
  iastore,
  lastore,
  fastore,
  dastore,
  aastore,
  bastore,
  castore,
  sastore,
  pop,
  pop2,
  dup,
  dup_x1,
  dup_x2,
  dup2,
  dup2_x1,
  dup2_x2,
  swap,
  iadd,
  ladd,
  fadd,
  dadd,
  isub,
  lsub,
  fsub,
  dsub,
  imul,
  lmul,
  fmul,
  dmul,
  idiv,
  ldiv,
  fdiv,
  ddiv,
  irem,
  lrem,
  frem,
  drem,
  ineg,
  lneg,
  fneg,
  dneg,
  ishl,
  lshl,
  ishr,
  lshr,
  iushr,
  lushr,
  iand,
  land,
  ior,
  lor,
  ixor,
  lxor,
  iinc,
  i2l,
  i2f,
  i2d,
  l2i,
  l2f,
  l2d,
  f2i,
  f2l,
  f2d,
  d2i,
  d2l,
  d2f,
  i2b,
  i2c,
  i2s,
  lcmp,
  fcmpl,
  fcmpg,
  dcmpl,
  dcmpg,
  ifeq,
  ifne,
  iflt,
  ifge,
  ifgt,
  ifle,
  if_icmpeq,
  if_icmpne,
  if_icmplt,
  if_icmpge,
  if_icmpgt,
  if_icmple,
  if_acmpeq,
  if_acmpne,
  goto_,
  jsr,
  ret,
  tableswitch,
  lookupswitch,
  ireturn,
  lreturn,
  freturn,
  dreturn,
  areturn,
  return_,
  getstatic,
  putstatic,
  getfield,
  putfield,
  invokevirtual,
  invokespecial,
  invokestatic,
  invokeinterface,
  invokedynamic,
  new_,
  newarray,
  anewarray,
  arraylength,
  athrow,
  checkcast,
  instanceof
  ,
  monitorenter,
  monitorexit,
  wide,
  multianewarray,
  ifnull,
  ifnonnull,
  goto_w,
  jsr_w,
  label = 0xfe,  // no instruction: a position in a Code
};
inline constexpr int kOpcodeCount = 202;
static_assert(static_cast<int>(Opcode::jsr_w) == kOpcodeCount - 1);

// How the operand bytes are laid out.
enum class Layout : std::uint8_t {
  kNone,
  kByte,       // bipush
  kShort,      // sipush
  kArrayType,  // newarray
  kPoolByte,   // ldc
  kPool,       // a two-byte constant-pool index
  kLocal,      // a local, two bytes under wide
  kIncrement,  // iinc
  kJump,
  kJumpWide,
  kTableSwitch,
  kLookupSwitch,
  kInvokeInterface,
  kInvokeDynamic,
  kMultiArray,
  kWide,  // the prefix; in a Code it is a flag of the instruction behind it
};

struct OpcodeInfo {
  std::string_view name;
  Layout layout;
  std::uint8_t length;  // in bytes with the opcode, without a wide prefix; 0 where it varies
  std::int8_t pops;     // slots; -1 where it depends on operands, and for the dup family and swap
  Kind pushes;          // what lands on the stack when pops is not -1
};

// By the instruction's byte.
extern const std::array<OpcodeInfo, 256> kOpcodes;
// Any byte: one that is no opcode has an empty name.
inline const OpcodeInfo& info(Opcode opcode) { return kOpcodes[static_cast<std::uint8_t>(opcode)]; }

inline bool is_opcode(std::uint8_t byte) { return byte < kOpcodeCount; }
// Conditional jumps, goto and jsr, in both widths; not the switches.
inline bool is_jump(Opcode opcode) {
  const Layout layout = info(opcode).layout;
  return layout == Layout::kJump || layout == Layout::kJumpWide;
}
inline bool is_conditional_jump(Opcode opcode) {
  return (opcode >= Opcode::ifeq && opcode <= Opcode::if_acmpne) || opcode == Opcode::ifnull ||
         opcode == Opcode::ifnonnull;
}
// The condition turned around: ifeq for ifne. Only for conditional jumps.
Opcode inverted(Opcode conditional_jump);
inline bool is_switch(Opcode opcode) { return opcode == Opcode::tableswitch || opcode == Opcode::lookupswitch; }
inline bool is_return(Opcode opcode) { return opcode >= Opcode::ireturn && opcode <= Opcode::return_; }
inline bool is_invoke(Opcode opcode) { return opcode >= Opcode::invokevirtual && opcode <= Opcode::invokedynamic; }
// Of an element.
inline bool is_array_access(Opcode opcode) {
  return (opcode >= Opcode::iaload && opcode <= Opcode::saload) ||
         (opcode >= Opcode::iastore && opcode <= Opcode::sastore);
}
// Whether control can go on to the next instruction: not after goto, ret, athrow, returns and switches.
inline bool falls_through(Opcode opcode) {
  return !(opcode == Opcode::goto_ || opcode == Opcode::goto_w || opcode == Opcode::ret || opcode == Opcode::athrow ||
           is_return(opcode) || is_switch(opcode));
}

}  // namespace deadheat::classfile
