// SPDX-License-Identifier: Apache-2.0
//
// Binds native methods of shim classes to functions.
#pragma once

#include <jni.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "agent/natives.h"

namespace deadheat::agent {

template <typename Function>
JNINativeMethod native_method(const char* name, const char* descriptor, Function* function) {
  return {const_cast<char*>(name), const_cast<char*>(descriptor), reinterpret_cast<void*>(function)};
}

// False when there is no such class, or with a pending Java exception when the VM refuses.
template <std::size_t kCount>
bool bind_natives(JNIEnv* jni, std::span<const ShimClass> classes, std::string_view name,
                  const JNINativeMethod (&methods)[kCount]) {
  for (const ShimClass& shim : classes) {
    if (shim.name == name) return jni->RegisterNatives(shim.type, methods, kCount) == JNI_OK;
  }
  return false;
}

}  // namespace deadheat::agent
