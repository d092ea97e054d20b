// SPDX-License-Identifier: Apache-2.0
//
// How managed Java threads are made to wait and to go on: in native code on a semaphore, which does not hold up the
// collector; or, between the two halves of an Object.wait, in a real wait, because nothing else gives up a monitor that
// Java frames hold. Such a wait is ended by a real notifyAll; whoever was not meant waits again.
// And how they look meanwhile.
#pragma once

#include <jvmti.h>

#include <deque>
#include <mutex>

#include "agent/managed_thread.h"
#include "schedule/gate.h"
#include "schedule/world.h"

namespace deadheat::agent {

class JvmGate final : public schedule::Gate {
 public:
  // Looks up the methods of java.lang.Object; gate_field: where Thread has the address of its record.
  bool start(JNIEnv* jni, jfieldID gate_field);
  // The record of the thread that the scheduler has added last, or will add next.
  ManagedThread& record(schedule::ThreadIndex thread);

  template <typename Visit>
  void for_each(Visit visit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (ManagedThread& record : records_) visit(record);
  }
  // What Thread.isAlive() says: a thread that has ended for JVMTI may be alive for a moment longer.
  bool is_alive(const ManagedThread& thread) const { return env()->GetLongField(thread.thread, vm_thread_) != 0; }
  // Gives others a moment with a monitor that the current thread, self, owns. True when an interrupt kept it from that,
  // which has taken the mark: the caller puts it back when it has done.
  bool let_in(ManagedThread& self, jobject monitor) { return wait_for_real(env(), self, monitor, 1); }
  void put_back_interrupt(ManagedThread& self) { env()->SetBooleanField(self.thread, interrupted_, JNI_TRUE); }

  // A real notifyAll by the owner of the monitor; the model is not told.
  void notify_for_real(JNIEnv* jni, jobject monitor) const;

  // Makes Thread.getState() of a thread that is held tell the model's state: for the VM it stands in native code.
  // Called by the thread whose turn it is, so that the other stays where it is.
  void show_state(JNIEnv* jni, ManagedThread& thread, schedule::Condition condition);

  void add(schedule::ThreadIndex thread) override { record(thread); }
  void wait(schedule::ThreadIndex thread) override;
  void wake(schedule::ThreadIndex thread) override;

 private:
  JNIEnv* env() const;
  bool find_status(JNIEnv* jni);
  void write_status(JNIEnv* jni, jobject thread, jint status) const;
  void wait_on_monitor(ManagedThread& self);
  bool wait_for_real(JNIEnv* jni, ManagedThread& self, jobject object, jlong milliseconds) const;

  JavaVM* vm_ = nullptr;
  jmethodID wait_ = nullptr;
  jmethodID notify_all_ = nullptr;
  jfieldID holder_ = nullptr;  // of Thread, where the status is in an object of its own (JDK 19 and later)
  jfieldID status_ = nullptr;
  jfieldID gate_field_ = nullptr;
  jfieldID interrupted_ = nullptr;
  jfieldID vm_thread_ = nullptr;       // Thread.eetop
  std::mutex mutex_;                   // growth of records_
  std::deque<ManagedThread> records_;  // by index; never move
};

}  // namespace deadheat::agent
