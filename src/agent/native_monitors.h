// SPDX-License-Identifier: Apache-2.0
//
// Synchronized native methods: the JVM takes the monitor around code that has no bytecode to hook, so what it calls is
// replaced when the method is bound (native_call_x86_64.S), and tells the shim after the monitor was entered and before
// it is left. Other processors: not seen.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace deadheat::agent {

class NativeMonitors {
 public:
  // In the NativeMethodBind event: what is to be called instead of `function`, or the same.
  void* bind(jvmtiEnv* jvmti, jmethodID method, void* function);
  // Synchronized methods whose monitor is not seen.
  std::uint64_t unseen() const { return unseen_.load(std::memory_order_relaxed); }

 private:
  std::mutex mutex_;
  std::vector<void*> functions_;  // by the number of their thunk
  std::atomic<std::uint64_t> unseen_{0};
};

}  // namespace deadheat::agent
