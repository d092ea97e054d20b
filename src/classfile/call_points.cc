// SPDX-License-Identifier: Apache-2.0
//
// Hooks at calls that mean something to a detector: waiting, parking, starting threads, copying arrays, atomic
// accesses. They sit at the call site and never inside the called method, because the JIT replaces many of those by
// code of its own.
#include <optional>
#include <string>

#include "classfile/method_editor.h"

namespace deadheat::classfile {

namespace {

Opcode store_of(Kind kind) {
  switch (kind) {
    case Kind::kInt:
      return Opcode::istore;
    case Kind::kFloat:
      return Opcode::fstore;
    case Kind::kLong:
      return Opcode::lstore;
    case Kind::kDouble:
      return Opcode::dstore;
    default:
      return Opcode::astore;
  }
}

Opcode load_of(Kind kind) {
  switch (kind) {
    case Kind::kInt:
      return Opcode::iload;
    case Kind::kFloat:
      return Opcode::fload;
    case Kind::kLong:
      return Opcode::lload;
    case Kind::kDouble:
      return Opcode::dload;
    default:
      return Opcode::aload;
  }
}

}  // namespace

void MethodEditor::call(InsnId at, const Instruction& instruction) {
  const auto member = cls_.pool.member(instruction.index());
  if (!member) return;
  if (options_.held_arrays && loads_array_field_ && member->owner == cls_.name() &&
      member->descriptor.find('[') < member->descriptor.find(')')) {
    code_.insert_before(at, {Instruction::local(Opcode::aload, hint_for(kNoLocal)), invoke(plan_.held_passing)});
    code_.insert_after(at, {Instruction::simple(Opcode::aconst_null), invoke(plan_.held_passing)});
    need_stack(1);
  }
  if (!need_.may_take_call(instruction.index())) return;
  if (const CallRule* rule = plan_.call_rule(*member, cls_.name())) apply(*rule, at, instruction, *member);
}

void MethodEditor::apply(const CallRule& rule, InsnId at, const Instruction& instruction, const MemberRef& member) {
  if (!options_.takes(rule)) return;
  std::uint32_t number = rule.is_sited() ? site(PointKind::kCall, at, &member) : 0;
  if (rule.with_site && (number = site(PointKind::kCall, at, &member)) == 0 && rule.action != CallRule::Action::kClone)
    return;
  switch (rule.action) {
    case CallRule::Action::kReplace:
      // An array's own clone() and a super call are not the method the rule speaks of.
      if (instruction.opcode == Opcode::invokespecial) return;
      replace_call(rule, at, number);
      break;
    case CallRule::Action::kBeforeReceiver: {
      std::vector<Instruction> snippet{Instruction::simple(Opcode::dup)};
      if (rule.with_site) snippet.push_back(push(number));
      snippet.push_back(invoke(rule.hook));
      code_.insert_before(at, snippet);
      need_stack(2);
      break;
    }
    case CallRule::Action::kBeforeLast:
      code_.insert_before(at, {Instruction::simple(Opcode::dup), invoke(rule.hook)});
      need_stack(1);
      break;
    case CallRule::Action::kClone:
      if (number != 0) code_.insert_before(at, {Instruction::simple(Opcode::dup), push(number), invoke(rule.hook)});
      code_.insert_after(at, {Instruction::simple(Opcode::dup), invoke(rule.after)});
      need_stack(2);
      break;
    case CallRule::Action::kAroundReceiver:
      around_receiver(rule, at, instruction, member);
      break;
    case CallRule::Action::kArrayArgument:
      array_argument(rule, at, member, number);
      break;
    case CallRule::Action::kAfter:
      code_.insert_after(at, {invoke(rule.hook)});
      break;
    case CallRule::Action::kAround:
      code_.insert_before(at, {invoke(rule.hook)});
      if (!rule.after.owner.empty()) code_.insert_after(at, {invoke(rule.after)});
      break;
    case CallRule::Action::kAroundOffset:
      around_offset(rule, at, member, number);
      break;
    case CallRule::Action::kAroundVarHandle:
      around_var_handle(rule, at, member, number);
      break;
    case CallRule::Action::kAroundMethodHandle:
      around_method_handle(rule, at, member, number);
      break;
    case CallRule::Action::kAroundOperands:
      around_operands(rule, at, instruction, member, number);
      break;
  }
  if (number == 0) ++counts_.points;
}

void MethodEditor::replace_call(const CallRule& rule, InsnId at, std::uint32_t site) {
  std::vector<Instruction> arguments;
  if (rule.with_site) arguments.push_back(push(site));
  const bool held = options_.held_arrays && !rule.held.owner.empty();
  if (held) arguments.push_back(Instruction::local(Opcode::aload, hint_for(kNoLocal)));
  code_.replace(at, invoke(held ? rule.held : rule.hook));
  if (!arguments.empty()) more_arguments_.push_back({at, std::move(arguments)});
  need_stack(2);
}

bool MethodEditor::spill(InsnId at, const MemberRef& member, bool with_receiver, std::vector<Spilled>& locals) {
  if (with_receiver) locals.push_back({Kind::kReference, code_.new_local(1)});
  Parameters parameters(member.descriptor);
  while (const auto type = parameters.next()) {
    const Kind kind = kind_of(type->front());
    locals.push_back({kind, code_.new_local(slots_of(kind))});
  }
  if (parameters.failed()) return false;
  std::vector<Instruction> snippet;
  for (auto value = locals.rbegin(); value != locals.rend(); ++value) {
    snippet.push_back(Instruction::local(store_of(value->kind), value->local));
  }
  code_.insert_before(at, snippet);
  return true;
}

void MethodEditor::around_receiver(const CallRule& rule, InsnId at, const Instruction& instruction,
                                   const MemberRef& member) {
  if (instruction.opcode == Opcode::invokestatic) return;  // another method of that name
  std::vector<Spilled> arguments;
  if (!spill(at, member, true, arguments)) return;
  std::vector<Instruction> snippet{Instruction::local(Opcode::aload, arguments[0].local), invoke(rule.hook)};
  for (const Spilled& value : arguments) snippet.push_back(Instruction::local(load_of(value.kind), value.local));
  code_.insert_before(at, snippet);
  code_.insert_after(at, {invoke(rule.after)});
  need_stack(1);
}

// Whether the result of a call is stored in a field: a held array that grows. Who races with that copy has read the
// field, and races with the store.
bool MethodEditor::goes_into_field(InsnId call) const {
  for (auto i = static_cast<std::uint32_t>(call) + 1; i < code_.original_count(); ++i) {
    const Opcode opcode = code_.at(static_cast<InsnId>(i)).opcode;
    if (opcode == Opcode::putfield) return true;
    if (opcode != Opcode::dup_x1 && opcode != Opcode::checkcast) return false;
  }
  return false;
}

// Arrays.method(array, …), Arrays.method(array, from, to, …) or Arrays.method(array, count, …)
void MethodEditor::array_argument(const CallRule& rule, InsnId at, const MemberRef& member, std::uint32_t site) {
  constexpr std::uint32_t kToTheEnd = 0x7fffffff;
  if (member.descriptor[1] != '[') return;
  const std::size_t second = member.descriptor.find_first_not_of('[', 1) + 1;  // behind the array's element type
  const bool object_array = member.descriptor[second - 1] == 'L';
  const std::size_t rest = object_array ? member.descriptor.find(';', second) + 1 : second;
  const std::string_view others = std::string_view(member.descriptor).substr(rest);
  const bool count = rule.values == 1 && others.starts_with("I");
  const bool part = !rule.after.owner.empty() && (count || others.starts_with("II"));
  const bool held = options_.held_arrays;
  if (!part && rule.hook.owner.empty()) return;
  if (held && count && goes_into_field(at)) return;
  std::vector<Spilled> arguments;
  if (!spill(at, member, false, arguments)) return;
  const auto argument = [&](std::size_t i) { return Instruction::local(Opcode::iload, arguments[i].local); };
  std::vector<Instruction> snippet{Instruction::local(Opcode::aload, arguments[0].local)};
  if (part || held) {
    snippet.push_back(part && !count ? argument(1) : push(0));
    snippet.push_back(!part ? push(kToTheEnd) : argument(count ? 1 : 2));
  }
  snippet.push_back(push(site));
  if (held) snippet.push_back(Instruction::local(Opcode::aload, hint_for(kNoLocal)));
  snippet.push_back(invoke(held ? rule.held : part ? rule.after : rule.hook));
  for (const Spilled& value : arguments) snippet.push_back(Instruction::local(load_of(value.kind), value.local));
  code_.insert_before(at, snippet);
  need_stack(5);
}

// unsafe.method(object, offset, …)
void MethodEditor::around_offset(const CallRule& rule, InsnId at, const MemberRef& member, std::uint32_t site) {
  if (!member.descriptor.starts_with("(Ljava/lang/Object;J")) return;
  if (site == 0 && rule.hook.owner.empty() && rule.after.owner.empty()) return;
  std::vector<Spilled> arguments;
  if (!spill(at, member, false, arguments)) return;
  const Instruction object = Instruction::local(Opcode::aload, arguments[0].local);
  const Instruction offset = Instruction::local(Opcode::lload, arguments[1].local);
  if (site != 0) return around_access(rule, at, arguments, {object, offset}, site);
  around_sync(rule, at, arguments, {object, offset}, rule.hook, rule.after);
}

void MethodEditor::around_sync(const CallRule& rule, InsnId at, const std::vector<Spilled>& arguments,
                               const std::vector<Instruction>& operands, const Hook& hook, const Hook& after) {
  const std::uint16_t kept = rule.answers ? code_.new_local(2) : 0;
  std::vector<Instruction> snippet;
  if (!hook.owner.empty()) {
    snippet = operands;
    snippet.push_back(invoke(hook));
    if (rule.answers) snippet.push_back(Instruction::local(Opcode::lstore, kept));
  }
  for (const Spilled& value : arguments) snippet.push_back(Instruction::local(load_of(value.kind), value.local));
  code_.insert_before(at, snippet);
  if (!after.owner.empty()) {
    snippet.clear();
    if (rule.answers) snippet.push_back(Instruction::simple(Opcode::dup));
    snippet.insert(snippet.end(), operands.begin(), operands.end());
    if (rule.answers) snippet.push_back(Instruction::local(Opcode::lload, kept));
    snippet.push_back(invoke(after));
    code_.insert_after(at, snippet);
  }
  need_stack(6);
}

// handle.access(coordinates…, values…): no coordinates (a static field), an object, or an array and an index.
void MethodEditor::around_var_handle(const CallRule& rule, InsnId at, const MemberRef& member, std::uint32_t site) {
  if (site == 0 && rule.hook.owner.empty() && rule.after.owner.empty()) return;
  std::vector<Kind> kinds;
  Parameters parameters(member.descriptor);
  while (const auto type = parameters.next()) kinds.push_back(kind_of(type->front()));
  if (parameters.failed() || kinds.size() < rule.values) return;
  const std::size_t coordinates = kinds.size() - rule.values;
  if (coordinates > 2 || (coordinates >= 1 && kinds[0] != Kind::kReference) ||
      (coordinates == 2 && kinds[1] != Kind::kInt))
    return;

  std::vector<Spilled> arguments;
  if (!spill(at, member, true, arguments)) return;
  if (site != 0) {
    std::vector<Instruction> operands;
    for (std::size_t i = 0; i <= coordinates; ++i) {
      operands.push_back(Instruction::local(load_of(arguments[i].kind), arguments[i].local));
    }
    if (coordinates < 1) operands.push_back(Instruction::simple(Opcode::aconst_null));
    if (coordinates < 2) operands.push_back(Instruction::simple(Opcode::iconst_0));
    return around_access(rule, at, arguments, operands, site);
  }
  static constexpr std::string_view kOperands[] = {
      "Ljava/lang/invoke/VarHandle;",
      "Ljava/lang/invoke/VarHandle;Ljava/lang/Object;",
      "Ljava/lang/invoke/VarHandle;Ljava/lang/Object;I",
  };
  const std::string of_operands(kOperands[coordinates]);
  const std::string before = "(" + of_operands + (rule.answers ? ")J" : ")V");
  const std::string behind = rule.answers ? "(Z" + of_operands + "J)V" : before;
  std::vector<Instruction> operands;
  for (std::size_t i = 0; i <= coordinates; ++i) {
    operands.push_back(Instruction::local(load_of(arguments[i].kind), arguments[i].local));
  }
  around_sync(rule, at, arguments, operands, {rule.hook.owner, rule.hook.name, before},
              {rule.after.owner, rule.after.name, behind});
}

// handle.invokeExact(arguments…): more than four no access has.
void MethodEditor::around_method_handle(const CallRule& rule, InsnId at, const MemberRef& member, std::uint32_t site) {
  constexpr std::size_t kMostArguments = 4;
  std::size_t count = 0;
  Parameters parameters(member.descriptor);
  while (parameters.next()) ++count;
  std::vector<Spilled> arguments;
  if (site == 0 || parameters.failed() || count > kMostArguments || !spill(at, member, true, arguments)) return;
  const auto operand = [&](std::size_t index, Kind kind, Opcode otherwise) {
    return index < arguments.size() && arguments[index].kind == kind
               ? Instruction::local(load_of(kind), arguments[index].local)
               : Instruction::simple(otherwise);
  };
  around_access(rule, at, arguments,
                {Instruction::local(Opcode::aload, arguments[0].local),
                 operand(1, Kind::kReference, Opcode::aconst_null), operand(2, Kind::kInt, Opcode::iconst_0)},
                site);
}

// field.get(object), Array.set(array, index, value)
void MethodEditor::around_operands(const CallRule& rule, InsnId at, const Instruction& instruction,
                                   const MemberRef& member, std::uint32_t site) {
  const bool is_static = instruction.opcode == Opcode::invokestatic;
  if (is_static && rule.owner.empty()) return;  // a rule for any owner speaks of a receiver
  std::vector<Spilled> arguments;
  if (site == 0 || !spill(at, member, !is_static, arguments)) return;
  std::vector<Instruction> operands;
  for (std::size_t i = 0; i < rule.values && i < arguments.size(); ++i) {
    operands.push_back(Instruction::local(load_of(arguments[i].kind), arguments[i].local));
  }
  around_access(rule, at, arguments, operands, site);
}

void MethodEditor::around_access(const CallRule& rule, InsnId at, const std::vector<Spilled>& arguments,
                                 const std::vector<Instruction>& operands, std::uint32_t site) {
  const bool stamped = !rule.stamp.owner.empty();
  const std::uint16_t stamp = stamped ? code_.new_local(2) : 0;
  const std::uint16_t kept = stamped ? code_.new_local(2) : 0;
  const std::uint16_t second = stamped ? code_.new_local(2) : 0;
  const auto finish = [&](std::vector<Instruction>& snippet, const Hook& hook) {
    if (rule.detail != 0) snippet.push_back(push(static_cast<std::uint32_t>(rule.detail)));
    snippet.push_back(push(site));
    snippet.push_back(invoke(hook));
  };
  std::vector<Instruction> before;
  if (stamped) before = {invoke(rule.stamp), Instruction::local(Opcode::lstore, stamp)};
  if (!rule.sited_hook.owner.empty()) {
    before.insert(before.end(), operands.begin(), operands.end());
    finish(before, rule.sited_hook);
    if (stamped) before.push_back(Instruction::local(Opcode::lstore, kept));
  }
  if (stamped) {
    before.insert(before.end(), operands.begin(), operands.end());
    finish(before, rule.sited_second);
    before.push_back(Instruction::local(Opcode::lstore, second));
  }
  for (const Spilled& value : arguments) before.push_back(Instruction::local(load_of(value.kind), value.local));
  code_.insert_before(at, before);
  if (!rule.sited_after.owner.empty()) {
    std::vector<Instruction> after;
    if (stamped) after.push_back(Instruction::simple(Opcode::dup));
    after.insert(after.end(), operands.begin(), operands.end());
    if (stamped) {
      after.push_back(Instruction::local(Opcode::lload, kept));
      after.push_back(Instruction::local(Opcode::lload, second));
      after.push_back(Instruction::local(Opcode::lload, stamp));
    }
    finish(after, rule.sited_after);
    code_.insert_after(at, after);
  }
  need_stack(12);
}

}  // namespace deadheat::classfile
