// SPDX-License-Identifier: Apache-2.0
#include "classfile/frame_analysis.h"

#include <algorithm>

#include "classfile/descriptor.h"
#include "classfile/frame_machine.h"

namespace deadheat::classfile {
namespace {

using ValueKind = AbstractValue::Kind;

// Beyond these a method is not worth the time at class load: 4 million stored values, 64 visits of each instruction.
constexpr std::uint64_t kMaxValues = 1 << 22;
constexpr std::uint64_t kMaxVisits = 64;

constexpr std::uint32_t kNoDepth = 0xffffffff;  // a state nothing has reached yet

bool is_initialized_reference(AbstractValue value) {
  return value.kind() >= ValueKind::kNull && value.kind() <= ValueKind::kHandedArray;
}

bool is_followed(AbstractValue value) {
  return value.kind() == ValueKind::kFreshArray || value.kind() == ValueKind::kHandedArray;
}

}  // namespace

// The fixpoint. States are kept at joins only (jump targets, handlers, the entry) and everything between two joins is
// run straight through. Lattice of a slot: a value, then "whatever this slot holds at this join" of its kind, then
// kTop.
//
// Why equal numbers mean equal values although a loop runs an instruction again: a value made at instruction i that
// comes round to i again in some slot has passed a join which was first reached before i ever ran, with something else
// in that slot. There the slot got that join's own number.
class FrameInterpreter {
 public:
  FrameInterpreter(const ClassFile& cls, const Member& method, const Code& code, FrameAnalysis& result)
      : cls_(cls), method_(method), code_(code), result_(result) {}
  bool run();

 private:
  struct Range {
    std::uint32_t start;
    std::uint32_t end;
    std::uint32_t state;  // of the handler
  };

  void find_joins();
  void find_ranges();
  bool make_room();
  bool enter();
  std::uint32_t run_from(std::uint32_t state);
  void merge_targets(std::uint32_t at, std::uint32_t depth);
  void merge_handlers(std::uint32_t at);
  void merge_handler(std::uint32_t state);
  void merge(std::uint32_t state, std::uint32_t depth);
  void merge_slots(std::uint32_t state, std::uint32_t count);
  AbstractValue merge_slot(std::uint32_t state, std::uint32_t slot, AbstractValue before, AbstractValue incoming);

  std::uint32_t index_of(Label label) const { return static_cast<std::uint32_t>(code_.instruction_at(label)); }
  std::uint32_t state_at(Label label) const { return result_.state_of_[index_of(label)]; }
  AbstractValue* values_of(std::uint32_t state) { return result_.states_.data() + std::size_t{state} * frame_size_; }
  AbstractValue slot_value(AbstractValue::Kind kind, std::uint32_t state, std::uint32_t slot) const {
    return {kind, kSlotNumbers + state * frame_size_ + slot};
  }

  const ClassFile& cls_;
  const Member& method_;
  const Code& code_;
  FrameAnalysis& result_;
  std::uint32_t frame_size_ = 0;
  std::vector<std::uint32_t> starts_;      // by state: its instruction
  std::vector<std::uint8_t> dirty_;        // by state: to be run again
  std::vector<Range> ranges_;              // of the exception table
  std::vector<std::uint8_t> range_start_;  // by instruction
  std::vector<AbstractValue> current_;     // the state being run
  std::vector<AbstractValue> separated_;   // followed arrays that a merge just gave a second number
  bool failed_ = false;
};

bool FrameInterpreter::run() {
  if (code_.edited()) return false;
  find_joins();
  find_ranges();
  if (!make_room() || !enter()) return false;
  std::uint64_t budget = kMaxVisits * result_.instructions_.size();
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t state = 0; state < starts_.size(); ++state) {
      if (dirty_[state] == 0) continue;
      dirty_[state] = 0;
      std::uint32_t visited = run_from(state);
      if (failed_ || visited > budget) return false;
      budget -= visited;
      again = true;
    }
  }
  return true;
}

void FrameInterpreter::find_joins() {
  std::uint32_t count = code_.original_count();
  std::vector<std::uint32_t>& state_of = result_.state_of_;
  state_of.assign(count, FrameAnalysis::kNoState);
  state_of[0] = 0;
  result_.instructions_.reserve(count);
  for (InsnId at : code_.originals()) {
    const Instruction& instruction = code_.at(at);
    result_.instructions_.push_back(instruction);
    if (is_jump(instruction.opcode)) {
      state_of[index_of(instruction.target())] = 0;
    } else if (is_switch(instruction.opcode)) {
      state_of[index_of(code_.switch_of(at).fallback)] = 0;
      for (Label target : code_.switch_of(at).targets) state_of[index_of(target)] = 0;
    }
  }
  for (const Handler& handler : code_.handlers()) state_of[index_of(handler.handler)] = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (state_of[i] == FrameAnalysis::kNoState) continue;
    state_of[i] = static_cast<std::uint32_t>(starts_.size());
    starts_.push_back(i);
  }
}

