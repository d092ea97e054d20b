// SPDX-License-Identifier: Apache-2.0
//
// Puts a plan's hooks into one method. Internal to the instrumenter; one object per method, used once. The points are
// split by kind: access_points.cc, update_points.cc, monitor_points.cc, call_points.cc, context_points.cc,
// handed_arrays.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "classfile/code.h"
#include "classfile/constructor_flow.h"
#include "classfile/descriptor.h"
#include "classfile/frame_analysis.h"
#include "classfile/hook_need.h"
#include "classfile/instrumenter.h"
#include "classfile/redundancy.h"
#include "classfile/redundancy_flow.h"

namespace deadheat::classfile {

// Of an array access: how deep the array is on the stack, below the index and, if it is a store, the value.
std::uint32_t slots_above_array(Opcode opcode);

class MethodEditor {
 public:
  MethodEditor(ClassFile& cls, std::uint32_t method_index, Code& code, const Plan& plan,
               const InstrumentOptions& options, PointGuide& guide, HookNeed& need, InstrumentCounts& counts);

  // Edits the code, in two steps: at its instructions, then around it as a whole. False: the method cannot be rewritten
  // safely (reason() says why) and must not be stored. When two editors are at work on one method both must be made
  // before the first edits; the one whose hooks come first at an instruction must wrap last.
  bool edit_points();
  bool wrap_method();
  const char* reason() const { return reason_; }
  // The method was synchronized and is a block now: once it is stored the flag must go.
  bool opened_synchronized() const { return opened_; }

 private:
  bool needs_frames() const;
  void visit(InsnId at, const Instruction& instruction);

  void field_access(InsnId at, const Instruction& instruction);
  // The hook after the read, or before the write, of a field; the hook is field_read's kind, or field_write's.
  void instance_read(InsnId at, Kind kind, std::uint32_t site, const Hook& hook);
  void instance_write(InsnId at, Kind kind, std::uint32_t site, const Hook& hook);
  void static_access(InsnId at, const Instruction& instruction, const MemberRef& field, Kind kind, bool write);
  // Whether the read is the first half of an update and both are done with; the same for the second half.
  bool update_begins(InsnId at, const MemberRef& field, Kind kind, const Redundancy::Variable& variable,
                     AbstractValue object);
  bool update_ends(InsnId at, Kind kind, bool may_order, const Redundancy::Variable& variable);
  // The store that ends the update which the load begins: of the same variable, of this object and index, which are
  // then this deep on the stack.
  std::optional<InsnId> store_of_update(InsnId load, std::uint32_t store_depth, AbstractValue object,
                                        AbstractValue index) const;
  bool is_this(AbstractValue value) const;
  bool drops_redundant() const { return options_.drop_redundant && frames_.known(); }
  bool is_quiet(const Instruction& instruction) const;
  void published_store(InsnId at);
  void frozen_read(InsnId at, const Instruction& instruction);
  void record_read(InsnId at, const Instruction& instruction);
  void array_field_read(InsnId at, std::uint32_t site);
  void known_array_read(InsnId at, std::uint32_t site, std::uint32_t source);
  // Fills array_loads_.
  void find_array_loads();
  void array_access(InsnId at, Opcode opcode);
  // The local that keeps the hint for arrays from this source (a local variable, or kNoLocal for anything else), made
  // on first use.
  std::uint16_t hint_for(std::uint32_t source);
  // The local variable that holds this value at the cursor, or kNoLocal.
  std::uint32_t local_with(AbstractValue value, const FrameAnalysis::Cursor& cursor) const;
  void set_up_hints();

  // handed_arrays.cc
  struct Handed {
    std::uint32_t number;  // of the value: of a parameter, or the call that returned it
    std::uint16_t local;   // whether it is the thread's own
    std::uint32_t token;   // 0: no parameter
  };
  struct HandedArgument {
    AbstractValue value;
    std::uint32_t token;
  };
  void find_handed_arrays();
  void follow(AbstractValue value);
  const Handed* handed(AbstractValue value) const;  // null: it is not followed
  std::optional<HandedArgument> handed_argument(const MemberRef& method, std::uint32_t slots) const;
  void hand_over(InsnId at, const Instruction& instruction);
  void hand_back(InsnId at, Opcode opcode);
  void set_up_handed_arrays();

  void monitor_enter(InsnId at);
  void monitor_exit(InsnId at);
  // Gives each handler that covers itself a copy without hooks to fall back on.
  void double_self_covering_handlers();
  void double_handler(std::size_t index);
  // Whether the monitor got a site and the hook was put in.
  bool monitor_hook(InsnId at, const Hook& hook);
  void wrap_synchronized();
  void wrap_atomic();
  void wrap_region();
  void wrap_whole_call();
  void wrap(std::vector<Instruction> enter, std::vector<Instruction> leave,
            const std::vector<VerificationType>& locals);
  void mark_initialisation();
  void mark_freeze();
  void mark_constructed();
  // The snippet on the way out of a constructor by an exception, behind its call of super(…) or this(…):
  // ConstructorFlow::can_handle_with_this().
  void at_failure_with_this(const std::vector<Instruction>& snippet);
  void dynamic_use(InsnId at, std::uint32_t index, bool is_constant);
  bool keeps_this() const { return keeps_first_local(code_); }
  // A call of the hook on the way out of a static method without parameters by an exception.
  void at_failure(const Hook& hook);
  void at_returns(const std::vector<Instruction>& snippet);

