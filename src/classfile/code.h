// SPDX-License-Identifier: Apache-2.0
//
// The Code attribute of one method as an editable instruction list. Jumps, switches, handlers, stack-map frames, line
// and local-variable tables and type annotations hang on labels or on instructions, so they follow when code is
// inserted.
//
//   Result<Code> code = Code::parse(cls, method);           // any bytes; an error means: leave this method alone
//   for (InsnId at : code.value().originals()) …insert_before(at, {…});
//   Status status = code.value().store(cls, method);        // on an error the method is as it was
//
// An unedited Code encodes to exactly the bytes it came from. Edits are O(length of what is inserted). Where things
// land:
//   insert_before(x): directly in front of x; jumps, handlers and frames at x now meet the inserted code first (unless
//     Jumps::kSkipped). Several calls insert in the order of the calls.
//   insert_after(x): directly behind x, in front of every label there; reached only from x. Several calls stack up in
//     reverse order. x must fall through.
//   Inserted code lies in the exception ranges, line entry and variable ranges of the instruction it was inserted next
//   to. Uninitialized types and type annotations follow their instruction itself.
// The caller keeps the stack and the locals consistent: raise max_stack by what the inserted code needs on top.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "classfile/class_file.h"
#include "classfile/instruction.h"
#include "classfile/stack_map.h"

namespace deadheat::classfile {

struct Handler {
  Label start{};
  Label end{};
  Label handler{};
  std::uint16_t catch_type = 0;  // class, 0 for any
};

class Code {
 public:
  enum class Jumps { kIncluded, kSkipped };
  enum class Order { kFirst, kLast };  // kFirst is the innermost handler: it is asked before all others

  // The ids of the parsed instructions in order of their offsets; unchanged by edits. Ids are dense from 0.
  class Originals {
   public:
    class Iterator {
     public:
      explicit Iterator(std::uint32_t at) : at_(at) {}
      InsnId operator*() const { return static_cast<InsnId>(at_); }
      Iterator& operator++() {
        ++at_;
        return *this;
      }
      bool operator==(const Iterator&) const = default;

     private:
      std::uint32_t at_;
    };
    explicit Originals(std::uint32_t count) : count_(count) {}
    Iterator begin() const { return Iterator(0); }
    Iterator end() const { return Iterator(count_); }
    std::uint32_t size() const { return count_; }

   private:
    std::uint32_t count_;
  };

  // Reads the method's Code attribute. The class's bytes must outlive the Code.
  static Result<Code> parse(const ClassFile& cls, const Member& method);
  // The attribute's bytes after the edits. May add names and classes to the pool. An error (code over 65535 bytes, a
  // full pool, a label never placed, two frames at one offset) concerns this method only.
  Result<std::vector<std::uint8_t>> encode(ConstantPool& pool) const;
  // encode(), then put it in the place of the method's Code attribute; on an error the method is untouched.
  Status store(ClassFile& cls, Member& method) const;

  Originals originals() const { return Originals(original_count()); }
  std::uint32_t original_count() const { return static_cast<std::uint32_t>(offsets_.size()); }
  const Instruction& at(InsnId id) const { return nodes_[static_cast<std::uint32_t>(id)].instruction; }
  // The bytecode index in the file, for parsed instructions only.
  std::uint32_t original_offset(InsnId id) const { return offsets_[static_cast<std::uint32_t>(id)]; }
  const Switch& switch_of(InsnId id) const { return switches_[static_cast<std::uint32_t>(at(id).operand)]; }
  std::span<const Handler> handlers() const { return handlers_; }
  // The parsed stack-map frames in their file form (stack_map.h), and the types one of them lists: locals, then stack.
  std::span<const Frame> frames() const { return frames_; }
  std::span<const VerificationType> types_of(const Frame& frame) const {
    return std::span(types_).subspan(frame.types, frame.locals + std::size_t{frame.stack});
  }
  // The first parsed instruction at or behind the label, original_count() if none: where a jump there ends up.
  InsnId instruction_at(Label label) const;
  bool edited() const { return edited_; }
  // Code attributes that are unknown or odd: kept byte for byte, though offsets inside them (if any) no longer fit an
  // edited method.
  std::uint32_t raw_attributes() const;

  void insert_before(InsnId at, Snippet snippet, Jumps jumps = Jumps::kIncluded);
  void insert_after(InsnId at, Snippet snippet);
  // In front of everything: runs once a call, is in no exception range, no jump leads there.
  void prepend(Snippet snippet);
  // Behind everything. The last instruction of a method never falls through, so this is reached by jumps and handlers
  // only.
  void append(Snippet snippet);
  // Labels and frames stay. Not for a `new` that a frame may name, unless the replacement is one.
  void replace(InsnId at, const Instruction& instruction);

