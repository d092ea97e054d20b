// SPDX-License-Identifier: Apache-2.0
//
// Whether objects of a class may have a finalizer, as far as can be told when the class is rewritten. Its superclass is
// often not loaded by then, so the answer is on the safe side; which objects do have one the VM tells when it registers
// them (DeadheatFinalizers.java).
#pragma once

#include "agent/class_table.h"
#include "classfile/class_file.h"

namespace deadheat::agent {

// Of a class that is about to be registered with this loader. Any thread.
bool may_be_finalized(const classfile::ClassFile& cls, LoaderId loader, const ClassTable& classes);

}  // namespace deadheat::agent
