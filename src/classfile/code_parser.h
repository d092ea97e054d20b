// SPDX-License-Identifier: Apache-2.0
//
// Internal to classfile: reads a Code attribute into a Code. Every count, offset and index that matters for running the
// code is checked; a debug table that makes no sense is kept as raw bytes instead of failing the method.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "classfile/code.h"

namespace deadheat::classfile {

class CodeParser {
 public:
  CodeParser(const ClassFile& cls, const Member& method, ByteSpan attribute)
      : cls_(cls), method_(method), in_(attribute) {}
  Result<Code> parse();

 private:
  static constexpr std::uint32_t kNoInstruction = 0xffffffff;

  void describe_entry();
  bool scan_instructions();
  bool scan_one(ByteReader& in, std::uint32_t offset);
  bool scan_switch(ByteReader& in, std::uint32_t offset, Instruction& instruction);
  bool resolve_jumps();
  bool read_handlers();
  bool read_attributes();
  bool read_attribute(std::uint16_t name, ByteSpan bytes);

  // Each reads a whole attribute; false if it is odd, what it had read so far is dropped by the caller.
  bool read_lines(ByteReader in);
  bool read_variables(ByteReader in);
  bool read_annotations(ByteReader in);
  bool read_annotation(ByteReader& in);
  bool read_frames(ByteReader in);
  bool read_types(ByteReader& in, std::uint32_t count);

  // The instruction at an offset, the end mark at the code's length.
  std::optional<std::uint32_t> node_at(std::int64_t offset) const;
  std::optional<InsnId> instruction_at(std::uint32_t offset) const;
  std::optional<Label> label_at(std::int64_t offset, Code::Rank rank);
  std::optional<Label> target_at(std::int64_t offset);  // of a jump, a handler or a frame: in front of an instruction

  const ClassFile& cls_;
  const Member& method_;
  ByteReader in_;
  ByteSpan bytecode_;
  Code code_;
  std::vector<std::uint32_t> node_of_;  // by offset, kNoInstruction inside an instruction
  // Where a jump or switch leads as distances, until all instructions are known.
  struct PendingSwitch {
    std::int32_t fallback;
    std::vector<std::int32_t> targets;
  };
  std::vector<PendingSwitch> pending_;
  bool has_frames_ = false;  // a StackMapTable was read
  const char* problem_ = "the Code attribute is malformed";
};

}  // namespace deadheat::classfile
