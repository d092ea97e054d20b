// SPDX-License-Identifier: Apache-2.0
//
// Hooks at field, static and array accesses. The original instruction stays where it is, so that exceptions, debuggers
// and helpful messages see what they would have seen; the stack shuffles around it cost nothing once compiled.
#include "classfile/method_editor.h"

namespace deadheat::classfile {

namespace {

Instruction op(Opcode opcode) { return Instruction::simple(opcode); }

bool not_yet_an_object(AbstractValue value) {
  return value.kind() == AbstractValue::Kind::kUninitializedThis || value.kind() == AbstractValue::Kind::kUninitialized;
}

}  // namespace

void MethodEditor::field_access(InsnId at, const Instruction& instruction) {
  const auto field = cls_.pool.member(instruction.index());
  if (!field) return;
  const auto kind = field_kind(field->descriptor);
  if (!kind) return;
  const bool is_static = instruction.opcode == Opcode::getstatic || instruction.opcode == Opcode::putstatic;
  const bool write = instruction.opcode == Opcode::putfield || instruction.opcode == Opcode::putstatic;
  const bool releases = write && guide_.may_release(*field);

  std::uint32_t object = 0;
  if (!is_static && frames_.known()) {
    const AbstractValue receiver = cursor_.stack(write ? slots_of(*kind) : 0);
    if (not_yet_an_object(receiver)) {
      ++counts_.fresh;
      return;
    }
    object = receiver.number();
  }
  if (options_.drop_redundant && frames_.known() && redundancy_.covered(object, 0, instruction.index(), write) &&
      !releases) {
    ++counts_.redundant;
    return;
  }
  const PointKind point = is_static ? (write ? PointKind::kStaticWrite : PointKind::kStaticRead)
                                    : (write ? PointKind::kFieldWrite : PointKind::kFieldRead);
  const std::uint32_t number = site(point, at, &*field);
  if (number != 0) {
    if (is_static) {
      if (write) {
        code_.insert_before(at, {push(number), invoke(plan_.static_write)});
      } else {
        code_.insert_after(at, {push(number), invoke(plan_.static_read)});
      }
      need_stack(1);
    } else if (write) {
      instance_write(at, *kind, number);
    } else {
      instance_read(at, *kind, number);
    }
  }
  // The hook of a volatile write begins a new epoch, and so may the hook of a static access that is a class's first
  // use.
  if (releases || is_static) redundancy_.clear();
}

void MethodEditor::instance_read(InsnId at, Kind kind, std::uint32_t site) {
  code_.insert_before(at, {op(Opcode::dup)});
  if (slots_of(kind) == 1) {
    code_.insert_after(at, {op(Opcode::swap), push(site), invoke(plan_.field_read)});
  } else {
    code_.insert_after(at, {op(Opcode::dup2_x1), op(Opcode::pop2), push(site), invoke(plan_.field_read)});
  }
  need_stack(4);
}

void MethodEditor::instance_write(InsnId at, Kind kind, std::uint32_t site) {
  if (slots_of(kind) == 1) {
    code_.insert_before(at, {op(Opcode::dup2), op(Opcode::pop), push(site), invoke(plan_.field_write)});
  } else {
    code_.insert_before(at, {op(Opcode::dup2_x1), op(Opcode::pop2), op(Opcode::dup), push(site),
                             invoke(plan_.field_write), op(Opcode::dup_x2), op(Opcode::pop)});
  }
  need_stack(3);
}

void MethodEditor::array_access(InsnId at, Opcode opcode) {
  const bool write = opcode >= Opcode::iastore;
  const bool two_slots =
      opcode == Opcode::laload || opcode == Opcode::daload || opcode == Opcode::lastore || opcode == Opcode::dastore;
  if (frames_.known()) {
    const std::uint32_t above = write ? (two_slots ? 2 : 1) : 0;
    const AbstractValue array = cursor_.stack(above + 1);
    const AbstractValue index = cursor_.stack(above);
    if (array.kind() == AbstractValue::Kind::kFreshArray) {
      ++counts_.fresh;
      return;
    }
    if (options_.drop_redundant && redundancy_.covered(array.number(), index.number(), 0, write)) {
      ++counts_.redundant;
      return;
    }
  }
  const std::uint32_t number = site(write ? PointKind::kArrayWrite : PointKind::kArrayRead, at, nullptr);
  if (number == 0) return;
  if (!write) {
    code_.insert_before(at, {op(Opcode::dup2), push(number), invoke(plan_.array_read)});
    need_stack(3);
  } else if (!two_slots) {
    code_.insert_before(
        at, {op(Opcode::dup_x2), op(Opcode::pop), op(Opcode::dup2_x1), push(number), invoke(plan_.array_write)});
    need_stack(3);
  } else {
    code_.insert_before(
        at, {op(Opcode::dup2_x2), op(Opcode::pop2), op(Opcode::dup2_x2), push(number), invoke(plan_.array_write)});
    need_stack(3);
  }
}

}  // namespace deadheat::classfile
