// SPDX-License-Identifier: Apache-2.0
#include "agent/numbered_locks.h"

#include <optional>

#include "agent/lock_table.h"
#include "agent/object_class.h"

namespace deadheat::agent {

namespace {

bool is_synchroniser(JNIEnv* jni, jobject object) {
  const jclass type = jni->FindClass("java/util/concurrent/locks/AbstractOwnableSynchronizer");
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  const bool is = type != nullptr && jni->IsInstanceOf(object, type);
  if (type != nullptr) jni->DeleteLocalRef(type);
  return is;
}

}  // namespace

std::string NumberedLocks::name(JNIEnv* jni, jobject object) {
  for (const Known& known : known_) {
    if (jni->IsSameObject(known.object, object)) return known.name;
  }
  std::string type = class_of(jvmti_, jni, object);
  if (is_synchroniser(jni, object)) {
    const std::optional<std::string> lock = lock_of_synchroniser(type);
    if (!lock) return "";
    type = *lock;
  }
  std::string name = type + "@" + std::to_string(++counts_[type]);
  known_.push_back({jni->NewWeakGlobalRef(object), name});
  return name;
}

}  // namespace deadheat::agent
