// SPDX-License-Identifier: Apache-2.0
#include "agent/creations.h"

#include <optional>

namespace deadheat::agent {

namespace {

std::int64_t nanoseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

}  // namespace

Creation Creations::take(JNIEnv* jni, model::ThreadId parent) {
  const auto before = std::chrono::steady_clock::now();
  std::optional<StackId> stack;
  if (spent_.load(std::memory_order_relaxed) <= kGraceNanoseconds + nanoseconds(before - start_) / kShare) {
    stack = stacks_.intern(walker_.current(jni));
    spent_.fetch_add(nanoseconds(std::chrono::steady_clock::now() - before), std::memory_order_relaxed);
  }
  if (!stack) refused_.fetch_add(1, std::memory_order_relaxed);
  return make_creation(parent, stack.value_or(StackId{}));
}

}  // namespace deadheat::agent
