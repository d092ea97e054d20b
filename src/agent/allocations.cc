// SPDX-License-Identifier: Apache-2.0
#include "agent/allocations.h"

namespace deadheat::agent {

void Allocations::ask_for(jvmtiCapabilities& wanted) {
  wanted.can_generate_sampled_object_alloc_events = 1;
  wanted.can_tag_objects = 1;
}

namespace {

Status told(jvmtiError error) {
  if (error == JVMTI_ERROR_NONE) return Ok{};
  return Error{"this JVM does not tell of allocations; run without --allocations"};
}

}  // namespace

// Every 0 bytes on average: all of them.
Status Allocations::prepare() { return told(jvmti_->SetHeapSamplingInterval(0)); }

Status Allocations::start() {
  return told(jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, nullptr));
}

void Allocations::on_allocation(JNIEnv* jni, jobject object) {
  const auto stack = stacks_.intern(walker_.current(jni));
  if (!stack) refused_.fetch_add(1, std::memory_order_relaxed);
  if (stack && *stack != StackId{}) jvmti_->SetTag(object, static_cast<jlong>(*stack));
}

std::vector<StackFrame> Allocations::frames(jobject object) const {
  jlong tag = 0;
  if (jvmti_->GetTag(object, &tag) != JVMTI_ERROR_NONE) return {};
  return stacks_.frames(StackId{static_cast<std::uint32_t>(tag)});
}

}  // namespace deadheat::agent
