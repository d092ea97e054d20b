// SPDX-License-Identifier: Apache-2.0
//
// Monitors that native code enters and leaves through JNI: MonitorEnter and MonitorExit of the JVM's function table are
// wrapped, and tell the shim as `synchronized` blocks do. Any thread may then be in them, with an exception pending.
#pragma once

#include <jvmti.h>

#include <cstdint>

namespace deadheat::agent {

// Who is told.
enum class MonitorsFor : std::uint8_t { kDetector, kScheduler };

// Once, in the VMInit event, with the shim live. False: this JVM does not let its table be changed, and such monitors
// stay unseen.
bool watch_jni_monitors(jvmtiEnv* jvmti, JNIEnv* jni, MonitorsFor whom);

// Tell the shim that the calling thread has entered the monitor of an object, and that it is about to leave it. Nothing
// before watch_jni_monitors.
void monitor_entered(JNIEnv* jni, jobject object);
void monitor_exiting(JNIEnv* jni, jobject object);

// For the agent's own use of monitors: MonitorEnter and MonitorExit that tell nobody.
jint enter_unwatched(JNIEnv* jni, jobject object);
jint exit_unwatched(JNIEnv* jni, jobject object);

}  // namespace deadheat::agent
