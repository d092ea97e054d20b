// SPDX-License-Identifier: Apache-2.0
//
// Internal to classfile: turns a Code back into the bytes of its attribute. First the size and offset of every node,
// with jumps short until their distance says otherwise, then the bytes, then the tables.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "classfile/code.h"

namespace deadheat::classfile {

class CodeEncoder {
 public:
  CodeEncoder(const Code& code, ConstantPool& pool) : code_(code), pool_(pool) {}
  Result<std::vector<std::uint8_t>> encode();

 private:
  friend class FrameEncoder;

  bool lay_out();
  bool widen_jumps();
  std::uint32_t size_at(std::uint32_t node, std::uint32_t offset) const;
  bool widened(std::uint32_t node) const { return !widened_.empty() && widened_[node] != 0; }

  void emit_code();
  void emit(std::uint32_t node);
  void emit_local(const Instruction& instruction);
  void emit_jump(std::uint32_t node);
  void emit_switch(std::uint32_t node);
  void emit_pool_index(const Instruction& instruction);
  void emit_handlers();
  void emit_attributes();
  void emit_lines(const Code::SubAttribute& attribute);
  void emit_variables(const Code::SubAttribute& attribute);
  void emit_annotations(const Code::SubAttribute& attribute);
  void emit_frames(std::uint16_t name);

  std::uint32_t offset_of(Label label);
  std::uint32_t from_start(Label label);
  std::uint32_t offset_of(InsnId id) const { return offsets_[static_cast<std::uint32_t>(id)]; }
  void fail(const char* problem) {
    if (problem_ == nullptr) problem_ = problem;
  }

  const Code& code_;
  ConstantPool& pool_;
  ByteWriter out_;
  std::vector<std::uint32_t> offsets_;  // by node; kUnlinked for a label never placed
  std::vector<std::uint8_t> widened_;   // by node, empty while no jump is too far for two bytes
  bool inverts_ = false;                // a widened jump is a conditional one
  std::uint32_t length_ = 0;            // of the bytecode
  const char* problem_ = nullptr;       // the first one; sticky
};

}  // namespace deadheat::classfile
