// SPDX-License-Identifier: Apache-2.0
//
// The controlled scheduler replaces the calls of Object.wait, notify, notifyAll, Thread.sleep and yield that it sees in
// bytecode. Reflection, method handles and native code call these methods without such an instruction, and all of them
// end in a few native methods. Here those are bound to functions that ask the scheduler first (DeadheatGateMonitors,
// DeadheatGateThreads) and call the VM's own when it has no say.
#pragma once

#include <jvmti.h>

namespace deadheat::agent {

// As long as one lives, its thread's calls of these methods are the real ones: for what the gate does for itself.
class UngatedCalls {
 public:
  UngatedCalls();
  ~UngatedCalls();
  UngatedCalls(const UngatedCalls&) = delete;
  UngatedCalls& operator=(const UngatedCalls&) = delete;
};

// Both are called by Java code of java.base, or the VM warns of it, and return false if this VM does not have the
// functions that we know.
//
// For the scheduler, whether or not a detector runs along.
bool gate_native_methods(jvmtiEnv* jvmti, JNIEnv* jni);
// For a detector alone: the one method that gives a monitor up and, in JDK 17, has no code to hook. True where there is
// none.
bool watch_native_wait(jvmtiEnv* jvmti, JNIEnv* jni);

// Makes that Java code call them: a static method of a shim class that returns what they do.
bool take_native_methods(JNIEnv* jni, const char* shim_class, const char* method);

}  // namespace deadheat::agent
