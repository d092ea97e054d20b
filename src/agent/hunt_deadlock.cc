// SPDX-License-Identifier: Apache-2.0
//
// A reversed lock order may lead a program into a deadlock that it has: nobody is held any more, and nothing will ever
// go on. A thread of its own looks twice a second whether all threads of the program stand still; only then the VM is
// asked for a cycle (its ThreadMXBean knows monitors and the locks of java.util.concurrent). One that is found is
// written down and the process ended: it could not go on. A deadlock of our own making cannot come here, since holds
// end by themselves.
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "agent/agent.h"
#include "agent/hunt.h"

namespace deadheat::agent {

namespace {

constexpr std::chrono::milliseconds kLook{500};
constexpr int kStillLooks = 3;
// As under the controlled scheduler.
constexpr int kDeadlockStatus = 66;

bool failed(JNIEnv* jni) {
  if (!jni->ExceptionCheck()) return false;
  jni->ExceptionClear();
  return true;
}

// The numbers of the threads in a cycle; empty: there is none, or this JVM has no management.
std::vector<jlong> deadlocked_threads(JNIEnv* jni) {
  std::vector<jlong> ids;
  const jclass factory = jni->FindClass("java/lang/management/ManagementFactory");
  if (failed(jni) || factory == nullptr) return ids;
  const jmethodID get = jni->GetStaticMethodID(factory, "getThreadMXBean", "()Ljava/lang/management/ThreadMXBean;");
  if (failed(jni)) return ids;
  const jobject bean = jni->CallStaticObjectMethod(factory, get);
  if (failed(jni) || bean == nullptr) return ids;
  const jmethodID find =
      jni->GetMethodID(jni->FindClass("java/lang/management/ThreadMXBean"), "findDeadlockedThreads", "()[J");
  if (failed(jni)) return ids;
  const auto found = static_cast<jlongArray>(jni->CallObjectMethod(bean, find));
  if (failed(jni) || found == nullptr) return ids;
  ids.resize(static_cast<std::size_t>(jni->GetArrayLength(found)));
  jni->GetLongArrayRegion(found, 0, static_cast<jsize>(ids.size()), ids.data());
  return ids;
}

}  // namespace

void Hunt::watch(JavaVM* vm) {
  JavaVMAttachArgs args{JNI_VERSION_1_8, const_cast<char*>(kWatchdogName), nullptr};
  void* env = nullptr;
  if (vm->AttachCurrentThreadAsDaemon(&env, &args) != JNI_OK) return;
  auto* jni = static_cast<JNIEnv*>(env);
  int still = 0;
  std::uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  while (!finished_.load()) {
    stop_watching_.wait_for(lock, kLook);
    if (finished_.load()) break;
    const bool moves = requests_ != seen || std::any_of(threads_.begin(), threads_.end(), [&](const HuntThread& one) {
                         return one.thread != nullptr && (one.at_gate || can_run(one));
                       });
    seen = requests_;
    still = moves ? 0 : still + 1;
    if (still < kStillLooks) continue;
    still = 0;
    lock.unlock();
    jni->PushLocalFrame(64);
    const std::vector<jlong> cycle = deadlocked_threads(jni);
    if (!cycle.empty()) end_deadlocked(jni, cycle);
    jni->PopLocalFrame(nullptr);
    lock.lock();
  }
  // Not detached: the VM is going down, and would let the thread wait for its end.
}

void Hunt::end_deadlocked(JNIEnv* jni, const std::vector<jlong>& cycle) {
  const jfieldID number = jni->GetFieldID(jni->FindClass("java/lang/Thread"), "tid", "J");
  if (failed(jni)) return;
  JsonWriter json;
  json.begin_object().field("type", "deadlock").key("threads").begin_array();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const HuntThread& one : threads_) {
      if (one.thread == nullptr) continue;
      if (std::find(cycle.begin(), cycle.end(), jni->GetLongField(one.thread, number)) == cycle.end()) continue;
      json.begin_object().key("thread").begin_object().field("id", model::to_number(one.id));
      json.field("name", one.name).end_object().key("stack");
      walker_.write(json, walker_.of(jni, one.thread));
      json.end_object();
    }
  }
  json.end_array().key("cycle").begin_array().end_array().end_object();
  log_.write(json.text());
  agent()->on_vm_death(jni);
  _exit(kDeadlockStatus);
}

}  // namespace deadheat::agent
