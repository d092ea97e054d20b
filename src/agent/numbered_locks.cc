// SPDX-License-Identifier: Apache-2.0
#include "agent/numbered_locks.h"

#include <optional>

#include "agent/lock_table.h"
#include "agent/object_class.h"

namespace deadheat::agent {

namespace {

constexpr const char* kSynchroniser = "java/util/concurrent/locks/AbstractOwnableSynchronizer";

}  // namespace

std::string NumberedLocks::name(JNIEnv* jni, jobject object) {
  for (const Known& known : known_) {
    if (jni->IsSameObject(known.object, object)) return known.name;
  }
  std::string type = class_of(jvmti_, jni, object);
  if (is_instance(jni, object, kSynchroniser)) {
    const std::optional<std::string> lock = lock_of_synchroniser(type);
    if (!lock) return "";
    type = *lock;
  }
  std::string name = type + "@" + std::to_string(++counts_[type]);
  known_.push_back({jni->NewWeakGlobalRef(object), name});
  return name;
}

}  // namespace deadheat::agent
