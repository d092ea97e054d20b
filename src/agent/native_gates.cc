// SPDX-License-Identifier: Apache-2.0
#include "agent/native_gates.h"

#include <dlfcn.h>

#include <memory>
#include <type_traits>

#include "agent/native_binding.h"

namespace deadheat::agent {

namespace {

// Written once, before the methods are bound; the functions have no other way to them.
struct Originals {
  void(JNICALL* wait)(JNIEnv*, jobject, jlong) = nullptr;
  void(JNICALL* notify)(JNIEnv*, jobject) = nullptr;
  void(JNICALL* notify_all)(JNIEnv*, jobject) = nullptr;
  void(JNICALL* sleep)(JNIEnv*, jclass, jlong) = nullptr;
  void(JNICALL* yield)(JNIEnv*, jclass) = nullptr;
  jclass monitors = nullptr;
  jclass threads = nullptr;
  jmethodID await = nullptr;
  jmethodID notifying = nullptr;
  jmethodID notifying_all = nullptr;
  jmethodID pausing = nullptr;
  jmethodID yielding = nullptr;
  // For a detector alone.
  jclass sync = nullptr;
  jmethodID waiting = nullptr;
  jmethodID waited = nullptr;
};
Originals originals;

thread_local int ungated = 0;

// What the hooks themselves call in the end is real: a thread that is not managed, control has ended, the monitor is
// not held. An exception they leave behind is the method's.
void JNICALL wait(JNIEnv* jni, jobject object, jlong milliseconds) {
  if (ungated != 0 || milliseconds < 0) return originals.wait(jni, object, milliseconds);
  const UngatedCalls hook;
  jni->CallStaticVoidMethod(originals.monitors, originals.await, object, milliseconds, 0);
}

// For a detector: it tells, and waits itself, so that the stack of a thread that waits is what it is without us. Where
// a hook around the call has told already it is told twice, which does no harm. A wait that ends with an exception is
// told by the exception (DeadheatSync.interrupted). The hooks may meet the end of the stack, which is no concern of the
// host's.
void JNICALL watched_wait(JNIEnv* jni, jobject object, jlong milliseconds) {
  if (milliseconds >= 0) jni->CallStaticVoidMethod(originals.sync, originals.waiting, object);
  jni->ExceptionClear();
  originals.wait(jni, object, milliseconds);
  if (jni->ExceptionCheck()) return;
  jni->CallStaticVoidMethod(originals.sync, originals.waited);
  jni->ExceptionClear();
}

void JNICALL notify(JNIEnv* jni, jobject object) {
  if (ungated != 0) return originals.notify(jni, object);
  const UngatedCalls hook;
  jni->CallStaticVoidMethod(originals.monitors, originals.notifying, object, 0);
}

void JNICALL notify_all(JNIEnv* jni, jobject object) {
  if (ungated != 0) return originals.notify_all(jni, object);
  const UngatedCalls hook;
  jni->CallStaticVoidMethod(originals.monitors, originals.notifying_all, object, 0);
}

// In milliseconds or nanoseconds, as the method has it.
void JNICALL sleep(JNIEnv* jni, jclass thread, jlong time) {
  if (ungated != 0 || time < 0) return originals.sleep(jni, thread, time);
  const UngatedCalls hook;
  jni->CallStaticVoidMethod(originals.threads, originals.pausing, time, 0);
}

void JNICALL yield(JNIEnv* jni, jclass thread) {
  if (ungated != 0) return originals.yield(jni, thread);
  const UngatedCalls hook;
  jni->CallStaticVoidMethod(originals.threads, originals.yielding, 0);
}

// The library that the VM's functions are in. Programs that load it by themselves need not make its names global.
struct Closes {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, Closes>;

Library library_of(jvmtiEnv* jvmti) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(jvmti->functions->GetPhase), &info) == 0) return nullptr;
  return Library(dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD));
}

template <typename Function>
bool find(const Library& library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library.get(), name));
  return function != nullptr;
}

// Whether the class has this method: JDKs differ in the names of their native ones.
bool has_native(jvmtiEnv* jvmti, JNIEnv* jni, jclass type, const char* name, const char* descriptor, bool is_static) {
  const jmethodID method =
      is_static ? jni->GetStaticMethodID(type, name, descriptor) : jni->GetMethodID(type, name, descriptor);
  if (method == nullptr) jni->ExceptionClear();
  jboolean native = JNI_FALSE;
  return method != nullptr && jvmti->IsMethodNative(method, &native) == JVMTI_ERROR_NONE && native;
}

jclass shim_class(JNIEnv* jni, const char* name) {
  const jclass found = jni->FindClass(name);
  return found == nullptr ? nullptr : static_cast<jclass>(jni->NewGlobalRef(found));
}