  // Placed by Instruction::place(label) inside a snippet.
  Label new_label();
  void add_handler(const Handler& handler, Order order);
  // Needed where inserted code is a jump target or a handler, in classes of version 50 and up. Long and double are one
  // entry; missing locals at the end are kTop.
  void add_frame(Label at, std::span<const VerificationType> locals, std::span<const VerificationType> stack);
  // The same frame as the parsed one at `like`, pinned locals included.
  void add_frame_like(Label at, Label like) { frame_copies_.push_back({at, like}); }
  // Sends what the handler at this index of handlers() catches elsewhere.
  void redirect_handler(std::size_t index, Label handler);
  // Declares a fresh local in every parsed frame, for a local that prepended code sets and later code reads.
  // Frames added by add_frame() are left as given.
  void pin_local(std::uint16_t local, VerificationType type);

  std::uint32_t max_stack() const { return max_stack_; }
  std::uint32_t max_locals() const { return max_locals_; }
  void raise_max_stack(std::uint32_t by) { max_stack_ += by; }
  // A fresh local of so many slots. More than the format allows is an error of encode().
  std::uint16_t new_local(std::uint32_t slots);

 private:
  friend class CodeParser;
  friend class CodeEncoder;
  friend class FrameEncoder;

  // A node of the list: an instruction, a label, or the end mark. Parsed instructions come first, then the end mark.
  struct Node {
    Instruction instruction;
    std::uint32_t previous;
    std::uint32_t next;
  };
  struct Line {
    Label at;
    std::uint16_t number;
  };
  // An entry of LocalVariableTable or LocalVariableTypeTable.
  struct Variable {
    Label start;
    Label end;
    std::uint16_t name;
    std::uint16_t type;
    std::uint16_t index;
  };
  // A type annotation: target type, what it points at, and the untouched rest (path and annotation).
  struct VariableRange {
    Label start;
    Label end;
    std::uint16_t index;
  };
  struct TypeAnnotation {
    std::uint8_t target_type;
    std::uint8_t argument;  // of a type argument
    std::uint16_t handler;  // of an exception parameter: position among the parsed handlers
    InsnId instruction;     // of an offset target
    std::vector<VariableRange> ranges;
    ByteSpan rest;
  };
  enum class Table : std::uint8_t { kRaw, kLines, kVariables, kAnnotations, kFrames };
  // An attribute of the Code attribute: raw bytes, or a run of entries in the vector of its table.
  struct SubAttribute {
    std::uint16_t name;
    Table table;
    std::uint32_t first;
    std::uint32_t count;
    ByteSpan raw;
  };
  struct PinnedLocal {
    std::uint16_t local;
    VerificationType type;
  };

  // Of a label: boundaries of ranges come before the targets of jumps, handlers and frames where both are at one place.
  enum class Rank : std::int16_t { kBoundary, kTarget };
  static constexpr std::uint32_t kUnlinked = 0xffffffff;  // a label not placed yet

  std::uint32_t end_node() const { return original_count(); }
  bool is_label(std::uint32_t node, Rank rank) const;
  Label add_label(Rank rank);
  void link_before(std::uint32_t node, std::uint32_t next);
  void insert(std::uint32_t next, Snippet snippet);

  std::vector<Node> nodes_;             // circular through the end mark; a Label is the id of its node
  std::vector<std::uint16_t> offsets_;  // of the parsed instructions
  std::vector<Switch> switches_;
  std::vector<Handler> handlers_;
  std::uint32_t handlers_in_front_ = 0;  // added with Order::kFirst
  std::vector<Line> lines_;
  std::vector<Variable> variables_;
  std::vector<TypeAnnotation> annotations_;
  std::vector<SubAttribute> attributes_;
  std::vector<Frame> frames_;            // parsed, in order
  std::vector<Frame> added_frames_;      // all kFull
  std::vector<VerificationType> types_;  // of both
  std::vector<PinnedLocal> pinned_;
  struct FrameCopy {
    Label at;
    Label like;
  };
  std::vector<FrameCopy> frame_copies_;
  std::uint32_t max_stack_ = 0;
  std::uint32_t max_locals_ = 0;
  bool edited_ = false;
  bool needs_frames_ = false;  // class version 50 and up
  // What the frame at the method's entry follows from.
  std::uint16_t this_class_ = 0;
  std::uint16_t descriptor_ = 0;
  bool static_ = false;
  bool constructor_ = false;
};

}  // namespace deadheat::classfile
