// SPDX-License-Identifier: Apache-2.0
//
// Hooks at monitor operations, in synchronized methods, around class initialisation and at the end of constructors.
#include "classfile/method_editor.h"

namespace deadheat::classfile {

namespace {

constexpr std::uint16_t kFirstVersionWithLdcClass = 49;
constexpr std::uint16_t kFirstVersionWithFrames = 50;

Instruction op(Opcode opcode) { return Instruction::simple(opcode); }

}  // namespace

void MethodEditor::monitor_enter(InsnId at) {
  if (plan_.for_scheduler()) {
    monitor_hook(at, plan_.monitor_request);
    return;
  }
  const bool gated = plan_.gates_locks() && monitor_hook(at, plan_.lock_request);
  if (!plan_.watches_monitors()) return;
  std::vector<Instruction> entered;
  if (!guide_.only_hands_on(method_index_)) {
    code_.insert_before(
        at, {Instruction::simple(Opcode::dup), invoke(plan_.monitor_lookup), Instruction::simple(Opcode::swap)});
    entered = {push(guide_.lock_site({PointKind::kMonitor, method_index_, code_.original_offset(at), nullptr})),
               invoke(plan_.monitor_entered)};
  }
  if (gated && !plan_.lock_acquired.owner.empty()) entered.push_back(invoke(plan_.lock_acquired));
  // The second hook belongs to the block behind, whose handler gives the monitor up should the hook find the stack at
  // its end. Where that block can be jumped to it cannot stand there.
  const auto next = static_cast<InsnId>(static_cast<std::uint32_t>(at) + 1);
  if (static_cast<std::uint32_t>(next) < code_.original_count() && frames_.known() && !frames_.is_join(next)) {
    code_.insert_before(next, entered);
  } else {
    code_.insert_after(at, entered);
  }
  need_stack(2);
  ++counts_.points;
}

void MethodEditor::monitor_exit(InsnId at) {
  if (plan_.for_scheduler()) {
    monitor_hook(at, plan_.monitor_release);
    return;
  }
  if (!plan_.watches_monitors()) return;
  const Hook& exiting = guide_.only_hands_on(method_index_) ? plan_.monitor_handing_on : plan_.monitor_exiting;
  code_.insert_before(at, {Instruction::simple(Opcode::dup), invoke(exiting)});
  if (!plan_.lock_release.owner.empty()) monitor_hook(at, plan_.lock_release);
  need_stack(1);
  ++counts_.points;
}

bool MethodEditor::monitor_hook(InsnId at, const Hook& hook) {
  const std::uint32_t number = site(PointKind::kMonitor, at, nullptr);
  if (number == 0) return false;
  code_.insert_before(at, {Instruction::simple(Opcode::dup), push(number), invoke(hook)});
  need_stack(2);
  return true;
}

// The handler that compilers write for a synchronized block (store the exception, monitorexit, throw it again) covers
// itself up to the monitorexit. A hook in it that fails, because the stack is at its end, would come back to the
// handler and fail again for ever. What fails there now goes to a copy of the handler without hooks, which covers
// itself as the original did.
void MethodEditor::double_self_covering_handlers() {
  const std::size_t count = code_.handlers().size();
  for (std::size_t i = 0; i < count; ++i) {
    const Handler& handler = code_.handlers()[i];
    if (code_.instruction_at(handler.start) == code_.instruction_at(handler.handler)) double_handler(i);
  }
}

void MethodEditor::double_handler(std::size_t index) {
  const Handler handler = code_.handlers()[index];
  const Label copy = code_.new_label();
  const Label covered = code_.new_label();
  std::vector<Instruction> body{Instruction::place(copy)};
  bool exits = false;
  for (auto at = static_cast<std::uint32_t>(code_.instruction_at(handler.handler)); at < code_.original_count(); ++at) {
    const Instruction instruction = code_.at(static_cast<InsnId>(at));
    body.push_back(instruction);
    if (instruction.opcode == Opcode::athrow) break;
    if (instruction.opcode == Opcode::monitorexit) {
      if (!exits) body.push_back(Instruction::place(covered));
      exits = true;
    } else if (local_index(instruction) < 0) {
      return;  // not the handler of a synchronized block: it has no hook of ours at its own risk
    }
  }
  if (!exits || body.back().opcode != Opcode::athrow) return;
  const Label behind = code_.new_label();
  body.push_back(Instruction::place(behind));
  code_.append(body);
  code_.redirect_handler(index, copy);
  code_.add_handler({copy, covered, copy, handler.catch_type}, Code::Order::kLast);
  // Whatever encloses the handler encloses its copy.
  const InsnId original = code_.instruction_at(handler.handler);
  const std::size_t count = code_.handlers().size() - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const Handler outer = code_.handlers()[i];
    const bool encloses =
        i != index && code_.instruction_at(outer.start) <= original && original < code_.instruction_at(outer.end);
    if (encloses) code_.add_handler({copy, behind, outer.handler, outer.catch_type}, Code::Order::kLast);
  }
  if (cls_.major >= kFirstVersionWithFrames) code_.add_frame_like(copy, handler.handler);
}

