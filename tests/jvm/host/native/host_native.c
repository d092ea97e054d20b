// SPDX-License-Identifier: Apache-2.0
//
// The native half of host.Native: what programs do with JNI.
#include <jni.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  JavaVM* vm;
  jclass type;
  jmethodID callback;
  int rounds;
  int daemon;
  int number;
} Work;

static JavaVM* the_vm(JNIEnv* env) {
  JavaVM* vm = NULL;
  (*env)->GetJavaVM(env, &vm);
  return vm;
}

// Attaches and detaches every other round, so that one native thread is several Java threads.
static void* work(void* data) {
  Work* w = data;
  char name[32];
  snprintf(name, sizeof name, "native-%d", w->number);
  for (int round = 0; round < w->rounds; round += 2) {
    JNIEnv* env = NULL;
    JavaVMAttachArgs args = {JNI_VERSION_10, name, NULL};
    jint attached = w->daemon ? (*w->vm)->AttachCurrentThreadAsDaemon(w->vm, (void**)&env, &args)
                              : (*w->vm)->AttachCurrentThread(w->vm, (void**)&env, &args);
    if (attached != JNI_OK) abort();
    for (int i = round; i < round + 2; i++) {
      (*env)->CallStaticIntMethod(env, w->type, w->callback, i);
      if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    }
    (*w->vm)->DetachCurrentThread(w->vm);
  }
  return NULL;
}

JNIEXPORT void JNICALL Java_host_Native_attached(JNIEnv* env, jclass type, jint threads, jint rounds, jboolean daemon) {
  pthread_t ids[64];
  Work works[64];
  jclass global = (*env)->NewGlobalRef(env, type);
  for (int i = 0; i < threads && i < 64; i++) {
    works[i] = (Work){the_vm(env), global, (*env)->GetStaticMethodID(env, type, "callback", "(I)I"), rounds, daemon, i};
    if (pthread_create(&ids[i], NULL, work, &works[i]) != 0) abort();
  }
  for (int i = 0; i < threads && i < 64; i++) pthread_join(ids[i], NULL);
  (*env)->DeleteGlobalRef(env, global);
}

JNIEXPORT jstring JNICALL Java_host_Native_fields(JNIEnv* env, jclass type, jobject object) {
  jfieldID number = (*env)->GetFieldID(env, type, "number", "I");
  jfieldID wide = (*env)->GetFieldID(env, type, "wide", "J");
  jfieldID numbers = (*env)->GetFieldID(env, type, "numbers", "[I");
  jfieldID shared = (*env)->GetStaticFieldID(env, type, "shared", "Ljava/lang/String;");
  char text[100];
  snprintf(text, sizeof text, "%d %lld", (*env)->GetIntField(env, object, number), (long long)(*env)->GetLongField(env, object, wide));
  (*env)->SetIntField(env, object, number, 30);
  (*env)->SetLongField(env, object, wide, 40);
  jstring changed = (*env)->NewStringUTF(env, "changed");
  (*env)->SetStaticObjectField(env, type, shared, changed);
  jintArray array = (*env)->GetObjectField(env, object, numbers);
  jint value = 77;
  (*env)->SetIntArrayRegion(env, array, 1, 1, &value);
  return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jint JNICALL Java_host_Native_monitor(JNIEnv* env, jclass type, jobject lock, jobject inside) {
  (void)type;
  jclass runnable = (*env)->FindClass(env, "java/lang/Runnable");
  jmethodID run = (*env)->GetMethodID(env, runnable, "run", "()V");
  jint entered = (*env)->MonitorEnter(env, lock);
  (*env)->CallVoidMethod(env, inside, run);
  if ((*env)->ExceptionCheck(env)) return -1;
  return entered + (*env)->MonitorExit(env, lock);
}

JNIEXPORT void JNICALL Java_host_Native_throwsFrom(JNIEnv* env, jclass type, jstring message) {
  (void)type;
  const char* text = (*env)->GetStringUTFChars(env, message, NULL);
  jclass thrown = (*env)->FindClass(env, "java/lang/IllegalStateException");
  (*env)->ThrowNew(env, thrown, text);
  (*env)->ReleaseStringUTFChars(env, message, text);
}

static jint holds(JNIEnv* env, jobject lock) {
  jclass thread = (*env)->FindClass(env, "java/lang/Thread");
  return (*env)->CallStaticBooleanMethod(env, thread, (*env)->GetStaticMethodID(env, thread, "holdsLock", "(Ljava/lang/Object;)Z"), lock);
}

JNIEXPORT jint JNICALL Java_host_Native_lockedNative(JNIEnv* env, jclass type, jobject lock) {
  (void)type;
  jint held = holds(env, lock);
  return (*env)->ExceptionCheck(env) ? -1 : held;
}

JNIEXPORT jint JNICALL Java_host_Native_lockedInstance(JNIEnv* env, jobject self) {
  jint held = holds(env, self);
  return (*env)->ExceptionCheck(env) ? -1 : held;
}

JNIEXPORT jobject JNICALL Java_host_Native_allocate(JNIEnv* env, jclass type, jclass what) {
  (void)type;
  return (*env)->AllocObject(env, what);
}

JNIEXPORT jclass JNICALL Java_host_Native_define(JNIEnv* env, jclass type, jstring name, jobject loader, jbyteArray bytes) {
  (void)type;
  const char* text = (*env)->GetStringUTFChars(env, name, NULL);
  jsize size = (*env)->GetArrayLength(env, bytes);
  jbyte* data = (*env)->GetByteArrayElements(env, bytes, NULL);
  jclass made = (*env)->DefineClass(env, text, loader, data, size);
  (*env)->ReleaseByteArrayElements(env, bytes, data, JNI_ABORT);
  (*env)->ReleaseStringUTFChars(env, name, text);
  return made;
}

JNIEXPORT jint JNICALL Java_host_Native_critical(JNIEnv* env, jclass type, jintArray numbers) {
  (void)type;
  jsize size = (*env)->GetArrayLength(env, numbers);
  jint sum = 0;
  jint* data = (*env)->GetPrimitiveArrayCritical(env, numbers, NULL);
  for (int i = 0; i < size; i++) sum += data[i];
  (*env)->ReleasePrimitiveArrayCritical(env, numbers, data, 0);
  return sum;
}

JNIEXPORT void JNICALL Java_host_Native_crash(JNIEnv* env, jclass type, jint how) {
  (void)env;
  (void)type;
  volatile char* volatile nowhere = NULL;
  if (how == SIGSEGV) *nowhere = 1;
  if (how == SIGABRT) abort();
  raise(how);
}
