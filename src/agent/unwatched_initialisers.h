// SPDX-License-Identifier: Apache-2.0
//
// Under control no switch is offered while a class is initialised: others that need it would block in the VM. That
// holds for classes of the JDK that are not watched, too, whose initialisers call code that is.
#pragma once

#include "classfile/class_file.h"

namespace deadheat::agent {

// Puts the hooks of such a region around the initialiser of a class that is left alone otherwise. False: it has none,
// or is one that the shim stands on, and the class is as it was.
bool wrap_unwatched_initialiser(classfile::ClassFile& cls);

}  // namespace deadheat::agent
