// SPDX-License-Identifier: Apache-2.0
//
// Internal to classfile: writes the StackMapTable of a Code whose offsets are known. Parsed frames alone keep their
// forms and only get new deltas. Once a frame was added or a local pinned, all frames are made absolute, merged by
// offset and written in the shortest form again.
#pragma once

#include <cstdint>
#include <vector>

#include "classfile/code_encoder.h"
#include "classfile/stack_map.h"

namespace deadheat::classfile {

class FrameEncoder {
 public:
  explicit FrameEncoder(CodeEncoder& encoder) : encoder_(encoder), code_(encoder.code_), out_(encoder.out_) {}
  // Puts out the attribute's content. Problems go to the CodeEncoder.
  void encode();

 private:
  // A frame in full: `locals` then `stack` entries in types_.
  struct Absolute {
    std::uint32_t offset;
    std::uint32_t types;
    std::uint32_t locals;
    std::uint32_t stack;
  };

  void keep_forms();
  void expand_parsed();
  void append_entry_locals();
  void pin_locals(std::size_t first_local);
  void add_new();
  void sort();
  void add_behind_inverted();
  void add_absolute(std::uint32_t offset, const std::vector<VerificationType>& locals,
                    const std::vector<VerificationType>& stack);
  void write_shortest();
  void write_frame(const Absolute& frame, const Absolute& before, std::uint32_t delta);
  void put_types(const VerificationType* types, std::uint32_t count);
  void put_same(std::uint32_t delta, bool extended);
  void put_same_one_stack(std::uint32_t delta, bool extended, const VerificationType& type);
  void put_full(std::uint32_t delta, const VerificationType* types, std::uint32_t locals, std::uint32_t stack);

  CodeEncoder& encoder_;
  const Code& code_;
  ByteWriter& out_;
  std::vector<Absolute> frames_;
  std::vector<VerificationType> types_;  // the locals at the method's entry first
  std::uint32_t entry_locals_ = 0;
};

}  // namespace deadheat::classfile
