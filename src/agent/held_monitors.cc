// SPDX-License-Identifier: Apache-2.0
#include "agent/held_monitors.h"

#include <string_view>

#include "agent/object_class.h"

namespace deadheat::agent {

namespace {

std::string name_of(jvmtiEnv* jvmti, JNIEnv* jni, jobject monitor) {
  const std::string type = class_of(jvmti, jni, monitor);
  if (type == "java.lang.Class") return "class " + name_of_class(jvmti, static_cast<jclass>(monitor));
  const std::string hash = identity_hash(jvmti, monitor);
  return hash.empty() ? type : type + "@" + hash;
}

}  // namespace

std::optional<std::vector<std::string>> held_monitors(jvmtiEnv* jvmti, JNIEnv* jni) {
  jint count = 0;
  jobject* monitors = nullptr;
  if (jvmti->GetOwnedMonitorInfo(nullptr, &count, &monitors) != JVMTI_ERROR_NONE) return std::nullopt;
  std::vector<std::string> names;
  for (jint i = 0; i < count; ++i) {
    std::string name = name_of(jvmti, jni, monitors[i]);
    if (!std::string_view(name).starts_with("class java.lang.Deadheat")) names.push_back(std::move(name));
    jni->DeleteLocalRef(monitors[i]);
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(monitors));
  return names;
}

}  // namespace deadheat::agent