void FrameInterpreter::find_ranges() {
  if (code_.handlers().empty()) return;
  range_start_.assign(code_.original_count(), 0);
  for (const Handler& handler : code_.handlers()) {
    ranges_.push_back({index_of(handler.start), index_of(handler.end), state_at(handler.handler)});
    range_start_[ranges_.back().start] = 1;
  }
}

bool FrameInterpreter::make_room() {
  result_.max_locals_ = code_.max_locals();
  frame_size_ = code_.max_locals() + code_.max_stack();
  result_.frame_size_ = frame_size_;
  if (std::uint64_t{frame_size_} * starts_.size() > kMaxValues) return false;
  result_.states_.resize(std::size_t{frame_size_} * starts_.size());
  result_.depths_.assign(starts_.size(), kNoDepth);
  result_.reached_.assign(result_.instructions_.size(), 0);
  dirty_.assign(starts_.size(), 0);
  current_.resize(frame_size_);
  return true;
}

// The state the method starts in.
bool FrameInterpreter::enter() {
  std::string_view descriptor = cls_.descriptor_of(method_);
  std::uint32_t local = method_.has(kAccStatic) ? 0 : 1;
  std::optional<MethodShape> shape = method_shape(descriptor);
  if (!shape || local + shape->parameter_slots > result_.max_locals_) return false;
  AbstractValue* locals = values_of(0);
  if (local == 1) {
    bool uninitialized = cls_.name_of(method_) == "<init>" && cls_.name() != "java/lang/Object";
    locals[0] = slot_value(uninitialized ? ValueKind::kUninitializedThis : ValueKind::kReference, 0, 0);
  }
  Parameters parameters(descriptor);
  while (std::optional<std::string_view> type = parameters.next()) {
    Kind kind = kind_of((*type)[0]);
    const bool handed = result_.handed_ && type->front() == '[';
    locals[local] = slot_value(handed ? ValueKind::kHandedArray : value_kind(kind), 0, local);
    if (slots_of(kind) == 2) locals[local + 1] = slot_value(ValueKind::kSecondSlot, 0, local + 1);
    local += slots_of(kind);
  }
  result_.depths_[0] = 0;
  dirty_[0] = 1;
  return true;
}

// Runs from a join to the next one or to the end of the path; the number of instructions run.
std::uint32_t FrameInterpreter::run_from(std::uint32_t state) {
  std::uint32_t start = starts_[state];
  std::copy_n(values_of(state), frame_size_, current_.begin());
  FrameMachine machine(*result_.pool_, current_, result_.max_locals_, result_.depths_[state], result_.handed_);
  bool locals_changed = true;
  for (std::uint32_t at = start; at < result_.instructions_.size() && !failed_; ++at) {
    if (at != start && result_.state_of_[at] != FrameAnalysis::kNoState) {
      merge(result_.state_of_[at], machine.depth());
      return at - start;
    }
    result_.reached_[at] = 1;
    if (!ranges_.empty() && (locals_changed || range_start_[at] != 0)) merge_handlers(at);
    const Instruction& instruction = result_.instructions_[at];
    machine.step(at, instruction);
    failed_ = failed_ || machine.failed();
    locals_changed = machine.locals_changed();
    if (machine.escaped()) merge_handlers(at);  // a call that throws has got its arguments all the same
    merge_targets(at, machine.depth());
    if (!falls_through(instruction.opcode)) return at - start + 1;
  }
  failed_ = true;  // something odd, or the code has no end
  return 0;
}

void FrameInterpreter::merge_targets(std::uint32_t at, std::uint32_t depth) {
  const Instruction& instruction = result_.instructions_[at];
  if (is_jump(instruction.opcode)) {
    merge(state_at(instruction.target()), depth);
  } else if (is_switch(instruction.opcode)) {
    const Switch& table = code_.switch_of(static_cast<InsnId>(at));
    merge(state_at(table.fallback), depth);
    for (Label target : table.targets) merge(state_at(target), depth);
  }
}

void FrameInterpreter::merge_handlers(std::uint32_t at) {
  for (const Range& range : ranges_) {
    if (at >= range.start && at < range.end) merge_handler(range.state);
  }
}

// A handler starts with the locals of wherever it came from and the exception alone on the stack.
void FrameInterpreter::merge_handler(std::uint32_t state) {
  std::uint32_t& depth = result_.depths_[state];
  if (frame_size_ == result_.max_locals_ || (depth != kNoDepth && depth != 1)) {
    failed_ = true;
  } else if (depth == kNoDepth) {
    std::copy_n(current_.begin(), result_.max_locals_, values_of(state));
    values_of(state)[result_.max_locals_] = slot_value(ValueKind::kReference, state, result_.max_locals_);
    depth = 1;
    dirty_[state] = 1;
  } else {
    merge_slots(state, result_.max_locals_);
  }
}

