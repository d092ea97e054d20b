// SPDX-License-Identifier: Apache-2.0
#include "agent/jni_monitors.h"

namespace deadheat::agent {

namespace {

// Written once, before the table is changed; the wrappers have no other way to them.
struct Originals {
  jint(JNICALL* enter)(JNIEnv*, jobject) = nullptr;
  jint(JNICALL* exit)(JNIEnv*, jobject) = nullptr;
  jclass shim = nullptr;
  jmethodID entering = nullptr;  // null: nobody is told before
  jmethodID entered = nullptr;
  jmethodID exiting = nullptr;
};
Originals originals;

// JNI allows leaving a monitor, but no call of Java code, while an exception is pending.
void tell(JNIEnv* jni, jmethodID hook, jobject object) {
  if (hook == nullptr) return;  // the shim is not live yet
  const jthrowable pending = jni->ExceptionOccurred();
  if (pending != nullptr) jni->ExceptionClear();
  jni->CallStaticVoidMethod(originals.shim, hook, object);
  if (jni->ExceptionCheck()) jni->ExceptionClear();  // the stack is at its end
  if (pending == nullptr) return;
  jni->Throw(pending);
  jni->DeleteLocalRef(pending);
}

jint JNICALL enter(JNIEnv* jni, jobject object) {
  if (originals.entering != nullptr && object != nullptr) {
    tell(jni, originals.entering, object);
    const jint result = originals.enter(jni, object);
    if (result != JNI_OK) monitor_exiting(jni, object);
    return result;
  }
  const jint result = originals.enter(jni, object);
  if (result == JNI_OK) monitor_entered(jni, object);
  return result;
}

jint JNICALL leave(JNIEnv* jni, jobject object) {
  if (object != nullptr) monitor_exiting(jni, object);
  return originals.exit(jni, object);
}

}  // namespace

void monitor_entered(JNIEnv* jni, jobject object) { tell(jni, originals.entered, object); }

void monitor_exiting(JNIEnv* jni, jobject object) { tell(jni, originals.exiting, object); }

jint enter_unwatched(JNIEnv* jni, jobject object) {
  return originals.enter != nullptr ? originals.enter(jni, object) : jni->MonitorEnter(object);
}

jint exit_unwatched(JNIEnv* jni, jobject object) {
  return originals.exit != nullptr ? originals.exit(jni, object) : jni->MonitorExit(object);
}

bool watch_jni_monitors(jvmtiEnv* jvmti, JNIEnv* jni, MonitorsFor whom) {
  const bool schedules = whom == MonitorsFor::kScheduler;
  const jclass shim = jni->FindClass(schedules ? "java/lang/DeadheatGateMonitors" : "java/lang/DeadheatSync");
  if (shim != nullptr) {
    originals.shim = static_cast<jclass>(jni->NewGlobalRef(shim));
    if (schedules) originals.entering = jni->GetStaticMethodID(shim, "lockingNative", "(Ljava/lang/Object;)V");
    originals.entered = jni->GetStaticMethodID(shim, "enteredNative", "(Ljava/lang/Object;)V");
    originals.exiting = jni->GetStaticMethodID(shim, "exitingNative", "(Ljava/lang/Object;)V");
  }
  jni->ExceptionClear();
  if (originals.entered == nullptr || originals.exiting == nullptr) return false;
  jniNativeInterface* table = nullptr;
  if (jvmti->GetJNIFunctionTable(&table) != JVMTI_ERROR_NONE) return false;
  originals.enter = table->MonitorEnter;
  originals.exit = table->MonitorExit;
  table->MonitorEnter = enter;
  table->MonitorExit = leave;
  const bool changed = jvmti->SetJNIFunctionTable(table) == JVMTI_ERROR_NONE;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(table));
  return changed;
}

}  // namespace deadheat::agent
