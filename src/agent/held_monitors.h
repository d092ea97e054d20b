// SPDX-License-Identifier: Apache-2.0
//
// The monitors that the current thread holds, for the report of a race. Asked for at a report only: the VM looks
// through the thread's frames.
#pragma once

#include <jvmti.h>

#include <optional>
#include <string>
#include <vector>

namespace deadheat::agent {

// `a.b.C@1f` with the identity hash, `class a.b.C` for the monitor of a class. Nothing when the VM does not tell.
std::optional<std::vector<std::string>> held_monitors(jvmtiEnv* jvmti, JNIEnv* jni);

}  // namespace deadheat::agent
