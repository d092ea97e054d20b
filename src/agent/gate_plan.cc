// SPDX-License-Identifier: Apache-2.0
#include "agent/gate_plan.h"

#include <array>
#include <deque>
#include <string>

namespace deadheat::agent {

namespace {

using classfile::CallRule;
using classfile::Hook;
using Action = classfile::CallRule::Action;

constexpr std::string_view kGate = "java/lang/DeadheatGate";
constexpr std::string_view kUnsafe = "jdk/internal/misc/Unsafe";
constexpr std::string_view kThread = "java/lang/Thread";
constexpr std::string_view kSystem = "java/lang/System";

// Rules name methods by views: the names that are put together here live as long as the program.
std::string_view keep(std::string text) {
  static std::deque<std::string> kept;
  return kept.emplace_back(std::move(text));
}

CallRule with_site(std::string_view owner, std::string_view name, std::string_view descriptor, Action action,
                   const Hook& hook) {
  CallRule rule{owner, name, descriptor, action, hook, {}};
  rule.with_site = true;
  rule.anywhere = true;
  return rule;
}

// A method of the JDK that the scheduler does in its own way: same arguments, and the site.
void replace(classfile::Plan& plan, std::string_view owner, std::string_view name, std::string_view descriptor,
             std::string_view hook, std::string_view hook_descriptor) {
  plan.add_call(with_site(owner, name, descriptor, Action::kReplace, {kGate, hook, hook_descriptor}));
}

void add_monitor_rules(classfile::Plan& plan) {
  // Final in Object: a call with one of these shapes is no other method.
  replace(plan, "", "wait", "()V", "await", "(Ljava/lang/Object;I)V");
  replace(plan, "", "wait", "(J)V", "await", "(Ljava/lang/Object;JI)V");
  replace(plan, "", "wait", "(JI)V", "await", "(Ljava/lang/Object;JII)V");
  replace(plan, "", "notify", "()V", "notifying", "(Ljava/lang/Object;I)V");
  replace(plan, "", "notifyAll", "()V", "notifyingAll", "(Ljava/lang/Object;I)V");
}

void add_thread_rules(classfile::Plan& plan) {
  replace(plan, kUnsafe, "park", "(ZJ)V", "park", "(Ljdk/internal/misc/Unsafe;ZJI)V");
  replace(plan, kUnsafe, "unpark", "(Ljava/lang/Object;)V", "unpark", "(Ljdk/internal/misc/Unsafe;Ljava/lang/Object;I)V");
  replace(plan, kThread, "sleep", "(J)V", "sleep", "(JI)V");
  replace(plan, kThread, "sleep", "(JI)V", "sleep", "(JII)V");
  replace(plan, kThread, "yield", "()V", "yield", "(I)V");
  replace(plan, kThread, "onSpinWait", "()V", "spin", "(I)V");
  plan.add_call(with_site(kThread, "start0", "()V", Action::kBeforeReceiver, {kGate, "starting", "(Ljava/lang/Object;I)V"}));
  plan.add_call(
      with_site(kThread, "interrupt0", "()V", Action::kBeforeReceiver, {kGate, "interrupting", "(Ljava/lang/Object;I)V"}));
  plan.add_call({kThread, "clearInterruptEvent", "()V", Action::kAfter, {kGate, "interruptCleared", "()V"}, {}});
  plan.add_call({kSystem, "nanoTime", "()J", Action::kReplace, {kGate, "nanoTime", "()J"}, {}});
  plan.add_call({kSystem, "currentTimeMillis", "()J", Action::kReplace, {kGate, "currentTimeMillis", "()J"}, {}});
}

void add_hash_rules(classfile::Plan& plan) {
  plan.add_call({"", "hashCode", "()I", Action::kReplace, {kGate, "hashCode", "(Ljava/lang/Object;)I"}, {}});
  plan.add_call({kSystem,
                 "identityHashCode",
                 "(Ljava/lang/Object;)I",
                 Action::kReplace,
                 {kGate, "identityHashCode", "(Ljava/lang/Object;)I"},
                 {}});
}

void add_unsafe_rules(classfile::Plan& plan) {
  const auto add = [&](std::string name) {
    CallRule rule{kUnsafe, keep(std::move(name)), "", Action::kAroundOffset, {}, {}};
    rule.sited_hook = {kGate, "atomic", "(Ljava/lang/Object;JI)V"};
    plan.add_call(rule);
  };
  for (const char* type : {"Int", "Long", "Reference", "Boolean", "Byte", "Short", "Char", "Float", "Double"}) {
    const std::string t = type;
    for (const char* mode : {"Volatile", "Acquire", "Opaque"}) add("get" + t + mode);
    for (const char* mode : {"Volatile", "Release", "Opaque"}) add("put" + t + mode);
    add("compareAndSet" + t);
    for (const char* operation : {"weakCompareAndSet", "compareAndExchange", "getAndSet", "getAndAdd", "getAndBitwiseOr",
                                  "getAndBitwiseAnd", "getAndBitwiseXor"}) {
      for (const char* mode : {"", "Acquire", "Release", "Plain"}) add(operation + t + mode);
    }
  }
}

void add_handle_rules(classfile::Plan& plan) {
  const auto add = [&](std::string name, std::uint8_t values) {
    CallRule rule{"java/lang/invoke/VarHandle", keep(std::move(name)), "", Action::kAroundVarHandle, {}, {}};
    rule.sited_hook = {kGate, "atomic", "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;II)V"};
    rule.values = values;
    plan.add_call(rule);
  };
  for (const char* mode : {"Volatile", "Acquire", "Opaque"}) add(std::string("get") + mode, 0);
  for (const char* mode : {"Volatile", "Release", "Opaque"}) add(std::string("set") + mode, 1);
  add("compareAndSet", 2);
  for (const char* operation : {"weakCompareAndSet", "compareAndExchange"}) {
    for (const char* mode : {"", "Acquire", "Release", "Plain"}) add(std::string(operation) + mode, 2);
  }
  for (const char* operation : {"getAndSet", "getAndAdd", "getAndBitwiseOr", "getAndBitwiseAnd", "getAndBitwiseXor"}) {
    for (const char* mode : {"", "Acquire", "Release"}) add(std::string(operation) + mode, 1);
  }
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

classfile::Plan make_gate_plan() {
  classfile::Plan plan;
  plan.field_read = {kGate, "read", "(Ljava/lang/Object;I)V"};
  plan.field_write = {kGate, "write", "(Ljava/lang/Object;I)V"};
  plan.static_read = {kGate, "readStatic", "(I)V"};
  plan.static_write = {kGate, "writeStatic", "(I)V"};
  plan.array_read = {kGate, "readElement", "(Ljava/lang/Object;IILjava/lang/Object;)Ljava/lang/Object;"};
  plan.array_write = {kGate, "writeElement", "(Ljava/lang/Object;IILjava/lang/Object;)Ljava/lang/Object;"};
  plan.monitor_request = {kGate, "locking", "(Ljava/lang/Object;I)V"};
  plan.monitor_release = {kGate, "unlocking", "(Ljava/lang/Object;I)V"};
  plan.caller_class = {"java/lang/DeadheatSync", "callerClass", "()Ljava/lang/Object;"};
  plan.region_entered = {kGate, "enterUnscheduled", "()V"};
  plan.region_left = {kGate, "leaveUnscheduled", "()V"};
  CallRule copy = with_site(kSystem, "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", Action::kReplace,
                            {kGate, "copy", "(Ljava/lang/Object;ILjava/lang/Object;III)V"});
  copy.anywhere = false;
  plan.add_call(copy);
  add_monitor_rules(plan);
  add_thread_rules(plan);
  add_hash_rules(plan);
  add_unsafe_rules(plan);
  add_handle_rules(plan);
  add_blocking_rules(plan);
  return plan;
}

}  // namespace deadheat::agent
