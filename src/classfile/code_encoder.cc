// SPDX-License-Identifier: Apache-2.0
#include "classfile/code_encoder.h"

#include "classfile/frame_encoder.h"
#include "classfile/type_annotation.h"

namespace deadheat::classfile {
namespace {

constexpr std::uint32_t kMaxLength = 65535;
constexpr std::uint32_t kConditionalLength = 3;
constexpr std::uint32_t kGotoWideLength = 5;

bool fits_two_bytes(std::int64_t distance) { return distance >= -32768 && distance <= 32767; }

std::uint32_t switch_padding(std::uint32_t offset) { return 3 - offset % 4; }

bool needs_wide(const Instruction& instruction) {
  return instruction.wide || instruction.operand > 255 || instruction.extra < -128 || instruction.extra > 127;
}

}  // namespace

Result<std::vector<std::uint8_t>> CodeEncoder::encode() {
  if (code_.max_stack_ > 65535 || code_.max_locals_ > 65535)
    return Error{"the method needs over 65535 stack slots or locals"};
  if (!lay_out()) return Error{problem_};
  // The code, and a little more than its tables take.
  out_.reserve(length_ + 64 + 8 * code_.handlers_.size() + 4 * code_.lines_.size() + 10 * code_.variables_.size() +
               16 * (code_.frames_.size() + code_.added_frames_.size()) + 6 * code_.attributes_.size());
  out_.u2(code_.max_stack_);
  out_.u2(code_.max_locals_);
  out_.u4(length_);
  emit_code();
  emit_handlers();
  emit_attributes();
  if (problem_ != nullptr) return Error{problem_};
  return out_.release();
}

// Offsets for the jumps as widened so far, again until no jump needs widening. Widening only ever adds, so this ends.
bool CodeEncoder::lay_out() {
  offsets_.assign(code_.nodes_.size(), Code::kUnlinked);
  do {
    std::uint32_t offset = 0;
    std::uint32_t end = code_.end_node();
    for (std::uint32_t node = code_.nodes_[end].next; node != end; node = code_.nodes_[node].next) {
      offsets_[node] = offset;
      offset += size_at(node, offset);
      if (offset > kMaxLength) {
        fail("the code is over 65535 bytes");
        return false;
      }
    }
    offsets_[end] = offset;
    length_ = offset;
  } while (length_ > 32767 && widen_jumps());
  return problem_ == nullptr;
}

bool CodeEncoder::widen_jumps() {
  bool changed = false;
  std::uint32_t end = code_.end_node();
  for (std::uint32_t node = code_.nodes_[end].next; node != end; node = code_.nodes_[node].next) {
    const Instruction& instruction = code_.nodes_[node].instruction;
    if (info(instruction.opcode).layout != Layout::kJump || widened(node)) continue;
    if (fits_two_bytes(std::int64_t{offset_of(instruction.target())} - offsets_[node])) continue;
    inverts_ = inverts_ || is_conditional_jump(instruction.opcode);
    if (widened_.empty()) widened_.assign(code_.nodes_.size(), 0);
    widened_[node] = 1;
    changed = true;
  }
  return changed;
}

std::uint32_t CodeEncoder::size_at(std::uint32_t node, std::uint32_t offset) const {
  const Instruction& instruction = code_.nodes_[node].instruction;
  const OpcodeInfo& opcode = info(instruction.opcode);
  switch (opcode.layout) {
    case Layout::kPoolByte:
      return instruction.operand > 255 ? 3 : 2;
    case Layout::kLocal:
      return needs_wide(instruction) ? 4 : 2;
    case Layout::kIncrement:
      return needs_wide(instruction) ? 6 : 3;
    case Layout::kJump:
      if (!widened(node)) return opcode.length;
      return is_conditional_jump(instruction.opcode) ? kConditionalLength + kGotoWideLength : kGotoWideLength;
    case Layout::kTableSwitch:
    case Layout::kLookupSwitch: {
      const Switch& table = code_.switch_of(static_cast<InsnId>(node));
      auto cells = static_cast<std::uint32_t>(table.targets.size() + table.keys.size());
      return 1 + switch_padding(offset) + (table.keys.empty() && instruction.opcode == Opcode::tableswitch ? 12 : 8) +
             4 * cells;
    }
    default:
      return opcode.length;
  }
}

void CodeEncoder::emit_code() {
  std::uint32_t end = code_.end_node();
  for (std::uint32_t node = code_.nodes_[end].next; node != end; node = code_.nodes_[node].next) emit(node);
}

void CodeEncoder::emit(std::uint32_t node) {
  const Instruction& instruction = code_.nodes_[node].instruction;
  switch (info(instruction.opcode).layout) {
    case Layout::kNone:
      if (instruction.opcode != Opcode::label) out_.u1(static_cast<std::uint8_t>(instruction.opcode));
      break;
    case Layout::kByte:
    case Layout::kArrayType:
      out_.u1(static_cast<std::uint8_t>(instruction.opcode));
      out_.u1(static_cast<std::uint32_t>(instruction.operand));
      break;
    case Layout::kShort:
      out_.u1(static_cast<std::uint8_t>(instruction.opcode));
      out_.u2(static_cast<std::uint32_t>(instruction.operand));
      break;
    case Layout::kPoolByte:
    case Layout::kPool:
    case Layout::kInvokeInterface:
    case Layout::kInvokeDynamic:
    case Layout::kMultiArray:
      emit_pool_index(instruction);
      break;
    case Layout::kLocal:
    case Layout::kIncrement:
      emit_local(instruction);
      break;
    case Layout::kJump:
    case Layout::kJumpWide:
      emit_jump(node);
      break;
    case Layout::kTableSwitch:
    case Layout::kLookupSwitch:
      emit_switch(node);
      break;
    case Layout::kWide:
      fail("wide is not an instruction of its own");
      break;
  }
}

void CodeEncoder::emit_local(const Instruction& instruction) {
  bool wide = needs_wide(instruction);
  bool increment = info(instruction.opcode).layout == Layout::kIncrement;
  if (wide) out_.u1(static_cast<std::uint8_t>(Opcode::wide));
  out_.u1(static_cast<std::uint8_t>(instruction.opcode));
  if (wide) {
    out_.u2(static_cast<std::uint32_t>(instruction.operand));
    if (increment) out_.u2(static_cast<std::uint16_t>(instruction.extra));
  } else {
    out_.u1(static_cast<std::uint32_t>(instruction.operand));
    if (increment) out_.u1(static_cast<std::uint16_t>(instruction.extra));
  }
}

void CodeEncoder::emit_pool_index(const Instruction& instruction) {
  if (instruction.operand == 0) fail("an instruction names constant 0: the constant pool is full");
  auto index = static_cast<std::uint32_t>(instruction.operand);
  Opcode opcode = instruction.opcode;
  Layout layout = info(opcode).layout;
  if (layout == Layout::kPoolByte && index <= 255) {
    out_.u1(static_cast<std::uint8_t>(opcode));
    out_.u1(index);
    return;
  }
  out_.u1(static_cast<std::uint8_t>(layout == Layout::kPoolByte ? Opcode::ldc_w : opcode));
  out_.u2(index);
  if (layout == Layout::kInvokeInterface) {
    out_.u1(static_cast<std::uint16_t>(instruction.extra));
    out_.u1(0);
  } else if (layout == Layout::kInvokeDynamic) {
    out_.u2(0);
  } else if (layout == Layout::kMultiArray) {
    out_.u1(static_cast<std::uint16_t>(instruction.extra));
  }
}

void CodeEncoder::emit_jump(std::uint32_t node) {
  Instruction instruction = code_.nodes_[node].instruction;
  std::uint32_t from = offsets_[node];
  if (widened(node)) {
    if (is_conditional_jump(instruction.opcode)) {
      out_.u1(static_cast<std::uint8_t>(inverted(instruction.opcode)));
      out_.u2(kConditionalLength + kGotoWideLength);
      from += kConditionalLength;
      instruction.opcode = Opcode::goto_w;
    } else {
      instruction.opcode = instruction.opcode == Opcode::jsr ? Opcode::jsr_w : Opcode::goto_w;
    }
  }
  out_.u1(static_cast<std::uint8_t>(instruction.opcode));
  std::uint32_t distance = offset_of(instruction.target()) - from;
  if (info(instruction.opcode).layout == Layout::kJumpWide) {
    out_.u4(distance);
  } else {
    out_.u2(distance);
  }
}

void CodeEncoder::emit_switch(std::uint32_t node) {
  const Instruction& instruction = code_.nodes_[node].instruction;
  const Switch& table = code_.switch_of(static_cast<InsnId>(node));
  std::uint32_t from = offsets_[node];
  out_.u1(static_cast<std::uint8_t>(instruction.opcode));
  for (std::uint32_t i = 0; i < switch_padding(from); ++i) out_.u1(0);
  out_.u4(offset_of(table.fallback) - from);
  bool lookup = instruction.opcode == Opcode::lookupswitch;
  auto count = static_cast<std::uint32_t>(table.targets.size());
  if (lookup) {
    out_.u4(count);
  } else {
    auto low = static_cast<std::uint32_t>(table.low);
    out_.u4(low);
    out_.u4(low + count - 1);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (lookup) out_.u4(static_cast<std::uint32_t>(table.keys[i]));
    out_.u4(offset_of(table.targets[i]) - from);
  }
}

void CodeEncoder::emit_handlers() {
  if (code_.handlers_.size() > 65535) fail("the method has over 65535 exception handlers");
  out_.u2(static_cast<std::uint32_t>(code_.handlers_.size()));
  for (const Handler& handler : code_.handlers_) {
    if (offset_of(handler.start) >= offset_of(handler.end)) fail("an exception range is empty");
    out_.u2(offset_of(handler.start));
    out_.u2(offset_of(handler.end));
    out_.u2(offset_of(handler.handler));
    out_.u2(handler.catch_type);
  }
}

void CodeEncoder::emit_attributes() {
  bool frames_written = false;
  std::size_t count_at = out_.size();
  auto count = static_cast<std::uint32_t>(code_.attributes_.size());
  out_.u2(count);
  for (const Code::SubAttribute& attribute : code_.attributes_) {
    if (attribute.table == Code::Table::kFrames) {
      emit_frames(attribute.name);
      frames_written = true;
      continue;
    }
    out_.u2(attribute.name);
    std::size_t length_at = out_.size();
    out_.u4(0);
    switch (attribute.table) {
      case Code::Table::kLines:
        emit_lines(attribute);
        break;
      case Code::Table::kVariables:
        emit_variables(attribute);
        break;
      case Code::Table::kAnnotations:
        emit_annotations(attribute);
        break;
      default:
        out_.put(attribute.raw);
        break;
    }
    out_.patch_u4(length_at, static_cast<std::uint32_t>(out_.size() - length_at - 4));
  }
  if (!frames_written && code_.needs_frames_ && (inverts_ || !code_.added_frames_.empty())) {
    emit_frames(pool_.add_utf8("StackMapTable"));
    out_.patch_u2(count_at, count + 1);
  }
}

// What was put in front of a method belongs to its first line and sees its parameters.
std::uint32_t CodeEncoder::from_start(Label label) {
  const bool first = code_.original_count() > 0 && code_.instruction_at(label) == InsnId{0};
  return first ? 0 : offset_of(label);
}

void CodeEncoder::emit_lines(const Code::SubAttribute& attribute) {
  out_.u2(attribute.count);
  for (std::uint32_t i = 0; i < attribute.count; ++i) {
    const Code::Line& line = code_.lines_[attribute.first + i];
    out_.u2(from_start(line.at));
    out_.u2(line.number);
  }
}

void CodeEncoder::emit_variables(const Code::SubAttribute& attribute) {
  out_.u2(attribute.count);
  for (std::uint32_t i = 0; i < attribute.count; ++i) {
    const Code::Variable& variable = code_.variables_[attribute.first + i];
    std::uint32_t start = from_start(variable.start);
    out_.u2(start);
    out_.u2(offset_of(variable.end) - start);
    out_.u2(variable.name);
    out_.u2(variable.type);
    out_.u2(variable.index);
  }
}

void CodeEncoder::emit_annotations(const Code::SubAttribute& attribute) {
  out_.u2(attribute.count);
  for (std::uint32_t i = 0; i < attribute.count; ++i) {
    const Code::TypeAnnotation& annotation = code_.annotations_[attribute.first + i];
    AnnotationTarget target = target_of(annotation.target_type);
    out_.u1(annotation.target_type);
    if (target == AnnotationTarget::kVariable) {
      out_.u2(static_cast<std::uint32_t>(annotation.ranges.size()));
      for (const Code::VariableRange& range : annotation.ranges) {
        std::uint32_t start = offset_of(range.start);
        out_.u2(start);
        out_.u2(offset_of(range.end) - start);
        out_.u2(range.index);
      }
    } else if (target == AnnotationTarget::kHandler) {
      out_.u2(annotation.handler + code_.handlers_in_front_);
    } else {
      out_.u2(offset_of(annotation.instruction));
      if (target == AnnotationTarget::kTypeArgument) out_.u1(annotation.argument);
    }
    out_.put(annotation.rest);
  }
}

void CodeEncoder::emit_frames(std::uint16_t name) {
  if (name == 0) fail("the constant pool is full");
  out_.u2(name);
  std::size_t length_at = out_.size();
  out_.u4(0);
  FrameEncoder(*this).encode();
  out_.patch_u4(length_at, static_cast<std::uint32_t>(out_.size() - length_at - 4));
}

std::uint32_t CodeEncoder::offset_of(Label label) {
  std::uint32_t offset = offsets_[static_cast<std::uint32_t>(label)];
  if (offset != Code::kUnlinked) return offset;
  fail("a label is used but was never placed");
  return 0;
}

}  // namespace deadheat::classfile
