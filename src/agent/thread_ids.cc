// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_ids.h"

#include "agent/shim_layout.h"

namespace deadheat::agent {

namespace {

// Adds to the sequence and returns what it was; 0 if it is not found.
std::int64_t advance_sequence(JNIEnv* jni, std::int64_t by) {
  const jclass thread = jni->FindClass("java/lang/Thread");
  // JDK 19 and later: the VM draws from it too. The "offset" is an address.
  if (const jmethodID where = jni->GetStaticMethodID(thread, "getNextThreadIdOffset", "()J"); where != nullptr) {
    auto* const sequence = reinterpret_cast<std::int64_t*>(jni->CallStaticLongMethod(thread, where));
    return std::atomic_ref<std::int64_t>(*sequence).fetch_add(by);
  }
  jni->ExceptionClear();
  if (const jfieldID last = jni->GetStaticFieldID(thread, "threadSeqNumber", "J"); last != nullptr) {
    jni->MonitorEnter(thread);
    const jlong was = jni->GetStaticLongField(thread, last);
    jni->SetStaticLongField(thread, last, was + by);
    jni->MonitorExit(thread);
    return was;
  }
  jni->ExceptionClear();
  return 0;
}

}  // namespace

bool ThreadIds::start(JNIEnv* jni) {
  const std::int64_t was = advance_sequence(jni, kOtherThreadIds);
  if (was <= 0) return false;
  // A VM that has made more threads than that before the program begins: the next round number.
  next_.store((was / kFirstThreadId + 1) * kFirstThreadId);
  started_ = true;
  return true;
}

}  // namespace deadheat::agent
