// SPDX-License-Identifier: Apache-2.0
#include "agent/gate_plan.h"

#include <utility>

#include "agent/access_modes.h"
#include "agent/array_calls.h"
#include "agent/hook_plan.h"
#include "agent/lock_calls.h"

namespace deadheat::agent {

namespace {

using classfile::CallRule;
using classfile::Hook;
using Action = classfile::CallRule::Action;

constexpr std::string_view kGate = "java/lang/DeadheatGate";
constexpr std::string_view kGateCalls = "java/lang/DeadheatGateCalls";
constexpr std::string_view kGateInit = "java/lang/DeadheatGateInit";
constexpr std::string_view kGateMonitors = "java/lang/DeadheatGateMonitors";
constexpr std::string_view kGateThreads = "java/lang/DeadheatGateThreads";
constexpr std::string_view kNumbers = "java/lang/DeadheatNumbers";
constexpr std::string_view kUnsafe = "jdk/internal/misc/Unsafe";
constexpr std::string_view kPublicUnsafe = "sun/misc/Unsafe";
constexpr std::string_view kThread = "java/lang/Thread";
constexpr std::string_view kSystem = "java/lang/System";

constexpr std::string_view kFieldGetters[] = {"get",    "getBoolean", "getByte",  "getChar",  "getShort",
                                              "getInt", "getLong",    "getFloat", "getDouble"};
constexpr std::string_view kFieldSetters[] = {"set",    "setBoolean", "setByte",  "setChar",  "setShort",
                                              "setInt", "setLong",    "setFloat", "setDouble"};

constexpr Hook kLocking = {kGateMonitors, "locking", "(Ljava/lang/Object;I)V"};
constexpr Hook kUnlocking = {kGateMonitors, "unlocking", "(Ljava/lang/Object;I)V"};

CallRule with_site(std::string_view owner, std::string_view name, std::string_view descriptor, Action action,
                   const Hook& hook) {
  CallRule rule{owner, name, descriptor, action, hook, {}};
  rule.with_site = true;
  rule.anywhere = true;
  return rule;
}

// A method of the JDK that the scheduler does in its own way: same arguments, and the site.
void replace(classfile::Plan& plan, std::string_view owner, std::string_view name, std::string_view descriptor,
             const Hook& hook) {
  plan.add_call(with_site(owner, name, descriptor, Action::kReplace, hook));
}

void add_monitor_rules(classfile::Plan& plan) {
  // Final in Object: a call with one of these shapes is no other method.
  replace(plan, "", "wait", "()V", {kGateMonitors, "await", "(Ljava/lang/Object;I)V"});
  replace(plan, "", "wait", "(J)V", {kGateMonitors, "await", "(Ljava/lang/Object;JI)V"});
  replace(plan, "", "wait", "(JI)V", {kGateMonitors, "await", "(Ljava/lang/Object;JII)V"});
  replace(plan, "", "notify", "()V", {kGateMonitors, "notifying", "(Ljava/lang/Object;I)V"});
  replace(plan, "", "notifyAll", "()V", {kGateMonitors, "notifyingAll", "(Ljava/lang/Object;I)V"});
}

void add_thread_rules(classfile::Plan& plan) {
  replace(plan, kUnsafe, "park", "(ZJ)V", {kGateThreads, "park", "(Ljdk/internal/misc/Unsafe;ZJI)V"});
  replace(plan, kUnsafe, "unpark", "(Ljava/lang/Object;)V",
          {kGateThreads, "unpark", "(Ljdk/internal/misc/Unsafe;Ljava/lang/Object;I)V"});
  replace(plan, kThread, "sleep", "(J)V", {kGateThreads, "sleep", "(JI)V"});
  replace(plan, kThread, "sleep", "(JI)V", {kGateThreads, "sleep", "(JII)V"});
  replace(plan, kThread, "yield", "()V", {kGateThreads, "yield", "(I)V"});
  replace(plan, kThread, "onSpinWait", "()V", {kGateThreads, "spin", "(I)V"});
  plan.add_call(with_site(kThread, "start0", "()V", Action::kBeforeReceiver,
                          {kGateThreads, "starting", "(Ljava/lang/Object;I)V"}));
  plan.add_call(with_site(kThread, "interrupt0", "()V", Action::kBeforeReceiver,
                          {kGateThreads, "interrupting", "(Ljava/lang/Object;I)V"}));
  // Virtual threads have a platform thread each, as on a VM without continuations: what is held at the gate would hold
  // its carrier, and the carriers' own scheduler would decide beside ours.
  CallRule continuations{"jdk/internal/vm/ContinuationSupport",
                         "isSupported",
                         "()Z",
                         Action::kReplace,
                         {kGateThreads, "continuations", "()Z"},
                         {}};
  continuations.within = "java/lang/ThreadBuilders";
  plan.add_call(continuations);
  plan.add_call({kThread, "clearInterruptEvent", "()V", Action::kAfter, {kGateThreads, "interruptCleared", "()V"}, {}});
  // Whatever the static type of the thread: nobody else has a method of this name and shape, and if so it is no Thread.
  plan.add_call(with_site("", "getState", "()Ljava/lang/Thread$State;", Action::kBeforeReceiver,
                          {kGateThreads, "askingState", "(Ljava/lang/Object;I)V"}));
  replace(plan, kSystem, "nanoTime", "()J", {kGateThreads, "nanoTime", "(I)J"});
  replace(plan, kSystem, "currentTimeMillis", "()J", {kGateThreads, "currentTimeMillis", "(I)J"});
  // By which java.time refines the time of currentTimeMillis.
  replace(plan, "jdk/internal/misc/VM", "getNanoTimeAdjustment", "(J)J", {kGateThreads, "nanoTimeAdjustment", "(JI)J"});
}

void add_hash_rules(classfile::Plan& plan) {
  plan.add_call({"", "hashCode", "()I", Action::kReplace, {kNumbers, "hashCode", "(Ljava/lang/Object;)I"}, {}});
  plan.add_call({kSystem,
                 "identityHashCode",
                 "(Ljava/lang/Object;)I",
                 Action::kReplace,
                 {kNumbers, "identityHashCode", "(Ljava/lang/Object;)I"},
                 {}});
}

// Every access that is not plain.
void add_atomic_rules(classfile::Plan& plan) {
  for (const OffsetMethod& method : offset_methods()) {
    if (method.mode & kModePlain) continue;
    CallRule rule{kUnsafe, method.name, "", Action::kAroundOffset, {}, {}};
    rule.sited_hook = {kGateCalls, "atomic", "(Ljava/lang/Object;JII)V"};
    rule.detail = method.mode;
    plan.add_call(rule);
  }
  for (const HandleMethod& method : handle_methods()) {
    if (method.mode & kModePlain) continue;
    CallRule rule{kVarHandle, method.name, "", Action::kAroundVarHandle, {}, {}};
    rule.sited_hook = {kGateCalls, "atomic", "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;III)V"};
    rule.detail = method.mode;
    rule.values = method.values;
    plan.add_call(rule);
  }
}

// As in hook_plan.cc: fork-join hands tasks over by plain stores.
void add_forked_tasks(classfile::Plan& plan) {
  for (const char* name : {"putReference", "putObject"}) {
    CallRule rule{kUnsafe, name, "", Action::kAroundOffset, {}, {}};
    rule.within = kWorkQueue;
    rule.sited_hook = {kGateCalls, "atomic", "(Ljava/lang/Object;JII)V"};
    rule.detail = kSet | kModeReleases;
    plan.add_call(rule);
  }
}

// Plain accesses by way of a call, and what may be a volatile one: for a trace, and at the sites that are asked for.
void add_indirect_rules(classfile::Plan& plan) {
  for (const OffsetMethod& method : offset_methods()) {
    if (!(method.mode & kModePlain)) continue;
    for (const std::string_view owner : {kUnsafe, kPublicUnsafe}) {
      CallRule rule{owner, method.name, "", Action::kAroundOffset, {}, {}};
      rule.sited_hook = {kGateCalls, "plain", "(Ljava/lang/Object;JII)V"};
      rule.detail = method.mode;
      plan.add_call(rule);
    }
  }
  for (const HandleMethod& method : handle_methods()) {
    if (!(method.mode & kModePlain)) continue;
    CallRule rule{kVarHandle, method.name, "", Action::kAroundVarHandle, {}, {}};
    rule.sited_hook = {kGateCalls, "plain", "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;III)V"};
    rule.sited_after = {kGateCalls, "plainDone", "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;III)V"};
    rule.detail = method.mode;
    rule.values = method.values;
    plan.add_call(rule);
  }
  constexpr std::string_view kOfMethodHandle = "(Ljava/lang/invoke/MethodHandle;Ljava/lang/Object;II)V";
  for (const char* name : {"invokeExact", "invoke"}) {
    CallRule rule{kMethodHandle, name, "", Action::kAroundMethodHandle, {}, {}};
    rule.sited_hook = {kGateCalls, "invoking", kOfMethodHandle};
    rule.sited_after = {kGateCalls, "invoked", kOfMethodHandle};
    plan.add_call(rule);
  }
  constexpr std::string_view kOfField = "(Ljava/lang/reflect/Field;Ljava/lang/Object;I)V";
  const auto add_reflected = [&plan, kOfField](std::string_view name, std::string_view before, std::string_view after) {
    CallRule rule{kReflectedField, name, "", Action::kAroundOperands, {}, {}};
    rule.values = 2;
    rule.sited_hook = {kGateCalls, before, kOfField};
    rule.sited_after = {kGateCalls, after, kOfField};
    plan.add_call(rule);
  };
  for (const std::string_view name : kFieldGetters) add_reflected(name, "getting", "got");
  for (const std::string_view name : kFieldSetters) add_reflected(name, "setting", "set");
}

// Native methods that wait for the world outside: the turn is given up at once instead of when the watchdog notices.
void add_blocking_rules(classfile::Plan& plan) {
  constexpr std::pair<std::string_view, std::string_view> kBlocking[] = {
      {"sun/nio/ch/Net", "accept"},
      {"sun/nio/ch/Net", "connect0"},
      {"sun/nio/ch/Net", "poll"},
      {"sun/nio/ch/Net", "pollConnect"},
      {"sun/nio/ch/EPoll", "wait"},
      {"sun/nio/ch/SocketDispatcher", "read0"},
      {"sun/nio/ch/SocketDispatcher", "readv0"},
      {"sun/nio/ch/DatagramDispatcher", "read0"},
      {"sun/nio/ch/DatagramDispatcher", "readv0"},
      {"sun/nio/ch/UnixDomainSockets", "accept0"},
      {"sun/nio/ch/UnixDomainSockets", "connect0"},
  };
  for (const auto& [owner, name] : kBlocking) {
    plan.add_call({owner, name, "", Action::kAround, {kGate, "leaving", "()V"}, {kGate, "back", "()V"}});
  }
}

}  // namespace

void add_gated_monitors(classfile::Plan& detector_plan) {
  detector_plan.lock_request = kLocking;
  detector_plan.lock_release = kUnlocking;
}

classfile::Plan make_region_plan() {
  classfile::Plan plan;
  plan.region_entered = {kGate, "enterUnscheduled", "()V"};
  plan.region_left = {kGate, "leaveUnscheduled", "()V"};
  return plan;
}

classfile::Plan make_gate_plan(GatedCalls calls) {
  const bool recording = calls == GatedCalls::kRecorded;
  classfile::Plan plan = make_region_plan();
  plan.field_read = {kGate, "read", "(Ljava/lang/Object;I)V"};
  plan.field_write = {kGate, "write", "(Ljava/lang/Object;I)V"};
  plan.static_read = {kGate, "readStatic", "(I)V"};
  plan.static_write = {kGate, "writeStatic", "(I)V"};
  if (recording) {
    plan.static_read = {kGateInit, "readInitialised", "(I)V"};
    plan.static_write = {kGateInit, "writeInitialised", "(I)V"};
    plan.atomic_entered = {kGate, "enterAtomic", "(I)V"};
    plan.atomic_left = {kGate, "leaveAtomic", "(I)V"};
    plan.frozen = {kGate, "frozen", "(Ljava/lang/Object;)V"};
    plan.record_read = {kGate, "readRecord", "(Ljava/lang/Object;Ljava/lang/Object;I)V"};
    plan.class_used = {kGateInit, "used", "(I)V"};
    plan.element_published = {kGateCalls, "elementReleases", "(Ljava/lang/Object;I)V"};
    plan.initialiser_begins = {kGateInit, "initialiserBegins", "(I)V"};
    plan.initialiser_ends = {kGateInit, "initialiserEnds", "(I)V"};
    plan.initialiser_fails = {kGateInit, "initialiserFails", "()V"};
    plan.whole_entered = {kLockCalls, "entered", "(Ljava/lang/Object;II)V"};
    plan.whole_left = {kLockCalls, "left", "(Ljava/lang/Object;II)V"};
  }
  plan.array_read = {kGate, "readElement", "(Ljava/lang/Object;IILjava/lang/Object;)Ljava/lang/Object;"};
  plan.array_write = {kGate, "writeElement", "(Ljava/lang/Object;IILjava/lang/Object;)Ljava/lang/Object;"};
  plan.reference_write = {kGate, "writeReference",
                          "(Ljava/lang/Object;ILjava/lang/Object;ILjava/lang/Object;)Ljava/lang/Object;"};
  plan.monitor_request = kLocking;
  plan.monitor_release = kUnlocking;
  plan.caller_class = {"java/lang/DeadheatSync", "callerClass", "()Ljava/lang/Object;"};
  CallRule copy = with_site(kSystem, "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", Action::kReplace,
                            {kGate, "copy", "(Ljava/lang/Object;ILjava/lang/Object;III)V"});
  copy.anywhere = false;
  plan.add_call(copy);
  add_monitor_rules(plan);
  add_thread_rules(plan);
  add_hash_rules(plan);
  add_atomic_rules(plan);
  if (recording) add_forked_tasks(plan);  // in front of what is said of all such stores
  if (calls != GatedCalls::kNone) {
    add_indirect_rules(plan);
    add_recorded_array_calls(plan);
  }
  if (recording) add_sited_lock_calls(plan);
  add_blocking_rules(plan);
  add_hidden_class_rule(plan);
  return plan;
}

}  // namespace deadheat::agent
