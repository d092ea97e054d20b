// SPDX-License-Identifier: Apache-2.0
//
// An abstract interpreter over one method: what lies on the stack and in the locals before each reachable instruction.
// It knows slot sizes, uninitialised objects, value identity and arrays that no other thread can have seen yet. It
// knows no class hierarchy: two different references merge to some reference. It never fails: a method with anything
// odd in it (jsr, inconsistent stack, absurd size) is simply not known().
//
// Runs on a parsed Code that has not been edited; the result stays good while the Code is edited afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code.h"

namespace deadheat::classfile {

class AbstractValue {
 public:
  enum class Kind : std::uint8_t {
    kTop,  // unusable: never set, or different things on different paths
    kInt,
    kFloat,
    kLong,        // the lower slot of two
    kDouble,      // the lower slot of two
    kSecondSlot,  // the upper slot of a long or double
    kNull,
    kReference,
    kFreshArray,         // made by a newarray or anewarray of this call; no other thread can have a reference to it
    kHandedArray,        // the same if it was when it came from the caller, or back from a call; see handed_arrays.cc
    kUninitializedThis,  // a constructor's `this` before super()
    kUninitialized,      // a new object before its constructor call
  };

  constexpr AbstractValue() = default;
  constexpr AbstractValue(Kind kind, std::uint32_t number) : bits_(number << 4 | static_cast<std::uint32_t>(kind)) {}

  constexpr Kind kind() const { return static_cast<Kind>(bits_ & 15); }
  // Two values with the same number, seen in one state or in two states with no join between them, are the same value:
  // the same reference, the same int. Small int constants with the same value share a number.
  constexpr std::uint32_t number() const { return bits_ >> 4; }
  constexpr bool is_reference() const { return kind() >= Kind::kNull; }
  // kFreshArray, kUninitialized: the instruction that made it.
  constexpr InsnId made_at() const { return static_cast<InsnId>(number()); }

  friend constexpr bool operator==(AbstractValue, AbstractValue) = default;

 private:
  std::uint32_t bits_ = 0;
};

class FrameAnalysis {
 public:
  // The pool of `cls` must outlive the result. `handed`: array parameters, and arrays that calls return, are
  // kHandedArray to begin with, and stay it when they are passed on (may_hand()); else they are references like others.
  static FrameAnalysis run(const ClassFile& cls, const Member& method, const Code& code, bool handed = false);
  // Whether a call may be of a method that tells whether it has kept an array to itself.
  static bool may_hand(Opcode invoke, const MemberRef& method);

  // Whether there is an answer for this method at all.
  bool known() const { return known_; }
  bool reachable(InsnId at) const { return known_ && reached_[static_cast<std::uint32_t>(at)] != 0; }
  // Whether control can come to this instruction from elsewhere than the one before it. Between two joins, values with
  // the same number() are the same.
  bool is_join(InsnId at) const { return known_ && state_of_[static_cast<std::uint32_t>(at)] != kNoState; }

  // Reads the states. Visiting instructions in ascending order costs O(1) each; any order works.
  class Cursor {
   public:
    explicit Cursor(const FrameAnalysis& analysis);
    // Goes to the state before the instruction; false if it is unreachable or nothing is known.
    bool seek(InsnId at);
    std::uint32_t stack_slots() const { return depth_; }
    // Slots below the top: 0 is the top slot. A long on top is kSecondSlot at 0 and kLong at 1. kTop when too deep.
    AbstractValue stack(std::uint32_t below_top) const;
    // kTop past max_locals.
    AbstractValue local(std::uint32_t index) const;

   private:
    const FrameAnalysis& analysis_;
    std::vector<AbstractValue> slots_;  // locals, then the stack
    std::uint32_t depth_ = 0;
    std::uint32_t at_;
  };

 private:
  friend class FrameInterpreter;
  static constexpr std::uint32_t kNoState = 0xffffffff;

  const ConstantPool* pool_ = nullptr;
  std::vector<Instruction> instructions_;  // a copy: the Code may be edited while a Cursor is in use
  std::vector<std::uint8_t> reached_;
  std::vector<std::uint32_t> state_of_;  // by instruction: the number of its stored state if it is a join
  std::vector<AbstractValue> states_;    // frame_size_ values for each
  std::vector<std::uint32_t> depths_;
  std::uint32_t max_locals_ = 0;
  std::uint32_t frame_size_ = 0;  // max_locals + max_stack
  bool handed_ = false;
  bool known_ = false;
};

}  // namespace deadheat::classfile
