// SPDX-License-Identifier: Apache-2.0
//
// Arrays that go from method to method while nobody else can have a reference to them: those made for one call
// (a variable number of arguments, a copy that is returned). What is fresh in the method that makes it (kFreshArray) is
// so for who is called with it, until he puts it somewhere; but that is known only while the program runs, since a
// method cannot know who calls it. So for each such array (kHandedArray) a local says whether it is the thread's own:
//
// - A call leaves a token of the method and the parameter with the thread (Plan::array_handing), if the array is the
//   thread's own, or none (array_handed). The first thing that the method called does is to take it (array_passed).
// - Before the call the local is cleared: who throws may have kept the array. A method that returns without having
//   stored the array anywhere says so (array_keeping), and the local is set again (array_kept).
// - A method that returns an array of its own leaves a token likewise (array_making, array_made).
//
// Where an array can be reached in two ways, under two numbers, it is not followed: FrameAnalysis sees to that within
// the method, and two parameters of one call are never handed the same array.
#include <algorithm>

#include "classfile/frame_machine.h"
#include "classfile/method_editor.h"

namespace deadheat::classfile {

namespace {

// Of the parameter at this place, or of what the method returns.
constexpr std::uint32_t kResult = 0xff;

std::uint32_t token_of(std::string_view name, std::string_view descriptor, std::uint32_t place) {
  std::uint32_t hash = 2166136261u ^ place;
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u;
  };
  add(name);
  add(descriptor);
  return hash | 1;  // 0: none
}

bool takes_array(std::string_view descriptor) { return descriptor.find('[') < descriptor.find(')'); }

bool is_handed(AbstractValue value) { return value.kind() == AbstractValue::Kind::kHandedArray; }

}  // namespace

void MethodEditor::find_handed_arrays() {
  if (!options_.handed_arrays || !options_.arrays || !frames_.known()) return;
  follows_handed_ = true;
  FrameAnalysis::Cursor cursor(frames_);
  if (!cursor.seek(InsnId{0})) return;
  const std::string_view name = cls_.name_of(method_);
  const std::string_view descriptor = cls_.descriptor_of(method_);
  Parameters parameters(descriptor);
  std::uint32_t slot = method_.has(kAccStatic) ? 0 : 1;
  for (std::uint32_t place = 0; const auto type = parameters.next(); ++place) {
    if (is_handed(cursor.local(slot)) && handed_.size() < kMostHandedParameters) {
      handed_.push_back({cursor.local(slot).number(), code_.new_local(1), token_of(name, descriptor, place)});
    }
    slot += slots_of(kind_of(type->front()));
  }
  for (const InsnId at : code_.originals()) {
    const Instruction& instruction = code_.at(at);
    if (!cursor.seek(at)) continue;
    if (is_array_access(instruction.opcode)) {
      follow(cursor.stack(slots_above_array(instruction.opcode)));
    } else if (instruction.opcode == Opcode::areturn) {
      follow(cursor.stack(0));
    } else if (is_invoke(instruction.opcode)) {
      const auto member = cls_.pool.member(instruction.index());
      const auto shape = member ? method_shape(member->descriptor) : std::nullopt;
      for (std::uint32_t i = 0; shape && i < shape->parameter_slots; ++i) follow(cursor.stack(i));
    }
  }
}

// What a call has returned, if it goes on from here.
void MethodEditor::follow(AbstractValue value) {
  if (!is_handed(value) || value.number() >= kConstantNumbers || handed(value) != nullptr) return;
  if (handed_.size() < kMostHanded) handed_.push_back({value.number(), code_.new_local(1), 0});
}

const MethodEditor::Handed* MethodEditor::handed(AbstractValue value) const {
  if (!is_handed(value)) return nullptr;
  const auto found = std::ranges::find(handed_, value.number(), &Handed::number);
  return found == handed_.end() ? nullptr : &*found;
}

// The array that the callee is told of: the first that is declared as one and is no other argument as well.
std::optional<MethodEditor::HandedArgument> MethodEditor::handed_argument(const MemberRef& method,
                                                                          std::uint32_t slots) const {
  Parameters parameters(method.descriptor);
  std::uint32_t below = slots;
  for (std::uint32_t place = 0; const auto type = parameters.next(); ++place) {
    below -= slots_of(kind_of(type->front()));
    if (type->front() != '[') continue;
    const AbstractValue value = cursor_.stack(below);
    if (value.kind() != AbstractValue::Kind::kFreshArray && handed(value) == nullptr) continue;
    std::uint32_t times = 0;
    for (std::uint32_t i = 0; i < slots; ++i) times += cursor_.stack(i) == value ? 1 : 0;
    if (times == 1) return HandedArgument{value, token_of(method.name, method.descriptor, place)};
  }
  return std::nullopt;
}

