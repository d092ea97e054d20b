// SPDX-License-Identifier: Apache-2.0
#include "classfile/opcode.h"

#include <array>

#include "base/check.h"

namespace deadheat::classfile {
namespace {

// In the order of the opcodes; the JVMS table of chapter 6.5.
constexpr std::array<OpcodeInfo, kOpcodeCount> kInfo = {{
    {"nop", Layout::kNone, 1, 0, Kind::kVoid},
    {"aconst_null", Layout::kNone, 1, 0, Kind::kReference},
    {"iconst_m1", Layout::kNone, 1, 0, Kind::kInt},
    {"iconst_0", Layout::kNone, 1, 0, Kind::kInt},
    {"iconst_1", Layout::kNone, 1, 0, Kind::kInt},
    {"iconst_2", Layout::kNone, 1, 0, Kind::kInt},
    {"iconst_3", Layout::kNone, 1, 0, Kind::kInt},
    {"iconst_4", Layout::kNone, 1, 0, Kind::kInt},
    {"iconst_5", Layout::kNone, 1, 0, Kind::kInt},
    {"lconst_0", Layout::kNone, 1, 0, Kind::kLong},
    {"lconst_1", Layout::kNone, 1, 0, Kind::kLong},
    {"fconst_0", Layout::kNone, 1, 0, Kind::kFloat},
    {"fconst_1", Layout::kNone, 1, 0, Kind::kFloat},
    {"fconst_2", Layout::kNone, 1, 0, Kind::kFloat},
    {"dconst_0", Layout::kNone, 1, 0, Kind::kDouble},
    {"dconst_1", Layout::kNone, 1, 0, Kind::kDouble},
    {"bipush", Layout::kByte, 2, 0, Kind::kInt},
    {"sipush", Layout::kShort, 3, 0, Kind::kInt},
    {"ldc", Layout::kPoolByte, 2, -1, Kind::kVoid},
    {"ldc_w", Layout::kPool, 3, -1, Kind::kVoid},
    {"ldc2_w", Layout::kPool, 3, -1, Kind::kVoid},
    {"iload", Layout::kLocal, 2, 0, Kind::kInt},
    {"lload", Layout::kLocal, 2, 0, Kind::kLong},
    {"fload", Layout::kLocal, 2, 0, Kind::kFloat},
    {"dload", Layout::kLocal, 2, 0, Kind::kDouble},
    {"aload", Layout::kLocal, 2, 0, Kind::kReference},
    {"iload_0", Layout::kNone, 1, 0, Kind::kInt},
    {"iload_1", Layout::kNone, 1, 0, Kind::kInt},
    {"iload_2", Layout::kNone, 1, 0, Kind::kInt},
    {"iload_3", Layout::kNone, 1, 0, Kind::kInt},
    {"lload_0", Layout::kNone, 1, 0, Kind::kLong},
    {"lload_1", Layout::kNone, 1, 0, Kind::kLong},
    {"lload_2", Layout::kNone, 1, 0, Kind::kLong},
    {"lload_3", Layout::kNone, 1, 0, Kind::kLong},
    {"fload_0", Layout::kNone, 1, 0, Kind::kFloat},
    {"fload_1", Layout::kNone, 1, 0, Kind::kFloat},
    {"fload_2", Layout::kNone, 1, 0, Kind::kFloat},
    {"fload_3", Layout::kNone, 1, 0, Kind::kFloat},
    {"dload_0", Layout::kNone, 1, 0, Kind::kDouble},
    {"dload_1", Layout::kNone, 1, 0, Kind::kDouble},
    {"dload_2", Layout::kNone, 1, 0, Kind::kDouble},
    {"dload_3", Layout::kNone, 1, 0, Kind::kDouble},
    {"aload_0", Layout::kNone, 1, 0, Kind::kReference},
    {"aload_1", Layout::kNone, 1, 0, Kind::kReference},
    {"aload_2", Layout::kNone, 1, 0, Kind::kReference},
    {"aload_3", Layout::kNone, 1, 0, Kind::kReference},
    {"iaload", Layout::kNone, 1, 2, Kind::kInt},
    {"laload", Layout::kNone, 1, 2, Kind::kLong},
    {"faload", Layout::kNone, 1, 2, Kind::kFloat},
    {"daload", Layout::kNone, 1, 2, Kind::kDouble},
    {"aaload", Layout::kNone, 1, 2, Kind::kReference},
    {"baload", Layout::kNone, 1, 2, Kind::kInt},
    {"caload", Layout::kNone, 1, 2, Kind::kInt},
    {"saload", Layout::kNone, 1, 2, Kind::kInt},
    {"istore", Layout::kLocal, 2, 1, Kind::kVoid},
    {"lstore", Layout::kLocal, 2, 2, Kind::kVoid},
    {"fstore", Layout::kLocal, 2, 1, Kind::kVoid},
    {"dstore", Layout::kLocal, 2, 2, Kind::kVoid},
    {"astore", Layout::kLocal, 2, 1, Kind::kVoid},
    {"istore_0", Layout::kNone, 1, 1, Kind::kVoid},
    {"istore_1", Layout::kNone, 1, 1, Kind::kVoid},
    {"istore_2", Layout::kNone, 1, 1, Kind::kVoid},
    {"istore_3", Layout::kNone, 1, 1, Kind::kVoid},
    {"lstore_0", Layout::kNone, 1, 2, Kind::kVoid},
    {"lstore_1", Layout::kNone, 1, 2, Kind::kVoid},
    {"lstore_2", Layout::kNone, 1, 2, Kind::kVoid},
    {"lstore_3", Layout::kNone, 1, 2, Kind::kVoid},
    {"fstore_0", Layout::kNone, 1, 1, Kind::kVoid},
    {"fstore_1", Layout::kNone, 1, 1, Kind::kVoid},
    {"fstore_2", Layout::kNone, 1, 1, Kind::kVoid},
    {"fstore_3", Layout::kNone, 1, 1, Kind::kVoid},
    {"dstore_0", Layout::kNone, 1, 2, Kind::kVoid},
    {"dstore_1", Layout::kNone, 1, 2, Kind::kVoid},
    {"dstore_2", Layout::kNone, 1, 2, Kind::kVoid},
    {"dstore_3", Layout::kNone, 1, 2, Kind::kVoid},
    {"astore_0", Layout::kNone, 1, 1, Kind::kVoid},
    {"astore_1", Layout::kNone, 1, 1, Kind::kVoid},
    {"astore_2", Layout::kNone, 1, 1, Kind::kVoid},
    {"astore_3", Layout::kNone, 1, 1, Kind::kVoid},
    {"iastore", Layout::kNone, 1, 3, Kind::kVoid},
    {"lastore", Layout::kNone, 1, 4, Kind::kVoid},
    {"fastore", Layout::kNone, 1, 3, Kind::kVoid},
    {"dastore", Layout::kNone, 1, 4, Kind::kVoid},
    {"aastore", Layout::kNone, 1, 3, Kind::kVoid},
    {"bastore", Layout::kNone, 1, 3, Kind::kVoid},
    {"castore", Layout::kNone, 1, 3, Kind::kVoid},
    {"sastore", Layout::kNone, 1, 3, Kind::kVoid},
    {"pop", Layout::kNone, 1, 1, Kind::kVoid},
    {"pop2", Layout::kNone, 1, 2, Kind::kVoid},
    {"dup", Layout::kNone, 1, -1, Kind::kVoid},
    {"dup_x1", Layout::kNone, 1, -1, Kind::kVoid},
    {"dup_x2", Layout::kNone, 1, -1, Kind::kVoid},
    {"dup2", Layout::kNone, 1, -1, Kind::kVoid},
    {"dup2_x1", Layout::kNone, 1, -1, Kind::kVoid},
    {"dup2_x2", Layout::kNone, 1, -1, Kind::kVoid},
    {"swap", Layout::kNone, 1, -1, Kind::kVoid},
    {"iadd", Layout::kNone, 1, 2, Kind::kInt},
    {"ladd", Layout::kNone, 1, 4, Kind::kLong},
    {"fadd", Layout::kNone, 1, 2, Kind::kFloat},
    {"dadd", Layout::kNone, 1, 4, Kind::kDouble},
    {"isub", Layout::kNone, 1, 2, Kind::kInt},
    {"lsub", Layout::kNone, 1, 4, Kind::kLong},
    {"fsub", Layout::kNone, 1, 2, Kind::kFloat},
    {"dsub", Layout::kNone, 1, 4, Kind::kDouble},
    {"imul", Layout::kNone, 1, 2, Kind::kInt},
    {"lmul", Layout::kNone, 1, 4, Kind::kLong},
    {"fmul", Layout::kNone, 1, 2, Kind::kFloat},
    {"dmul", Layout::kNone, 1, 4, Kind::kDouble},
    {"idiv", Layout::kNone, 1, 2, Kind::kInt},
    {"ldiv", Layout::kNone, 1, 4, Kind::kLong},
    {"fdiv", Layout::kNone, 1, 2, Kind::kFloat},
    {"ddiv", Layout::kNone, 1, 4, Kind::kDouble},
    {"irem", Layout::kNone, 1, 2, Kind::kInt},
    {"lrem", Layout::kNone, 1, 4, Kind::kLong},
    {"frem", Layout::kNone, 1, 2, Kind::kFloat},
    {"drem", Layout::kNone, 1, 4, Kind::kDouble},
    {"ineg", Layout::kNone, 1, 1, Kind::kInt},
    {"lneg", Layout::kNone, 1, 2, Kind::kLong},
    {"fneg", Layout::kNone, 1, 1, Kind::kFloat},
    {"dneg", Layout::kNone, 1, 2, Kind::kDouble},
    {"ishl", Layout::kNone, 1, 2, Kind::kInt},
    {"lshl", Layout::kNone, 1, 3, Kind::kLong},
    {"ishr", Layout::kNone, 1, 2, Kind::kInt},
    {"lshr", Layout::kNone, 1, 3, Kind::kLong},
    {"iushr", Layout::kNone, 1, 2, Kind::kInt},
    {"lushr", Layout::kNone, 1, 3, Kind::kLong},
    {"iand", Layout::kNone, 1, 2, Kind::kInt},
    {"land", Layout::kNone, 1, 4, Kind::kLong},
    {"ior", Layout::kNone, 1, 2, Kind::kInt},
    {"lor", Layout::kNone, 1, 4, Kind::kLong},
    {"ixor", Layout::kNone, 1, 2, Kind::kInt},
    {"lxor", Layout::kNone, 1, 4, Kind::kLong},
    {"iinc", Layout::kIncrement, 3, 0, Kind::kVoid},
    {"i2l", Layout::kNone, 1, 1, Kind::kLong},
    {"i2f", Layout::kNone, 1, 1, Kind::kFloat},
    {"i2d", Layout::kNone, 1, 1, Kind::kDouble},
    {"l2i", Layout::kNone, 1, 2, Kind::kInt},
    {"l2f", Layout::kNone, 1, 2, Kind::kFloat},
    {"l2d", Layout::kNone, 1, 2, Kind::kDouble},
    {"f2i", Layout::kNone, 1, 1, Kind::kInt},
    {"f2l", Layout::kNone, 1, 1, Kind::kLong},
    {"f2d", Layout::kNone, 1, 1, Kind::kDouble},
    {"d2i", Layout::kNone, 1, 2, Kind::kInt},
    {"d2l", Layout::kNone, 1, 2, Kind::kLong},
    {"d2f", Layout::kNone, 1, 2, Kind::kFloat},
    {"i2b", Layout::kNone, 1, 1, Kind::kInt},
    {"i2c", Layout::kNone, 1, 1, Kind::kInt},
    {"i2s", Layout::kNone, 1, 1, Kind::kInt},
    {"lcmp", Layout::kNone, 1, 4, Kind::kInt},
    {"fcmpl", Layout::kNone, 1, 2, Kind::kInt},
    {"fcmpg", Layout::kNone, 1, 2, Kind::kInt},
    {"dcmpl", Layout::kNone, 1, 4, Kind::kInt},
    {"dcmpg", Layout::kNone, 1, 4, Kind::kInt},
    {"ifeq", Layout::kJump, 3, 1, Kind::kVoid},
    {"ifne", Layout::kJump, 3, 1, Kind::kVoid},
    {"iflt", Layout::kJump, 3, 1, Kind::kVoid},
    {"ifge", Layout::kJump, 3, 1, Kind::kVoid},
    {"ifgt", Layout::kJump, 3, 1, Kind::kVoid},
    {"ifle", Layout::kJump, 3, 1, Kind::kVoid},
    {"if_icmpeq", Layout::kJump, 3, 2, Kind::kVoid},
    {"if_icmpne", Layout::kJump, 3, 2, Kind::kVoid},
    {"if_icmplt", Layout::kJump, 3, 2, Kind::kVoid},
    {"if_icmpge", Layout::kJump, 3, 2, Kind::kVoid},
    {"if_icmpgt", Layout::kJump, 3, 2, Kind::kVoid},
    {"if_icmple", Layout::kJump, 3, 2, Kind::kVoid},
    {"if_acmpeq", Layout::kJump, 3, 2, Kind::kVoid},
    {"if_acmpne", Layout::kJump, 3, 2, Kind::kVoid},
    {"goto", Layout::kJump, 3, 0, Kind::kVoid},
    {"jsr", Layout::kJump, 3, 0, Kind::kReference},
    {"ret", Layout::kLocal, 2, 0, Kind::kVoid},
    {"tableswitch", Layout::kTableSwitch, 0, 1, Kind::kVoid},
    {"lookupswitch", Layout::kLookupSwitch, 0, 1, Kind::kVoid},
    {"ireturn", Layout::kNone, 1, 1, Kind::kVoid},
    {"lreturn", Layout::kNone, 1, 2, Kind::kVoid},
    {"freturn", Layout::kNone, 1, 1, Kind::kVoid},
    {"dreturn", Layout::kNone, 1, 2, Kind::kVoid},
    {"areturn", Layout::kNone, 1, 1, Kind::kVoid},
    {"return", Layout::kNone, 1, 0, Kind::kVoid},
    {"getstatic", Layout::kPool, 3, -1, Kind::kVoid},
    {"putstatic", Layout::kPool, 3, -1, Kind::kVoid},
    {"getfield", Layout::kPool, 3, -1, Kind::kVoid},
    {"putfield", Layout::kPool, 3, -1, Kind::kVoid},
    {"invokevirtual", Layout::kPool, 3, -1, Kind::kVoid},
    {"invokespecial", Layout::kPool, 3, -1, Kind::kVoid},
    {"invokestatic", Layout::kPool, 3, -1, Kind::kVoid},
    {"invokeinterface", Layout::kInvokeInterface, 5, -1, Kind::kVoid},
    {"invokedynamic", Layout::kInvokeDynamic, 5, -1, Kind::kVoid},
    {"new", Layout::kPool, 3, 0, Kind::kReference},
    {"newarray", Layout::kArrayType, 2, 1, Kind::kReference},
    {"anewarray", Layout::kPool, 3, 1, Kind::kReference},
    {"arraylength", Layout::kNone, 1, 1, Kind::kInt},
    {"athrow", Layout::kNone, 1, 1, Kind::kVoid},
    {"checkcast", Layout::kPool, 3, 1, Kind::kReference},
    {"instanceof", Layout::kPool, 3, 1, Kind::kInt},
    {"monitorenter", Layout::kNone, 1, 1, Kind::kVoid},
    {"monitorexit", Layout::kNone, 1, 1, Kind::kVoid},
    {"wide", Layout::kWide, 0, 0, Kind::kVoid},
    {"multianewarray", Layout::kMultiArray, 4, -1, Kind::kVoid},
    {"ifnull", Layout::kJump, 3, 1, Kind::kVoid},
    {"ifnonnull", Layout::kJump, 3, 1, Kind::kVoid},
    {"goto_w", Layout::kJumpWide, 5, 0, Kind::kVoid},
    {"jsr_w", Layout::kJumpWide, 5, 0, Kind::kReference},
}};
constexpr OpcodeInfo kNoOpcode = {"", Layout::kNone, 0, 0, Kind::kVoid};

}  // namespace

const OpcodeInfo& info(Opcode opcode) {
  auto byte = static_cast<std::uint8_t>(opcode);
  return is_opcode(byte) ? kInfo[byte] : kNoOpcode;
}

bool is_jump(Opcode opcode) {
  Layout layout = info(opcode).layout;
  return layout == Layout::kJump || layout == Layout::kJumpWide;
}

bool is_conditional_jump(Opcode opcode) {
  return (opcode >= Opcode::ifeq && opcode <= Opcode::if_acmpne) || opcode == Opcode::ifnull ||
         opcode == Opcode::ifnonnull;
}

Opcode inverted(Opcode conditional_jump) {
  DH_CHECK(is_conditional_jump(conditional_jump));
  auto byte = static_cast<std::uint8_t>(conditional_jump);
  // The pairs are (ifeq 153, ifne 154), …, (if_acmpeq 165, if_acmpne 166) and (ifnull 198, ifnonnull 199).
  bool first_is_odd = conditional_jump <= Opcode::if_acmpne;
  return static_cast<Opcode>(first_is_odd ? ((byte + 1) ^ 1) - 1 : byte ^ 1);
}

bool is_switch(Opcode opcode) { return opcode == Opcode::tableswitch || opcode == Opcode::lookupswitch; }

bool is_return(Opcode opcode) { return opcode >= Opcode::ireturn && opcode <= Opcode::return_; }

bool is_invoke(Opcode opcode) { return opcode >= Opcode::invokevirtual && opcode <= Opcode::invokedynamic; }

bool falls_through(Opcode opcode) {
  return !(opcode == Opcode::goto_ || opcode == Opcode::goto_w || opcode == Opcode::ret || opcode == Opcode::athrow ||
           is_return(opcode) || is_switch(opcode));
}

}  // namespace deadheat::classfile
