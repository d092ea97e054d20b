// SPDX-License-Identifier: Apache-2.0
#include "classfile/frame_machine.h"

#include <algorithm>

#include "classfile/descriptor.h"
#include "classfile/opcode.h"

namespace deadheat::classfile {
namespace {

using ValueKind = AbstractValue::Kind;

// The kind a load or store instruction moves: the families are in the order int, long, float, double, reference.
Kind moved_kind(Opcode opcode) {
  constexpr Kind kFamilies[] = {Kind::kInt, Kind::kLong, Kind::kFloat, Kind::kDouble, Kind::kReference};
  auto byte = static_cast<unsigned>(opcode);
  auto from = [byte](Opcode first) { return byte - static_cast<unsigned>(first); };
  if (opcode <= Opcode::aload) return kFamilies[from(Opcode::iload)];
  if (opcode <= Opcode::aload_3) return kFamilies[from(Opcode::iload_0) / 4];
  if (opcode <= Opcode::astore) return kFamilies[from(Opcode::istore)];
  return kFamilies[from(Opcode::istore_0) / 4];
}

bool takes_two(AbstractValue value) { return value.kind() == ValueKind::kLong || value.kind() == ValueKind::kDouble; }

AbstractValue small_constant(std::int32_t value) {
  return {ValueKind::kInt, kConstantNumbers + static_cast<std::uint16_t>(value)};
}

}  // namespace

AbstractValue::Kind value_kind(Kind kind) {
  switch (kind) {
    case Kind::kInt:
      return ValueKind::kInt;
    case Kind::kFloat:
      return ValueKind::kFloat;
    case Kind::kLong:
      return ValueKind::kLong;
    case Kind::kDouble:
      return ValueKind::kDouble;
    case Kind::kReference:
      return ValueKind::kReference;
    case Kind::kVoid:
      break;
  }
  return ValueKind::kTop;
}

void FrameMachine::step(std::uint32_t index, const Instruction& instruction) {
  locals_changed_ = false;
  escaped_ = false;
  if (step_special(index, instruction)) return;
  const OpcodeInfo& opcode = info(instruction.opcode);
  drop(static_cast<std::uint32_t>(opcode.pops));
  push(opcode.pushes, index);
}

// The instructions whose effect the opcode table does not tell; false for the others.
bool FrameMachine::step_special(std::uint32_t index, const Instruction& instruction) {
  Opcode opcode = instruction.opcode;
  if (opcode >= Opcode::iconst_m1 && opcode <= Opcode::iconst_5) {
    push(small_constant(static_cast<int>(opcode) - static_cast<int>(Opcode::iconst_0)));
    return true;
  }
  if (opcode >= Opcode::iload && opcode <= Opcode::aload_3) {
    load(moved_kind(opcode), static_cast<std::uint32_t>(local_index(instruction)));
    return true;
  }
  if (opcode >= Opcode::istore && opcode <= Opcode::astore_3) {
    store(moved_kind(opcode), static_cast<std::uint32_t>(local_index(instruction)));
    return true;
  }
  switch (opcode) {
    case Opcode::aconst_null:
      push({ValueKind::kNull, index});
      return true;
    case Opcode::bipush:
    case Opcode::sipush:
      push(small_constant(instruction.operand));
      return true;
    case Opcode::ldc:
    case Opcode::ldc_w:
    case Opcode::ldc2_w:
      constant(index, instruction.index());
      return true;
    case Opcode::iinc:
      increment(index, instruction.index());
      return true;
    case Opcode::dup:
      duplicate(1, 0);
      return true;
    case Opcode::dup_x1:
      duplicate(1, 1);
      return true;
    case Opcode::dup_x2:
      duplicate(1, 2);
      return true;
    case Opcode::dup2:
      duplicate(2, 0);
      return true;
    case Opcode::dup2_x1:
      duplicate(2, 1);
      return true;
    case Opcode::dup2_x2:
      duplicate(2, 2);
      return true;
    case Opcode::swap:
      if (AbstractValue* two = top(2)) std::swap(two[0], two[1]);
      return true;
    case Opcode::aastore:
      escape(pop());
      drop(2);
      return true;
    case Opcode::getstatic:
    case Opcode::putstatic:
    case Opcode::getfield:
    case Opcode::putfield:
      field(index, instruction);
      return true;
    case Opcode::invokevirtual:
    case Opcode::invokespecial:
    case Opcode::invokestatic:
    case Opcode::invokeinterface:
    case Opcode::invokedynamic:
      invoke(index, instruction);
      return true;
    case Opcode::new_:
      forget_uninitialized(index);
      push({ValueKind::kUninitialized, index});
      return true;
    case Opcode::newarray:
    case Opcode::anewarray:
      drop(1);
      push({ValueKind::kFreshArray, index});
      return true;
    case Opcode::multianewarray:
      drop(static_cast<std::uint32_t>(instruction.extra));
      push(Kind::kReference, index);
      return true;
    case Opcode::checkcast:
      top(1);  // the same value as before
      return true;
    case Opcode::jsr:
    case Opcode::jsr_w:
    case Opcode::ret:
      failed_ = true;
      return true;
    default:
      return false;
  }
}

void FrameMachine::push(AbstractValue value) {
  std::uint32_t at = max_locals_ + depth_;
  if (at >= slots_.size()) {
    failed_ = true;
    return;
  }
  slots_[at] = value;
  ++depth_;
}

void FrameMachine::push(Kind kind, std::uint32_t number) {
  if (kind == Kind::kVoid) return;
  push({value_kind(kind), number});
  if (slots_of(kind) == 2) push({ValueKind::kSecondSlot, number});
}

AbstractValue FrameMachine::pop() {
  AbstractValue* value = top(1);
  if (value == nullptr) return {};
  --depth_;
  return *value;
}

void FrameMachine::drop(std::uint32_t slots) {
  if (top(slots) != nullptr) depth_ -= slots;
}

AbstractValue* FrameMachine::top(std::uint32_t slots) {
  if (slots > depth_) {
    failed_ = true;
    return nullptr;
  }
  return slots_.data() + max_locals_ + depth_ - slots;
}

void FrameMachine::constant(std::uint32_t index, std::uint32_t pool_index) {
  switch (pool_.tag(pool_index)) {
    case Tag::kInteger:
      return push(Kind::kInt, index);
    case Tag::kFloat:
      return push(Kind::kFloat, index);
    case Tag::kLong:
      return push(Kind::kLong, index);
    case Tag::kDouble:
      return push(Kind::kDouble, index);
    case Tag::kClass:
    case Tag::kString:
    case Tag::kMethodHandle:
    case Tag::kMethodType:
      return push(Kind::kReference, index);
    case Tag::kDynamic: {
      std::optional<MemberRef> member = pool_.member(pool_index);
      std::optional<Kind> kind = member ? field_kind(member->descriptor) : std::nullopt;
      if (kind) return push(*kind, index);
      break;
    }
    default:
      break;
  }
  failed_ = true;
}

void FrameMachine::load(Kind kind, std::uint32_t local) {
  std::uint32_t slots = slots_of(kind);
  if (local + slots > max_locals_) {
    failed_ = true;
    return;
  }
  AbstractValue value = slots_[local];
  bool fits = kind == Kind::kReference ? value.is_reference() : value.kind() == value_kind(kind);
  if (!fits) {
    failed_ = true;
    return;
  }
  push(value);
  if (slots == 2) push(slots_[local + 1]);
}

void FrameMachine::store(Kind kind, std::uint32_t local) {
  std::uint32_t slots = slots_of(kind);
  const AbstractValue* values = top(slots);
  if (values == nullptr || local + slots > max_locals_) {
    failed_ = true;
    return;
  }
  // Half of a long or double that is overwritten makes its other half unusable.
  if (local > 0 && takes_two(slots_[local - 1])) slots_[local - 1] = {};
  if (takes_two(slots_[local + slots - 1]) && local + slots < max_locals_) slots_[local + slots] = {};
  std::copy_n(values, slots, slots_.begin() + local);
  depth_ -= slots;
  locals_changed_ = true;
}

void FrameMachine::increment(std::uint32_t index, std::uint32_t local) {
  if (local >= max_locals_ || slots_[local].kind() != ValueKind::kInt) {
    failed_ = true;
    return;
  }
  slots_[local] = {ValueKind::kInt, index};
  locals_changed_ = true;
}

// Puts a copy of the top `count` slots `below` slots deeper than they are.
void FrameMachine::duplicate(std::uint32_t count, std::uint32_t below) {
  AbstractValue* values = top(count + below);
  if (values == nullptr || max_locals_ + depth_ + count > slots_.size()) {
    failed_ = true;
    return;
  }
  std::copy_backward(values, values + count + below, values + 2 * count + below);
  std::copy_n(values + count + below, count, values);
  depth_ += count;
}

void FrameMachine::field(std::uint32_t index, const Instruction& instruction) {
  std::optional<MemberRef> member = pool_.member(instruction.index());
  std::optional<Kind> kind = member ? field_kind(member->descriptor) : std::nullopt;
  if (!kind) {
    failed_ = true;
    return;
  }
  Opcode opcode = instruction.opcode;
  if (opcode == Opcode::putfield || opcode == Opcode::putstatic) {
    if (*kind == Kind::kReference) {
      escape(pop());
    } else {
      drop(slots_of(*kind));
    }
  }
  if (opcode == Opcode::getfield || opcode == Opcode::putfield) drop(1);
  if (opcode == Opcode::getfield || opcode == Opcode::getstatic) push(*kind, index);
}

void FrameMachine::invoke(std::uint32_t index, const Instruction& instruction) {
  std::optional<MemberRef> member = pool_.member(instruction.index());
  std::optional<MethodShape> shape = member ? method_shape(member->descriptor) : std::nullopt;
  bool has_receiver = instruction.opcode != Opcode::invokestatic && instruction.opcode != Opcode::invokedynamic;
  std::uint32_t slots = shape ? shape->parameter_slots + (has_receiver ? 1 : 0) : 0;
  if (!shape || slots > depth_) {
    failed_ = true;
    return;
  }
  depth_ -= slots;
  std::span<const AbstractValue> arguments = slots_.subspan(max_locals_ + depth_, slots);
  const bool hands = handed_ && FrameAnalysis::may_hand(instruction.opcode, *member);
  for (AbstractValue argument : arguments) {
    if (!hands || argument.kind() != ValueKind::kHandedArray) escape(argument);
  }
  if (instruction.opcode == Opcode::invokespecial && member->name == "<init>") {
    AbstractValue object = arguments[0];
    bool uninitialized = object.kind() == ValueKind::kUninitialized || object.kind() == ValueKind::kUninitializedThis;
    if (uninitialized) replace_all(object, {ValueKind::kReference, object.number()});
  }
  if (hands && shape->return_type.starts_with('[')) {
    push({ValueKind::kHandedArray, index});
  } else {
    push(shape->return_kind, index);
  }
}

// A `new` in a loop: what the same instruction made before and nobody initialised cannot be used any more
// (JVMS 4.10.2.4).
void FrameMachine::forget_uninitialized(std::uint32_t index) { replace_all({ValueKind::kUninitialized, index}, {}); }

void FrameMachine::escape(AbstractValue value) {
  if (value.kind() != ValueKind::kFreshArray && value.kind() != ValueKind::kHandedArray) return;
  replace_all(value, {ValueKind::kReference, value.number()});
  escaped_ = true;
}

void FrameMachine::replace_all(AbstractValue from, AbstractValue to) {
  std::replace(slots_.begin(), slots_.begin() + max_locals_ + depth_, from, to);
  locals_changed_ = true;
}

}  // namespace deadheat::classfile
