// SPDX-License-Identifier: Apache-2.0
//
// The native methods of DeadheatGate*.java.
#include "agent/gate_natives.h"

#include "agent/agent.h"
#include "agent/conductor.h"
#include "agent/inherited_inits.h"
#include "agent/native_binding.h"
#include "agent/native_gates.h"

namespace deadheat::agent {

namespace {

using schedule::Operation;
using schedule::OperationKind;
using schedule::Passage;

Conductor& conductor() { return *agent()->conductor; }
ManagedThread& thread_at(jlong address) { return *reinterpret_cast<ManagedThread*>(address); }
std::uint32_t number(jint site) { return static_cast<std::uint32_t>(site); }
std::uint64_t key(jlong object) { return static_cast<std::uint64_t>(object); }
jint code(Passage passage) { return static_cast<jint>(passage); }

void JNICALL perform(JNIEnv* jni, jclass, jlong self, jlong location, jint extent, jint site, jint operation) {
  const auto kind = static_cast<OperationKind>(operation);
  if (kind != OperationKind::kVolatileUpdate) conductor().about_to_access(jni, thread_at(self), number(site));
  conductor().perform(thread_at(self),
                      {.kind = kind, .object = key(location), .extent = static_cast<std::uint32_t>(extent)},
                      number(site));
}

void JNICALL done(JNIEnv* jni, jclass, jlong self, jlong location, jint extent, jint site, jint operation) {
  conductor().about_to_access(jni, thread_at(self), number(site));
  conductor().perform_silently(thread_at(self),
                               {.kind = static_cast<OperationKind>(operation),
                                .object = key(location),
                                .extent = static_cast<std::uint32_t>(extent)},
                               number(site));
}

void JNICALL passed_outside(JNIEnv* jni, jclass, jint site) { conductor().passed_outside(jni, number(site)); }

void JNICALL used_by_site(JNIEnv*, jclass, jlong self, jint site) {
  conductor().use_statics(thread_at(self), number(site));
}

void JNICALL used(JNIEnv* jni, jclass, jlong self, jint init) {
  if (const auto heir = heir_of(agent()->words.init_words()[init]))
    agent()->resolver.learn_supers(jni, agent()->classes.at(*heir));
  conductor().use_class(thread_at(self), static_cast<std::uint32_t>(init));
}

void JNICALL initialiser(JNIEnv*, jclass, jlong self, jint init, jboolean begins) {
  conductor().initialise(thread_at(self), static_cast<std::uint32_t>(init), begins);
}

void JNICALL failure(JNIEnv*, jclass, jlong self, jboolean happens) {
  conductor().initialiser_failure(thread_at(self), happens);
}

void JNICALL lock_native(JNIEnv*, jclass, jlong self, jlong monitor, jboolean taken) {
  conductor().lock_natively(thread_at(self), key(monitor), taken);
}

void JNICALL unlock_native(JNIEnv*, jclass, jlong self, jlong monitor) {
  conductor().perform_silently(thread_at(self), {.kind = OperationKind::kUnlock, .object = key(monitor)}, 0);
}

void JNICALL lock(JNIEnv*, jclass, jlong self, jlong monitor, jint site) {
  conductor().perform(thread_at(self), {.kind = OperationKind::kLock, .object = key(monitor)}, number(site));
}

void JNICALL unlock(JNIEnv*, jclass, jlong self, jlong monitor, jint site) {
  conductor().perform_silently(thread_at(self), {.kind = OperationKind::kUnlock, .object = key(monitor)}, number(site));
}

jint JNICALL wait_for(JNIEnv* jni, jclass, jlong self, jobject object, jlong monitor, jlong millis, jint site) {
  Operation op{.object = key(monitor)};
  if (millis > 0) op.timeout = static_cast<std::uint64_t>(millis) * 1'000'000;
  return code(conductor().wait(jni, thread_at(self), object, op, number(site)));
}

jint JNICALL notify(JNIEnv*, jclass, jlong self, jlong monitor, jboolean all, jint site) {
  const OperationKind kind = all ? OperationKind::kNotifyAll : OperationKind::kNotify;
  return code(conductor().perform(thread_at(self), {.kind = kind, .object = key(monitor)}, number(site)));
}

jint JNICALL park(JNIEnv*, jclass, jlong self, jboolean absolute, jlong time, jint site) {
  Operation op{.kind = OperationKind::kPark};
  if (absolute) {
    const std::int64_t left = time - conductor().wall_clock();
    op.timeout = left <= 0 ? 0 : static_cast<std::uint64_t>(left) * 1'000'000;
  } else if (time != 0) {
    op.timeout = time < 0 ? 0 : static_cast<std::uint64_t>(time);
  }
  ManagedThread& thread = thread_at(self);
  const Passage passage = conductor().perform(thread, op, number(site));
  if (passage != Passage::kFreeRun || thread.parks_freely) return code(passage);
  // A permit that the model had is nowhere now that control has ended: once, the park ends for no reason.
  thread.parks_freely = true;
  return code(Passage::kGranted);
}

jboolean JNICALL unpark(JNIEnv*, jclass, jlong self, jlong target, jint site) {
  if (target == 0) return JNI_FALSE;
  if (self == 0) {
    conductor().unpark(thread_at(target));
    return JNI_FALSE;  // it may be in a real park: the scheduler may have stopped
  }
  const Operation op{.kind = OperationKind::kUnpark, .target = thread_at(target).index};
  return conductor().perform(thread_at(self), op, number(site)) != Passage::kFreeRun;
}

jint JNICALL sleep(JNIEnv*, jclass, jlong self, jlong nanos, jint site) {
  const Operation op{.kind = OperationKind::kSleep, .timeout = static_cast<std::uint64_t>(nanos)};
  return code(conductor().perform(thread_at(self), op, number(site)));
}

jint JNICALL yield(JNIEnv*, jclass, jlong self, jint site) {
  return code(conductor().perform(thread_at(self), {.kind = OperationKind::kYield}, number(site)));
}

void JNICALL interrupt(JNIEnv*, jclass, jlong self, jlong target, jint site) {
  if (target == 0) return;
  if (self == 0) return conductor().interrupt(thread_at(target));
  conductor().perform(thread_at(self), {.kind = OperationKind::kInterrupt, .target = thread_at(target).index},
                      number(site));
}

void JNICALL clear_interrupt(JNIEnv*, jclass, jlong self) {
  conductor().perform_silently(thread_at(self), {.kind = OperationKind::kClearInterrupt}, 0);
}

void JNICALL start(JNIEnv* jni, jclass, jlong self, jobject thread, jlong monitor, jint site) {
  conductor().start_child(jni, thread_at(self), thread, key(monitor), number(site));
}

jlong JNICALL next_thread_id(JNIEnv*, jclass) { return conductor().next_thread_id(); }

void JNICALL control(JNIEnv* jni, jclass, jboolean programs) { agent()->control_main(jni, programs); }

void JNICALL bound(JNIEnv* jni, jclass, jlong self, jobject thread, jboolean begins) {
  if (begins) {
    thread_at(self).bound = true;
    agent()->on_thread_start(jni, thread);  // the detector, if it runs along, is not told by the VM either
  } else if (thread_at(self).bound) {
    agent()->on_thread_end(jni, thread);
  }
}

void JNICALL manage(JNIEnv* jni, jclass, jobject thread, jlong monitor) {
  conductor().manage(jni, thread, key(monitor));
}

void JNICALL show_state(JNIEnv* jni, jclass, jlong self, jlong target, jint site) {
  conductor().show_state(jni, thread_at(self), target == 0 ? nullptr : &thread_at(target), number(site));
}

jlong JNICALL now(JNIEnv*, jclass, jlong self, jboolean wall_clock, jint site) {
  conductor().look_at_clock(thread_at(self), number(site));
  return wall_clock ? conductor().wall_clock() : conductor().nano_time();
}

jlong JNICALL wall_nanos(JNIEnv*, jclass, jlong self, jint site) {
  conductor().look_at_clock(thread_at(self), number(site));
  return conductor().wall_nanos();
}

void JNICALL unscheduled(JNIEnv*, jclass, jlong self, jboolean enter) {
  conductor().unscheduled(thread_at(self), enter);
}

void JNICALL atomic(JNIEnv*, jclass, jlong self, jint site, jboolean enter) {
  conductor().atomic_region(thread_at(self), number(site), enter);
}

void JNICALL external(JNIEnv*, jclass, jlong self, jboolean leave) {
  const OperationKind kind = leave ? OperationKind::kExternal : OperationKind::kLook;
  conductor().perform_unsited(thread_at(self), {.kind = kind});
}

void JNICALL notify_from_outside(JNIEnv* jni, jclass, jobject object) { conductor().notify_from_outside(jni, object); }

void JNICALL waits_outside(JNIEnv* jni, jclass, jobject object, jboolean begins) {
  conductor().waits_outside(jni, object, begins);
}

jboolean JNICALL is_awaited_outside(JNIEnv* jni, jclass, jobject object) {
  return conductor().is_awaited_outside(jni, object);
}

void JNICALL notify_for_real(JNIEnv* jni, jclass, jobject object) { conductor().notify_for_real(jni, object); }

jboolean JNICALL take_natives(JNIEnv* jni, jclass) { return gate_native_methods(agent()->jvmti, jni); }

void JNICALL uncaught(JNIEnv* jni, jclass, jlong self, jthrowable thrown) {
  conductor().uncaught(jni, thread_at(self), thrown);
}

void JNICALL owned(JNIEnv* jni, jclass, jlong self, jobject synchroniser, jboolean taken) {
  thread_at(self).locks.owned(jni, synchroniser, taken);
}

void JNICALL shares(JNIEnv* jni, jclass, jlong self, jobject synchroniser) {
  thread_at(self).locks.shares(jni, synchroniser);
}

void JNICALL stamped(JNIEnv* jni, jclass, jlong self, jobject lock, jlong stamp, jboolean taken) {
  thread_at(self).locks.stamped(jni, lock, stamp, taken);
}

void JNICALL unstamped(JNIEnv* jni, jclass, jlong self, jobject lock, jboolean write) {
  thread_at(self).locks.unstamped(jni, lock, write);
}

void JNICALL enter_lock_call(JNIEnv* jni, jclass, jlong self, jint call, jobject synchroniser, jlong lock,
                             jlong subject, jint site, jboolean barging) {
  conductor().enter_lock_call(jni, thread_at(self), static_cast<LockCall>(call),
                              {synchroniser, key(lock), key(subject), barging != JNI_FALSE}, number(site));
}

void JNICALL leave_lock_call(JNIEnv* jni, jclass, jlong self, jint call, jobject synchroniser, jlong lock) {
  conductor().leave_lock_call(jni, thread_at(self), static_cast<LockCall>(call), {synchroniser, key(lock)});
}

void JNICALL lock_owned(JNIEnv*, jclass, jlong self, jlong lock, jboolean taken) {
  conductor().lock_owned(thread_at(self), key(lock), taken);
}

jboolean JNICALL enter_stamped_call(JNIEnv*, jclass, jlong self, jint call, jlong lock, jint site) {
  return conductor().enter_stamped_call(thread_at(self), static_cast<LockCall>(call), key(lock), number(site));
}

void JNICALL leave_stamped_call(JNIEnv*, jclass, jlong self, jint call, jlong lock, jint holds) {
  conductor().leave_stamped_call(thread_at(self), static_cast<LockCall>(call), key(lock), holds);
}

}  // namespace

bool bind_gate_natives(JNIEnv* jni, std::span<const ShimClass> classes) {
  const JNINativeMethod accesses[] = {
      native_method("perform", "(JJIII)V", perform),
      native_method("done", "(JJIII)V", done),
      native_method("passedOutside", "(I)V", passed_outside),
      native_method("unscheduled", "(JZ)V", unscheduled),
      native_method("atomic", "(JIZ)V", atomic),
      native_method("external", "(JZ)V", external),
      native_method("uncaught", "(JLjava/lang/Throwable;)V", uncaught),
  };
  const JNINativeMethod initialisation[] = {
      native_method("usedBySite", "(JI)V", used_by_site),
      native_method("used", "(JI)V", used),
      native_method("initialiser", "(JIZ)V", initialiser),
      native_method("failure", "(JZ)V", failure),
  };
  const JNINativeMethod monitors[] = {
      native_method("lock", "(JJI)V", lock),
      native_method("unlock", "(JJI)V", unlock),
      native_method("lockNative", "(JJZ)V", lock_native),
      native_method("unlockNative", "(JJ)V", unlock_native),
      native_method("waitFor", "(JLjava/lang/Object;JJI)I", wait_for),
      native_method("notify", "(JJZI)I", notify),
      native_method("notifyFromOutside", "(Ljava/lang/Object;)V", notify_from_outside),
      native_method("waitsOutside", "(Ljava/lang/Object;Z)V", waits_outside),
      native_method("isAwaitedOutside", "(Ljava/lang/Object;)Z", is_awaited_outside),
      native_method("notifyForReal", "(Ljava/lang/Object;)V", notify_for_real),
      native_method("takeNatives0", "()Z", take_natives),
  };
  const JNINativeMethod threads[] = {
      native_method("park", "(JZJI)I", park),
      native_method("unpark", "(JJI)Z", unpark),
      native_method("sleep0", "(JJI)I", sleep),
      native_method("yield0", "(JI)I", yield),
      native_method("interrupt", "(JJI)V", interrupt),
      native_method("clearInterrupt", "(J)V", clear_interrupt),
      native_method("start", "(JLjava/lang/Object;JI)V", start),
      native_method("nextThreadId", "()J", next_thread_id),
      native_method("control", "(Z)V", control),
      native_method("bound", "(JLjava/lang/Object;Z)V", bound),
      native_method("manage", "(Ljava/lang/Object;J)V", manage),
      native_method("showState", "(JJI)V", show_state),
      native_method("now", "(JZI)J", now),
      native_method("wallNanos", "(JI)J", wall_nanos),
  };
  const JNINativeMethod locks[] = {
      native_method("owned", "(JLjava/lang/Object;Z)V", owned),
      native_method("shares", "(JLjava/lang/Object;)V", shares),
      native_method("stamped", "(JLjava/lang/Object;JZ)V", stamped),
      native_method("unstamped", "(JLjava/lang/Object;Z)V", unstamped),
  };
  const JNINativeMethod lock_calls[] = {
      native_method("enter", "(JILjava/lang/Object;JJIZ)V", enter_lock_call),
      native_method("leave", "(JILjava/lang/Object;J)V", leave_lock_call),
      native_method("owned", "(JJZ)V", lock_owned),
  };
  const JNINativeMethod stamped_calls[] = {
      native_method("enter", "(JIJI)Z", enter_stamped_call),
      native_method("leave", "(JIJI)V", leave_stamped_call),
  };
  return bind_natives(jni, classes, "java/lang/DeadheatGate", accesses) &&
         bind_natives(jni, classes, "java/lang/DeadheatGateInit", initialisation) &&
         bind_natives(jni, classes, "java/lang/DeadheatGateMonitors", monitors) &&
         bind_natives(jni, classes, "java/lang/DeadheatGateThreads", threads) &&
         bind_natives(jni, classes, "java/lang/DeadheatGateLocks", locks) &&
         bind_natives(jni, classes, "java/lang/DeadheatLockCalls", lock_calls) &&
         bind_natives(jni, classes, "java/lang/DeadheatStampedCalls", stamped_calls);
}

}  // namespace deadheat::agent
