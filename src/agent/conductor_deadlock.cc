// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom when nobody can go on: beside the monitors of the model, the locks of java.util.concurrent and the
// ends of threads. A thread that waits for such a lock is parked, for the model; which lock it is, its Thread object
// says (LockSupport's blocker), and the lock says who has it.
//
// Called under the scheduler's lock, while all managed threads stand still. No Java code that has hooks may run here.
#include <algorithm>
#include <string_view>

#include "agent/agent.h"
#include "agent/conductor.h"
#include "agent/object_class.h"
#include "base/json_writer.h"
#include "schedule/deadlock.h"

namespace deadheat::agent {

using schedule::OperationKind;
using schedule::ThreadIndex;

namespace {

constexpr const char* kSynchroniser = "java/util/concurrent/locks/AbstractOwnableSynchronizer";
constexpr const char* kReadWriteSync = "java/util/concurrent/locks/ReentrantReadWriteLock$Sync";

// The value of an object's field if it is an instance of the class; null otherwise.
jobject field_of(JNIEnv* jni, jobject object, const char* class_name, const char* field, const char* type) {
  const jclass owner = jni->FindClass(class_name);
  jobject value = nullptr;
  if (owner != nullptr && jni->IsInstanceOf(object, owner)) {
    const jfieldID id = jni->GetFieldID(owner, field, type);
    if (id != nullptr) value = jni->GetObjectField(object, id);
  }
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (owner != nullptr) jni->DeleteLocalRef(owner);
  return value;
}

// Who has a lock of java.util.concurrent for himself, or shares it longest.
jobject holder_of(JNIEnv* jni, jobject synchroniser) {
  constexpr const char* kThread = "Ljava/lang/Thread;";
  const jobject owner = field_of(jni, synchroniser, kSynchroniser, "exclusiveOwnerThread", kThread);
  return owner != nullptr ? owner : field_of(jni, synchroniser, kReadWriteSync, "firstReader", kThread);
}

}  // namespace

// The monitor with this key among those that the thread owns; null if it is none of them. A local reference.
jobject Conductor::owned_monitor(JNIEnv* jni, const ManagedThread& owner, std::uint64_t key) {
  jint count = 0;
  jobject* monitors = nullptr;
  if (jvmti_->GetOwnedMonitorInfo(owner.thread, &count, &monitors) != JVMTI_ERROR_NONE) return nullptr;
  jobject found = nullptr;
  for (jint i = 0; i < count; ++i) {
    if (found == nullptr && key_of(jni, monitors[i]) == key) {
      found = monitors[i];
    } else {
      jni->DeleteLocalRef(monitors[i]);
    }
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(monitors));
  return found;
}

// The hooks are not to see what is looked up on behalf of them.
std::uint64_t Conductor::key_of(JNIEnv* jni, jobject object) {
  jthread current = nullptr;
  if (jvmti_->GetCurrentThread(&current) != JVMTI_ERROR_NONE) return 0;
  const jlong gate = jni->GetLongField(current, gate_field_);
  if (gate != 0) jni->SetLongField(current, gate_field_, gate | jlong{kGateHeld});
  const jclass numbers = jni->FindClass("java/lang/DeadheatNumbers");
  const jmethodID of = numbers == nullptr ? nullptr : jni->GetStaticMethodID(numbers, "of", "(Ljava/lang/Object;)J");
  const jlong key = of == nullptr ? 0 : jni->CallStaticLongMethod(numbers, of, object);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (numbers != nullptr) jni->DeleteLocalRef(numbers);
  jni->SetLongField(current, gate_field_, gate);
  jni->DeleteLocalRef(current);
  return static_cast<std::uint64_t>(key);
}

// Thread.join waits on the Thread object; so may the program, for a notify.
bool Conductor::is_in_join(JNIEnv* jni, const ManagedThread& thread) {
  for (const StackFrame& frame : walker_.of(jni, thread.thread)) {
    if (walker_.class_of(frame) == "java/lang/Thread" && walker_.method_of(frame) == "join") return true;
    if (!walker_.class_of(frame).starts_with("java/lang/")) return false;
  }
  return false;
}

Conductor::Awaited Conductor::awaited_by(JNIEnv* jni, const schedule::Deadlock::Blocked& blocked) {
  ManagedThread& self = gate_.record(blocked.thread);
  Awaited awaited{.holder = blocked.waits_for};
  if (blocked.op.kind == OperationKind::kPark) {
    awaited.what = "permit";
    const jobject blocker = field_of(jni, self.thread, "java/lang/Thread", "parkBlocker", "Ljava/lang/Object;");
    if (blocker == nullptr) return awaited;
    if (is_instance(jni, blocker, kSynchroniser)) {
      if (const jobject holder = holder_of(jni, blocker); holder != nullptr) {
        awaited.what = "lock";
        awaited.holder_name = thread_name(holder);
        if (const ManagedThread* known = managed(jni, holder)) awaited.holder = known->index;
        jni->DeleteLocalRef(holder);
      }
    }
    awaited.lock = locks_.name(jni, blocker);
    jni->DeleteLocalRef(blocker);
    return awaited;
  }
  const bool is_wait = blocked.op.kind == OperationKind::kWaitEnd;
  const jobject waits_on = is_wait ? self.waits_on.load() : nullptr;
  if (is_wait && blocked.waits_for == schedule::kNoThread) {
    awaited.what = "notify";
    if (waits_on == nullptr) return awaited;
    gate_.for_each([&](const ManagedThread& other) {
      if (other.thread != nullptr && jni->IsSameObject(other.thread, waits_on)) awaited.holder = other.index;
    });
    if (awaited.holder != schedule::kNoThread && is_in_join(jni, self)) {
      awaited.what = "end";
    } else {
      awaited.holder = schedule::kNoThread;
      awaited.lock = locks_.name(jni, waits_on);
    }
    return awaited;
  }
  awaited.what = blocked.op.kind == OperationKind::kJoin ? "end" : "monitor";
  if (blocked.op.kind == OperationKind::kJoin) return awaited;
  if (waits_on != nullptr) {
    awaited.lock = locks_.name(jni, waits_on);
  } else if (blocked.waits_for != schedule::kNoThread) {
    const jobject monitor = owned_monitor(jni, gate_.record(blocked.waits_for), blocked.op.object);
    if (monitor != nullptr) awaited.lock = locks_.name(jni, monitor);
    jni->DeleteLocalRef(monitor);
  }
  return awaited;
}

schedule::AfterDeadlock Conductor::on_deadlock(const schedule::World& world, const schedule::Deadlock& deadlock) {
  JNIEnv* const jni = agent()->env();
  std::vector<ThreadIndex> waits_for(world.thread_count(), schedule::kNoThread);
  JsonWriter json;
  json.begin_object().field("type", "deadlock").key("threads").begin_array();
  for (const schedule::Deadlock::Blocked& blocked : deadlock.blocked) {
    Awaited awaited = awaited_by(jni, blocked);
    if (awaited.holder != schedule::kNoThread) {
      waits_for[to_number(blocked.thread)] = awaited.holder;
      awaited.holder_name = thread_name(gate_.record(awaited.holder).thread);
    }
    json.begin_object().field("scheduled_name", world.name(blocked.thread));
    write_thread(json, blocked.thread);
    json.field("operation", schedule::operation_kind_name(blocked.op.kind)).field("awaits", awaited.what);
    if (!awaited.lock.empty()) json.field("lock", awaited.lock);
    if (awaited.holder != schedule::kNoThread) json.field("waits_for", world.name(awaited.holder));
    if (!awaited.holder_name.empty()) json.field("holder", awaited.holder_name);
    write_held(json, gate_.record(blocked.thread));
    write_stack(json, gate_.record(blocked.thread).thread);
    json.end_object();
  }
  json.end_array().key("cycle").begin_array();
  for (const ThreadIndex thread : schedule::cycle_in(waits_for)) json.value(world.name(thread));
  json.end_array().end_object();
  log_.write(json.text());
  deadlocked_.store(true);
  return schedule::AfterDeadlock::kFreeRun;
}

}  // namespace deadheat::agent
