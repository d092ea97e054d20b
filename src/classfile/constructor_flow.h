// SPDX-License-Identifier: Apache-2.0
//
// What a constructor does with the object it makes, behind its call of super(…) or this(…): whether others may get to
// know it, whether it can be left by an exception, which of its fields it sets. Looks at the method as it was parsed,
// whatever is being inserted meanwhile.
#pragma once

#include <cstdint>
#include <functional>

#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/frame_analysis.h"

namespace deadheat::classfile {

// Whether local 0 of a method is never written. (No compiler reuses it in a constructor.)
bool keeps_first_local(const Code& code);

class ConstructorFlow {
 public:
  // All of it must outlive this; `frames` are known().
  ConstructorFlow(const ClassFile& cls, const Code& code, const FrameAnalysis& frames);

  // Whether it is a constructor that calls super(…): it sets the fields. One that calls this(…) finds them set.
  bool calls_super() const { return super_calls_ != 0; }
  bool keeps_this() const { return keeps_first_local(code_); }
  // The last call of super(…) or this(…).
  InsnId call() const { return call_; }
  // Whether code behind that call can be given a handler that knows `this`: there is one call only, and local 0 is
  // `this`, to the verifier too, wherever the code can be left by an exception.
  bool can_handle_with_this() const { return calls_ == 1 && has_this_behind_call(); }
  // Whether it can be left by an exception there at all.
  bool may_throw_with_this() const;
  // Whether it may hand `this` to others there.
  bool leaks_this() const;
  // The fields of the class that it sets in `this`, some perhaps more than once.
  void each_field_set(const std::function<void(const MemberRef&)>& tell) const;

 private:
  bool is_behind_call(FrameAnalysis::Cursor& cursor, InsnId at) const { return at > call_ && cursor.seek(at); }
  bool has_this_behind_call() const;

  const ClassFile& cls_;
  const Code& code_;
  const FrameAnalysis& frames_;
  std::uint32_t calls_ = 0;  // of super(…) and this(…)
  std::uint32_t super_calls_ = 0;
  InsnId call_{};
};

}  // namespace deadheat::classfile
