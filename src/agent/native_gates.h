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

// Called by Java code of java.base, or the VM warns of it. False, and nothing changed, if this VM does not have the
// functions that we know.
bool gate_native_methods(jvmtiEnv* jvmti, JNIEnv* jni);

}  // namespace deadheat::agent
