// SPDX-License-Identifier: Apache-2.0
//
// One instruction of a Code, in eight bytes, and the makers for new ones. Jumps name labels, switches name a Switch of
// their Code; everything else carries its operands as in the file.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "classfile/opcode.h"

namespace deadheat::classfile {

class ConstantPool;

// An instruction of a Code; stays good whatever is inserted around it.
enum class InsnId : std::uint32_t {};
// A position in a Code, between instructions.
enum class Label : std::uint32_t {};

struct Instruction {
  Opcode opcode = Opcode::nop;
  bool wide = false;         // the file used the wide prefix; kept even where it is not needed
  std::int16_t extra = 0;    // iinc: the increment; multianewarray: dimensions; invokeinterface: count
  std::int32_t operand = 0;  // local, constant-pool index, immediate, array type, Label or index of a Switch, by opcode

  // An instruction without operands.
  static Instruction simple(Opcode opcode) { return {opcode}; }
  // iload … aload, istore … astore, ret: the shortest form for that local.
  static Instruction local(Opcode opcode, std::uint16_t index);
  static Instruction increment(std::uint16_t local, std::int16_t by) { return {Opcode::iinc, false, by, local}; }
  // Field accesses, invokevirtual/special/static, new, anewarray, checkcast, instanceof, ldc (grows to ldc_w), ldc2_w.
  static Instruction pool(Opcode opcode, std::uint16_t index) { return {opcode, false, 0, index}; }
  static Instruction invoke_static(std::uint16_t method) { return pool(Opcode::invokestatic, method); }
  // argument_slots counts `this` too.
  static Instruction invoke_interface(std::uint16_t method, std::uint8_t argument_slots) {
    return {Opcode::invokeinterface, false, argument_slots, method};
  }
  // goto and jsr grow to their _w forms, conditional jumps are inverted over a goto_w, where the distance asks for it.
  static Instruction jump(Opcode opcode, Label target) { return {opcode, false, 0, static_cast<std::int32_t>(target)}; }
  // The shortest instruction that pushes the int: iconst, bipush, sipush or ldc of a constant added to the pool.
  static Instruction push(std::int32_t value, ConstantPool& pool);
  // Puts a label of Code::new_label() at this place of a sequence. Each label is placed once.
  static Instruction place(Label label) { return {Opcode::label, false, 0, static_cast<std::int32_t>(label)}; }

  Label target() const { return static_cast<Label>(operand); }  // jumps; labels themselves
  std::uint16_t index() const { return static_cast<std::uint16_t>(operand); }
};
static_assert(sizeof(Instruction) == 8);

// The local variable that an instruction names, aload_2 and the like included; -1 if it names none.
std::int32_t local_index(const Instruction& instruction);

struct Switch {
  Label fallback{};
  std::int32_t low = 0;            // tableswitch: the key of targets[0]
  std::vector<std::int32_t> keys;  // lookupswitch: one for each target, ascending
  std::vector<Label> targets;
};

// A sequence of instructions to insert; a view, for use as a parameter only.
class Snippet {
 public:
  Snippet(std::initializer_list<Instruction> list)
      : items_(list.begin(), list.size()) {}                       // NOLINT(google-explicit-constructor)
  Snippet(const std::vector<Instruction>& list) : items_(list) {}  // NOLINT(google-explicit-constructor)
  Snippet(std::span<const Instruction> list) : items_(list) {}     // NOLINT(google-explicit-constructor)

  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  bool empty() const { return items_.empty(); }

 private:
  std::span<const Instruction> items_;
};

}  // namespace deadheat::classfile
