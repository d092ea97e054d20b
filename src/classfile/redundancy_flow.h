// SPDX-License-Identifier: Apache-2.0
//
// Carries what is covered (redundancy.h) along the ways through a method whose instructions are visited once, in order.
// Where ways come together that is what all of them cover. A handler, and whatever is jumped back to, begins with
// nothing: so no value number stands for two values between a check and what it covers.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "classfile/code.h"
#include "classfile/redundancy.h"

namespace deadheat::classfile {

class RedundancyFlow {
 public:
  // Of a method that has not been edited yet.
  explicit RedundancyFlow(const Code& code);

  // Before the instruction is visited. `covered` is what was covered behind the one before it, if control comes from
  // there (`falls_in`); becomes what is covered here.
  void enter(InsnId at, bool falls_in, Redundancy& covered);
  // After it was: whatever it jumps to will know.
  void leave(InsnId at, const Redundancy& covered);

 private:
  void add_jump(std::uint32_t from, std::uint32_t to);

  struct Jump {
    std::uint32_t from;
    std::uint32_t to;
  };
  std::vector<Jump> jumps_;  // forwards, ascending by where they start
  std::size_t next_ = 0;     // the first one that was not passed
  enum class Entry : std::uint8_t { kFromAbove, kJumped, kNothing };
  std::vector<Entry> entries_;  // by instruction
  std::unordered_map<std::uint32_t, Redundancy> coming_;
};

}  // namespace deadheat::classfile
