// SPDX-License-Identifier: Apache-2.0
//
// `x += v`: a read and a write of one variable, with nothing between that could fail, be seen by others or let this
// thread see what they did. Nobody can be ordered between the two, so whoever races with the read races with the write:
// the check of the write stands for both, made where the read is. (Compilers for ThreadSanitizer do the same.)
#include <algorithm>

#include "classfile/method_editor.h"

namespace deadheat::classfile {
namespace {

constexpr std::uint32_t kFarthest = 24;

// Whether the instruction can neither throw nor lead elsewhere nor touch memory; a getfield is asked about apart.
bool computes(const Instruction& instruction, const ConstantPool& pool) {
  const Opcode opcode = instruction.opcode;
  if (opcode == Opcode::ldc || opcode == Opcode::ldc_w) return pool.integer(instruction.index()).has_value();
  if (opcode == Opcode::ldc2_w) return pool.tag(instruction.index()) != Tag::kDynamic;
  if (opcode <= Opcode::aload_3) return true;  // constants and local variables
  if (opcode >= Opcode::istore && opcode <= Opcode::astore_3) return true;
  if (opcode >= Opcode::pop && opcode <= Opcode::dcmpg) {
    return opcode != Opcode::idiv && opcode != Opcode::ldiv && opcode != Opcode::irem && opcode != Opcode::lrem;
  }
  return false;
}

Opcode store_for(Opcode load) {
  if (load == Opcode::getfield) return Opcode::putfield;
  if (load == Opcode::getstatic) return Opcode::putstatic;
  const int distance = static_cast<int>(Opcode::iastore) - static_cast<int>(Opcode::iaload);
  return static_cast<Opcode>(static_cast<int>(load) + distance);
}

}  // namespace

bool MethodEditor::update_begins(InsnId at, const MemberRef& field, Kind kind, const Redundancy::Variable& variable,
                                 AbstractValue object) {
  if (!drops_redundant() || plan_.field_update.owner.empty() || kind == Kind::kReference) return false;
  if (redundancy_.covers(variable, false)) return false;
  const auto store = store_of_update(at, slots_of(kind), object, {});
  if (!store) return false;
  const bool is_static = code_.at(at).opcode == Opcode::getstatic;
  const std::uint32_t number = site(is_static ? PointKind::kStaticWrite : PointKind::kFieldWrite, *store, &field);
  if (number == 0) return false;
  if (is_static) {
    code_.insert_after(at, {push(number), invoke(plan_.static_write)});
    need_stack(1);
  } else {
    instance_read(at, kind, number, plan_.field_update);
  }
  updates_.push_back({*store, number});
  redundancy_.add(variable, true);
  return true;
}

bool MethodEditor::update_ends(InsnId at, Kind kind, bool may_order, const Redundancy::Variable& variable) {
  const auto update =
      std::find_if(updates_.begin(), updates_.end(), [at](const Update& begun) { return begun.store == at; });
  if (update == updates_.end()) return false;
  ++counts_.redundant;
  if (may_order) {
    instance_write(at, kind, update->site, plan_.field_write_again);
    redundancy_.clear_all_but(variable);
  }
  updates_.erase(update);
  return true;
}

std::optional<InsnId> MethodEditor::store_of_update(InsnId load, std::uint32_t store_depth, AbstractValue object,
                                                    AbstractValue index) const {
  const Instruction& first = code_.at(load);
  const Opcode store = store_for(first.opcode);
  const bool element = first.opcode < Opcode::getstatic;
  const auto begin = static_cast<std::uint32_t>(load) + 1;
  std::uint32_t at = begin;
  for (;; ++at) {
    if (at == begin + kFarthest || at >= code_.original_count() || frames_.is_join(static_cast<InsnId>(at))) {
      return std::nullopt;
    }
    const Instruction& instruction = code_.at(static_cast<InsnId>(at));
    if (instruction.opcode == store && (element || instruction.index() == first.index())) break;
    if (instruction.opcode != Opcode::getfield && !computes(instruction, cls_.pool)) return std::nullopt;
  }
  FrameAnalysis::Cursor ahead(frames_);
  for (std::uint32_t between = begin; between < at; ++between) {
    const Instruction& instruction = code_.at(static_cast<InsnId>(between));
    if (instruction.opcode != Opcode::getfield) continue;
    // Of an object that is there, and no acquire.
    const auto field = cls_.pool.member(instruction.index());
    if (!field || guide_.may_order(*field) || !ahead.seek(static_cast<InsnId>(between))) return std::nullopt;
    const AbstractValue receiver = ahead.stack(0);
    if (receiver != object && !is_this(receiver)) return std::nullopt;
  }
  if (!ahead.seek(static_cast<InsnId>(at))) return std::nullopt;
  if (first.opcode == Opcode::getstatic) return static_cast<InsnId>(at);
  const bool same = element ? ahead.stack(store_depth + 1) == object && ahead.stack(store_depth) == index
                            : ahead.stack(store_depth) == object;
  return same ? std::optional(static_cast<InsnId>(at)) : std::nullopt;
}

bool MethodEditor::is_this(AbstractValue value) const {
  return !method_.has(kAccStatic) && keeps_this() && value == cursor_.local(0);
}

}  // namespace deadheat::classfile