bool find_hooks(JNIEnv* jni) {
  originals.monitors = shim_class(jni, "java/lang/DeadheatGateMonitors");
  originals.threads = shim_class(jni, "java/lang/DeadheatGateThreads");
  if (originals.monitors == nullptr || originals.threads == nullptr) return false;
  originals.await = jni->GetStaticMethodID(originals.monitors, "await", "(Ljava/lang/Object;JI)V");
  originals.notifying = jni->GetStaticMethodID(originals.monitors, "notifying", "(Ljava/lang/Object;I)V");
  originals.notifying_all = jni->GetStaticMethodID(originals.monitors, "notifyingAll", "(Ljava/lang/Object;I)V");
  originals.yielding = jni->GetStaticMethodID(originals.threads, "yield", "(I)V");
  return originals.await != nullptr && originals.notifying != nullptr && originals.notifying_all != nullptr &&
         originals.yielding != nullptr;
}

// In JDK 17 and 18; after that it is wait0(long).
bool wait_is_native(jvmtiEnv* jvmti, JNIEnv* jni, jclass object) {
  return has_native(jvmti, jni, object, "wait", "(J)V", false);
}

bool gate_object(jvmtiEnv* jvmti, JNIEnv* jni, const Library& library) {
  const jclass object = jni->FindClass("java/lang/Object");
  const bool has_code = !wait_is_native(jvmti, jni, object);
  const char* const wait_name = has_code ? "wait0" : "wait";
  if (has_code && !has_native(jvmti, jni, object, wait_name, "(J)V", false)) return false;
  if (!find(library, "JVM_MonitorWait", originals.wait) || !find(library, "JVM_MonitorNotify", originals.notify) ||
      !find(library, "JVM_MonitorNotifyAll", originals.notify_all)) {
    return false;
  }
  const JNINativeMethod methods[] = {native_method(wait_name, "(J)V", wait), native_method("notify", "()V", notify),
                                     native_method("notifyAll", "()V", notify_all)};
  return jni->RegisterNatives(object, methods, std::extent_v<decltype(methods)>) == JNI_OK;
}

bool gate_thread(jvmtiEnv* jvmti, JNIEnv* jni, const Library& library) {
  struct Sleep {
    const char* name;
    const char* function;
    const char* hook;
  };
  constexpr Sleep kSleeps[] = {{"sleep", "JVM_Sleep", "sleep"},                   // JDK 17: milliseconds
                               {"sleep0", "JVM_Sleep", "sleepNanos"},             // JDK 21
                               {"sleepNanos0", "JVM_SleepNanos", "sleepNanos"}};  // JDK 25
  const jclass thread = jni->FindClass("java/lang/Thread");
  bool all = false;
  for (const Sleep& known : kSleeps) {
    if (!has_native(jvmti, jni, thread, known.name, "(J)V", true)) continue;
    originals.pausing = jni->GetStaticMethodID(originals.threads, known.hook, "(JI)V");
    if (originals.pausing == nullptr || !find(library, known.function, originals.sleep)) continue;
    const JNINativeMethod method = native_method(known.name, "(J)V", sleep);
    all = jni->RegisterNatives(thread, &method, 1) == JNI_OK;
  }
  const char* const yield_name = has_native(jvmti, jni, thread, "yield", "()V", true) ? "yield" : "yield0";
  if (!has_native(jvmti, jni, thread, yield_name, "()V", true)) return false;
  if (!find(library, "JVM_Yield", originals.yield)) return false;
  const JNINativeMethod method = native_method(yield_name, "()V", yield);
  return jni->RegisterNatives(thread, &method, 1) == JNI_OK && all;
}

}  // namespace

UngatedCalls::UngatedCalls() { ++ungated; }
UngatedCalls::~UngatedCalls() { --ungated; }

bool gate_native_methods(jvmtiEnv* jvmti, JNIEnv* jni) {
  const Library library = library_of(jvmti);
  const bool done =
      library != nullptr && find_hooks(jni) && gate_object(jvmti, jni, library) && gate_thread(jvmti, jni, library);
  jni->ExceptionClear();
  return done;
}

bool watch_native_wait(jvmtiEnv* jvmti, JNIEnv* jni) {
  const jclass object = jni->FindClass("java/lang/Object");
  if (!wait_is_native(jvmti, jni, object)) return true;
  const Library library = library_of(jvmti);
  originals.sync = shim_class(jni, "java/lang/DeadheatSync");
  if (library == nullptr || originals.sync == nullptr) return false;
  originals.waiting = jni->GetStaticMethodID(originals.sync, "waiting", "(Ljava/lang/Object;)V");
  originals.waited = jni->GetStaticMethodID(originals.sync, "waited", "()V");
  const JNINativeMethod method = native_method("wait", "(J)V", watched_wait);
  const bool done = originals.waiting != nullptr && originals.waited != nullptr &&
                    find(library, "JVM_MonitorWait", originals.wait) &&
                    jni->RegisterNatives(object, &method, 1) == JNI_OK;
  jni->ExceptionClear();
  return done;
}

bool take_native_methods(JNIEnv* jni, const char* shim_class, const char* method) {
  const jclass shim = jni->FindClass(shim_class);
  const jmethodID take = shim == nullptr ? nullptr : jni->GetStaticMethodID(shim, method, "()Z");
  const bool taken = take != nullptr && jni->CallStaticBooleanMethod(shim, take);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return taken;
}

}  // namespace deadheat::agent