void FrameInterpreter::merge(std::uint32_t state, std::uint32_t depth) {
  std::uint32_t& known = result_.depths_[state];
  if (known == kNoDepth) {
    std::copy_n(current_.begin(), result_.max_locals_ + depth, values_of(state));
    known = depth;
    dirty_[state] = 1;
  } else if (known != depth) {
    failed_ = true;
  } else {
    merge_slots(state, result_.max_locals_ + depth);
  }
}

void FrameInterpreter::merge_slots(std::uint32_t state, std::uint32_t count) {
  AbstractValue* values = values_of(state);
  bool changed = false;
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    if (values[slot] == current_[slot]) continue;
    AbstractValue merged = merge_slot(state, slot, values[slot], current_[slot]);
    changed = changed || merged != values[slot];
    values[slot] = merged;
  }
  // An array that is now known under two numbers cannot be followed any more.
  for (AbstractValue array : separated_) {
    AbstractValue reference(ValueKind::kReference, array.number());
    std::uint32_t frame = result_.max_locals_ + result_.depths_[state];
    changed = changed || std::find(values, values + frame, array) != values + frame;
    std::replace(values, values + frame, array, reference);
  }
  separated_.clear();
  if (changed) dirty_[state] = 1;
}

AbstractValue FrameInterpreter::merge_slot(std::uint32_t state, std::uint32_t slot, AbstractValue before,
                                           AbstractValue incoming) {
  if (is_initialized_reference(before) && is_initialized_reference(incoming)) {
    if (before.number() == incoming.number()) return {ValueKind::kReference, before.number()};
    for (AbstractValue value : {before, incoming}) {
      if (is_followed(value)) separated_.push_back(value);
    }
    bool null = before.kind() == ValueKind::kNull && incoming.kind() == ValueKind::kNull;
    return slot_value(null ? ValueKind::kNull : ValueKind::kReference, state, slot);
  }
  bool uninitialized = before.kind() >= ValueKind::kUninitializedThis;
  if (before.kind() != incoming.kind() || uninitialized) return {};
  return slot_value(before.kind(), state, slot);
}

// Methods of the JDK do not tell, and of a dynamic call it is not known what it leads to.
bool FrameAnalysis::may_hand(Opcode invoke, const MemberRef& method) {
  constexpr std::string_view kOthers[] = {"[", "java/", "javax/", "jdk/", "sun/"};
  return invoke != Opcode::invokedynamic &&
         std::ranges::none_of(kOthers, [&](std::string_view prefix) { return method.owner.starts_with(prefix); });
}

FrameAnalysis FrameAnalysis::run(const ClassFile& cls, const Member& method, const Code& code, bool handed) {
  FrameAnalysis result;
  result.handed_ = handed;
  result.pool_ = &cls.pool;
  result.known_ = FrameInterpreter(cls, method, code, result).run();
  return result;
}

FrameAnalysis::Cursor::Cursor(const FrameAnalysis& analysis)
    : analysis_(analysis), slots_(analysis.known_ ? analysis.frame_size_ : 0), at_(kNoState) {}

bool FrameAnalysis::Cursor::seek(InsnId at) {
  if (!analysis_.reachable(at)) return false;
  auto goal = static_cast<std::uint32_t>(at);
  // Back to the nearest state: our own or a stored one. A reachable instruction always has one, and falls through lie
  // between.
  std::uint32_t from = goal;
  while (from != at_ && analysis_.state_of_[from] == kNoState) --from;
  if (from != at_) {
    std::uint32_t state = analysis_.state_of_[from];
    std::copy_n(analysis_.states_.begin() + std::size_t{state} * analysis_.frame_size_, slots_.size(), slots_.begin());
    depth_ = analysis_.depths_[state];
  }
  FrameMachine machine(*analysis_.pool_, slots_, analysis_.max_locals_, depth_, analysis_.handed_);
  for (; from < goal; ++from) machine.step(from, analysis_.instructions_[from]);
  depth_ = machine.depth();
  at_ = goal;
  return true;
}

AbstractValue FrameAnalysis::Cursor::stack(std::uint32_t below_top) const {
  return below_top < depth_ ? slots_[analysis_.max_locals_ + depth_ - 1 - below_top] : AbstractValue();
}

AbstractValue FrameAnalysis::Cursor::local(std::uint32_t index) const {
  return index < analysis_.max_locals_ ? slots_[index] : AbstractValue();
}

}  // namespace deadheat::classfile
