// SPDX-License-Identifier: Apache-2.0
//
// What the JVM calls by name: the entry points, and the JVMTI callbacks that pass events on to the Agent.
#include <jvmti.h>

#include <cstdio>
#include <memory>

#include "agent/agent.h"

namespace {

using deadheat::agent::agent;
using deadheat::agent::Definition;

void JNICALL VMStart(jvmtiEnv*, JNIEnv* jni) { agent()->on_vm_start(jni); }
void JNICALL VMInit(jvmtiEnv*, JNIEnv* jni, jthread thread) { agent()->on_vm_init(jni, thread); }
void JNICALL VMDeath(jvmtiEnv*, JNIEnv* jni) { agent()->on_vm_death(jni); }
void JNICALL ThreadStart(jvmtiEnv*, JNIEnv* jni, jthread thread) { agent()->on_thread_start(jni, thread); }
void JNICALL ThreadEnd(jvmtiEnv*, JNIEnv* jni, jthread thread) { agent()->on_thread_end(jni, thread); }
void JNICALL GarbageCollectionFinish(jvmtiEnv*) { agent()->on_collection(); }
void JNICALL SampledObjectAlloc(jvmtiEnv*, JNIEnv* jni, jthread, jobject object, jclass, jlong) {
  agent()->allocations->on_allocation(jni, object);
}
void JNICALL NativeMethodBind(jvmtiEnv* jvmti, JNIEnv*, jthread, jmethodID method, void* function, void** replacement) {
  *replacement = agent()->native_monitors.bind(jvmti, method, function);
}
void JNICALL ClassFileLoadHook(jvmtiEnv*, JNIEnv* jni, jclass redefined, jobject loader, const char* name, jobject,
                               jint size, const unsigned char* bytes, jint* new_size, unsigned char** new_bytes) {
  // A class that exists already keeps its fields whatever another agent makes of its code: it is rewritten the same way
  // again.
  const Definition definition = redefined == nullptr ? Definition::kFirst : Definition::kAgain;
  agent()->on_class_load(jni, definition, loader, name, {bytes, static_cast<std::size_t>(size)}, new_size, new_bytes);
}

jvmtiEventCallbacks callbacks() {
  jvmtiEventCallbacks table{};
  table.VMStart = VMStart;
  table.VMInit = VMInit;
  table.VMDeath = VMDeath;
  table.ThreadStart = ThreadStart;
  table.ThreadEnd = ThreadEnd;
  table.ClassFileLoadHook = ClassFileLoadHook;
  table.NativeMethodBind = NativeMethodBind;
  table.SampledObjectAlloc = SampledObjectAlloc;
  table.GarbageCollectionFinish = GarbageCollectionFinish;
  return table;
}

// The host goes on without us: a race detector that cannot start is no reason to stop a program.
jint decline(const char* why) {
  std::fprintf(stderr, "deadheat: %s; the program runs unwatched\n", why);
  return JNI_OK;
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* text, void*) {
  auto options = deadheat::agent::parse_options(text == nullptr ? "" : text);
  if (!options.ok()) {
    std::fprintf(stderr, "deadheat: %s\n", options.error().message.c_str());
    return JNI_ERR;
  }
  jvmtiEnv* jvmti = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11) != JNI_OK) {
    return decline("this JVM is too old, JDK 17 or newer is needed");
  }
  deadheat::agent::set_agent(std::make_unique<deadheat::agent::Agent>(jvmti, options.value()));
  const jvmtiEventCallbacks table = callbacks();
  jvmti->SetEventCallbacks(&table, sizeof table);
  const deadheat::Status started = agent()->start();
  return started.ok() ? JNI_OK : decline(started.error().message.c_str());
}

extern "C" JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM*, char*, void*) {
  std::fprintf(stderr,
               "deadheat: cannot attach to a running JVM; start it with `deadheat run -- java …` or -agentpath\n");
  return JNI_ERR;
}
