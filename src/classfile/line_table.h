// SPDX-License-Identifier: Apache-2.0
//
// Source lines of a method by bytecode index, read from its Code attribute as it is in the file.
#pragma once

#include <cstdint>
#include <vector>

#include "classfile/class_file.h"

namespace deadheat::classfile {

class LineTable {
 public:
  // Empty when the method has no code or no LineNumberTable, or when that is malformed.
  static LineTable of(const ClassFile& cls, const Member& method);
  // The line of the instruction, 0 when it is not known.
  std::uint16_t line_at(std::uint32_t bytecode_index) const;

 private:
  struct Entry {
    std::uint16_t start;
    std::uint16_t line;
  };
  std::vector<Entry> entries_;  // ascending by start
};

}  // namespace deadheat::classfile
