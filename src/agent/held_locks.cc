// SPDX-License-Identifier: Apache-2.0
#include "agent/held_locks.h"

#include <algorithm>
#include <string_view>

namespace deadheat::agent {

namespace {

constexpr std::string_view kReadWrite = "java.util.concurrent.locks.ReentrantReadWriteLock";
constexpr std::string_view kStampedLock = "java.util.concurrent.locks.StampedLock";

// The layout of a stamp (StampedLock.java): a version above, the write side, the number of readers.
constexpr jlong kWriteBit = 1 << 7;
constexpr jlong kReaders = kWriteBit - 1;
constexpr std::size_t kMostStamps = 64;  // of a thread whose stamps others give back

// Of a StampedLock. Its methods would be seen as the program's own.
jlong state_of(JNIEnv* jni, jobject lock) {
  const jclass type = jni->FindClass("java/util/concurrent/locks/StampedLock");
  const jfieldID field = type == nullptr ? nullptr : jni->GetFieldID(type, "state", "J");
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  const jlong state = field == nullptr ? 0 : jni->GetLongField(lock, field);
  if (type != nullptr) jni->DeleteLocalRef(type);
  return state;
}

}  // namespace

void HeldLocks::owned(JNIEnv* jni, jobject synchroniser, bool taken) {
  if (taken) {
    exclusive_.push_back(jni->NewWeakGlobalRef(synchroniser));
    return;
  }
  for (std::size_t i = exclusive_.size(); i-- > 0;) {
    if (!jni->IsSameObject(exclusive_[i], synchroniser)) continue;
    jni->DeleteWeakGlobalRef(exclusive_[i]);
    exclusive_.erase(exclusive_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

void HeldLocks::shares(JNIEnv* jni, jobject synchroniser) {
  const bool known = std::any_of(shared_.begin(), shared_.end(), [&](const Shared& shared) {
    return jni->IsSameObject(shared.synchroniser, synchroniser);
  });
  if (known) return;
  // Those that were let go of are dropped at the next count; a program that comes by none keeps the last few.
  constexpr std::size_t kMost = 64;
  if (shared_.size() >= kMost) {
    jni->DeleteWeakGlobalRef(shared_.front().synchroniser);
    shared_.erase(shared_.begin());
  }
  shared_.push_back({jni->NewWeakGlobalRef(synchroniser), 0});
}

template <typename Wanted>
void HeldLocks::drop_last(JNIEnv* jni, jobject lock, Wanted wanted) {
  for (std::size_t i = stamps_.size(); i-- > 0;) {
    if (!wanted(stamps_[i].stamp) || !jni->IsSameObject(stamps_[i].lock, lock)) continue;
    jni->DeleteWeakGlobalRef(stamps_[i].lock);
    stamps_.erase(stamps_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

// A method that takes the lock may call another one that does: the same stamp is told twice.
void HeldLocks::stamped(JNIEnv* jni, jobject lock, jlong stamp, bool taken) {
  drop_last(jni, lock, [stamp](jlong held) { return held == stamp; });
  if (!taken || (stamp & (kWriteBit | kReaders)) == 0) return;
  if (stamps_.size() >= kMostStamps) {
    jni->DeleteWeakGlobalRef(stamps_.front().lock);
    stamps_.erase(stamps_.begin());
  }
  stamps_.push_back({jni->NewWeakGlobalRef(lock), stamp});
}

void HeldLocks::unstamped(JNIEnv* jni, jobject lock, bool write) {
  drop_last(jni, lock, [write](jlong held) { return ((held & kWriteBit) != 0) == write; });
}

void HeldLocks::count_shared(JNIEnv* jni) {
  std::erase_if(stamps_, [&](const Stamp& held) {
    const jobject lock = jni->NewLocalRef(held.lock);
    const bool valid = lock != nullptr && (state_of(jni, lock) & ~kReaders) == (held.stamp & ~kReaders);
    jni->DeleteLocalRef(lock);
    if (!valid) jni->DeleteWeakGlobalRef(held.lock);
    return !valid;
  });
  std::erase_if(shared_, [&](Shared& shared) {
    const jobject synchroniser = jni->NewLocalRef(shared.synchroniser);
    shared.holds = 0;
    if (synchroniser != nullptr) {
      const jclass type = jni->GetObjectClass(synchroniser);
      const jmethodID count = jni->GetMethodID(type, "getReadHoldCount", "()I");
      if (count != nullptr) shared.holds = jni->CallIntMethod(synchroniser, count);
      if (jni->ExceptionCheck()) jni->ExceptionClear();
      jni->DeleteLocalRef(type);
      jni->DeleteLocalRef(synchroniser);
    }
    if (shared.holds > 0) return false;
    jni->DeleteWeakGlobalRef(shared.synchroniser);
    return true;
  });
}

std::vector<std::string> HeldLocks::names(JNIEnv* jni, NumberedLocks& numbered) const {
  std::vector<std::string> names;
  const auto add = [&](jweak synchroniser, const char* how) {
    const jobject object = jni->NewLocalRef(synchroniser);
    if (object == nullptr) return;
    const std::string name = numbered.name(jni, object);
    jni->DeleteLocalRef(object);
    const bool has_sides = name.starts_with(kReadWrite) || name.starts_with(kStampedLock);
    if (!name.empty()) names.push_back(has_sides ? name + how : name);
  };
  for (const jweak synchroniser : exclusive_) add(synchroniser, " (write)");
  for (const Stamp& held : stamps_) add(held.lock, (held.stamp & kWriteBit) != 0 ? " (write)" : " (read)");
  for (const Shared& shared : shared_) {
    if (shared.holds > 0) add(shared.synchroniser, " (read)");
  }
  return names;
}

}  // namespace deadheat::agent
