// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm_gate.h"

#include "agent/jni_monitors.h"
#include "agent/native_gates.h"
#include "agent/shim_layout.h"

namespace deadheat::agent {

bool JvmGate::start(JNIEnv* jni, jfieldID gate_field) {
  gate_field_ = gate_field;
  jni->GetJavaVM(&vm_);
  const jclass object = jni->FindClass("java/lang/Object");
  wait_ = jni->GetMethodID(object, "wait", "(J)V");
  notify_all_ = jni->GetMethodID(object, "notifyAll", "()V");
  if (wait_ == nullptr || notify_all_ == nullptr) return false;
  const jclass thread = jni->FindClass("java/lang/Thread");
  interrupted_ = jni->GetFieldID(thread, "interrupted", "Z");
  if (interrupted_ == nullptr) return false;
  vm_thread_ = jni->GetFieldID(thread, "eetop", "J");
  return vm_thread_ != nullptr && find_status(jni);
}

bool JvmGate::find_status(JNIEnv* jni) {
  const jclass thread = jni->FindClass("java/lang/Thread");
  status_ = jni->GetFieldID(thread, "threadStatus", "I");
  if (status_ != nullptr) return true;
  jni->ExceptionClear();
  const jclass holder = jni->FindClass("java/lang/Thread$FieldHolder");
  if (holder == nullptr) return false;
  holder_ = jni->GetFieldID(thread, "holder", "Ljava/lang/Thread$FieldHolder;");
  status_ = jni->GetFieldID(holder, "threadStatus", "I");
  return holder_ != nullptr && status_ != nullptr;
}

void JvmGate::write_status(JNIEnv* jni, jobject thread, jint status) const {
  if (holder_ == nullptr) return jni->SetIntField(thread, status_, status);
  const jobject holder = jni->GetObjectField(thread, holder_);
  if (holder == nullptr) return;
  jni->SetIntField(holder, status_, status);
  jni->DeleteLocalRef(holder);
}

void JvmGate::show_state(JNIEnv* jni, ManagedThread& thread, schedule::Condition condition) {
  jint status = JVMTI_THREAD_STATE_ALIVE;
  switch (condition) {
    case schedule::Condition::kRunnable:
      status |= JVMTI_THREAD_STATE_RUNNABLE;
      break;
    case schedule::Condition::kBlocked:
      status |= JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER;
      break;
    case schedule::Condition::kWaiting:
      status |= JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_WAITING_INDEFINITELY;
      break;
    case schedule::Condition::kTimedWaiting:
      status |= JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT;
      break;
    default:
      return;  // the VM's own is right
  }
  thread.state_shown.store(true);
  write_status(jni, thread.thread, status);
}

ManagedThread& JvmGate::record(schedule::ThreadIndex thread) {
  const std::lock_guard<std::mutex> lock(mutex_);
  while (records_.size() <= to_number(thread)) {
    const schedule::ThreadIndex index{static_cast<std::uint32_t>(records_.size())};
    records_.emplace_back().index = index;
  }
  return records_[to_number(thread)];
}

JNIEnv* JvmGate::env() const {
  void* env = nullptr;
  return vm_->GetEnv(&env, JNI_VERSION_1_8) == JNI_OK ? static_cast<JNIEnv*>(env) : nullptr;
}

void JvmGate::wait(schedule::ThreadIndex thread) {
  ManagedThread& self = record(thread);
  if (self.waits_on.load() == nullptr) {
    self.turn.acquire();
  } else {
    wait_on_monitor(self);
  }
  if (self.state_shown.exchange(false)) {
    write_status(env(), self.thread, JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE);
  }
}

// The thread has the monitor from the moment it says that it waits until it does, so that no notifyAll is lost; and one
// that was woken before does not wait, so that nobody has to take the monitor from it. A thread that comes out by
// itself (an interrupt, a notifyAll for another) while it is being woken goes back: it must not run off with the
// monitor that its waker is waiting for.
void JvmGate::wait_on_monitor(ManagedThread& self) {
  using Wait = ManagedThread::Wait;
  Wait expected = Wait::kNotYet;
  if (!self.wait.compare_exchange_strong(expected, Wait::kWaits)) return;
  JNIEnv* jni = env();
  const jobject object = self.waits_on.load();
  bool was_interrupted = false;
  do {
    was_interrupted |= wait_for_real(jni, self, object, 0);
  } while (self.wait.load() != Wait::kNotified);
  if (was_interrupted) put_back_interrupt(self);
}

// An interrupt ends a real wait; whether and when it ends the program's is the model's to say. So its exception is
// dropped, the code that makes it (constructors, a synchronized method) is hidden from the scheduler, for which this
// thread still stands where it is, and the caller has to put the mark back: true when there was one.
bool JvmGate::wait_for_real(JNIEnv* jni, ManagedThread& self, jobject object, jlong milliseconds) const {
  const jlong record = jni->GetLongField(self.thread, gate_field_);
  jni->SetLongField(self.thread, gate_field_, record | jlong{kGateHeld});
  {
    const UngatedCalls real;
    jni->CallVoidMethod(object, wait_, milliseconds);
  }
  const bool was_interrupted = jni->ExceptionCheck();
  if (was_interrupted) jni->ExceptionClear();
  jni->SetLongField(self.thread, gate_field_, record);
  return was_interrupted;
}

void JvmGate::wake(schedule::ThreadIndex thread) {
  ManagedThread& other = record(thread);
  const jobject object = other.waits_on.load();
  JNIEnv* jni = env();
  if (object == nullptr || jni == nullptr) {
    other.turn.release();
    return;
  }
  // As soon as it counts as notified the thread may go on, by anybody's notifyAll, and drop its reference.
  const jobject monitor = jni->NewLocalRef(object);
  using Wait = ManagedThread::Wait;
  if (other.wait.exchange(Wait::kWoken) == Wait::kWaits) {
    const bool entered = enter_unwatched(jni, monitor) == JNI_OK;
    // The model lets a waiting thread go only when its monitor is free, so this has not blocked for long.
    other.wait.store(Wait::kNotified);
    if (entered) {
      notify_for_real(jni, monitor);
      exit_unwatched(jni, monitor);
    }
  }
  jni->DeleteLocalRef(monitor);
}

void JvmGate::notify_for_real(JNIEnv* jni, jobject monitor) const {
  const UngatedCalls real;
  jni->CallVoidMethod(monitor, notify_all_);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
}

}  // namespace deadheat::agent
