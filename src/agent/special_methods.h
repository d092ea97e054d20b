// SPDX-License-Identifier: Apache-2.0
//
// The few methods of the JDK that get a hook of their own because no instruction of theirs says what they mean: where
// reflection drops hidden fields, where an InterruptedException is made, where virtual threads begin and end.
#pragma once

#include "classfile/class_file.h"

namespace deadheat::agent {

// Edits the special methods of a class of the JDK, if it has any; whether it has. Before the class is instrumented
// otherwise.
// What the class is rewritten for. A run that only learns relations has no use for the hooks of the other two; the
// detectors of candidates want those of the detector, and more in the program's code (lock_calls.h).
enum class Purpose { kDetector, kCandidates, kScheduler, kBoth, kRelations };
bool hook_special_methods(classfile::ClassFile& cls, Purpose purpose = Purpose::kDetector);

}  // namespace deadheat::agent
