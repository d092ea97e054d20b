// SPDX-License-Identifier: Apache-2.0
//
// Where objects come from, for reports: switched on by hand (allocations=on), because every allocation then leaves the
// fast path of the VM and has its stack taken. The stacks are kept in a tree; an object carries the number of its own
// as its JVMTI tag, so nothing is kept of objects that die. Called on the allocating thread; any attached thread may
// ask.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "agent/stack_tree.h"
#include "agent/stack_walker.h"
#include "base/result.h"

namespace deadheat::agent {

class Allocations {
 public:
  Allocations(jvmtiEnv* jvmti, StackWalker& walker) : jvmti_(jvmti), walker_(walker) {}

  // What the VM must offer; before the first event.
  static void ask_for(jvmtiCapabilities& wanted);
  // Before the first thread: what a thread allocates before its first sample goes by the interval it began with.
  Status prepare();
  // With the VM initialised (see Agent::on_vm_init).
  Status start();

  // JVMTI SampledObjectAlloc, which comes for every object.
  void on_allocation(JNIEnv* jni, jobject object);
  // Innermost first; empty when it is not known: older than start(), made by the VM or in a virtual thread.
  std::vector<StackFrame> frames(jobject object) const;
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  jvmtiEnv* const jvmti_;
  StackWalker& walker_;
  StackTree stacks_;
  std::atomic<std::uint64_t> refused_{0};  // there was no room for the stack
};

}  // namespace deadheat::agent
