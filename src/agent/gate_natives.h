// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jni.h>

#include <span>

#include "agent/natives.h"

namespace deadheat::agent {

// Registers the native methods of DeadheatGate and the classes beside it; see register_natives.
bool bind_gate_natives(JNIEnv* jni, std::span<const ShimClass> classes);

}  // namespace deadheat::agent
