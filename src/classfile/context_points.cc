// SPDX-License-Identifier: Apache-2.0
//
// The calling context of a method, kept as one int of the thread: a call that leads to watched code sets it from the
// caller's own context and the number of the call site. A method's own context is what it finds, times a constant. When
// it returns it leaves what it found with its sign turned: "in call c" and "back from call c" differ, or a method that
// calls itself could not tell the two. A method without such calls is left alone. An exception leaves the context of a
// method that is gone; the next call sets it anew.
#include <algorithm>

#include "classfile/method_editor.h"

namespace deadheat::classfile {

namespace {

// What a method finds is multiplied by 31 (DeadheatHistory.entry), what it leaves is minus that, divided again: a
// caller that is not watched and calls the same method for ever must not make up ever new contexts.
constexpr std::int32_t kBack = 1108378657;
static_assert(static_cast<std::uint32_t>(kBack) * 31u == static_cast<std::uint32_t>(-1));

}  // namespace

void MethodEditor::context_at_call(InsnId at, const Instruction& instruction) {
  const bool dynamic = instruction.opcode == Opcode::invokedynamic;
  const auto member = dynamic ? std::nullopt : cls_.pool.member(instruction.index());
  if (!dynamic && !member) return;
  const std::uint32_t number =
      guide_.call_site({PointKind::kCall, method_index_, code_.original_offset(at), member ? &*member : nullptr});
  if (number == 0) return;
  if (context_ == kNoLocal) {
    context_ = code_.new_local(1);
    own_context_ = code_.new_local(1);
  }
  context_calls_.push_back(at);
  code_.insert_before(at, {Instruction::local(Opcode::aload, static_cast<std::uint16_t>(context_)),
                           Instruction::local(Opcode::iload, own_context_), push(number),
                           Instruction::simple(Opcode::iadd), context_field(Opcode::putfield)});
  need_stack(3);
}

Instruction MethodEditor::context_field(Opcode opcode) {
  return Instruction::pool(opcode, cls_.pool.add_field(plan_.context_value));
}

// Such a loop is where a program may spend its time, and a value that lives across it is one register less for it.
bool MethodEditor::has_loop_without_context_calls() const {
  const auto has_no_call = [&](InsnId from, InsnId to) {
    const auto call = std::lower_bound(context_calls_.begin(), context_calls_.end(), from);
    return call == context_calls_.end() || *call > to;
  };
  for (const InsnId at : code_.originals()) {
    const Instruction& instruction = code_.at(at);
    if (!is_jump(instruction.opcode)) continue;
    const InsnId target = code_.instruction_at(instruction.target());
    if (target <= at && has_no_call(target, at)) return true;
  }
  return false;
}

void MethodEditor::set_up_context() {
  if (context_ == kNoLocal) return;
  const auto context = static_cast<std::uint16_t>(context_);
  const Instruction own = Instruction::local(Opcode::iload, own_context_);
  const Instruction back = Instruction::push(kBack, cls_.pool);
  const Instruction multiply = Instruction::simple(Opcode::imul);
  if (has_loop_without_context_calls()) {
    at_returns({own, back, multiply, invoke(plan_.context_leave)});
  } else {
    at_returns({Instruction::local(Opcode::aload, context), own, back, multiply, context_field(Opcode::putfield)});
  }
  code_.prepend({invoke(plan_.context_entry), Instruction::simple(Opcode::dup),
                 Instruction::local(Opcode::astore, context), context_field(Opcode::getfield),
                 Instruction::local(Opcode::istore, own_context_)});
  code_.pin_local(context, VerificationType::object(cls_.pool.add_class(plan_.context_value.owner)));
  code_.pin_local(own_context_, VerificationType::simple(VerificationType::Tag::kInteger));
  need_stack(3);
}

}  // namespace deadheat::classfile
