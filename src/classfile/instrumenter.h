// SPDX-License-Identifier: Apache-2.0
//
// Applies a Plan to one class. A method that cannot take all hooks, because it would be larger than the format allows,
// takes those that may order threads; one that cannot be rewritten at all stays as it was. The guide is told of both;
// the class is written all the same. Never makes a class that fails verification out of one that passes.
#pragma once

#include <cstdint>
#include <string_view>

#include "classfile/class_file.h"
#include "classfile/plan.h"

namespace deadheat::classfile {

struct InstrumentOptions {
  bool arrays = true;  // array points
  // The arrays of this class are its own: never reached but through its fields. Elements are then told by the object
  // that holds the array, and arrays that come from elsewhere are left alone.
  bool held_arrays = false;
  // The array fields of this class may know what is known of their array: where elements of an array from a field are
  // accessed, Plan::array_known is asked behind the read of the field.
  bool known_arrays = false;
  // Arrays that go from method to method while nobody else has a reference to them are left alone (handed_arrays.cc).
  bool handed_arrays = false;
  // Plain stores into arrays of references publish (fork-join's work queues); everything else of arrays is left alone.
  bool publishing_stores = false;
  bool monitors = true;  // monitorenter, monitorexit, synchronized methods
  bool fields = true;    // field and static points (the guide still decides about each)
  // What may order threads alone: no array points, and the guide is told to leave plain accesses alone. instrument()
  // sets it for methods that cannot take more.
  bool orders_only = false;
  bool drop_redundant = true;
  bool contexts = false;  // calling contexts
  // The number the class has in class_used and initialiser_ends; 0 when it has no initialiser or is not to be watched
  // for it.
  std::uint32_t init = 0;
  // A long field of the class that takes what Plan::freeze returns at the end of each constructor that does not leave
  // the work to another one (JLS 17.5.1); empty: none.
  std::string_view freeze_field;
  // Constructors that end by an exception freeze as well, whether or not they let the object out themselves.
  bool freezes_failures = false;
  // Without such a field: Plan::frozen is given the object there.
  bool tells_freezes = false;
  // What Plan::constructed is given besides the object; 0: objects of the class have no finalizer.
  std::uint32_t finalizable = 0;

  // Whether calls that the rule speaks of are hooked. Rules with a site speak of arrays (and kClone of fields too).
  bool takes(const CallRule& rule) const {
    const bool of_arrays = rule.with_site && !rule.anywhere && rule.action != CallRule::Action::kClone;
    return !of_arrays || (arrays && !(held_arrays && rule.held.owner.empty()));
  }
};

struct InstrumentCounts {
  std::uint32_t methods = 0;          // changed
  std::uint32_t points = 0;           // hooks inserted
  std::uint32_t redundant = 0;        // checks left out because an earlier one in the block covers them
  std::uint32_t fresh = 0;            // checks left out because no other thread can have seen the array or object yet
  std::uint32_t without_context = 0;  // methods too large to take calling contexts as well
};

InstrumentCounts instrument(ClassFile& cls, const Plan& plan, const InstrumentOptions& options, PointGuide& guide);

// One set of hooks: which, how, and who is asked.
struct HookSet {
  const Plan& plan;
  const InstrumentOptions& options;
  PointGuide& guide;
};

// Two sets at once, each at the original instructions of the class. In front of an instruction the hooks of `outer`
// come first; of a call that `outer` replaces `inner` knows nothing any more. Monitors are left to `inner` alone.
// A method that cannot take both takes those of `inner`.
InstrumentCounts instrument(ClassFile& cls, const HookSet& outer, const HookSet& inner);

}  // namespace deadheat::classfile
