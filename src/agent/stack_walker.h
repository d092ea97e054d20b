// SPDX-License-Identifier: Apache-2.0
//
// Takes the stack of a thread, as people want to see it: without the shim's frames and without those that the
// VM makes for lambdas. Names and line tables of a method are read once, so that a stack taken earlier can be named
// when its class is gone. Any attached thread may call.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <deque>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/stack_tree.h"
#include "base/json_writer.h"

namespace deadheat::agent {

class StackWalker {
 public:
  // More frames than this are left out, outermost first.
  static constexpr int kMostFrames = 128;

  explicit StackWalker(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // Innermost first; empty when the VM refuses.
  std::vector<StackFrame> current(JNIEnv* jni) { return of(jni, nullptr); }
  // Of a thread that stands still: in native code or in Object.wait. Null: the current one.
  std::vector<StackFrame> of(JNIEnv* jni, jthread thread);
  // The numbers of the innermost methods alone, at most `most`: much cheaper. Of any thread (null: the current one).
  std::vector<std::uint32_t> methods(JNIEnv* jni, jthread thread, std::uint32_t most);
  // As the members of a record's stack (docs/records.md).
  void write(JsonWriter& json, const std::vector<StackFrame>& frames) const;
  // a/b/C, and the method's name. Valid for good.
  std::string_view class_of(const StackFrame& frame) const;
  std::string_view method_of(const StackFrame& frame) const;

 private:
  struct Method {
    std::string class_name;  // a/b/C
    std::string name;
    std::string file;
    std::vector<jvmtiLineNumberEntry> lines;  // by place
    bool left_out = false;
    std::uint32_t line_at(jlocation place) const;
  };
  void add(JNIEnv* jni, jmethodID id);
  // Under `lock`, which is given up while an unknown method is read.
  const Method& find(JNIEnv* jni, jmethodID id, std::shared_lock<std::shared_mutex>& lock, std::uint32_t& number);
  Method read(JNIEnv* jni, jmethodID id) const;

  jvmtiEnv* const jvmti_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<jmethodID, std::uint32_t> numbers_;
  std::deque<Method> methods_;
};

}  // namespace deadheat::agent
