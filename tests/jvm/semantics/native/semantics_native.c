// SPDX-License-Identifier: Apache-2.0
//
// The native half of semantics.NativeCases.
#include <jni.h>

JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Jni_enter(JNIEnv* env, jclass type, jobject object) {
  (void)type;
  (*env)->MonitorEnter(env, object);
}

JNIEXPORT jint JNICALL Java_semantics_NativeCases_00024Jni_exit(JNIEnv* env, jclass type, jobject object) {
  (void)type;
  const jint result = (*env)->MonitorExit(env, object);
  if (result != JNI_OK) (*env)->ExceptionClear(env);  // IllegalMonitorStateException
  return result;
}

// Leaves the monitor with the exception of the callback pending, as JNI allows.
JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Jni_locked(JNIEnv* env, jclass type, jobject object, jobject action) {
  (void)type;
  const jmethodID run = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, action), "run", "()V");
  (*env)->MonitorEnter(env, object);
  (*env)->CallVoidMethod(env, action, run);
  (*env)->MonitorExit(env, object);
}
