// SPDX-License-Identifier: Apache-2.0
#include "classfile/method_editor.h"

namespace deadheat::classfile {

namespace {

// Whether the instruction may let another thread see what this one did, or see it do so: then a new epoch may begin.
bool ends_run(Opcode opcode) {
  switch (opcode) {
    case Opcode::invokevirtual:
    case Opcode::invokespecial:
    case Opcode::invokestatic:
    case Opcode::invokeinterface:
    case Opcode::invokedynamic:
    case Opcode::monitorenter:
    case Opcode::monitorexit:
    case Opcode::new_:       // may run a class initialiser
    case Opcode::anewarray:  // and these a class loader
    case Opcode::multianewarray:
      return true;
    default:
      return false;
  }
}

// A dynamic constant is made by a method of the program.
bool makes_constant(const Instruction& instruction, const ConstantPool& pool) {
  const Opcode opcode = instruction.opcode;
  if (opcode != Opcode::ldc && opcode != Opcode::ldc_w && opcode != Opcode::ldc2_w) return false;
  return pool.tag(instruction.index()) == Tag::kDynamic;
}

}  // namespace

MethodEditor::MethodEditor(ClassFile& cls, std::uint32_t method_index, Code& code, const Plan& plan,
                           const InstrumentOptions& options, PointGuide& guide, HookNeed& need,
                           InstrumentCounts& counts)
    : cls_(cls),
      method_index_(method_index),
      method_(cls.methods[method_index]),
      code_(code),
      plan_(plan),
      options_(options),
      guide_(guide),
      need_(need),
      counts_(counts),
      frames_(needs_frames() ? FrameAnalysis::run(cls, method_, code, options.handed_arrays && options.arrays)
                             : FrameAnalysis()),
      original_locals_(code.max_locals()),
      cursor_(frames_) {
  if (drops_redundant()) redundancy_flow_.emplace(code);
  if (frames_.known() && cls_.name_of(method_) == "<init>") constructor_.emplace(cls_, code_, frames_);
}

// Who is told of all accesses in the order of the code has to know what is on the stack in two cases: an object that is
// none yet, which only constructors come across, and a fresh array.
bool MethodEditor::needs_frames() const {
  if (options_.drop_redundant || !plan_.for_scheduler() || cls_.name_of(method_) == "<init>") return true;
  if (!options_.arrays && !options_.held_arrays) return false;
  for (InsnId at : code_.originals()) {
    if (is_array_access(code_.at(at).opcode)) return true;
  }
  return false;
}

bool MethodEditor::edit_points() {
  if (!frames_.known() && cls_.name_of(method_) == "<init>") {
    reason_ = "constructor whose stack could not be followed";
    return false;
  }
  find_array_loads();
  find_handed_arrays();
  bool falls_in = false;
  for (InsnId at : code_.originals()) {
    if (frames_.known() && !cursor_.seek(at)) {  // dead code never runs
      falls_in = false;
      continue;
    }
    const Instruction instruction = code_.at(at);
    if (redundancy_flow_) redundancy_flow_->enter(at, falls_in, redundancy_);
    visit(at, instruction);
    const bool ends = ends_run(instruction.opcode) || makes_constant(instruction, cls_.pool);
    if (ends && !is_quiet(instruction)) redundancy_.clear();
    if (redundancy_flow_) redundancy_flow_->leave(at, redundancy_);
    falls_in = falls_through(instruction.opcode);
  }
  return true;
}

bool MethodEditor::is_quiet(const Instruction& instruction) const {
  if (redundancy_.empty() || !is_invoke(instruction.opcode) || instruction.opcode == Opcode::invokedynamic)
    return false;
  const auto member = cls_.pool.member(instruction.index());
  return member && guide_.is_quiet_call(*member);
}

bool MethodEditor::wrap_method() {
  for (const MoreArguments& more : more_arguments_) code_.insert_before(more.call, more.load);
  if (options_.monitors && (plan_.for_scheduler() || plan_.watches_monitors())) double_self_covering_handlers();
  set_up_hints();
  set_up_handed_arrays();
  set_up_context();
  if (options_.monitors && method_.has(kAccSynchronized)) wrap_synchronized();
  wrap_atomic();
  wrap_whole_call();
  wrap_region();
  mark_initialisation();
  mark_freeze();
  mark_constructed();
  if (cls_.pool.full()) {
    reason_ = "constant pool full";
    return false;
  }
  if (code_.edited()) code_.raise_max_stack(extra_stack_);
  return true;
}

void MethodEditor::visit(InsnId at, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::getfield:
      if (!plan_.frozen_read.owner.empty()) frozen_read(at, instruction);
      [[fallthrough]];
    case Opcode::putfield:
    case Opcode::getstatic:
    case Opcode::putstatic:
      if (options_.fields && need_.may_take_field(instruction.index())) field_access(at, instruction);
      return;
    case Opcode::monitorenter:
      if (options_.monitors) monitor_enter(at);
      return;
    case Opcode::monitorexit:
      if (options_.monitors) monitor_exit(at);
      return;
    case Opcode::invokevirtual:
    case Opcode::invokespecial:
    case Opcode::invokestatic:
    case Opcode::invokeinterface:
      hand_over(at, instruction);
      if (options_.contexts) context_at_call(at, instruction);
      call(at, instruction);
      return;
    case Opcode::invokedynamic:
      if (options_.contexts) context_at_call(at, instruction);
      if (options_.fields && !plan_.record_read.owner.empty()) record_read(at, instruction);
      dynamic_use(at, instruction.index(), false);
      return;
    case Opcode::ldc:
    case Opcode::ldc_w:
    case Opcode::ldc2_w:
      dynamic_use(at, instruction.index(), true);
      return;
    case Opcode::aastore:
      if (options_.publishing_stores) {
        published_store(at);
        return;
      }
      [[fallthrough]];
    default:
      if (options_.arrays && is_array_access(instruction.opcode)) array_access(at, instruction.opcode);
      if (is_return(instruction.opcode)) hand_back(at, instruction.opcode);
  }
}

std::uint32_t MethodEditor::site(PointKind kind, InsnId at, const MemberRef* member) {
  const std::uint32_t number =
      guide_.site({kind, method_index_, code_.original_offset(at), member, options_.orders_only});
  if (number != 0) ++counts_.points;
  return number;
}

}  // namespace deadheat::classfile