  void context_at_call(InsnId at, const Instruction& instruction);
  void set_up_context();
  bool has_loop_without_context_calls() const;
  Instruction context_field(Opcode opcode);

  void call(InsnId at, const Instruction& instruction);
  void apply(const CallRule& rule, InsnId at, const Instruction& instruction, const MemberRef& member);
  void replace_call(const CallRule& rule, InsnId at, std::uint32_t site);
  void around_receiver(const CallRule& rule, InsnId at, const Instruction& instruction, const MemberRef& member);
  bool goes_into_field(InsnId call) const;
  void array_argument(const CallRule& rule, InsnId at, const MemberRef& member, std::uint32_t site);
  void around_offset(const CallRule& rule, InsnId at, const MemberRef& member, std::uint32_t site);
  void around_var_handle(const CallRule& rule, InsnId at, const MemberRef& member, std::uint32_t site);
  void around_method_handle(const CallRule& rule, InsnId at, const MemberRef& member, std::uint32_t site);
  void around_operands(const CallRule& rule, InsnId at, const Instruction& instruction, const MemberRef& member,
                       std::uint32_t site);
  // Moves the arguments of a call from the stack into fresh locals and back; the locals, in order, are appended to
  // `locals`.
  struct Spilled {
    Kind kind;
    std::uint16_t local;
  };
  bool spill(InsnId at, const MemberRef& member, bool with_receiver, std::vector<Spilled>& locals);
  // The other hooks of a rule, likewise.
  void around_sync(const CallRule& rule, InsnId at, const std::vector<Spilled>& arguments,
                   const std::vector<Instruction>& operands, const Hook& hook, const Hook& after);
  // The sited hooks of a rule around a call whose arguments are spilled; `operands` load what the hooks get.
  void around_access(const CallRule& rule, InsnId at, const std::vector<Spilled>& arguments,
                     const std::vector<Instruction>& operands, std::uint32_t site);

  Instruction invoke(const Hook& hook) { return Instruction::invoke_static(cls_.pool.add_method(hook)); }
  Instruction push(std::uint32_t value) { return Instruction::push(static_cast<std::int32_t>(value), cls_.pool); }
  std::uint32_t site(PointKind kind, InsnId at, const MemberRef* member);
  // The site of a synchronized method's own monitor.
  std::uint32_t method_site() { return guide_.site({PointKind::kMonitor, method_index_, 0, nullptr}); }
  // At most this many slots more than the method itself are in use at any inserted instruction.
  void need_stack(std::uint32_t slots) { extra_stack_ = extra_stack_ < slots ? slots : extra_stack_; }

  ClassFile& cls_;
  const std::uint32_t method_index_;
  const Member& method_;
  Code& code_;
  const Plan& plan_;
  const InstrumentOptions& options_;
  PointGuide& guide_;
  HookNeed& need_;
  InstrumentCounts& counts_;
  const FrameAnalysis frames_;
  std::optional<ConstructorFlow> constructor_;  // if it is one
  const std::uint32_t original_locals_;
  FrameAnalysis::Cursor cursor_;
  Redundancy redundancy_;
  std::optional<RedundancyFlow> redundancy_flow_;
  struct Update {
    InsnId store;
    std::uint32_t site;
  };
  std::vector<Update> updates_;  // begun and not ended
  static constexpr std::uint32_t kNoLocal = UINT32_MAX;
  static constexpr std::size_t kMostHints = 6;
  struct Hint {
    std::uint32_t source;
    std::uint16_t local;
  };
  std::vector<Hint> hints_;
  // The getfields of arrays whose elements are accessed, each with the source (hint_for) that its array has there, in
  // order.
  struct ArrayLoad {
    InsnId load;
    std::uint32_t source;
  };
  std::vector<ArrayLoad> array_loads_;
  static constexpr std::size_t kMostHandedParameters = 2;
  static constexpr std::size_t kMostHanded = 6;
  std::vector<Handed> handed_;
  bool follows_handed_ = false;
  // What replaced calls take besides their arguments. Inserted last, by wrap_method(): nothing may come between them
  // and the call, not even what another editor inserts there.
  struct MoreArguments {
    InsnId call;
    std::vector<Instruction> load;
  };
  std::vector<MoreArguments> more_arguments_;
  bool loads_array_field_ = false;
  // The locals with the calling context, made at the first call that wants them: the thread's object (kNoLocal: none)
  // and the method's own value.
  std::uint32_t context_ = kNoLocal;
  std::uint16_t own_context_ = 0;
  std::vector<InsnId> context_calls_;  // that set it, in order
  std::uint32_t extra_stack_ = 0;
  const char* reason_ = nullptr;
  bool opened_ = false;
};

}  // namespace deadheat::classfile
