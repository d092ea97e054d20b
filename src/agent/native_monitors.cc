// SPDX-License-Identifier: Apache-2.0
#include "agent/native_monitors.h"

#include <algorithm>
#include <cstddef>

#include "agent/jni_monitors.h"
#include "classfile/class_file.h"

namespace {

// A synchronized native method that this thread is in.
struct NativeCall {
  JNIEnv* jni;
  jobject monitor;  // the receiver or the class, lent by the JVM until the method returns
  void* return_address;
};

// A thread cannot change the carrier below a native frame, so this holds for virtual threads too.
thread_local std::vector<NativeCall> calls;

}  // namespace

// Called by the thunks.
extern "C" {

[[gnu::visibility("hidden")]] void dh_native_entered(JNIEnv* jni, jobject monitor, void* return_address) noexcept {
  calls.push_back({jni, monitor, return_address});
  deadheat::agent::monitor_entered(jni, monitor);
}

// Where to return to.
[[gnu::visibility("hidden")]] void* dh_native_exiting() noexcept {
  const NativeCall call = calls.back();
  deadheat::agent::monitor_exiting(call.jni, call.monitor);
  calls.pop_back();
  return call.return_address;
}

#ifdef DH_NATIVE_THUNKS
[[gnu::visibility("hidden")]] extern const char dh_native_thunks[];
[[gnu::visibility("hidden")]] void* dh_native_originals[DH_NATIVE_THUNKS];
#endif
}

namespace deadheat::agent {

namespace {

#ifdef DH_NATIVE_THUNKS
constexpr std::size_t kThunks = DH_NATIVE_THUNKS;
constexpr std::size_t kThunkSize = 16;

void* thunk(std::size_t number, void* function) {
  dh_native_originals[number] = function;
  return const_cast<char*>(dh_native_thunks + number * kThunkSize);
}
#else
constexpr std::size_t kThunks = 0;

void* thunk(std::size_t, void* function) { return function; }
#endif

}  // namespace

void* NativeMonitors::bind(jvmtiEnv* jvmti, jmethodID method, void* function) {
  jint flags = 0;
  if (jvmti->GetMethodModifiers(method, &flags) != JVMTI_ERROR_NONE || !(flags & classfile::kAccSynchronized)) {
    return function;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = std::find(functions_.begin(), functions_.end(), function);
  const auto number = static_cast<std::size_t>(known - functions_.begin());
  if (number == kThunks) {
    unseen_.fetch_add(1, std::memory_order_relaxed);
    return function;
  }
  if (known == functions_.end()) functions_.push_back(function);
  return thunk(number, function);
}

}  // namespace deadheat::agent
