// SPDX-License-Identifier: Apache-2.0
#include "classfile/constructor_flow.h"

#include <optional>

#include "classfile/descriptor.h"
#include "classfile/opcode.h"

namespace deadheat::classfile {

namespace {

bool is_constant_or_load(Opcode opcode) {
  return opcode <= Opcode::sipush || (opcode >= Opcode::iload && opcode <= Opcode::aload_3);
}

// How deep the object of a putfield is on the stack.
std::uint32_t depth_of_object(const std::optional<MemberRef>& field) {
  return field && (field->descriptor == "J" || field->descriptor == "D") ? 2 : 1;
}

}  // namespace

bool keeps_first_local(const Code& code) {
  for (InsnId at : code.originals()) {
    const Opcode opcode = code.at(at).opcode;
    const bool stores = (opcode >= Opcode::istore && opcode <= Opcode::astore) ||
                        (opcode >= Opcode::istore_0 && opcode <= Opcode::astore_3);
    if (stores && local_index(code.at(at)) == 0) return false;
  }
  return true;
}

ConstructorFlow::ConstructorFlow(const ClassFile& cls, const Code& code, const FrameAnalysis& frames)
    : cls_(cls), code_(code), frames_(frames) {
  FrameAnalysis::Cursor cursor(frames_);
  for (InsnId at : code_.originals()) {
    if (code_.at(at).opcode != Opcode::invokespecial || !cursor.seek(at)) continue;
    const auto called = cls_.pool.member(code_.at(at).index());
    const auto shape = called && called->name == "<init>" ? method_shape(called->descriptor) : std::nullopt;
    if (!shape || cursor.stack(shape->parameter_slots).kind() != AbstractValue::Kind::kUninitializedThis) continue;
    ++calls_;
    call_ = at;
    if (called->owner != cls_.name()) ++super_calls_;
  }
}

bool ConstructorFlow::may_throw_with_this() const {
  FrameAnalysis::Cursor cursor(frames_);
  for (InsnId at : code_.originals()) {
    if (!is_behind_call(cursor, at)) continue;
    const Instruction instruction = code_.at(at);
    if (instruction.opcode == Opcode::putfield) {
      const auto field = cls_.pool.member(instruction.index());
      if (cursor.stack(depth_of_object(field)) != cursor.local(0)) return true;
    } else if (!is_return(instruction.opcode) && !is_constant_or_load(instruction.opcode)) {
      return true;
    }
  }
  return false;
}

bool ConstructorFlow::leaks_this() const {
  FrameAnalysis::Cursor cursor(frames_);
  for (InsnId at : code_.originals()) {
    if (!is_behind_call(cursor, at)) continue;
    const AbstractValue self = cursor.local(0);
    const auto is_self = [&](std::uint32_t below_top) { return cursor.stack(below_top) == self; };
    const Instruction instruction = code_.at(at);
    switch (instruction.opcode) {
      case Opcode::putfield:
      case Opcode::putstatic:
      case Opcode::aastore:
        if (is_self(0)) return true;
        break;
      case Opcode::invokevirtual:
      case Opcode::invokespecial:
      case Opcode::invokeinterface:
      case Opcode::invokestatic:
      case Opcode::invokedynamic: {
        const auto member = cls_.pool.member(instruction.index());
        const auto shape = member ? method_shape(member->descriptor) : std::nullopt;
        const bool receiver = instruction.opcode != Opcode::invokestatic && instruction.opcode != Opcode::invokedynamic;
        for (std::uint32_t i = 0; shape && i < shape->parameter_slots + (receiver ? 1u : 0u); ++i) {
          if (is_self(i)) return true;
        }
        break;
      }
      default:
        break;
    }
  }
  return false;
}

void ConstructorFlow::each_field_set(const std::function<void(const MemberRef&)>& tell) const {
  FrameAnalysis::Cursor cursor(frames_);
  for (InsnId at : code_.originals()) {
    if (code_.at(at).opcode != Opcode::putfield || !is_behind_call(cursor, at)) continue;
    const auto field = cls_.pool.member(code_.at(at).index());
    if (field && field->owner == cls_.name() && cursor.stack(depth_of_object(field)) == cursor.local(0)) tell(*field);
  }
}

bool ConstructorFlow::has_this_behind_call() const {
  FrameAnalysis::Cursor cursor(frames_);
  for (InsnId at : code_.originals()) {
    if (is_behind_call(cursor, at) && cursor.local(0).kind() != AbstractValue::Kind::kReference) return false;
  }
  // Frames are relative to each other, but the first local only changes where one is full, or goes with all others.
  std::optional<VerificationType> first;
  std::int64_t locals = INT16_MAX;  // unknown until a frame says; parameters are never fewer than none
  for (const Frame& frame : code_.frames()) {
    if (frame.form == Frame::Form::kFull) {
      locals = frame.locals;
      first = locals > 0 ? std::optional(code_.types_of(frame)[0]) : std::nullopt;
    } else if (frame.form == Frame::Form::kChop) {
      locals -= frame.chopped;
    } else if (frame.form == Frame::Form::kAppend) {
      locals += frame.locals;
    }
    if (code_.instruction_at(frame.at) <= call_) continue;
    if (locals < 1 || !first || first->tag != VerificationType::Tag::kObject ||
        cls_.pool.class_name(first->class_index()) != cls_.name())
      return false;
  }
  return true;
}

}  // namespace deadheat::classfile
