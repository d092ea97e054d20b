// SPDX-License-Identifier: Apache-2.0
#include "classfile/code_parser.h"

#include <utility>

#include "classfile/type_annotation.h"

namespace deadheat::classfile {
namespace {

constexpr std::uint16_t kFirstVersionWithFrames = 50;

std::int32_t s1(ByteReader& in) { return static_cast<std::int8_t>(in.u1()); }
std::int32_t s2(ByteReader& in) { return static_cast<std::int16_t>(in.u2()); }
std::int32_t s4(ByteReader& in) { return static_cast<std::int32_t>(in.u4()); }

bool names_constant(Layout layout) {
  return layout == Layout::kPool || layout == Layout::kPoolByte || layout == Layout::kInvokeInterface ||
         layout == Layout::kInvokeDynamic || layout == Layout::kMultiArray;
}

}  // namespace

Result<Code> CodeParser::parse() {
  describe_entry();
  code_.max_stack_ = in_.u2();
  code_.max_locals_ = in_.u2();
  std::uint32_t length = in_.u4();
  if (length == 0 || length > 65535) return Error{"the code's length is not between 1 and 65535"};
  bytecode_ = in_.take(length);
  if (in_.failed() || !scan_instructions() || !resolve_jumps() || !read_handlers() || !read_attributes() ||
      !in_.at_end()) {
    return Error{problem_};
  }
  return std::move(code_);
}

void CodeParser::describe_entry() {
  code_.needs_frames_ = cls_.major >= kFirstVersionWithFrames;
  code_.this_class_ = cls_.this_class;
  code_.descriptor_ = method_.descriptor;
  code_.static_ = method_.has(kAccStatic);
  code_.constructor_ = cls_.name_of(method_) == "<init>";
}

bool CodeParser::scan_instructions() {
  node_of_.assign(bytecode_.size() + 1, kNoInstruction);
  code_.nodes_.reserve(bytecode_.size() / 2 + 8);
  code_.offsets_.reserve(bytecode_.size() / 2 + 8);
  ByteReader in(bytecode_);
  while (!in.at_end()) {
    auto offset = static_cast<std::uint32_t>(in.position());
    auto node = static_cast<std::uint32_t>(code_.nodes_.size());
    node_of_[offset] = node;
    code_.offsets_.push_back(static_cast<std::uint16_t>(offset));
    if (!scan_one(in, offset) || in.failed()) {
      problem_ = "an instruction is malformed";
      return false;
    }
  }
  std::uint32_t end = code_.end_node();
  node_of_[bytecode_.size()] = end;
  code_.nodes_.push_back({});
  for (std::uint32_t i = 0; i <= end; ++i) {
    code_.nodes_[i].previous = i == 0 ? end : i - 1;
    code_.nodes_[i].next = i == end ? 0 : i + 1;
  }
  return true;
}

bool CodeParser::scan_one(ByteReader& in, std::uint32_t offset) {
  std::uint8_t byte = in.u1();
  Instruction instruction;
  if (byte == static_cast<std::uint8_t>(Opcode::wide)) {
    instruction.wide = true;
    byte = in.u1();
  }
  if (!is_opcode(byte)) return false;
  instruction.opcode = static_cast<Opcode>(byte);
  Layout layout = info(instruction.opcode).layout;
  if (instruction.wide && layout != Layout::kLocal && layout != Layout::kIncrement) return false;
  switch (layout) {
    case Layout::kNone:
      break;
    case Layout::kByte:
      instruction.operand = s1(in);
      break;
    case Layout::kShort:
      instruction.operand = s2(in);
      break;
    case Layout::kArrayType:
    case Layout::kPoolByte:
      instruction.operand = in.u1();
      break;
    case Layout::kPool:
      instruction.operand = in.u2();
      break;
    case Layout::kLocal:
      instruction.operand = instruction.wide ? in.u2() : in.u1();
      break;
    case Layout::kIncrement:
      instruction.operand = instruction.wide ? in.u2() : in.u1();
      instruction.extra = static_cast<std::int16_t>(instruction.wide ? s2(in) : s1(in));
      break;
    case Layout::kJump:
      instruction.operand = s2(in);
      break;
    case Layout::kJumpWide:
      instruction.operand = s4(in);
      break;
    case Layout::kTableSwitch:
    case Layout::kLookupSwitch:
      if (!scan_switch(in, offset, instruction)) return false;
      break;
    case Layout::kInvokeInterface:
      instruction.operand = in.u2();
      instruction.extra = in.u1();
      if (in.u1() != 0) return false;
      break;
    case Layout::kInvokeDynamic:
      instruction.operand = in.u2();
      if (in.u2() != 0) return false;
      break;
    case Layout::kMultiArray:
      instruction.operand = in.u2();
      instruction.extra = in.u1();
      break;
    case Layout::kWide:
      return false;
  }
  if (names_constant(layout) && cls_.pool.tag(instruction.index()) == Tag::kNone) return false;
  code_.nodes_.push_back({instruction, 0, 0});
  return true;
}

bool CodeParser::scan_switch(ByteReader& in, std::uint32_t offset, Instruction& instruction) {
  in.skip(3 - offset % 4);
  Switch table;
  PendingSwitch pending;
  pending.fallback = s4(in);
  std::int64_t count;
  if (instruction.opcode == Opcode::tableswitch) {
    table.low = s4(in);
    count = std::int64_t{s4(in)} - table.low + 1;
    if (count < 1 || static_cast<std::uint64_t>(count) > in.remaining() / 4) return false;
  } else {
    count = s4(in);
    if (count < 0 || static_cast<std::uint64_t>(count) > in.remaining() / 8) return false;
    table.keys.reserve(static_cast<std::size_t>(count));
  }
  pending.targets.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    if (instruction.opcode == Opcode::lookupswitch) table.keys.push_back(s4(in));
    pending.targets.push_back(s4(in));
  }
  instruction.operand = static_cast<std::int32_t>(code_.switches_.size());
  code_.switches_.push_back(std::move(table));
  pending_.push_back(std::move(pending));
  return true;
}

