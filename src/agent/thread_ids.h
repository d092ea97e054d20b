// SPDX-License-Identifier: Apache-2.0
//
// The ids of the threads that managed threads make (Thread.threadId(), getId()). The VM has one sequence for all, and
// how far it is when the program begins depends on the machine, the VM's options and other agents: a debugger's threads
// are in it, those that it starts later too. Programs print ids and order things by them, so managed threads draw from
// a sequence of their own. Ids stay unique, for the VM knows the owners of monitors by them: its own sequence, which
// goes on for everybody else, is moved out of the way.
#pragma once

#include <jni.h>

#include <atomic>
#include <cstdint>

namespace deadheat::agent {

class ThreadIds {
 public:
  // Before the first managed thread makes another. False, and the VM's ids stay, if this JDK keeps its sequence where
  // we do not know.
  bool start(JNIEnv* jni);
  // From any thread; 0 before start().
  std::int64_t next() { return started_ ? next_.fetch_add(1, std::memory_order_relaxed) : 0; }

 private:
  bool started_ = false;
  std::atomic<std::int64_t> next_{0};
};

}  // namespace deadheat::agent