void MethodEditor::at_returns(const std::vector<Instruction>& snippet) {
  for (InsnId at : code_.originals()) {
    if (is_return(code_.at(at).opcode)) code_.insert_before(at, snippet);
  }
}

// The monitor is the JVM's own here: it is held at the first instruction and given up behind the last. The object is
// kept in a local of ours, because local 0 may be overwritten; the handler's frame needs nothing but that local and the
// exception.
void MethodEditor::wrap_synchronized() {
  const std::uint16_t lock = code_.new_local(1);
  const bool is_static = method_.has(kAccStatic);
  const std::uint16_t type = is_static ? cls_.pool.add_class("java/lang/Object") : cls_.this_class;
  Instruction load = Instruction::local(Opcode::aload, 0);
  if (is_static) {
    load = cls_.major >= kFirstVersionWithLdcClass ? Instruction::pool(Opcode::ldc, cls_.this_class)
                                                   : invoke(plan_.caller_class);
  }
  const Instruction held = Instruction::local(Opcode::aload, lock);
  const VerificationType held_type = VerificationType::object(type);
  std::vector<VerificationType> locals(lock, VerificationType::simple(VerificationType::Tag::kTop));
  locals.push_back(held_type);
  std::vector<Instruction> enter{load, Instruction::local(Opcode::astore, lock), held};
  std::vector<Instruction> leave{held};
  const std::uint32_t number = plan_.for_scheduler() || plan_.gates_locks() ? method_site() : 0;
  const auto place = [this] { return push(guide_.lock_site({PointKind::kMonitor, method_index_, 0, nullptr})); };
  if (number != 0 && !plan_.for_scheduler() && !plan_.watches_monitors()) {
    code_.prepend({load, push(number), invoke(plan_.lock_request)});
    need_stack(2);
    ++counts_.points;
    return;
  }
  if (number != 0 && plan_.gates_locks()) {
    enter.insert(enter.end(), {push(number), invoke(plan_.lock_request), held, op(Opcode::monitorenter)});
    leave.push_back(invoke(plan_.monitor_exiting));
    if (!plan_.lock_release.owner.empty()) {
      leave.insert(leave.end(), {held, push(number), invoke(plan_.lock_release)});
    }
    leave.insert(leave.end(), {held, op(Opcode::monitorexit)});
    // Behind the start of the handler's range: a hook that finds the stack at its end gives the monitor up.
    std::vector<Instruction> entered{held, place(), invoke(plan_.method_entered)};
    if (!plan_.lock_acquired.owner.empty()) entered.push_back(invoke(plan_.lock_acquired));
    code_.prepend(entered);
    opened_ = true;
  } else if (number != 0) {
    enter.insert(enter.end(), {push(number), invoke(plan_.monitor_request), held, op(Opcode::monitorenter)});
    leave.insert(leave.end(), {push(number), invoke(plan_.monitor_release), held, op(Opcode::monitorexit)});
    opened_ = true;
  } else if (!plan_.watches_monitors()) {
    return;
  } else {
    enter.insert(enter.end(), {place(), invoke(plan_.method_entered)});
    leave.push_back(invoke(plan_.monitor_exiting));
  }
  code_.pin_local(lock, held_type);
  wrap(enter, leave, locals);
  ++counts_.points;
}

// `leave` runs at every return, and when an exception leaves the method; its frame there has `locals` only.
void MethodEditor::wrap(std::vector<Instruction> enter, std::vector<Instruction> leave,
                        const std::vector<VerificationType>& locals) {
  at_returns(leave);
  const Label start = code_.new_label();
  const Label end = code_.new_label();
  const Label handler = code_.new_label();
  enter.push_back(Instruction::place(start));
  code_.prepend(enter);
  leave.insert(leave.begin(), {Instruction::place(end), Instruction::place(handler)});
  leave.push_back(op(Opcode::athrow));
  code_.append(leave);
  code_.add_handler({start, end, handler, 0}, Code::Order::kLast);
  const VerificationType stack[] = {VerificationType::object(cls_.pool.add_class("java/lang/Throwable"))};
  code_.add_frame(handler, locals, stack);
  need_stack(3);
}

void MethodEditor::wrap_atomic() {
  const std::string_view name = cls_.name_of(method_);
  if (plan_.atomic_entered.owner.empty() || name == "<init>" || name == "<clinit>") return;
  const std::uint32_t number = guide_.atomic_region(method_index_);
  if (number == 0) return;
  wrap({push(number), invoke(plan_.atomic_entered)}, {push(number), invoke(plan_.atomic_left)}, {});
  ++counts_.points;
}