bool CodeParser::resolve_jumps() {
  problem_ = "a jump leads outside the code or into an instruction";
  for (std::uint32_t i = 0; i < code_.original_count(); ++i) {
    Instruction instruction = code_.nodes_[i].instruction;
    std::int64_t offset = code_.offsets_[i];
    if (is_jump(instruction.opcode)) {
      std::optional<Label> target = target_at(offset + instruction.operand);
      if (!target) return false;
      code_.nodes_[i].instruction.operand = static_cast<std::int32_t>(*target);
    } else if (is_switch(instruction.opcode)) {
      auto index = static_cast<std::size_t>(instruction.operand);
      std::optional<Label> fallback = target_at(offset + pending_[index].fallback);
      if (!fallback) return false;
      code_.switches_[index].fallback = *fallback;
      code_.switches_[index].targets.reserve(pending_[index].targets.size());
      for (std::int32_t distance : pending_[index].targets) {
        std::optional<Label> target = target_at(offset + distance);
        if (!target) return false;
        code_.switches_[index].targets.push_back(*target);
      }
    }
  }
  return true;
}

bool CodeParser::read_handlers() {
  problem_ = "the exception table is malformed";
  std::uint32_t count = in_.u2();
  if (count > in_.remaining() / 8) return false;
  code_.handlers_.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint16_t start = in_.u2();
    std::uint16_t end = in_.u2();
    std::optional<Label> from = label_at(start, Code::Rank::kBoundary);
    std::optional<Label> to = label_at(end, Code::Rank::kBoundary);
    std::optional<Label> handler = target_at(in_.u2());
    if (!from || !to || !handler || start >= end) return false;
    code_.handlers_.push_back({*from, *to, *handler, in_.u2()});
  }
  return true;
}

bool CodeParser::read_attributes() {
  problem_ = "the Code attribute's own attributes are malformed";
  std::uint32_t count = in_.u2();
  if (count > in_.remaining() / 6) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint16_t name = in_.u2();
    ByteSpan bytes = in_.take(in_.u4());
    if (in_.failed() || cls_.pool.tag(name) != Tag::kUtf8 || !read_attribute(name, bytes)) return false;
  }
  return true;
}

