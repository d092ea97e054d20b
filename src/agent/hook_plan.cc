// SPDX-License-Identifier: Apache-2.0
#include "agent/hook_plan.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "agent/access_modes.h"
#include "agent/array_calls.h"

namespace deadheat::agent {

namespace {

using classfile::CallRule;
using classfile::Hook;
using Action = CallRule::Action;

constexpr std::string_view kAccess = "java/lang/Deadheat";
constexpr std::string_view kSync = "java/lang/DeadheatSync";
constexpr std::string_view kThreads = "java/lang/DeadheatThreads";
constexpr std::string_view kInit = "java/lang/DeadheatInit";
constexpr std::string_view kArrays = "java/lang/DeadheatArrays";
constexpr std::string_view kHeld = "java/lang/DeadheatHeld";
constexpr std::string_view kHanded = "java/lang/DeadheatHanded";
constexpr std::string_view kHistory = "java/lang/DeadheatHistory";
constexpr std::string_view kLocks = "java/lang/DeadheatLocks";
constexpr std::string_view kHandles = "java/lang/DeadheatHandles";
constexpr std::string_view kOffsets = "java/lang/DeadheatOffsets";
constexpr std::string_view kFields = "java/lang/DeadheatFields";
constexpr std::string_view kUnsafe = "jdk/internal/misc/Unsafe";
constexpr std::string_view kPublicUnsafe = "sun/misc/Unsafe";
constexpr std::string_view kVarHandle = "java/lang/invoke/VarHandle";

constexpr Hook kOffsetRelease = {kSync, "atomicRelease", "(Ljava/lang/Object;J)V"};
constexpr Hook kOffsetAcquire = {kSync, "atomicAcquire", "(Ljava/lang/Object;J)V"};
constexpr Hook kOffsetTry = {kSync, "tryRelease", "(Ljava/lang/Object;J)J"};
constexpr Hook kOffsetTried = {kSync, "tried", "(ZLjava/lang/Object;JJ)V"};
constexpr Hook kHandleTry = {kHandles, "tryRelease", ""};
constexpr Hook kHandleTried = {kHandles, "tried", ""};
constexpr Hook kHandleRelease = {kHandles, "release", ""};  // the descriptor follows from the call's coordinates
constexpr Hook kHandleAcquire = {kHandles, "acquire", ""};

// Accesses by watched code: operands, mode, site.
constexpr Hook kOffsetBefore = {kOffsets, "before", "(Ljava/lang/Object;JII)V"};
constexpr Hook kOffsetAfter = {kOffsets, "after", "(Ljava/lang/Object;JII)V"};
constexpr Hook kOffsetCompare = {kOffsets, "beforeCompare", "(Ljava/lang/Object;JII)J"};
constexpr Hook kOffsetPublish = {kOffsets, "publishCompare", "(Ljava/lang/Object;JII)J"};
constexpr Hook kOffsetCompared = {kOffsets, "compared", "(ZLjava/lang/Object;JJJJII)V"};
constexpr Hook kHandleBefore = {kHandles, "before", "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;III)V"};
constexpr Hook kHandleAfter = {kHandles, "after", "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;III)V"};
constexpr Hook kHandleCompare = {kHandles, "beforeCompare", "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;III)J"};
constexpr Hook kHandlePublish = {kHandles, "publishCompare", "(Ljava/lang/invoke/VarHandle;Ljava/lang/Object;III)J"};
constexpr Hook kHandleCompared = {kHandles, "compared", "(ZLjava/lang/invoke/VarHandle;Ljava/lang/Object;IJJJII)V"};
constexpr Hook kEpoch = {kOffsets, "epoch", "()J"};

// Gives a rule of an access its hooks. `compare` hooks are for those that return whether they have written.
struct SitedHooks {
  Hook before, after, compare, publish, compared;
};
void add_sited_hooks(CallRule& rule, std::int32_t mode, bool answers, const SitedHooks& hooks) {
  rule.detail = mode;
  if (answers) {
    rule.stamp = kEpoch;
    rule.sited_hook = hooks.compare;
    rule.sited_second = hooks.publish;
    rule.sited_after = hooks.compared;
    return;
  }
  if (mode & kModeWrites) rule.sited_hook = hooks.before;
  if ((mode & kModeAcquires) || !(mode & kModeWrites)) rule.sited_after = hooks.after;
}

// Where accesses are not watched they synchronise all the same. `tries` and `tried` are for those that return whether
// they have written: what one that has not published is withdrawn.
struct SyncHooks {
  Hook release, acquire, tries, tried;
};
constexpr SyncHooks kOffsetHooks = {kOffsetRelease, kOffsetAcquire, kOffsetTry, kOffsetTried};
constexpr SyncHooks kHandleHooks = {kHandleRelease, kHandleAcquire, kHandleTry, kHandleTried};

void add_sync_hooks(CallRule& rule, std::int32_t mode, bool answers, const SyncHooks& hooks) {
  rule.answers = answers && (mode & kModeReleases) && (mode & kModeAcquires);
  if (mode & kModeReleases) rule.hook = rule.answers ? hooks.tries : hooks.release;
  if (mode & kModeAcquires) rule.after = rule.answers ? hooks.tried : hooks.acquire;
}

// jdk.internal.misc.Unsafe and sun.misc.Unsafe.
void add_unsafe_accesses(classfile::Plan& plan, std::string_view owner) {
  for (const OffsetMethod& method : offset_methods()) {
    CallRule rule{owner, method.name, "", Action::kAroundOffset, {}, {}};
    // The public Unsafe calls the internal one, which is where its synchronisation is seen.
    if (owner == kUnsafe) add_sync_hooks(rule, method.mode, method.answers, kOffsetHooks);
    add_sited_hooks(rule, method.mode, method.answers,
                    {kOffsetBefore, kOffsetAfter, kOffsetCompare, kOffsetPublish, kOffsetCompared});
    plan.add_call(rule);
  }
}

void add_unsafe_rules(classfile::Plan& plan) {
  add_unsafe_accesses(plan, kUnsafe);
  add_unsafe_accesses(plan, kPublicUnsafe);
  plan.add_call({kUnsafe, "park", "(ZJ)V", Action::kAfter, {kSync, "parked", "()V"}, {}});
  plan.add_call({kUnsafe,
                 "unpark",
                 "(Ljava/lang/Object;)V",
                 Action::kBeforeLast,
                 {kSync, "unparking", "(Ljava/lang/Object;)V"},
                 {}});
}

// A virtual thread parks in code of its own, which LockSupport reaches through VirtualThreads in older JDKs and through
// JavaLangAccess in newer ones. The calls are hooked and not what they lead to: the timers of virtual threads, which
// tell them nothing, end up there too.
void add_virtual_thread_rules(classfile::Plan& plan) {
  constexpr std::string_view kOlder = "jdk/internal/misc/VirtualThreads";
  constexpr std::string_view kNewer = "jdk/internal/access/JavaLangAccess";
  for (const char* name : {"park", "parkNanos", "parkUntil"}) {
    plan.add_call({kOlder, name, "", Action::kAfter, {kSync, "parked", "()V"}, {}});
  }
  plan.add_call({kNewer, "parkVirtualThread", "", Action::kAfter, {kSync, "parked", "()V"}, {}});
  constexpr Hook kUnparking = {kSync, "unparking", "(Ljava/lang/Object;)V"};
  plan.add_call({kOlder, "unpark", "(Ljava/lang/Thread;)V", Action::kBeforeLast, kUnparking, {}});
  plan.add_call({kNewer, "unparkVirtualThread", "(Ljava/lang/Thread;)V", Action::kBeforeLast, kUnparking, {}});
}

void add_var_handle_rules(classfile::Plan& plan) {
  for (const HandleMethod& method : handle_methods()) {
    CallRule rule{kVarHandle, method.name, "", Action::kAroundVarHandle, {}, {}, false, {}, "", method.values};
    add_sync_hooks(rule, method.mode, method.answers, kHandleHooks);
    add_sited_hooks(rule, method.mode, method.answers,
                    {kHandleBefore, kHandleAfter, kHandleCompare, kHandlePublish, kHandleCompared});
    // It may refuse the value.
    if ((method.mode & kModeWrites) && (method.mode & kModePlain)) rule.sited_after = kHandleAfter;
    plan.add_call(rule);
  }
}

void add_method_handle_rules(classfile::Plan& plan) {
  constexpr std::string_view kMethodHandles = "java/lang/DeadheatMethodHandles";
  constexpr std::string_view kOfHandle = "(Ljava/lang/invoke/MethodHandle;Ljava/lang/Object;II)V";
  for (const char* name : {"invokeExact", "invoke"}) {
    CallRule rule{"java/lang/invoke/MethodHandle", name, "", Action::kAroundMethodHandle, {}, {}};
    rule.sited_hook = {kMethodHandles, "invoking", kOfHandle};
    rule.sited_after = {kMethodHandles, "invoked", kOfHandle};
    plan.add_call(rule);
  }
}

// Fences of watched code. The JDK's own order what its plain accesses publish, which is not watched.
void add_fence_rules(classfile::Plan& plan) {
  constexpr std::string_view kFences = "java/lang/DeadheatFences";
  struct Fence {
    std::string_view owner;
    const char* name;
    const char* hook;
  };
  for (const Fence& fence : std::initializer_list<Fence>{{kVarHandle, "fullFence", "full"},
                                                         {kVarHandle, "acquireFence", "acquire"},
                                                         {kVarHandle, "loadLoadFence", "acquire"},
                                                         {kVarHandle, "releaseFence", "release"},
                                                         {kVarHandle, "storeStoreFence", "release"},
                                                         {kUnsafe, "fullFence", "full"},
                                                         {kUnsafe, "loadFence", "acquire"},
                                                         {kUnsafe, "storeFence", "release"},
                                                         {kPublicUnsafe, "fullFence", "full"},
                                                         {kPublicUnsafe, "loadFence", "acquire"},
                                                         {kPublicUnsafe, "storeFence", "release"}}) {
    CallRule rule{fence.owner, fence.name, "()V", Action::kAroundOperands, {}, {}};
    rule.sited_hook = {kFences, fence.hook, "(I)V"};
    plan.add_call(rule);
  }
  CallRule reachable{
      "java/lang/ref/Reference", "reachabilityFence", "(Ljava/lang/Object;)V", Action::kAroundOperands, {}, {}};
  reachable.sited_hook = {kFences, "reachable", "(I)V"};
  plan.add_call(reachable);
}

// Field.get(object), Field.set(object, value). A write is noted behind the call, which may refuse it; only the release
// of a volatile field comes in front.
void add_reflection_rules(classfile::Plan& plan) {
  constexpr std::string_view kField = "java/lang/reflect/Field";
  constexpr std::string_view kOfField = "(Ljava/lang/reflect/Field;Ljava/lang/Object;I)V";
  for (const char* type : {"", "Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double"}) {
    CallRule rule{kField, keep_name(std::string("get") + type), "", Action::kAroundOperands, {}, {}};
    rule.values = 2;
    rule.sited_after = {kFields, "got", kOfField};
    plan.add_call(rule);
    rule.name = keep_name(std::string("set") + type);
    rule.sited_hook = {kFields, "setting", kOfField};
    rule.sited_after = {kFields, "set", kOfField};
    plan.add_call(rule);
  }
}

// The work queues of fork-join hand tasks over by plain stores followed by fences and by writes that a thief does not
// look at.
void add_fork_join_rules(classfile::Plan& plan) {
  for (const char* name : {"putReference", "putObject"}) {
    plan.add_call({kUnsafe, name, "", Action::kAroundOffset, kOffsetRelease, {}, false, {}, kWorkQueue});
  }
}

void add_object_rules(classfile::Plan& plan) {
  // notify() and wait() are final in Object, so a call with one of these shapes is no other method.
  for (const char* descriptor : {"()V", "(J)V", "(JI)V"}) {
    plan.add_call({"",
                   "wait",
                   descriptor,
                   Action::kAroundReceiver,
                   {kSync, "waiting", "(Ljava/lang/Object;)V"},
                   {kSync, "waited", "()V"}});
  }
  for (const char* name : {"notify", "notifyAll"}) {
    plan.add_call({"", name, "()V", Action::kBeforeReceiver, {kLocks, "notifying", "(Ljava/lang/Object;)V"}, {}});
  }
  plan.add_call({"java/lang/Thread",
                 "start0",
                 "()V",
                 Action::kBeforeReceiver,
                 {kThreads, "starting", "(Ljava/lang/Object;)V"},
                 {}});
  plan.add_call({"java/lang/System",
                 "arraycopy",
                 "(Ljava/lang/Object;ILjava/lang/Object;II)V",
                 Action::kReplace,
                 {kArrays, "copy", "(Ljava/lang/Object;ILjava/lang/Object;III)V"},
                 {},
                 true,
                 {kHeld, "copy", "(Ljava/lang/Object;ILjava/lang/Object;IIILjava/lang/Object;)V"}});
}

// Exceptions that tell of an order when the VM has made them (special_methods.cc), and of none when the program has.
void add_exception_rules(classfile::Plan& plan) {
  for (const char* owner : {"java/lang/InterruptedException", "java/lang/NoClassDefFoundError"}) {
    CallRule rule{owner, "<init>", "", Action::kAround, {kSync, "making", "()V"}, {}};
    rule.with_site = true;  // the program's code alone
    rule.anywhere = true;
    plan.add_call(rule);
  }
}

}  // namespace

// The VM shows hidden classes to no agent, but their bytes go through here (JavaLangAccess).
void add_hidden_class_rule(classfile::Plan& plan) {
  constexpr std::string_view kDefines =
      "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BIILjava/security/ProtectionDomain;ZILjava/lang/"
      "Object;)Ljava/lang/Class;";
  plan.add_call({"java/lang/ClassLoader",
                 "defineClass0",
                 kDefines,
                 Action::kReplace,
                 {"java/lang/DeadheatHidden", "define", kDefines},
                 {}});
}

classfile::Plan make_hook_plan() {
  classfile::Plan plan;
  plan.field_read = {kAccess, "read", "(Ljava/lang/Object;I)V"};
  plan.field_write = {kAccess, "write", "(Ljava/lang/Object;I)V"};
  plan.field_read_again = {kAccess, "readAgain", "(Ljava/lang/Object;I)V"};
  plan.field_write_again = {kAccess, "writeAgain", "(Ljava/lang/Object;I)V"};
  plan.field_update = {kAccess, "update", "(Ljava/lang/Object;I)V"};
  plan.static_read = {kAccess, "readStatic", "(I)V"};
  plan.static_write = {kAccess, "writeStatic", "(I)V"};
  plan.hint_class = "java/lang/DeadheatCell";
  plan.array_read = {kArrays, "read", "(Ljava/lang/Object;IILjava/lang/DeadheatCell;)Ljava/lang/DeadheatCell;"};
  plan.array_write = {kArrays, "write", "(Ljava/lang/Object;IILjava/lang/DeadheatCell;)Ljava/lang/DeadheatCell;"};
  plan.reference_write = {kArrays, "writeReference",
                          "(Ljava/lang/Object;ILjava/lang/Object;ILjava/lang/DeadheatCell;)Ljava/lang/DeadheatCell;"};
  plan.own_read = {kHanded, "read", plan.array_read.descriptor};
  plan.own_write = {kHanded, "write", plan.array_write.descriptor};
  plan.own_reference_write = {kHanded, "writeReference", plan.reference_write.descriptor};
  plan.array_passed = {kHanded, "passed", "(II)Ljava/lang/DeadheatCell;"};
  plan.array_handing = {kHanded, "handing", "(ILjava/lang/DeadheatCell;)V"};
  plan.array_handing_fresh = {kHanded, "handing", "(I)V"};
  plan.array_handed = {kHanded, "handed", "()V"};
  plan.array_keeping = {kHanded, "keeping", "(ILjava/lang/DeadheatCell;)V"};
  plan.array_kept = {kHanded, "kept", "(I)Ljava/lang/DeadheatCell;"};
  plan.array_making = {kHanded, "making", "(I)V"};
  plan.array_making_if = {kHanded, "making", "(ILjava/lang/DeadheatCell;)V"};
  plan.array_made = {kHanded, "made", "(I)Ljava/lang/DeadheatCell;"};
  plan.held_read = {kHeld, "read", "(Ljava/lang/Object;IILjava/lang/Object;)V"};
  plan.held_write = {kHeld, "write", "(Ljava/lang/Object;IILjava/lang/Object;)V"};
  plan.array_known = {kArrays, "known",
                      "(Ljava/lang/Object;Ljava/lang/Object;ILjava/lang/DeadheatCell;)Ljava/lang/DeadheatCell;"};
  plan.array_loaded = {kHeld, "loaded", "(Ljava/lang/Object;Ljava/lang/Object;I)Ljava/lang/Object;"};
  plan.monitor_lookup = {kSync, "monitorOf", "(Ljava/lang/Object;)Ljava/lang/Object;"};
  plan.monitor_entered = {kSync, "entered", "(Ljava/lang/Object;I)V"};
  plan.monitor_exiting = {kSync, "exiting", "(Ljava/lang/Object;)V"};
  plan.monitor_handing_on = {kSync, "handingOn", "(Ljava/lang/Object;)V"};
  plan.method_entered = {kSync, "enteredMethod", "(Ljava/lang/Object;I)V"};
  plan.caller_class = {kSync, "callerClass", "()Ljava/lang/Object;"};
  plan.class_used = {kInit, "used", "(I)V"};
  plan.dynamic_used = {kInit, "used", "(I)V"};
  plan.dynamic_linked = {kInit, "linked", "(I)V"};
  plan.initialiser_begins = {kInit, "initialiserBegins", "(I)V"};
  plan.initialiser_ends = {kInit, "initialiserEnds", "(I)V"};
  plan.initialiser_fails = {kInit, "initialiserFails", "()V"};
  plan.constructed = {"java/lang/DeadheatFinalizers", "constructed", "(Ljava/lang/Object;I)V"};
  plan.freeze = {kSync, "freeze", "()J"};
  plan.record_read = {kAccess, "readRecord", "(Ljava/lang/Object;Ljava/lang/Object;I)V"};
  plan.context_entry = {kHistory, "entry", "()Ljava/lang/DeadheatContext;"};
  plan.context_leave = {kHistory, "leave", "(I)V"};
  plan.context_value = {"java/lang/DeadheatContext", "value", "I"};
  plan.element_published = {kSync, "elementReleases", "(Ljava/lang/Object;I)V"};
  plan.held_passing = {kHeld, "passing", "(Ljava/lang/Object;)V"};
  plan.held_passed = {kHeld, "passed", "()Ljava/lang/Object;"};
  add_object_rules(plan);
  add_hidden_class_rule(plan);
  add_array_calls(plan);
  add_fork_join_rules(plan);
  add_virtual_thread_rules(plan);
  add_unsafe_rules(plan);
  add_var_handle_rules(plan);
  add_method_handle_rules(plan);
  add_fence_rules(plan);
  add_reflection_rules(plan);
  add_exception_rules(plan);
  return plan;
}

}  // namespace deadheat::agent
