// SPDX-License-Identifier: Apache-2.0
//
// Stacks of Java threads as JSON, without frames of the shim. For threads that stand still: the current one, or one that
// waits in native code or in Object.wait.
#pragma once

#include <jvmti.h>

#include "base/json_writer.h"

namespace deadheat::agent {

// Writes the frames, innermost first, into an open array. `thread` null: the current one.
void write_frames(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread, JsonWriter& json);

// The class of an object, as people write it: `java.util.ArrayList`, `int[]`.
std::string class_of(jvmtiEnv* jvmti, JNIEnv* jni, jobject object);

}  // namespace deadheat::agent
