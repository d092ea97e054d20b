// SPDX-License-Identifier: Apache-2.0
//
// The native methods of the shim classes.
#pragma once

#include <jni.h>

#include <span>

namespace deadheat::agent {

struct ShimClass {
  const char* name;
  jclass type;
};

// Registers them all in the classes just defined (which must not be looked up: that would initialise them). False, with
// a pending Java exception cleared, when the VM refuses.
bool register_natives(JNIEnv* jni, std::span<const ShimClass> classes);

}  // namespace deadheat::agent
