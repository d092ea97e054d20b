// SPDX-License-Identifier: Apache-2.0
//
// Internal to classfile: the verifier's types along straight-line code, from one stack-map frame on. A conditional jump
// that had to be inverted over a goto_w makes its successor a jump target, which needs a frame; nothing merges on the
// way there, so its types follow from the frame before without any knowledge of the class hierarchy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classfile/code.h"
#include "classfile/constant_pool.h"
#include "classfile/frame_machine.h"
#include "classfile/stack_map.h"

namespace deadheat::classfile {

class TypeFlow {
 public:
  // Classes that types name are added to the pool.
  TypeFlow(ConstantPool& pool, std::uint16_t this_class, const Code& code)
      : pool_(pool), code_(code), this_class_(this_class), slots_(code.max_locals() + code.max_stack()) {}

  // Starts from a frame.
  void load(std::span<const VerificationType> locals, std::span<const VerificationType> stack);
  void step(InsnId at);
  // The present state as a frame's locals, without kTop at the end, and its stack.
  std::vector<VerificationType> locals() const;
  std::vector<VerificationType> stack() const;
  // No frame was loaded or the code does not fit it. Sticky until the next load().
  bool failed() const { return failed_ || !machine_ || machine_->failed(); }

 private:
  AbstractValue value_of(const VerificationType& type);
  VerificationType type_of(AbstractValue value) const;
  std::vector<VerificationType> entries(std::uint32_t first, std::uint32_t count) const;

  // The type of the reference the instruction is about to push; kTop if it pushes none.
  VerificationType result_of(InsnId at);
  VerificationType loaded_constant(std::uint32_t index);
  VerificationType element_of_array();
  VerificationType type_named(std::string_view descriptor);
  VerificationType class_named(std::string_view name);

  ConstantPool& pool_;
  const Code& code_;
  std::uint16_t this_class_;
  std::vector<AbstractValue> slots_;
  std::optional<FrameMachine> machine_;
  std::vector<VerificationType> types_;  // by the number of an AbstractValue
  bool failed_ = false;
};

}  // namespace deadheat::classfile