bool CodeParser::read_attribute(std::uint16_t name, ByteSpan bytes) {
  using Table = Code::Table;
  std::string_view text = *cls_.pool.utf8(name);
  Code::SubAttribute attribute = {name, Table::kRaw, 0, 0, bytes};
  // Keeps the entries read by `read`, or drops them and leaves the attribute raw.
  auto read_into = [&](Table table, auto& entries, bool (CodeParser::*read)(ByteReader)) {
    auto first = static_cast<std::uint32_t>(entries.size());
    if ((this->*read)(ByteReader(bytes))) {
      attribute.table = table;
      attribute.first = first;
      attribute.count = static_cast<std::uint32_t>(entries.size()) - first;
    } else {
      entries.resize(first);
    }
  };
  if (text == "LineNumberTable") {
    read_into(Table::kLines, code_.lines_, &CodeParser::read_lines);
  } else if (text == "LocalVariableTable" || text == "LocalVariableTypeTable") {
    read_into(Table::kVariables, code_.variables_, &CodeParser::read_variables);
  } else if (text == "RuntimeVisibleTypeAnnotations" || text == "RuntimeInvisibleTypeAnnotations") {
    read_into(Table::kAnnotations, code_.annotations_, &CodeParser::read_annotations);
  } else if (text == "StackMapTable" && code_.needs_frames_) {
    problem_ = "the StackMapTable is malformed";
    if (has_frames_) return false;
    has_frames_ = true;
    read_into(Table::kFrames, code_.frames_, &CodeParser::read_frames);
    if (attribute.table == Table::kRaw) return false;
  }
  code_.attributes_.push_back(attribute);
  return true;
}

bool CodeParser::read_lines(ByteReader in) {
  std::uint32_t count = in.u2();
  if (count > in.remaining() / 4) return false;
  code_.lines_.reserve(code_.lines_.size() + count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t offset = in.u2();
    std::optional<Label> at = label_at(offset, Code::Rank::kBoundary);
    if (!at || offset == bytecode_.size()) return false;
    code_.lines_.push_back({*at, in.u2()});
  }
  return in.at_end();
}

bool CodeParser::read_variables(ByteReader in) {
  std::uint32_t count = in.u2();
  if (count > in.remaining() / 10) return false;
  code_.variables_.reserve(code_.variables_.size() + count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t start = in.u2();
    std::uint32_t end = start + in.u2();
    std::optional<Label> from = label_at(start, Code::Rank::kBoundary);
    std::optional<Label> to = label_at(end, Code::Rank::kBoundary);
    if (!from || !to) return false;
    Code::Variable variable = {*from, *to, in.u2(), in.u2(), in.u2()};
    code_.variables_.push_back(variable);
  }
  return in.at_end();
}

bool CodeParser::read_annotations(ByteReader in) {
  std::uint32_t count = in.u2();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!read_annotation(in)) return false;
  }
  return in.at_end();
}

bool CodeParser::read_annotation(ByteReader& in) {
  Code::TypeAnnotation annotation = {};
  annotation.target_type = in.u1();
  switch (target_of(annotation.target_type)) {
    case AnnotationTarget::kVariable: {
      std::uint32_t count = in.u2();
      if (count > in.remaining() / 6) return false;
      for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t start = in.u2();
        std::uint32_t end = start + in.u2();
        std::optional<Label> from = label_at(start, Code::Rank::kBoundary);
        std::optional<Label> to = label_at(end, Code::Rank::kBoundary);
        if (!from || !to) return false;
        annotation.ranges.push_back({*from, *to, in.u2()});
      }
      break;
    }
    case AnnotationTarget::kHandler:
      annotation.handler = in.u2();
      if (annotation.handler >= code_.handlers_.size()) return false;
      break;
    case AnnotationTarget::kInstruction:
    case AnnotationTarget::kTypeArgument: {
      std::optional<InsnId> at = instruction_at(in.u2());
      if (!at) return false;
      annotation.instruction = *at;
      if (target_of(annotation.target_type) == AnnotationTarget::kTypeArgument) annotation.argument = in.u1();
      break;
    }
    case AnnotationTarget::kNotInCode:
      return false;
  }
  annotation.rest = take_path_and_annotation(in);
  if (in.failed()) return false;
  code_.annotations_.push_back(std::move(annotation));
  return true;
}

