// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jni.h>

namespace deadheat::agent {

// Registers the native methods of DeadheatGate; see natives.h.
bool register_gate_natives(JNIEnv* jni, jclass gate);

}  // namespace deadheat::agent
