// SPDX-License-Identifier: Apache-2.0
//
// Whether any hook can go into a method, told from its bytes. Most methods of the JDK take none, and to read over the
// instructions of one costs a small part of what parsing, following and writing it costs. Internal to the instrumenter;
// one object per class, asked about one method after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classfile/instrumenter.h"
#include "classfile/opcode.h"

namespace deadheat::classfile {

class HookNeed {
 public:
  HookNeed(const ClassFile& cls, std::span<const HookSet> sets);
  // False: all sets leave the method as it is. True says little: also where the bytes are not as they should be.
  bool may_take_any(std::uint32_t method);
  // The same of instructions that name the field or method at this index of the pool.
  bool may_take_field(std::uint32_t index) { return of_member(index, true); }
  bool may_take_call(std::uint32_t index) { return all_calls_ || of_member(index, false); }

 private:
  enum class Known : std::uint8_t { kNothing, kTaken, kLeft };

  bool around(const HookSet& set, std::uint32_t method) const;
  bool in_code(ByteSpan code);
  bool at(Opcode opcode, std::uint32_t operand);
  bool of_member(std::uint32_t index, bool is_field);
  bool of_field(const MemberRef& field) const;
  bool of_call(const MemberRef& method) const;

  const ClassFile& cls_;
  const std::span<const HookSet> sets_;
  std::vector<Known> members_;  // by index in the pool
  // What some set asks for, wherever it is.
  bool fields_ = false;
  bool all_reads_ = false;
  bool all_calls_ = false;
  bool monitors_ = false;
  bool arrays_ = false;
  bool stores_ = false;
  bool dynamic_ = false;
};

}  // namespace deadheat::classfile
