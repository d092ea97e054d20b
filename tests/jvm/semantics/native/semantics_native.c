// SPDX-License-Identifier: Apache-2.0
//
// The native half of semantics.NativeCases.
#include <jni.h>
#include <sched.h>
#include <stdatomic.h>

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

static void run(JNIEnv* env, jobject action) {
  (*env)->CallVoidMethod(env, action, (*env)->GetMethodID(env, (*env)->GetObjectClass(env, action), "run", "()V"));
}

JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Locked_locked(JNIEnv* env, jobject self, jobject action) {
  (void)self;
  run(env, action);
}

JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Locked_lockedByClass(JNIEnv* env, jclass type, jobject action) {
  (void)type;
  run(env, action);
}

JNIEXPORT jdouble JNICALL Java_semantics_NativeCases_00024Locked_sum(JNIEnv* env, jobject self, jobject action, jint a, jlong b, jfloat c,
                                                                     jdouble d, jbyte e, jshort f, jlong g, jdouble h, jdouble i, jdouble j,
                                                                     jdouble k, jdouble l, jdouble m, jdouble n, jdouble o) {
  (void)self;
  run(env, action);
  return a + (jdouble)b + c + d + e + f + (jdouble)g + h + i + j + k + l + m + n + o;
}

JNIEXPORT jlong JNICALL Java_semantics_NativeCases_00024Locked_last(JNIEnv* env, jclass type, jobject action, jlong a, jlong b, jlong c,
                                                                    jlong d, jlong e, jlong f) {
  (void)type;
  run(env, action);
  return a + b + c + d + e == 15 ? f : 0;
}

// StaticCallDuringInit: one thread is in the initialiser of the remembered class until another has entered its use().
static _Atomic(jclass) remembered;
static _Atomic(jmethodID) remembered_use;
static atomic_int has_entered;

JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Jni_remember(JNIEnv* env, jclass type, jclass target) {
  (void)type;
  atomic_store(&remembered_use, (*env)->GetStaticMethodID(env, target, "use", "()V"));
  atomic_store(&remembered, (*env)->NewGlobalRef(env, target));
}

JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Jni_callRemembered(JNIEnv* env, jclass type) {
  (void)type;
  while (atomic_load(&remembered) == NULL) sched_yield();
  (*env)->CallStaticVoidMethod(env, atomic_load(&remembered), atomic_load(&remembered_use));
}

JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Jni_entered(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  atomic_store(&has_entered, 1);
}

JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Jni_awaitEntered(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  while (!atomic_load(&has_entered)) sched_yield();
}

static jmethodID method_of_object(JNIEnv* env, const char* name, const char* descriptor) {
  return (*env)->GetMethodID(env, (*env)->FindClass(env, "java/lang/Object"), name, descriptor);
}

JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Jni_await(JNIEnv* env, jclass type, jobject o, jlong millis) {
  (void)type;
  (*env)->CallVoidMethod(env, o, method_of_object(env, "wait", "(J)V"), millis);
}

JNIEXPORT void JNICALL Java_semantics_NativeCases_00024Jni_signal(JNIEnv* env, jclass type, jobject o) {
  (void)type;
  (*env)->CallVoidMethod(env, o, method_of_object(env, "notify", "()V"));
}

// StartedWhenTheOtherHasEnded: no method of the thread is called, by which whoever asks would come after its end.
JNIEXPORT jboolean JNICALL Java_semantics_NativeCases_00024Jni_hasEnded(JNIEnv* env, jclass type, jobject thread) {
  (void)type;
  const jclass threads = (*env)->FindClass(env, "java/lang/Thread");
  return (*env)->GetLongField(env, thread, (*env)->GetFieldID(env, threads, "eetop", "J")) == 0;
}
