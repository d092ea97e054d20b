// SPDX-License-Identifier: Apache-2.0
//
// Internal to classfile: one abstract state (locals and operand stack) and what a single instruction does to it. Shared
// by the fixpoint of FrameAnalysis and by its Cursor, so both see exactly the same states.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "classfile/constant_pool.h"
#include "classfile/frame_analysis.h"
#include "classfile/instruction.h"

namespace deadheat::classfile {

// The numbers of values: the instruction that made it, a small int constant, or a slot of a stored state.
inline constexpr std::uint32_t kConstantNumbers = 1 << 16;
inline constexpr std::uint32_t kSlotNumbers = 2 << 16;

// kTop for kVoid.
AbstractValue::Kind value_kind(Kind kind);

class FrameMachine {
 public:
  // `slots` holds the locals, then room for the stack; it must stay in place. `handed` as for FrameAnalysis::run().
  FrameMachine(const ConstantPool& pool, std::span<AbstractValue> slots, std::uint32_t max_locals, std::uint32_t depth,
               bool handed = false)
      : pool_(pool), slots_(slots), max_locals_(max_locals), depth_(depth), handed_(handed) {}

  // Runs the instruction with that index (its place in the method). Where control goes is the caller's affair.
  void step(std::uint32_t index, const Instruction& instruction);

  std::uint32_t depth() const { return depth_; }
  // The stack does not fit the instruction, a constant is bad, or it is jsr or ret. Sticky.
  bool failed() const { return failed_; }
  // What the last step did that an exception handler would notice.
  bool locals_changed() const { return locals_changed_; }
  bool escaped() const { return escaped_; }

 private:
  void push(AbstractValue value);
  void push(Kind kind, std::uint32_t number);
  AbstractValue pop();
  void drop(std::uint32_t slots);
  AbstractValue* top(std::uint32_t slots);  // the lowest of so many top slots, null (and failed) if there are fewer

  bool step_special(std::uint32_t index, const Instruction& instruction);
  void constant(std::uint32_t index, std::uint32_t pool_index);
  void load(Kind kind, std::uint32_t local);
  void store(Kind kind, std::uint32_t local);
  void increment(std::uint32_t index, std::uint32_t local);
  void duplicate(std::uint32_t count, std::uint32_t below);
  void field(std::uint32_t index, const Instruction& instruction);
  void invoke(std::uint32_t index, const Instruction& instruction);
  void forget_uninitialized(std::uint32_t index);
  void escape(AbstractValue value);
  void replace_all(AbstractValue from, AbstractValue to);

  const ConstantPool& pool_;
  std::span<AbstractValue> slots_;
  std::uint32_t max_locals_;
  std::uint32_t depth_;
  const bool handed_;
  bool failed_ = false;
  bool locals_changed_ = false;
  bool escaped_ = false;
};

}  // namespace deadheat::classfile
