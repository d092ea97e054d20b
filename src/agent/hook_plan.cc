// SPDX-License-Identifier: Apache-2.0
#include "agent/hook_plan.h"

#include <deque>
#include <string>

namespace deadheat::agent {

namespace {

using classfile::CallRule;
using classfile::Hook;
using Action = CallRule::Action;

constexpr std::string_view kAccess = "java/lang/Deadheat";
constexpr std::string_view kSync = "java/lang/DeadheatSync";
constexpr std::string_view kArrays = "java/lang/DeadheatArrays";
constexpr std::string_view kHeld = "java/lang/DeadheatHeld";
constexpr std::string_view kClones = "java/lang/DeadheatClones";
constexpr std::string_view kHandles = "java/lang/DeadheatHandles";
constexpr std::string_view kUnsafe = "jdk/internal/misc/Unsafe";
constexpr std::string_view kVarHandle = "java/lang/invoke/VarHandle";

constexpr std::string_view kWorkQueue = "java/util/concurrent/ForkJoinPool$WorkQueue";

constexpr Hook kOffsetRelease = {kSync, "atomicRelease", "(Ljava/lang/Object;J)V"};
constexpr Hook kOffsetAcquire = {kSync, "atomicAcquire", "(Ljava/lang/Object;J)V"};
constexpr Hook kHandleRelease = {kHandles, "release", ""};  // the descriptor follows from the call's coordinates
constexpr Hook kHandleAcquire = {kHandles, "acquire", ""};

// What an atomic access does besides its value: bits.
enum Mode { kAcquires = 1, kReleases = 2, kBoth = 3 };

// Names live as long as the plan: the library is never unloaded.
std::string_view keep(std::string text) {
  static std::deque<std::string>* names = new std::deque<std::string>;
  return names->emplace_back(std::move(text));
}

void add_offset_rule(classfile::Plan& plan, std::string name, int mode) {
  CallRule rule{kUnsafe, keep(std::move(name)), "", Action::kAroundOffset, {}, {}};
  if (mode & kReleases) rule.hook = kOffsetRelease;
  if (mode & kAcquires) rule.after = kOffsetAcquire;
  plan.add_call(rule);
}

// jdk.internal.misc.Unsafe. Plain and opaque accesses order nothing.
void add_unsafe_rules(classfile::Plan& plan) {
  for (const char* type :
       {"Int", "Long", "Reference", "Object", "Boolean", "Byte", "Short", "Char", "Float", "Double"}) {
    const std::string t = type;
    add_offset_rule(plan, "get" + t + "Volatile", kAcquires);
    add_offset_rule(plan, "get" + t + "Acquire", kAcquires);
    add_offset_rule(plan, "put" + t + "Volatile", kReleases);
    add_offset_rule(plan, "put" + t + "Release", kReleases);
    add_offset_rule(plan, "compareAndSet" + t, kBoth);
    for (const char* operation : {"weakCompareAndSet", "compareAndExchange", "getAndSet", "getAndAdd",
                                  "getAndBitwiseOr", "getAndBitwiseAnd", "getAndBitwiseXor"}) {
      add_offset_rule(plan, operation + t, kBoth);
      add_offset_rule(plan, operation + t + "Acquire", kAcquires);
      add_offset_rule(plan, operation + t + "Release", kReleases);
    }
  }
  plan.add_call({kUnsafe, "park", "(ZJ)V", Action::kAfter, {kSync, "parked", "()V"}, {}});
  plan.add_call({kUnsafe,
                 "unpark",
                 "(Ljava/lang/Object;)V",
                 Action::kBeforeLast,
                 {kSync, "unparking", "(Ljava/lang/Object;)V"},
                 {}});
}

// A virtual thread parks in code of its own.
void add_virtual_thread_rules(classfile::Plan& plan) {
  constexpr std::string_view kVirtual = "jdk/internal/misc/VirtualThreads";
  for (const char* name : {"park", "parkNanos", "parkUntil"}) {
    plan.add_call({kVirtual, name, "", Action::kAfter, {kSync, "parked", "()V"}, {}});
  }
  plan.add_call({kVirtual,
                 "unpark",
                 "(Ljava/lang/Thread;)V",
                 Action::kBeforeLast,
                 {kSync, "unparking", "(Ljava/lang/Object;)V"},
                 {}});
}

void add_handle_rule(classfile::Plan& plan, std::string name, int mode, std::uint8_t values) {
  CallRule rule{kVarHandle, keep(std::move(name)), "", Action::kAroundVarHandle, {}, {}, false, {}, "", values};
  if (mode & kReleases) rule.hook = kHandleRelease;
  if (mode & kAcquires) rule.after = kHandleAcquire;
  plan.add_call(rule);
}

void add_var_handle_rules(classfile::Plan& plan) {
  add_handle_rule(plan, "getVolatile", kAcquires, 0);
  add_handle_rule(plan, "getAcquire", kAcquires, 0);
  add_handle_rule(plan, "setVolatile", kReleases, 1);
  add_handle_rule(plan, "setRelease", kReleases, 1);
  add_handle_rule(plan, "compareAndSet", kBoth, 2);
  for (const char* operation : {"weakCompareAndSet", "compareAndExchange"}) {
    add_handle_rule(plan, operation, kBoth, 2);
    add_handle_rule(plan, std::string(operation) + "Acquire", kAcquires, 2);
    add_handle_rule(plan, std::string(operation) + "Release", kReleases, 2);
  }
  for (const char* operation : {"getAndSet", "getAndAdd", "getAndBitwiseOr", "getAndBitwiseAnd", "getAndBitwiseXor"}) {
    add_handle_rule(plan, operation, kBoth, 1);
    add_handle_rule(plan, std::string(operation) + "Acquire", kAcquires, 1);
    add_handle_rule(plan, std::string(operation) + "Release", kReleases, 1);
  }
}

// java.util.Arrays on arrays of the caller's: the JDK's own code is not watched there.
void add_arrays_rules(classfile::Plan& plan) {
  constexpr Hook kReadAll = {kArrays, "readAll", "(Ljava/lang/Object;I)V"};
  constexpr Hook kWriteAll = {kArrays, "writeAll", "(Ljava/lang/Object;I)V"};
  constexpr Hook kReadPart = {kArrays, "readPart", "(Ljava/lang/Object;III)V"};
  constexpr Hook kWritePart = {kArrays, "writePart", "(Ljava/lang/Object;III)V"};
  for (const char* name : {"fill", "sort", "parallelSort", "setAll", "parallelSetAll", "parallelPrefix"}) {
    plan.add_call({"java/util/Arrays", name, "", Action::kArrayArgument, kWriteAll, kWritePart, true});
  }
  for (const char* name :
       {"copyOf", "equals", "hashCode", "toString", "binarySearch", "deepToString", "deepHashCode"}) {
    plan.add_call({"java/util/Arrays", name, "", Action::kArrayArgument, kReadAll, kReadPart, true});
  }
  plan.add_call({"java/util/Arrays", "copyOfRange", "", Action::kArrayArgument, {}, kReadPart, true});
}

// The work queues of fork-join hand tasks over by plain stores followed by fences and by writes that a thief does not
// look at.
void add_fork_join_rules(classfile::Plan& plan) {
  for (const char* name : {"putReference", "putObject"}) {
    plan.add_call({kUnsafe, name, "", Action::kAroundOffset, kOffsetRelease, {}, false, {}, kWorkQueue});
  }
}

void add_object_rules(classfile::Plan& plan) {
  // wait() is final in Object, so a call with one of these shapes is no other method.
  for (const char* descriptor : {"()V", "(J)V", "(JI)V"}) {
    plan.add_call({"",
                   "wait",
                   descriptor,
                   Action::kAroundReceiver,
                   {kSync, "waiting", "(Ljava/lang/Object;)V"},
                   {kSync, "waited", "()V"}});
  }
  plan.add_call(
      {"java/lang/Thread", "start0", "()V", Action::kBeforeReceiver, {kSync, "starting", "(Ljava/lang/Object;)V"}, {}});
  plan.add_call({"java/lang/System",
                 "arraycopy",
                 "(Ljava/lang/Object;ILjava/lang/Object;II)V",
                 Action::kReplace,
                 {kArrays, "copy", "(Ljava/lang/Object;ILjava/lang/Object;III)V"},
                 {},
                 true,
                 {kHeld, "copy", "(Ljava/lang/Object;ILjava/lang/Object;IIILjava/lang/Object;)V"}});
  // Object.clone() copies our words with the rest; every clone() of a class ends there. Arrays name their own type as
  // the owner.
  plan.add_call({"java/lang/Object",
                 "clone",
                 "()Ljava/lang/Object;",
                 Action::kClone,
                 {kClones, "cloning", "(Ljava/lang/Object;I)V"},
                 {kClones, "cloned", "(Ljava/lang/Object;)V"},
                 true});
  plan.add_call({"[",
                 "clone",
                 "()Ljava/lang/Object;",
                 Action::kBeforeReceiver,
                 {kArrays, "readAll", "(Ljava/lang/Object;I)V"},
                 {},
                 true});
}

}  // namespace

classfile::Plan make_hook_plan() {
  classfile::Plan plan;
  plan.field_read = {kAccess, "read", "(Ljava/lang/Object;I)V"};
  plan.field_write = {kAccess, "write", "(Ljava/lang/Object;I)V"};
  plan.static_read = {kAccess, "readStatic", "(I)V"};
  plan.static_write = {kAccess, "writeStatic", "(I)V"};
  plan.array_read = {kArrays, "read", "(Ljava/lang/Object;IILjava/lang/Object;)Ljava/lang/Object;"};
  plan.array_write = {kArrays, "write", "(Ljava/lang/Object;IILjava/lang/Object;)Ljava/lang/Object;"};
  plan.held_read = {kHeld, "read", "(Ljava/lang/Object;IILjava/lang/Object;)V"};
  plan.held_write = {kHeld, "write", "(Ljava/lang/Object;IILjava/lang/Object;)V"};
  plan.array_loaded = {kHeld, "loaded", "(Ljava/lang/Object;Ljava/lang/Object;I)Ljava/lang/Object;"};
  plan.monitor_lookup = {kSync, "monitorOf", "(Ljava/lang/Object;)Ljava/lang/Object;"};
  plan.monitor_entered = {kSync, "entered", "(Ljava/lang/Object;)V"};
  plan.monitor_exiting = {kSync, "exiting", "(Ljava/lang/Object;)V"};
  plan.method_entered = {kSync, "enteredMethod", "(Ljava/lang/Object;)V"};
  plan.caller_class = {kSync, "callerClass", "()Ljava/lang/Object;"};
  plan.class_used = {kSync, "used", "(I)V"};
  plan.initialiser_ends = {kSync, "initialiserEnds", "(I)V"};
  plan.element_published = {kSync, "elementReleases", "(Ljava/lang/Object;I)V"};
  plan.held_passing = {kHeld, "passing", "(Ljava/lang/Object;)V"};
  plan.held_passed = {kHeld, "passed", "()Ljava/lang/Object;"};
  add_object_rules(plan);
  add_arrays_rules(plan);
  add_fork_join_rules(plan);
  add_virtual_thread_rules(plan);
  add_unsafe_rules(plan);
  add_var_handle_rules(plan);
  return plan;
}

}  // namespace deadheat::agent