void MethodEditor::wrap_whole_call() {
  if (plan_.whole_entered.owner.empty() || method_.has(kAccStatic) || cls_.name_of(method_) == "<init>") return;
  const PointGuide::WholeCall call = guide_.whole_call(method_index_);
  if (call.what == 0) return;
  const std::uint16_t self = code_.new_local(1);
  const VerificationType type = VerificationType::object(cls_.this_class);
  std::vector<VerificationType> locals(self, VerificationType::simple(VerificationType::Tag::kTop));
  locals.push_back(type);
  const std::vector<Instruction> told{Instruction::local(Opcode::aload, self), push(call.what), push(call.site)};
  std::vector<Instruction> enter{Instruction::local(Opcode::aload, 0), Instruction::local(Opcode::astore, self)};
  enter.insert(enter.end(), told.begin(), told.end());
  enter.push_back(invoke(plan_.whole_entered));
  std::vector<Instruction> leave = told;
  leave.push_back(invoke(plan_.whole_left));
  code_.pin_local(self, type);
  wrap(enter, leave, locals);
  need_stack(5);  // beside a result
  ++counts_.points;
}

// The locks that the JVM holds while it initialises or loads a class are its own: a scheduler must not switch there.
void MethodEditor::wrap_region() {
  // A handler cannot cover a constructor: before its super call there is no object that a frame could name.
  if (plan_.region_entered.owner.empty() || cls_.name_of(method_) == "<init>") return;
  if (cls_.name_of(method_) != "<clinit>" && !guide_.is_region(method_index_)) return;
  wrap({invoke(plan_.region_entered)}, {invoke(plan_.region_left)}, {});
  ++counts_.points;
}

// The freeze of a final field is at the end of the constructor that writes it, which is the one that calls super(…):
// one that calls this(…) finds the field written.
void MethodEditor::mark_freeze() {
  if (options_.freeze_field.empty() && !options_.tells_freezes) return;
  if (!constructor_ || !constructor_->calls_super() || !constructor_->keeps_this()) return;
  std::vector<Instruction> snippet{Instruction::local(Opcode::aload, 0)};
  if (options_.freeze_field.empty()) {
    snippet.push_back(invoke(plan_.frozen));
  } else {
    const std::uint16_t field = cls_.pool.add_field({cls_.name(), options_.freeze_field, "J"});
    snippet.insert(snippet.end(), {invoke(plan_.freeze), Instruction::pool(Opcode::putfield, field)});
  }
  at_returns(snippet);
  need_stack(4);
  ++counts_.points;
  // It may also end by an exception. That is nobody's business unless the object is known elsewhere by then; a
  // superclass that let it out is not looked at, unless it is said to.
  const bool known_elsewhere = options_.freezes_failures || constructor_->leaks_this();
  if (known_elsewhere && constructor_->can_handle_with_this()) at_failure_with_this(snippet);
}

// The end of each constructor of an object happens before its finalizer (JLS 17.4.5), also of those that call this(…)
// and of those that throw: the object is finalized all the same.
void MethodEditor::mark_constructed() {
  if (options_.finalizable == 0 || !constructor_ || !constructor_->keeps_this()) return;
  const std::vector<Instruction> snippet{Instruction::local(Opcode::aload, 0), push(options_.finalizable),
                                         invoke(plan_.constructed)};
  at_returns(snippet);
  need_stack(3);
  ++counts_.points;
  if (constructor_->may_throw_with_this() && constructor_->can_handle_with_this()) at_failure_with_this(snippet);
}

void MethodEditor::at_failure_with_this(const std::vector<Instruction>& snippet) {
  const Label start = code_.new_label();
  const Label end = code_.new_label();
  const Label handler = code_.new_label();
  code_.insert_after(constructor_->call(), {Instruction::place(start)});
  std::vector<Instruction> leave{Instruction::place(end), Instruction::place(handler)};
  leave.insert(leave.end(), snippet.begin(), snippet.end());
  leave.push_back(op(Opcode::athrow));
  code_.append(leave);
  code_.add_handler({start, end, handler, 0}, Code::Order::kLast);
  const VerificationType locals[] = {VerificationType::object(cls_.this_class)};
  const VerificationType stack[] = {VerificationType::object(cls_.pool.add_class("java/lang/Throwable"))};
  code_.add_frame(handler, locals, stack);
}

void MethodEditor::at_failure(const Hook& hook) {
  const Label start = code_.new_label();
  const Label end = code_.new_label();
  const Label handler = code_.new_label();
  code_.prepend({Instruction::place(start)});
  code_.append(
      {Instruction::place(end), Instruction::place(handler), invoke(hook), Instruction::simple(Opcode::athrow)});
  code_.add_handler({start, end, handler, 0}, Code::Order::kLast);
  const VerificationType stack[] = {VerificationType::object(cls_.pool.add_class("java/lang/Throwable"))};
  code_.add_frame(handler, {}, stack);
}

void MethodEditor::mark_initialisation() {
  if (options_.init == 0) return;
  const std::string_view name = cls_.name_of(method_);
  if (name == "<clinit>") {
    code_.prepend({push(options_.init), invoke(plan_.initialiser_begins)});
    at_returns({push(options_.init), invoke(plan_.initialiser_ends)});
    at_failure(plan_.initialiser_fails);
  } else if (name == "<init>" || method_.has(kAccStatic)) {
    code_.prepend({push(options_.init), invoke(plan_.class_used)});
  } else {
    return;
  }
  need_stack(1);
  ++counts_.points;
}

}  // namespace deadheat::classfile
