// SPDX-License-Identifier: Apache-2.0
#include "classfile/type_flow.h"

#include <algorithm>
#include <string>

#include "classfile/descriptor.h"

namespace deadheat::classfile {
namespace {

using TypeTag = VerificationType::Tag;
using ValueKind = AbstractValue::Kind;

// The descriptor of newarray's element type codes 4 … 11 (JVMS table 6.5.newarray-A).
constexpr std::string_view kPrimitiveArrays[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};

ValueKind kind_of(TypeTag tag) {
  switch (tag) {
    case TypeTag::kInteger:
      return ValueKind::kInt;
    case TypeTag::kFloat:
      return ValueKind::kFloat;
    case TypeTag::kLong:
      return ValueKind::kLong;
    case TypeTag::kDouble:
      return ValueKind::kDouble;
    case TypeTag::kNull:
      return ValueKind::kNull;
    case TypeTag::kUninitializedThis:
      return ValueKind::kUninitializedThis;
    case TypeTag::kUninitialized:
      return ValueKind::kUninitialized;
    case TypeTag::kObject:
      return ValueKind::kReference;
    case TypeTag::kTop:
      break;
  }
  return ValueKind::kTop;
}

}  // namespace

void TypeFlow::load(std::span<const VerificationType> locals, std::span<const VerificationType> stack) {
  failed_ = false;
  types_.clear();
  std::fill(slots_.begin(), slots_.end(), AbstractValue());
  std::size_t at = 0;
  auto put = [&](std::span<const VerificationType> list, std::size_t limit) {
    for (const VerificationType& type : list) {
      if (at + type.slots() > limit) return void(failed_ = true);
      slots_[at] = value_of(type);
      if (type.slots() == 2) slots_[at + 1] = {ValueKind::kSecondSlot, 0};
      at += type.slots();
    }
  };
  put(locals, code_.max_locals());
  at = code_.max_locals();
  put(stack, slots_.size());
  machine_.emplace(pool_, slots_, code_.max_locals(), static_cast<std::uint32_t>(at - code_.max_locals()));
}

void TypeFlow::step(InsnId at) {
  if (failed()) return;
  const Instruction& instruction = code_.at(at);
  auto number = static_cast<std::uint32_t>(types_.size());
  // The verifier forgets what the same `new` made before; compilers never leave such a thing around, so neither do we
  // try.
  VerificationType result = result_of(at);
  if (instruction.opcode == Opcode::new_ && std::find(types_.begin(), types_.end(), result) != types_.end()) {
    failed_ = true;
  }
  types_.push_back(result);
  machine_->step(number, instruction);
  if (instruction.opcode == Opcode::checkcast && !failed()) {
    slots_[code_.max_locals() + machine_->depth() - 1] = {ValueKind::kReference, number};
  }
}

std::vector<VerificationType> TypeFlow::locals() const {
  std::vector<VerificationType> list = entries(0, code_.max_locals());
  while (!list.empty() && list.back().tag == TypeTag::kTop) list.pop_back();
  return list;
}

std::vector<VerificationType> TypeFlow::stack() const { return entries(code_.max_locals(), machine_->depth()); }

std::vector<VerificationType> TypeFlow::entries(std::uint32_t first, std::uint32_t count) const {
  std::vector<VerificationType> list;
  for (std::uint32_t i = 0; i < count; i += list.back().slots()) list.push_back(type_of(slots_[first + i]));
  return list;
}

// Equal uninitialised types get one number: a constructor call initialises all of them.
AbstractValue TypeFlow::value_of(const VerificationType& type) {
  auto known = std::find(types_.begin(), types_.end(), type);
  auto number = static_cast<std::uint32_t>(known - types_.begin());
  if (known == types_.end()) types_.push_back(type);
  return {kind_of(type.tag), number};
}

VerificationType TypeFlow::type_of(AbstractValue value) const {
  switch (value.kind()) {
    case ValueKind::kTop:
    case ValueKind::kSecondSlot:
      return {};
    case ValueKind::kInt:
      return VerificationType::simple(TypeTag::kInteger);
    case ValueKind::kFloat:
      return VerificationType::simple(TypeTag::kFloat);
    case ValueKind::kLong:
      return VerificationType::simple(TypeTag::kLong);
    case ValueKind::kDouble:
      return VerificationType::simple(TypeTag::kDouble);
    case ValueKind::kNull:
      return VerificationType::simple(TypeTag::kNull);
    case ValueKind::kUninitializedThis:
    case ValueKind::kUninitialized:
      return types_[value.number()];
    case ValueKind::kReference:
    case ValueKind::kFreshArray:
    case ValueKind::kHandedArray:
      break;
  }
  const VerificationType& type = types_[value.number()];
  // Initialised since: `this`, or what the `new` names.
  if (type.tag == TypeTag::kUninitializedThis) return VerificationType::object(this_class_);
  if (type.tag == TypeTag::kUninitialized) return VerificationType::object(code_.at(type.new_instruction()).index());
  return type;
}

VerificationType TypeFlow::result_of(InsnId at) {
  const Instruction& instruction = code_.at(at);
  switch (instruction.opcode) {
    case Opcode::new_:
      return VerificationType::uninitialized(at);
    case Opcode::checkcast:
    case Opcode::multianewarray:
      return VerificationType::object(instruction.index());
    case Opcode::ldc:
    case Opcode::ldc_w:
      return loaded_constant(instruction.index());
    case Opcode::aaload:
      return element_of_array();
    case Opcode::newarray: {
      auto code = static_cast<std::uint32_t>(instruction.operand) - 4;
      if (code < std::size(kPrimitiveArrays)) return class_named(kPrimitiveArrays[code]);
      failed_ = true;
      return {};
    }
    case Opcode::anewarray: {
      std::string name(pool_.class_name(instruction.index()).value_or(std::string_view()));
      return class_named(name.starts_with('[') ? "[" + name : "[L" + name + ";");
    }
    case Opcode::getstatic:
    case Opcode::getfield:
    case Opcode::invokevirtual:
    case Opcode::invokespecial:
    case Opcode::invokestatic:
    case Opcode::invokeinterface:
    case Opcode::invokedynamic: {
      std::string_view descriptor = pool_.member(instruction.index()).value_or(MemberRef()).descriptor;
      return type_named(descriptor.substr(descriptor.rfind(')') + 1));  // npos + 1 is 0: a field's is all type
    }
    default:
      return {};
  }
}

VerificationType TypeFlow::loaded_constant(std::uint32_t index) {
  switch (pool_.tag(index)) {
    case Tag::kString:
      return class_named("java/lang/String");
    case Tag::kClass:
      return class_named("java/lang/Class");
    case Tag::kMethodHandle:
      return class_named("java/lang/invoke/MethodHandle");
    case Tag::kMethodType:
      return class_named("java/lang/invoke/MethodType");
    case Tag::kDynamic:
      return type_named(pool_.member(index).value_or(MemberRef()).descriptor);
    default:
      return {};
  }
}

VerificationType TypeFlow::element_of_array() {
  if (machine_->depth() < 2) return {};
  VerificationType array = type_of(slots_[code_.max_locals() + machine_->depth() - 2]);
  if (array.tag == TypeTag::kNull) return array;
  std::string_view name = pool_.class_name(array.class_index()).value_or(std::string_view());
  if (array.tag != TypeTag::kObject || !name.starts_with('[')) {
    failed_ = true;
    return {};
  }
  return type_named(name.substr(1));
}

// kTop for primitives and void, whose kind the machine knows by itself.
VerificationType TypeFlow::type_named(std::string_view descriptor) {
  if (descriptor.starts_with('[')) return class_named(descriptor);
  if (descriptor.starts_with('L') && descriptor.size() > 2) {
    return class_named(descriptor.substr(1, descriptor.size() - 2));
  }
  return {};
}

VerificationType TypeFlow::class_named(std::string_view name) {
  std::uint16_t index = pool_.add_class(name);
  if (index == 0) failed_ = true;
  return VerificationType::object(index);
}

}  // namespace deadheat::classfile
