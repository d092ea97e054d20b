// SPDX-License-Identifier: Apache-2.0
#include "classfile/code.h"

#include <algorithm>

#include "base/check.h"
#include "classfile/code_encoder.h"
#include "classfile/code_parser.h"

namespace deadheat::classfile {

Result<Code> Code::parse(const ClassFile& cls, const Member& method) {
  const Attribute* attribute = cls.find(method.attributes, "Code");
  if (attribute == nullptr) return Error{"the method has no code"};
  return CodeParser(cls, method, attribute->bytes).parse();
}

Result<std::vector<std::uint8_t>> Code::encode(ConstantPool& pool) const { return CodeEncoder(*this, pool).encode(); }

Status Code::store(ClassFile& cls, Member& method) const {
  Result<std::vector<std::uint8_t>> bytes = encode(cls.pool);
  if (!bytes) return bytes.error();
  for (Attribute& attribute : method.attributes) {
    if (cls.pool.utf8(attribute.name) != "Code") continue;
    attribute.bytes = cls.own(std::move(bytes).value());
    return Ok{};
  }
  return Error{"the method has no code"};
}

InsnId Code::instruction_at(Label label) const {
  auto node = static_cast<std::uint32_t>(label);
  while (node > original_count()) node = nodes_[node].next;
  return static_cast<InsnId>(node);
}

std::uint32_t Code::raw_attributes() const {
  return static_cast<std::uint32_t>(std::count_if(attributes_.begin(), attributes_.end(),
                                                  [](const SubAttribute& a) { return a.table == Table::kRaw; }));
}

void Code::insert_before(InsnId at, Snippet snippet, Jumps jumps) {
  auto next = static_cast<std::uint32_t>(at);
  if (jumps == Jumps::kSkipped) {
    while (is_label(nodes_[next].previous, Rank::kTarget)) next = nodes_[next].previous;
  }
  insert(next, snippet);
}

void Code::insert_after(InsnId at, Snippet snippet) {
  const Node& node = nodes_[static_cast<std::uint32_t>(at)];
  DH_CHECK(snippet.empty() || falls_through(node.instruction.opcode));
  insert(node.next, snippet);
}

void Code::prepend(Snippet snippet) { insert(nodes_[end_node()].next, snippet); }

void Code::append(Snippet snippet) { insert(end_node(), snippet); }

void Code::replace(InsnId at, const Instruction& instruction) {
  nodes_[static_cast<std::uint32_t>(at)].instruction = instruction;
  edited_ = true;
}

Label Code::new_label() { return add_label(Rank::kTarget); }

void Code::redirect_handler(std::size_t index, Label handler) {
  edited_ = true;
  handlers_[index].handler = handler;
}

void Code::add_handler(const Handler& handler, Order order) {
  if (order == Order::kFirst) ++handlers_in_front_;
  handlers_.insert(order == Order::kFirst ? handlers_.begin() : handlers_.end(), handler);
  edited_ = true;
}

void Code::add_frame(Label at, std::span<const VerificationType> locals, std::span<const VerificationType> stack) {
  Frame frame;
  frame.at = at;
  frame.form = Frame::Form::kFull;
  frame.locals = static_cast<std::uint16_t>(locals.size());
  frame.stack = static_cast<std::uint16_t>(stack.size());
  frame.types = static_cast<std::uint32_t>(types_.size());
  types_.insert(types_.end(), locals.begin(), locals.end());
  types_.insert(types_.end(), stack.begin(), stack.end());
  added_frames_.push_back(frame);
  edited_ = true;
}

void Code::pin_local(std::uint16_t local, VerificationType type) {
  const auto behind =
      std::find_if(pinned_.begin(), pinned_.end(), [&](const PinnedLocal& p) { return p.local > local; });
  pinned_.insert(behind, {local, type});  // frames list locals in ascending order
  edited_ = true;
}

std::uint16_t Code::new_local(std::uint32_t slots) {
  auto local = static_cast<std::uint16_t>(max_locals_);
  max_locals_ += slots;
  return local;
}

bool Code::is_label(std::uint32_t node, Rank rank) const {
  const Instruction& instruction = nodes_[node].instruction;
  return instruction.opcode == Opcode::label && instruction.extra == static_cast<std::int16_t>(rank);
}

Label Code::add_label(Rank rank) {
  auto node = static_cast<std::uint32_t>(nodes_.size());
  Instruction label = Instruction::place(static_cast<Label>(node));
  label.extra = static_cast<std::int16_t>(rank);
  nodes_.push_back({label, kUnlinked, kUnlinked});
  return static_cast<Label>(node);
}

void Code::link_before(std::uint32_t node, std::uint32_t next) {
  std::uint32_t previous = nodes_[next].previous;
  nodes_[node].previous = previous;
  nodes_[node].next = next;
  nodes_[previous].next = node;
  nodes_[next].previous = node;
}

void Code::insert(std::uint32_t next, Snippet snippet) {
  for (const Instruction& instruction : snippet) {
    std::uint32_t node;
    if (instruction.opcode == Opcode::label) {
      node = static_cast<std::uint32_t>(instruction.target());
      DH_CHECK(nodes_[node].next == kUnlinked);
    } else {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({instruction, kUnlinked, kUnlinked});
    }
    link_before(node, next);
    edited_ = true;
  }
}

}  // namespace deadheat::classfile
