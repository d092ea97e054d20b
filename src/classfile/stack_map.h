// SPDX-License-Identifier: Apache-2.0
//
// Stack-map frames (JVMS 4.7.4) in a form that survives edits: a frame stands at a label and an uninitialised object is
// named by its `new` instruction. Code (code.h) owns the frames; this is their vocabulary.
#pragma once

#include <cstdint>

#include "classfile/instruction.h"

namespace deadheat::classfile {

// The type of one local or stack entry as the verifier sees it. A long or double is one entry here, as in the file.
struct VerificationType {
  enum class Tag : std::uint8_t {
    kTop = 0,
    kInteger = 1,
    kFloat = 2,
    kDouble = 3,
    kLong = 4,
    kNull = 5,
    kUninitializedThis = 6,
    kObject = 7,
    kUninitialized = 8,
  };

  static VerificationType simple(Tag tag) { return {tag, 0}; }
  static VerificationType object(std::uint16_t class_index) { return {Tag::kObject, class_index}; }
  static VerificationType uninitialized(InsnId at) { return {Tag::kUninitialized, static_cast<std::uint32_t>(at)}; }

  std::uint16_t class_index() const { return static_cast<std::uint16_t>(data); }  // kObject
  InsnId new_instruction() const { return static_cast<InsnId>(data); }            // kUninitialized
  std::uint32_t slots() const { return tag == Tag::kLong || tag == Tag::kDouble ? 2 : 1; }

  friend bool operator==(const VerificationType&, const VerificationType&) = default;

  Tag tag = Tag::kTop;
  std::uint32_t data = 0;
};

// A frame as it stands in the file: relative to the frame before it unless it is full.
struct Frame {
  enum class Form : std::uint8_t { kSame, kSameOneStack, kChop, kAppend, kFull };

  Label at{};
  Form form = Form::kSame;
  bool extended = false;     // kSame, kSameOneStack: the file used the two-byte delta, keep it
  std::uint8_t chopped = 0;  // kChop: how many locals go
  std::uint16_t locals = 0;  // entries in Code's type store: the locals first (kAppend, kFull), then the stack
  std::uint16_t stack = 0;
  std::uint32_t types = 0;  // where they start there
};

}  // namespace deadheat::classfile
