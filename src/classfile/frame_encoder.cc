// SPDX-License-Identifier: Apache-2.0
#include "classfile/frame_encoder.h"

#include <algorithm>

#include "classfile/descriptor.h"
#include "classfile/type_flow.h"

namespace deadheat::classfile {
namespace {

using TypeTag = VerificationType::Tag;

constexpr std::uint32_t kSameOneStackBase = 64;
constexpr std::uint32_t kSameOneStackExtended = 247;
constexpr std::uint32_t kSameExtended = 251;  // less the number of locals for a chop, plus it for an append
constexpr std::uint32_t kFull = 255;

}  // namespace

void FrameEncoder::encode() {
  if (code_.added_frames_.empty() && code_.pinned_.empty() && code_.frame_copies_.empty() && !encoder_.inverts_)
    return keep_forms();
  expand_parsed();
  add_new();
  if (encoder_.inverts_) add_behind_inverted();
  write_shortest();
}

void FrameEncoder::keep_forms() {
  out_.u2(static_cast<std::uint32_t>(code_.frames_.size()));
  std::uint32_t next = 0;  // the offset that delta 0 stands for
  for (const Frame& frame : code_.frames_) {
    std::uint32_t offset = encoder_.offset_of(frame.at);
    std::uint32_t delta = offset - next;
    next = offset + 1;
    const VerificationType* types = code_.types_.data() + frame.types;
    switch (frame.form) {
      case Frame::Form::kSame:
        put_same(delta, frame.extended);
        break;
      case Frame::Form::kSameOneStack:
        put_same_one_stack(delta, frame.extended, *types);
        break;
      case Frame::Form::kChop:
        out_.u1(kSameExtended - frame.chopped);
        out_.u2(delta);
        break;
      case Frame::Form::kAppend:
        out_.u1(kSameExtended + frame.locals);
        out_.u2(delta);
        put_types(types, frame.locals);
        break;
      case Frame::Form::kFull:
        put_full(delta, types, frame.locals, frame.stack);
        break;
    }
  }
}

// Each parsed frame with all its locals, starting from the locals the method is entered with.
void FrameEncoder::expand_parsed() {
  append_entry_locals();
  entry_locals_ = static_cast<std::uint32_t>(types_.size());
  std::vector<VerificationType> locals = types_;
  for (const Frame& frame : code_.frames_) {
    auto own = code_.types_.begin() + frame.types;
    if (frame.form == Frame::Form::kFull) locals.clear();
    if (frame.chopped > locals.size()) return encoder_.fail("a chop frame removes more locals than there are");
    locals.resize(locals.size() - frame.chopped);
    locals.insert(locals.end(), own, own + frame.locals);

    std::size_t first = types_.size();
    types_.insert(types_.end(), locals.begin(), locals.end());
    pin_locals(first);
    auto count = static_cast<std::uint32_t>(types_.size() - first);
    types_.insert(types_.end(), own + frame.locals, own + frame.locals + frame.stack);
    frames_.push_back({encoder_.offset_of(frame.at), static_cast<std::uint32_t>(first), count, frame.stack});
  }
}

void FrameEncoder::append_entry_locals() {
  if (!code_.static_) {
    types_.push_back(code_.constructor_ ? VerificationType::simple(TypeTag::kUninitializedThis)
                                        : VerificationType::object(code_.this_class_));
  }
  Parameters parameters(encoder_.pool_.utf8(code_.descriptor_).value_or(std::string_view()));
  while (std::optional<std::string_view> type = parameters.next()) {
    switch (kind_of((*type)[0])) {
      case Kind::kInt:
        types_.push_back(VerificationType::simple(TypeTag::kInteger));
        break;
      case Kind::kFloat:
        types_.push_back(VerificationType::simple(TypeTag::kFloat));
        break;
      case Kind::kLong:
        types_.push_back(VerificationType::simple(TypeTag::kLong));
        break;
      case Kind::kDouble:
        types_.push_back(VerificationType::simple(TypeTag::kDouble));
        break;
      default: {
        // Arrays are named by their descriptor, classes without the L and ;.
        std::string_view name = (*type)[0] == '[' ? *type : type->substr(1, type->size() - 2);
        std::uint16_t index = encoder_.pool_.add_class(name);
        if (index == 0) encoder_.fail("the constant pool is full");
        types_.push_back(VerificationType::object(index));
        break;
      }
    }
  }
  if (parameters.failed()) encoder_.fail("the method's descriptor is malformed");
}

void FrameEncoder::pin_locals(std::size_t first_local) {
  for (const Code::PinnedLocal& pinned : code_.pinned_) {
    std::uint32_t slots = 0;
    for (std::size_t i = first_local; i < types_.size(); ++i) slots += types_[i].slots();
    if (slots > pinned.local) return encoder_.fail("a pinned local is in use already");
    types_.insert(types_.end(), pinned.local - slots, VerificationType());
    types_.push_back(pinned.type);
  }
}

void FrameEncoder::add_new() {
  for (const Frame& frame : code_.added_frames_) {
    auto first = static_cast<std::uint32_t>(types_.size());
    auto own = code_.types_.begin() + frame.types;
    types_.insert(types_.end(), own, own + frame.locals + frame.stack);
    frames_.push_back({encoder_.offset_of(frame.at), first, frame.locals, frame.stack});
  }
  for (const Code::FrameCopy& copy : code_.frame_copies_) {
    const std::uint32_t like = encoder_.offset_of(copy.like);
    const auto found =
        std::find_if(frames_.begin(), frames_.end(), [&](const Absolute& frame) { return frame.offset == like; });
    if (found == frames_.end()) return encoder_.fail("there is no frame to copy");
    Absolute frame = *found;
    frame.offset = encoder_.offset_of(copy.at);
    frames_.push_back(frame);
  }
  sort();
}

void FrameEncoder::sort() {
  std::stable_sort(frames_.begin(), frames_.end(),
                   [](const Absolute& a, const Absolute& b) { return a.offset < b.offset; });
}

// The instruction behind a conditional jump that was inverted over a goto_w is now a jump target.
void FrameEncoder::add_behind_inverted() {
  TypeFlow flow(encoder_.pool_, code_.this_class_, code_);
  flow.load({types_.data(), entry_locals_}, {});
  std::size_t known = frames_.size();
  std::size_t at_frame = 0;
  std::uint32_t end = code_.end_node();
  for (std::uint32_t node = code_.nodes_[end].next; node != end; node = code_.nodes_[node].next) {
    const Instruction& instruction = code_.nodes_[node].instruction;
    if (instruction.opcode == Opcode::label) continue;
    std::uint32_t offset = encoder_.offsets_[node];
    while (at_frame < known && frames_[at_frame].offset < offset) ++at_frame;
    if (at_frame < known && frames_[at_frame].offset == offset) {
      const Absolute& frame = frames_[at_frame];
      const VerificationType* types = types_.data() + frame.types;
      flow.load({types, frame.locals}, {types + frame.locals, frame.stack});
    }
    flow.step(static_cast<InsnId>(node));
    if (!encoder_.widened(node) || !is_conditional_jump(instruction.opcode)) continue;
    std::uint32_t behind = offset + encoder_.size_at(node, offset);
    if (at_frame + 1 < known && frames_[at_frame + 1].offset == behind) continue;
    if (at_frame < known && frames_[at_frame].offset == behind) continue;
    if (flow.failed()) return encoder_.fail("no types for the frame behind a conditional jump over 32767 bytes");
    add_absolute(behind, flow.locals(), flow.stack());
  }
  sort();
}

void FrameEncoder::add_absolute(std::uint32_t offset, const std::vector<VerificationType>& locals,
                                const std::vector<VerificationType>& stack) {
  frames_.push_back({offset, static_cast<std::uint32_t>(types_.size()), static_cast<std::uint32_t>(locals.size()),
                     static_cast<std::uint32_t>(stack.size())});
  types_.insert(types_.end(), locals.begin(), locals.end());
  types_.insert(types_.end(), stack.begin(), stack.end());
}

void FrameEncoder::write_shortest() {
  out_.u2(static_cast<std::uint32_t>(frames_.size()));
  Absolute before = {0, 0, entry_locals_, 0};
  std::uint32_t next = 0;
  for (const Absolute& frame : frames_) {
    if (frame.offset < next) return encoder_.fail("two frames are at one offset");
    write_frame(frame, before, frame.offset - next);
    next = frame.offset + 1;
    before = frame;
  }
}

void FrameEncoder::write_frame(const Absolute& frame, const Absolute& before, std::uint32_t delta) {
  const VerificationType* locals = types_.data() + frame.types;
  std::uint32_t common = std::min(frame.locals, before.locals);
  bool related = std::equal(locals, locals + common, types_.data() + before.types);
  std::int64_t more = std::int64_t{frame.locals} - before.locals;
  if (related && more == 0 && frame.stack == 0) return put_same(delta, false);
  if (related && more == 0 && frame.stack == 1) return put_same_one_stack(delta, false, locals[frame.locals]);
  if (related && frame.stack == 0 && more >= -3 && more <= 3) {
    out_.u1(static_cast<std::uint32_t>(kSameExtended + more));
    out_.u2(delta);
    if (more > 0) put_types(locals + common, static_cast<std::uint32_t>(more));
    return;
  }
  put_full(delta, locals, frame.locals, frame.stack);
}

void FrameEncoder::put_types(const VerificationType* types, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    out_.u1(static_cast<std::uint8_t>(types[i].tag));
    if (types[i].tag == TypeTag::kObject) {
      out_.u2(types[i].class_index());
    } else if (types[i].tag == TypeTag::kUninitialized) {
      out_.u2(encoder_.offset_of(types[i].new_instruction()));
    }
  }
}

void FrameEncoder::put_same(std::uint32_t delta, bool extended) {
  if (!extended && delta < kSameOneStackBase) return out_.u1(delta);
  out_.u1(kSameExtended);
  out_.u2(delta);
}

void FrameEncoder::put_same_one_stack(std::uint32_t delta, bool extended, const VerificationType& type) {
  if (!extended && delta < kSameOneStackBase) {
    out_.u1(kSameOneStackBase + delta);
  } else {
    out_.u1(kSameOneStackExtended);
    out_.u2(delta);
  }
  put_types(&type, 1);
}

void FrameEncoder::put_full(std::uint32_t delta, const VerificationType* types, std::uint32_t locals,
                            std::uint32_t stack) {
  out_.u1(kFull);
  out_.u2(delta);
  out_.u2(locals);
  put_types(types, locals);
  out_.u2(stack);
  put_types(types + locals, stack);
}

}  // namespace deadheat::classfile