bool CodeParser::read_frames(ByteReader in) {
  std::uint32_t count = in.u2();
  if (count > in.remaining()) return false;
  code_.frames_.reserve(count);
  std::int64_t offset = -1;
  for (std::uint32_t i = 0; i < count; ++i) {
    Frame frame;
    frame.types = static_cast<std::uint32_t>(code_.types_.size());
    std::uint32_t type = in.u1();
    std::uint32_t delta;
    if (type < 64) {
      delta = type;
    } else if (type < 128) {
      delta = type - 64;
      frame.form = Frame::Form::kSameOneStack;
      frame.stack = 1;
    } else if (type < 247) {
      return false;  // reserved
    } else {
      delta = in.u2();
      if (type == 247) {
        frame.form = Frame::Form::kSameOneStack;
        frame.extended = true;
        frame.stack = 1;
      } else if (type < 251) {
        frame.form = Frame::Form::kChop;
        frame.chopped = static_cast<std::uint8_t>(251 - type);
      } else if (type == 251) {
        frame.extended = true;
      } else if (type < 255) {
        frame.form = Frame::Form::kAppend;
        frame.locals = static_cast<std::uint16_t>(type - 251);
      } else {
        frame.form = Frame::Form::kFull;
        frame.locals = in.u2();
      }
    }
    if (!read_types(in, frame.locals)) return false;
    if (frame.form == Frame::Form::kFull) frame.stack = in.u2();
    if (!read_types(in, frame.stack)) return false;
    offset += delta + 1;
    std::optional<Label> at = target_at(offset);
    if (!at) return false;
    frame.at = *at;
    code_.frames_.push_back(frame);
  }
  return in.at_end();
}

bool CodeParser::read_types(ByteReader& in, std::uint32_t count) {
  using TypeTag = VerificationType::Tag;
  for (std::uint32_t i = 0; i < count; ++i) {
    VerificationType type;
    std::uint8_t tag = in.u1();
    if (in.failed() || tag > static_cast<std::uint8_t>(TypeTag::kUninitialized)) return false;
    type.tag = static_cast<TypeTag>(tag);
    if (type.tag == TypeTag::kObject) {
      type.data = in.u2();
    } else if (type.tag == TypeTag::kUninitialized) {
      std::optional<InsnId> at = instruction_at(in.u2());
      if (!at || code_.at(*at).opcode != Opcode::new_) return false;
      type = VerificationType::uninitialized(*at);
    }
    code_.types_.push_back(type);
  }
  return true;
}

std::optional<std::uint32_t> CodeParser::node_at(std::int64_t offset) const {
  if (offset < 0 || static_cast<std::uint64_t>(offset) >= node_of_.size()) return std::nullopt;
  std::uint32_t node = node_of_[static_cast<std::size_t>(offset)];
  if (node == kNoInstruction) return std::nullopt;
  return node;
}

std::optional<InsnId> CodeParser::instruction_at(std::uint32_t offset) const {
  std::optional<std::uint32_t> node = node_at(offset);
  if (!node || *node == code_.end_node()) return std::nullopt;
  return static_cast<InsnId>(*node);
}

std::optional<Label> CodeParser::label_at(std::int64_t offset, Code::Rank rank) {
  std::optional<std::uint32_t> node = node_at(offset);
  if (!node) return std::nullopt;
  // In front of the instruction stand, in this order and if at all: one boundary label, one target label.
  std::uint32_t next = *node;
  std::uint32_t before = code_.nodes_[next].previous;
  if (rank == Code::Rank::kBoundary && code_.is_label(before, Code::Rank::kTarget)) {
    next = before;
    before = code_.nodes_[next].previous;
  }
  if (code_.is_label(before, rank)) return static_cast<Label>(before);
  Label label = code_.add_label(rank);
  code_.link_before(static_cast<std::uint32_t>(label), next);
  return label;
}

std::optional<Label> CodeParser::target_at(std::int64_t offset) {
  if (offset == static_cast<std::int64_t>(bytecode_.size())) return std::nullopt;
  return label_at(offset, Code::Rank::kTarget);
}

}  // namespace deadheat::classfile
