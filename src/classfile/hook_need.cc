// SPDX-License-Identifier: Apache-2.0
#include "classfile/hook_need.h"

#include <algorithm>

namespace deadheat::classfile {

HookNeed::HookNeed(const ClassFile& cls, std::span<const HookSet> sets)
    : cls_(cls), sets_(sets), members_(cls.pool.size(), Known::kNothing) {
  for (const auto& [plan, options, guide] : sets) {
    fields_ |= options.fields;
    all_reads_ |= !plan.frozen_read.owner.empty();
    all_calls_ |= options.contexts || options.held_arrays;
    monitors_ |= options.monitors;
    arrays_ |= options.arrays;
    stores_ |= options.publishing_stores;
    dynamic_ |= options.contexts || !plan.record_read.owner.empty() || !plan.dynamic_used.owner.empty();
  }
}

bool HookNeed::may_take_any(std::uint32_t method) {
  const Attribute* code = cls_.find(cls_.methods[method].attributes, "Code");
  if (code == nullptr) return false;
  if (std::any_of(sets_.begin(), sets_.end(), [&](const HookSet& set) { return around(set, method); })) return true;
  ByteReader in(code->bytes);
  in.u4();  // stack and locals
  const ByteSpan instructions = in.take(in.u4());
  return in.failed() || in_code(instructions);
}

// As MethodEditor::wrap_method() does.
bool HookNeed::around(const HookSet& set, std::uint32_t index) const {
  const auto& [plan, options, guide] = set;
  const Member& method = cls_.methods[index];
  if (options.monitors && method.has(kAccSynchronized)) return true;
  const std::string_view name = cls_.name_of(method);
  if (options.handed_arrays && cls_.descriptor_of(method).find('[') != std::string_view::npos) return true;
  if (name == "<clinit>") return options.init != 0 || !plan.region_entered.owner.empty();
  const bool constructs = name == "<init>";
  if (constructs && (!options.freeze_field.empty() || options.tells_freezes || options.finalizable != 0)) return true;
  if (options.init != 0 && (constructs || method.has(kAccStatic))) return true;
  const bool wraps =
      !plan.region_entered.owner.empty() || !plan.atomic_entered.owner.empty() || !plan.whole_entered.owner.empty();
  return wraps && !constructs && guide.may_wrap(index);
}

bool HookNeed::in_code(ByteSpan code) {
  ByteReader in(code);
  while (!in.at_end()) {
    const auto offset = static_cast<std::uint32_t>(in.position());
    const auto opcode = static_cast<Opcode>(in.u1());
    const OpcodeInfo& form = info(opcode);
    std::uint32_t operand = 0;
    switch (form.layout) {
      case Layout::kPoolByte:
        operand = in.u1();
        break;
      case Layout::kPool:
      case Layout::kInvokeInterface:
      case Layout::kInvokeDynamic:
        operand = in.u2();
        in.skip(form.length - 3u);
        break;
      case Layout::kWide:
        in.skip(in.u1() == static_cast<std::uint8_t>(Opcode::iinc) ? 4 : 2);
        break;
      case Layout::kTableSwitch: {
        in.skip(3 - offset % 4 + 4);  // to the default, and it
        const std::int64_t low = static_cast<std::int32_t>(in.u4());
        const std::int64_t high = static_cast<std::int32_t>(in.u4());
        if (low > high) return true;
        in.skip(static_cast<std::size_t>(high - low + 1) * 4);
        break;
      }
      case Layout::kLookupSwitch:
        in.skip(3 - offset % 4 + 4);
        in.skip(std::size_t{in.u4()} * 8);
        break;
      default:
        if (form.length == 0) return true;  // no opcode
        in.skip(form.length - 1u);
    }
    if (in.failed() || at(opcode, operand)) return true;
  }
  return false;
}

// As MethodEditor::visit() does.
bool HookNeed::at(Opcode opcode, std::uint32_t operand) {
  switch (opcode) {
    case Opcode::getfield:
      if (all_reads_) return true;
      [[fallthrough]];
    case Opcode::putfield:
    case Opcode::getstatic:
    case Opcode::putstatic:
      return fields_ && may_take_field(operand);
    case Opcode::monitorenter:
    case Opcode::monitorexit:
      return monitors_;
    case Opcode::invokevirtual:
    case Opcode::invokespecial:
    case Opcode::invokestatic:
    case Opcode::invokeinterface:
      return may_take_call(operand);
    case Opcode::invokedynamic:
      return dynamic_;
    case Opcode::ldc:
    case Opcode::ldc_w:
    case Opcode::ldc2_w:
      return dynamic_ && cls_.pool.tag(operand) == Tag::kDynamic;
    case Opcode::aastore:
      return arrays_ || stores_;
    default:
      return arrays_ && is_array_access(opcode);
  }
}

bool HookNeed::of_member(std::uint32_t index, bool is_field) {
  if (index >= members_.size()) return true;
  Known& known = members_[index];
  if (known == Known::kNothing) {
    const auto member = cls_.pool.member(index);
    known = member && (is_field ? of_field(*member) : of_call(*member)) ? Known::kTaken : Known::kLeft;
  }
  return known == Known::kTaken;
}

bool HookNeed::of_field(const MemberRef& field) const {
  return std::any_of(sets_.begin(), sets_.end(),
                     [&](const HookSet& set) { return set.options.fields && set.guide.may_watch(field); });
}

bool HookNeed::of_call(const MemberRef& method) const {
  return std::any_of(sets_.begin(), sets_.end(), [&](const HookSet& set) {
    if (set.options.handed_arrays && method.descriptor.find('[') != std::string_view::npos) return true;
    const CallRule* rule = set.plan.call_rule(method, cls_.name());
    return rule != nullptr && set.options.takes(*rule);
  });
}

}  // namespace deadheat::classfile