void MethodEditor::hand_over(InsnId at, const Instruction& instruction) {
  if (!follows_handed_) return;
  const auto member = cls_.pool.member(instruction.index());
  const auto shape = member ? method_shape(member->descriptor) : std::nullopt;
  if (!shape || !FrameAnalysis::may_hand(instruction.opcode, *member)) return;
  const auto argument = handed_argument(*member, shape->parameter_slots);
  const Handed* passed = argument ? handed(argument->value) : nullptr;
  if (passed != nullptr) {
    code_.insert_before(
        at, {push(argument->token), Instruction::local(Opcode::aload, passed->local), invoke(plan_.array_handing)});
    code_.insert_after(
        at, {push(argument->token), invoke(plan_.array_kept), Instruction::local(Opcode::astore, passed->local)});
  } else if (argument) {
    code_.insert_before(at, {push(argument->token), invoke(plan_.array_handing_fresh)});
    code_.insert_after(at, {invoke(plan_.array_handed)});
  } else if (takes_array(member->descriptor)) {  // a call that threw may have left its token
    code_.insert_before(at, {invoke(plan_.array_handed)});
  }
  for (const Handed& known : handed_) {
    bool is_argument = false;
    for (std::uint32_t i = 0; i < shape->parameter_slots; ++i) is_argument |= handed(cursor_.stack(i)) == &known;
    if (is_argument) {
      code_.insert_before(at,
                          {Instruction::simple(Opcode::aconst_null), Instruction::local(Opcode::astore, known.local)});
    }
  }
  const AbstractValue result(AbstractValue::Kind::kHandedArray, static_cast<std::uint32_t>(at));
  if (const Handed* made = handed(result); made != nullptr && shape->return_type.starts_with('[')) {
    code_.insert_before(at, {push(0), invoke(plan_.array_making)});
    code_.insert_after(at, {push(token_of(member->name, member->descriptor, kResult)), invoke(plan_.array_made),
                            Instruction::local(Opcode::astore, made->local)});
  }
  need_stack(2);
}

void MethodEditor::hand_back(InsnId at, Opcode opcode) {
  if (!follows_handed_) return;
  const bool returns_array =
      opcode == Opcode::areturn && cls_.descriptor_of(method_).find(")[") != std::string_view::npos;
  const AbstractValue result = opcode == Opcode::areturn ? cursor_.stack(0) : AbstractValue();
  for (const Handed& parameter : handed_) {
    if (parameter.token == 0 || result.number() == parameter.number) continue;
    bool is_followed = false;
    for (std::uint32_t i = 0; i < original_locals_; ++i) is_followed |= handed(cursor_.local(i)) == &parameter;
    if (!is_followed) continue;  // it may be anywhere
    code_.insert_before(
        at, {push(parameter.token), Instruction::local(Opcode::aload, parameter.local), invoke(plan_.array_keeping)});
  }
  if (!returns_array) {
    need_stack(2);
    return;
  }
  const std::uint32_t token = token_of(cls_.name_of(method_), cls_.descriptor_of(method_), kResult);
  const Handed* made = handed(result);
  if (result.kind() == AbstractValue::Kind::kFreshArray) {
    code_.insert_before(at, {push(token), invoke(plan_.array_making)});
  } else if (made != nullptr && made->token == 0) {
    code_.insert_before(at,
                        {push(token), Instruction::local(Opcode::aload, made->local), invoke(plan_.array_making_if)});
  } else {
    code_.insert_before(at, {push(0), invoke(plan_.array_making)});
  }
  need_stack(2);
}

void MethodEditor::set_up_handed_arrays() {
  if (!options_.handed_arrays) return;
  const std::string_view descriptor = cls_.descriptor_of(method_);
  // A method that cannot tell must not leave a token to those that it calls, nor one of theirs to its caller.
  if (!follows_handed_ && descriptor.find(")[") != std::string_view::npos) {
    at_returns({push(0), invoke(plan_.array_making)});
    need_stack(1);
  }
  const bool takes = std::ranges::any_of(handed_, [](const Handed& known) { return known.token != 0; });
  if (!takes && takes_array(descriptor)) code_.prepend({invoke(plan_.array_handed)});
  if (handed_.empty()) return;
  const std::uint16_t type = cls_.pool.add_class(plan_.hint_class);
  std::vector<Instruction> snippet;
  for (std::size_t i = 0; i < handed_.size(); ++i) {
    const Handed& known = handed_[i];
    if (known.token != 0) {  // parameters come first
      const bool last = i + 1 == handed_.size() || handed_[i + 1].token == 0;
      snippet.insert(snippet.end(), {push(known.token), push(last ? 1 : 0), invoke(plan_.array_passed)});
    } else {
      snippet.push_back(Instruction::simple(Opcode::aconst_null));
    }
    snippet.push_back(Instruction::local(Opcode::astore, known.local));
    code_.pin_local(known.local, VerificationType::object(type));
  }
  code_.prepend(snippet);
  need_stack(2);
}

}  // namespace deadheat::classfile
