// SPDX-License-Identifier: Apache-2.0
//
// Final fields that another thread may read before they are final: an object whose constructor lets `this` out is known
// elsewhere while its fields are still being set, and until the constructor has ended nothing is frozen (JLS 17.5.1).
#pragma once

#include <vector>

#include "classfile/class_file.h"

namespace deadheat::classfile {

// What the constructors of a class do with an object that is not complete.
struct OpenFinals {
  // Whether one of them may let it out itself. (Whether super(…) does is not known here.)
  bool leaks = false;
  // By index in ClassFile::fields: the final instance fields that are set by a constructor that does, and by any that
  // calls super(…). Empty: none, or the end of one of these constructors, by an exception too, could not be told; a
  // read after the freeze must never be taken for one before it.
  std::vector<bool> if_this_leaks;
  std::vector<bool> if_super_leaks;
};

OpenFinals open_finals(const ClassFile& cls);

}  // namespace deadheat::classfile
