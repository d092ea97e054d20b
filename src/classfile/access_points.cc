// SPDX-License-Identifier: Apache-2.0
//
// Hooks at field, static and array accesses. The original instruction stays where it is, so that exceptions, debuggers
// and helpful messages see what they would have seen; the stack shuffles around it cost nothing once compiled.
#include <algorithm>

#include "classfile/frame_machine.h"
#include "classfile/method_editor.h"

namespace deadheat::classfile {

namespace {

Instruction op(Opcode opcode) { return Instruction::simple(opcode); }

bool not_yet_an_object(AbstractValue value) {
  return value.kind() == AbstractValue::Kind::kUninitializedThis || value.kind() == AbstractValue::Kind::kUninitialized;
}

// Of an array access.
bool is_store(Opcode opcode) { return opcode >= Opcode::iastore; }

bool has_two_slots(Opcode opcode) {
  return opcode == Opcode::laload || opcode == Opcode::daload || opcode == Opcode::lastore || opcode == Opcode::dastore;
}

}  // namespace

std::uint32_t slots_above_array(Opcode opcode) { return 1 + (is_store(opcode) ? (has_two_slots(opcode) ? 2 : 1) : 0); }

void MethodEditor::field_access(InsnId at, const Instruction& instruction) {
  const auto field = cls_.pool.member(instruction.index());
  if (!field) return;
  const auto kind = field_kind(field->descriptor);
  if (!kind) return;
  const bool write = instruction.opcode == Opcode::putfield || instruction.opcode == Opcode::putstatic;
  if (instruction.opcode == Opcode::getstatic || instruction.opcode == Opcode::putstatic) {
    static_access(at, instruction, *field, *kind, write);
    return;
  }
  AbstractValue object;
  if (frames_.known()) {
    object = cursor_.stack(write ? slots_of(*kind) : 0);
    if (not_yet_an_object(object)) {
      ++counts_.fresh;
      return;
    }
  }
  const bool may_order = guide_.may_order(*field);
  const Redundancy::Variable variable{object.number(), 0, instruction.index()};
  if (write && update_ends(at, *kind, may_order, variable)) return;
  const bool covered = drops_redundant() && redundancy_.covers(variable, write);
  if (covered && !may_order) {
    ++counts_.redundant;
    return;
  }
  const Hook& again = write ? plan_.field_write_again : plan_.field_read_again;
  const bool if_plain = covered && !again.owner.empty();
  const bool holds_array = options_.held_arrays && field->descriptor.front() == '[';
  const auto load =
      std::find_if(array_loads_.begin(), array_loads_.end(), [at](const ArrayLoad& known) { return known.load == at; });
  if (!write && !if_plain && !holds_array && update_begins(at, *field, *kind, variable, object)) return;

  const std::uint32_t number = site(write ? PointKind::kFieldWrite : PointKind::kFieldRead, at, &*field);
  if (number != 0 && write) {
    instance_write(at, *kind, number, if_plain ? again : plan_.field_write);
  } else if (number != 0 && holds_array) {
    array_field_read(at, number);
  } else if (number != 0 && load != array_loads_.end() && !if_plain) {
    known_array_read(at, number, load->source);
  } else if (number != 0) {
    instance_read(at, *kind, number, if_plain ? again : plan_.field_read);
  }
  redundancy_.add(variable, write);
  // The hook of a volatile write begins a new epoch. If the field is not volatile after all it is covered itself.
  if (write && may_order) redundancy_.clear_all_but(variable);
}

void MethodEditor::static_access(InsnId at, const Instruction& instruction, const MemberRef& field, Kind kind,
                                 bool write) {
  const bool may_order = guide_.may_order(field);
  // The first use of another class runs its initialiser, which may publish.
  const bool may_initialise = may_order || field.owner != cls_.name() || (cls_.access_flags & kAccInterface) != 0;
  const Redundancy::Variable variable{0, 0, instruction.index()};
  if (write && update_ends(at, kind, may_order, variable)) return;
  if (!may_initialise && drops_redundant() && redundancy_.covers(variable, write)) {
    ++counts_.redundant;
    return;
  }
  if (!write && !may_initialise && update_begins(at, field, kind, variable, {})) return;
  const std::uint32_t number = site(write ? PointKind::kStaticWrite : PointKind::kStaticRead, at, &field);
  if (number != 0) {
    need_stack(1);
    if (write && field.owner != cls_.name()) {
      // The write may be what initialises the class; the hook must come after that, so a read does it first.
      code_.insert_before(
          at, {Instruction::pool(Opcode::getstatic, instruction.index()),
               op(slots_of(kind) == 1 ? Opcode::pop : Opcode::pop2), push(number), invoke(plan_.static_write)});
      need_stack(2);
    } else if (write) {
      code_.insert_before(at, {push(number), invoke(plan_.static_write)});
    } else if (plan_.for_scheduler()) {
      code_.insert_before(at, {push(number), invoke(plan_.static_read)});
    } else {
      code_.insert_after(at, {push(number), invoke(plan_.static_read)});
    }
  }
  redundancy_.add(variable, write);
  if (may_initialise) redundancy_.clear();
}

void MethodEditor::instance_read(InsnId at, Kind kind, std::uint32_t site, const Hook& hook) {
  if (plan_.for_scheduler()) {
    code_.insert_before(at, {op(Opcode::dup), push(site), invoke(hook)});
    need_stack(2);
    return;
  }
  code_.insert_before(at, {op(Opcode::dup)});
  if (slots_of(kind) == 1) {
    code_.insert_after(at, {op(Opcode::swap), push(site), invoke(hook)});
  } else {
    code_.insert_after(at, {op(Opcode::dup2_x1), op(Opcode::pop2), push(site), invoke(hook)});
  }
  need_stack(4);
}

void MethodEditor::instance_write(InsnId at, Kind kind, std::uint32_t site, const Hook& hook) {
  if (slots_of(kind) == 1) {
    code_.insert_before(at, {op(Opcode::dup2), op(Opcode::pop), push(site), invoke(hook)});
  } else {
    code_.insert_before(at, {op(Opcode::dup2_x1), op(Opcode::pop2), op(Opcode::dup), push(site), invoke(hook),
                             op(Opcode::dup_x2), op(Opcode::pop)});
  }
  need_stack(3);
}

void MethodEditor::frozen_read(InsnId at, const Instruction& instruction) {
  const auto field = cls_.pool.member(instruction.index());
  const auto index = static_cast<std::uint32_t>(at);
  if (!field || field->owner != cls_.name() || index == 0 || method_.has(kAccStatic) || !keeps_this()) return;
  const Instruction& before = code_.at(static_cast<InsnId>(index - 1));
  const bool of_this = (before.opcode == Opcode::aload || before.opcode == Opcode::aload_0) && local_index(before) == 0;
  if (!of_this || site(PointKind::kFieldRead, at, &*field) == 0) return;
  const std::uint16_t freeze = cls_.pool.add_field({cls_.name(), options_.freeze_field, "J"});
  code_.insert_before(at, {op(Opcode::dup), Instruction::pool(Opcode::getfield, freeze), invoke(plan_.frozen_read)});
  need_stack(2);
}

// The types say all that matters to the verifier: a reference to the class, and for equals another one.
void MethodEditor::record_read(InsnId at, const Instruction& instruction) {
  const auto method = cls_.pool.member(instruction.index());
  if (!method) return;
  Parameters parameters(method->descriptor);
  const auto record = parameters.next();
  const auto other = parameters.next();
  if (!record || kind_of(record->front()) != Kind::kReference || parameters.next() || parameters.failed()) return;
  if (other && kind_of(other->front()) != Kind::kReference) return;
  const auto linker = cls_.bootstrap_method(instruction.index());
  if (!linker || linker->owner != "java/lang/runtime/ObjectMethods" || linker->name != "bootstrap") return;
  const std::uint32_t number =
      guide_.record_site({PointKind::kFieldRead, method_index_, code_.original_offset(at), nullptr});
  if (number == 0) return;
  if (other) {
    code_.insert_before(at, {op(Opcode::dup2), push(number), invoke(plan_.record_read)});
  } else {
    code_.insert_before(at, {op(Opcode::dup), op(Opcode::aconst_null), push(number), invoke(plan_.record_read)});
  }
  need_stack(3);
  ++counts_.points;
}

void MethodEditor::dynamic_use(InsnId at, std::uint32_t index, bool is_constant) {
  if (plan_.dynamic_used.owner.empty()) return;
  const auto linker = cls_.bootstrap_method(index);
  if (!linker) return;
  const std::uint32_t number = guide_.dynamic_use(*linker, is_constant ? index : 0);
  if (number == 0) return;
  code_.insert_before(at, {push(number), invoke(plan_.dynamic_used)});
  code_.insert_after(at, {push(number), invoke(plan_.dynamic_linked)});
  need_stack(1);
  ++counts_.points;
}

void MethodEditor::array_access(InsnId at, Opcode opcode) {
  const bool stores = is_store(opcode);
  const bool two_slots = has_two_slots(opcode);
  bool write = stores;
  std::optional<InsnId> store;  // of an update that begins here
  std::uint32_t source = kNoLocal;
  const Handed* own = nullptr;
  if (frames_.known()) {
    const std::uint32_t above = slots_above_array(opcode);
    const AbstractValue array = cursor_.stack(above);
    const AbstractValue index = cursor_.stack(above - 1);
    if (array.kind() == AbstractValue::Kind::kFreshArray) {
      ++counts_.fresh;
      return;
    }
    own = handed(array);
    const Redundancy::Variable variable{array.number(), index.number(), 0};
    if (drops_redundant() && redundancy_.covers(variable, write)) {
      ++counts_.redundant;
      return;
    }
    if (!write && drops_redundant() && opcode != Opcode::aaload)
      store = store_of_update(at, two_slots ? 2 : 1, array, index);
    redundancy_.add(variable, write || store);
    source = local_with(array, cursor_);
  }
  // The check of an update's write stands for that of its read.
  write = write || store;
  const std::uint32_t number =
      site(write ? PointKind::kArrayWrite : PointKind::kArrayRead, store.value_or(at), nullptr);
  if (number == 0) return;
  const std::uint16_t hint = own != nullptr ? own->local : hint_for(options_.held_arrays ? kNoLocal : source);
  std::vector<Instruction> snippet;
  if (opcode == Opcode::aastore && !options_.held_arrays) {
    const std::uint16_t kept = code_.new_local(1);
    const Instruction value = Instruction::local(Opcode::aload, kept);
    code_.insert_before(at, {Instruction::local(Opcode::astore, kept), op(Opcode::dup2), value, push(number),
                             Instruction::local(Opcode::aload, hint),
                             invoke(own != nullptr ? plan_.own_reference_write : plan_.reference_write),
                             Instruction::local(Opcode::astore, hint), value});
    need_stack(4);
    return;
  }
  if (!stores) {
    snippet = {op(Opcode::dup2)};
  } else if (!two_slots) {
    snippet = {op(Opcode::dup_x2), op(Opcode::pop), op(Opcode::dup2_x1)};
  } else {
    snippet = {op(Opcode::dup2_x2), op(Opcode::pop2), op(Opcode::dup2_x2)};
  }
  snippet.push_back(push(number));
  snippet.push_back(Instruction::local(Opcode::aload, hint));
  if (options_.held_arrays) {
    snippet.push_back(invoke(write ? plan_.held_write : plan_.held_read));
  } else {
    const Hook& write_hook = own != nullptr ? plan_.own_write : plan_.array_write;
    const Hook& read_hook = own != nullptr ? plan_.own_read : plan_.array_read;
    snippet.push_back(invoke(write ? write_hook : read_hook));
    snippet.push_back(Instruction::local(Opcode::astore, hint));
  }
  code_.insert_before(at, snippet);
  need_stack(4);
}

void MethodEditor::published_store(InsnId at) {
  code_.insert_before(at, {op(Opcode::dup_x2), op(Opcode::pop), op(Opcode::dup2_x1), invoke(plan_.element_published)});
  need_stack(2);
  ++counts_.points;
}

// The value stays on the stack; what is known of the array goes to the hint.
void MethodEditor::array_field_read(InsnId at, std::uint32_t site) {
  loads_array_field_ = true;
  code_.insert_before(at, {op(Opcode::dup)});
  code_.insert_after(at, {op(Opcode::dup_x1), push(site), invoke(plan_.array_loaded),
                          Instruction::local(Opcode::astore, hint_for(kNoLocal))});
  need_stack(4);
}

void MethodEditor::known_array_read(InsnId at, std::uint32_t site, std::uint32_t source) {
  const std::uint16_t hint = hint_for(source);
  code_.insert_before(at, {op(Opcode::dup)});
  code_.insert_after(at, {op(Opcode::dup2), op(Opcode::pop), push(site), invoke(plan_.field_read), op(Opcode::dup_x1),
                          push(site), Instruction::local(Opcode::aload, hint), invoke(plan_.array_known),
                          Instruction::local(Opcode::astore, hint)});
  need_stack(5);
}

// A value carries the number of the instruction that made it: the getfield, unless it is one of several.
void MethodEditor::find_array_loads() {
  if (!options_.known_arrays || !options_.arrays || plan_.array_known.owner.empty() || !frames_.known()) return;
  FrameAnalysis::Cursor cursor(frames_);
  for (InsnId at : code_.originals()) {
    const Opcode opcode = code_.at(at).opcode;
    if (!is_array_access(opcode) || !cursor.seek(at)) continue;
    const AbstractValue array = cursor.stack(slots_above_array(opcode));
    if (array.kind() != AbstractValue::Kind::kReference || array.number() >= kConstantNumbers) continue;
    const auto load = static_cast<InsnId>(array.number());
    if (code_.at(load).opcode != Opcode::getfield) continue;
    const auto place = std::lower_bound(array_loads_.begin(), array_loads_.end(), load,
                                        [](const ArrayLoad& known, InsnId wanted) { return known.load < wanted; });
    if (place == array_loads_.end() || place->load != load) {
      array_loads_.insert(place, {load, local_with(array, cursor)});
    }
  }
}

std::uint32_t MethodEditor::local_with(AbstractValue value, const FrameAnalysis::Cursor& cursor) const {
  for (std::uint32_t i = 0; i < original_locals_; ++i) {
    if (cursor.local(i).is_reference() && cursor.local(i) == value) return i;
  }
  return kNoLocal;
}

std::uint16_t MethodEditor::hint_for(std::uint32_t source) {
  for (const Hint& hint : hints_) {
    if (hint.source == source) return hint.local;
  }
  if (hints_.size() == kMostHints) return hints_.back().local;
  hints_.push_back({source, code_.new_local(1)});
  return hints_.back().local;
}

// A hint is read at any place of the method, so it is set at its start and declared in every frame.
void MethodEditor::set_up_hints() {
  const std::uint16_t type =
      hints_.empty() ? 0 : cls_.pool.add_class(options_.held_arrays ? "java/lang/Object" : plan_.hint_class);
  for (const Hint& hint : hints_) {
    const bool passed = options_.held_arrays && !loads_array_field_;
    code_.prepend(
        {passed ? invoke(plan_.held_passed) : op(Opcode::aconst_null), Instruction::local(Opcode::astore, hint.local)});
    code_.pin_local(hint.local, VerificationType::object(type));
    need_stack(1);
  }
}

}  // namespace deadheat::classfile
