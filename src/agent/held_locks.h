// SPDX-License-Identifier: Apache-2.0
//
// The locks of java.util.concurrent that one managed thread holds, which the VM does not know as such: exclusive ones
// (what extends AbstractOwnableSynchronizer) are told as they get and lose their owner; the read sides of read-write
// locks are asked for how often the thread holds them. StampedLock has no owner: the stamps that the thread got and has
// not given back count, as long as they are valid (another thread may give them back).
//
// Changed by the thread itself; read by others while it stands at a scheduling point.
#pragma once

#include <jvmti.h>

#include <string>
#include <vector>

#include "agent/numbered_locks.h"

namespace deadheat::agent {

class HeldLocks {
 public:
  void owned(JNIEnv* jni, jobject synchroniser, bool taken);
  // The thread is about to take the read side of this lock, and may come to hold it.
  void shares(JNIEnv* jni, jobject synchroniser);
  void stamped(JNIEnv* jni, jobject lock, jlong stamp, bool taken);
  // The write or the read side of a StampedLock is let go of without a stamp.
  void unstamped(JNIEnv* jni, jobject lock, bool write);
  bool may_share() const { return !shared_.empty() || !stamps_.empty(); }
  // On the thread itself: which read sides it holds now, and which stamps. Calls into java.util.concurrent.
  void count_shared(JNIEnv* jni);

  // "java.util.concurrent.locks.ReentrantLock@1", "….ReentrantReadWriteLock@2 (read)".
  std::vector<std::string> names(JNIEnv* jni, NumberedLocks& numbered) const;

 private:
  struct Shared {
    jweak synchroniser;
    int holds;
  };
  struct Stamp {
    jweak lock;
    jlong stamp;
  };
  template <typename Wanted>
  void drop_last(JNIEnv* jni, jobject lock, Wanted wanted);

  std::vector<Stamp> stamps_;     // in the order they were taken
  std::vector<jweak> exclusive_;  // in the order they were taken
  std::vector<Shared> shared_;    // each once
};

}  // namespace deadheat::agent
