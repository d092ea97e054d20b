// SPDX-License-Identifier: Apache-2.0
#include "agent/special_methods.h"

#include <string_view>

#include "classfile/code.h"

namespace deadheat::agent {

namespace {

using classfile::Instruction;
using classfile::Opcode;

enum class Place {
  kEntry,              // hook() first thing
  kEntryStatic,        // the same in a static method
  kEntryThis,          // hook(this) first thing
  kEntryThisArgument,  // hook(this, local 1) first thing
  kEntryArgument,      // hook(local 1) first thing
  kEntryStaticSecond,  // the same in a static method
  kReturnsThis,        // hook(this) before every return
  kReturnsReference,   // hook(result, this) before each return of a reference
  kReturns,            // hook() before every return
  kReturnsStatic,      // the same in a static method
  kArgument,           // local 1 = hook(local 1) first thing
  kEntryThisLong,      // hook(this, local 1, a long) first thing
  kReturnsLong,        // hook(result, this) before each return of a long
  kReturnsLongs,       // hook(result, local 1, this), both long
  kReturnsArgument,    // hook(local 1) before every return
  kReturnsClass,       // hook(result) before each return of a static method: (String)
  kReplacesLong,       // hook(result) in its place before each return of a static method: ()J
  kReturnsNamed,       // hook(result, local 1, an int), likewise: (String, boolean, ClassLoader)
};

// Whether a method is special to the detector, to the scheduler, or to both.
enum class For { kDetector, kScheduler, kBoth };

struct SpecialMethod {
  std::string_view owner;
  std::string_view name;
  Place place;
  classfile::MemberRef hook;
  For whom = For::kDetector;
};

constexpr std::string_view kSync = "java/lang/DeadheatSync";
constexpr std::string_view kInit = "java/lang/DeadheatInit";
constexpr std::string_view kGateInit = "java/lang/DeadheatGateInit";
constexpr std::string_view kClass = "java/lang/Class";
constexpr std::string_view kSerial = "java/lang/DeadheatSerial";
constexpr std::string_view kVirtualThread = "java/lang/VirtualThread";
constexpr std::string_view kGateCalls = "java/lang/DeadheatGateCalls";
constexpr std::string_view kVolatileCallSite = "java/lang/invoke/VolatileCallSite";
constexpr std::string_view kThreads = "java/lang/DeadheatThreads";
constexpr std::string_view kGateRandoms = "java/lang/DeadheatGateRandoms";
constexpr std::string_view kClassValueMap = "java/lang/ClassValue$ClassValueMap";
constexpr classfile::MemberRef kStateSeen = {kThreads, "stateSeen", "(Ljava/lang/Object;Ljava/lang/Object;)V"};
constexpr classfile::MemberRef kClassValueSought = {kGateCalls, "classValueSought", "(Ljava/lang/Object;)V"};
constexpr classfile::MemberRef kClassValueSet = {kGateCalls, "classValueSet", "(Ljava/lang/Object;)V"};
constexpr std::string_view kReadWriteSync = "java/util/concurrent/locks/ReentrantReadWriteLock$Sync";
constexpr std::string_view kTakesThis = "(Ljava/lang/Object;)V";
constexpr std::string_view kFinalizer = "java/lang/ref/Finalizer";
constexpr std::string_view kFinalizers = "java/lang/DeadheatFinalizers";
constexpr std::string_view kGateThreads = "java/lang/DeadheatGateThreads";
constexpr classfile::MemberRef kThreadId = {kGateThreads, "threadId", "(J)J"};
constexpr std::string_view kGateLocks = "java/lang/DeadheatGateLocks";
constexpr std::string_view kStamped = "java/util/concurrent/locks/StampedLock";
constexpr classfile::MemberRef kStampTaken = {kGateLocks, "stampTaken", "(JLjava/lang/Object;)V"};
constexpr classfile::MemberRef kStampConverted = {kGateLocks, "stampConverted", "(JJLjava/lang/Object;)V"};
constexpr classfile::MemberRef kStampGone = {kGateLocks, "stampGone", "(Ljava/lang/Object;J)V"};
constexpr classfile::MemberRef kWriteStampGone = {kGateLocks, "writeStampGone", kTakesThis};
constexpr classfile::MemberRef kReadStampGone = {kGateLocks, "readStampGone", kTakesThis};

constexpr SpecialMethod kSpecialMethods[] = {
    // Where java.lang.Class drops the fields nobody may see.
    {"jdk/internal/reflect/Reflection",
     "filterFields",
     Place::kArgument,
     {"java/lang/DeadheatReflection", "visible", "([Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;"},
     For::kBoth},
    {"java/lang/Thread",
     "dispatchUncaughtException",
     Place::kEntryThisArgument,
     {"java/lang/DeadheatGate", "uncaught", "(Ljava/lang/Object;Ljava/lang/Throwable;)V"},
     For::kScheduler},
    // Under the scheduler a virtual thread has a thread of its own (gate_plan.cc), whose start and end the VM does not
    // tell agents that know nothing of virtual threads.
    {"java/lang/ThreadBuilders$BoundVirtualThread",
     "run",
     Place::kEntryThis,
     {kGateThreads, "boundBegins", kTakesThis},
     For::kScheduler},
    // Where a new thread's id is drawn: in JDK 17, and since JDK 19.
    {"java/lang/Thread", "nextThreadID", Place::kReplacesLong, kThreadId, For::kScheduler},
    {"java/lang/Thread$ThreadIdentifiers", "next", Place::kReplacesLong, kThreadId, For::kScheduler},
    // Java agents are started while the VM tells agents that it is ready, before control begins by itself.
    {"sun/instrument/InstrumentationImpl",
     "loadClassAndCallPremain",
     Place::kEntry,
     {kGateThreads, "premainBegins", "()V"},
     For::kScheduler},
    {"sun/instrument/InstrumentationImpl",
     "loadClassAndCallPremain",
     Place::kReturns,
     {kGateThreads, "premainEnds", "()V"},
     For::kScheduler},
    {"java/lang/ApplicationShutdownHooks",
     "runHooks",
     Place::kEntryStatic,
     {kGateThreads, "shuttingDown", "()V"},
     For::kScheduler},
    {"java/lang/Thread", "exit", Place::kReturnsThis, {kGateThreads, "exited", kTakesThis}, For::kScheduler},
    // The locks of java.util.concurrent, for what the scheduler says about threads that meet.
    {"java/util/concurrent/locks/AbstractOwnableSynchronizer",
     "setExclusiveOwnerThread",
     Place::kEntryThisArgument,
     {kGateLocks, "owned", "(Ljava/lang/Object;Ljava/lang/Object;)V"},
     For::kScheduler},
    {kReadWriteSync, "tryAcquireShared", Place::kEntryThis, {kGateLocks, "shares", kTakesThis}, For::kScheduler},
    {kReadWriteSync, "tryReadLock", Place::kEntryThis, {kGateLocks, "shares", kTakesThis}, For::kScheduler},
    // StampedLock has no owner, and a stamp says by itself what it is worth.
    {kStamped, "writeLock", Place::kReturnsLong, kStampTaken, For::kScheduler},
    {kStamped, "tryWriteLock", Place::kReturnsLong, kStampTaken, For::kScheduler},
    {kStamped, "writeLockInterruptibly", Place::kReturnsLong, kStampTaken, For::kScheduler},
    {kStamped, "readLock", Place::kReturnsLong, kStampTaken, For::kScheduler},
    {kStamped, "tryReadLock", Place::kReturnsLong, kStampTaken, For::kScheduler},
    {kStamped, "readLockInterruptibly", Place::kReturnsLong, kStampTaken, For::kScheduler},
    {kStamped, "tryConvertToWriteLock", Place::kReturnsLongs, kStampConverted, For::kScheduler},
    {kStamped, "tryConvertToReadLock", Place::kReturnsLongs, kStampConverted, For::kScheduler},
    {kStamped, "tryConvertToOptimisticRead", Place::kReturnsLongs, kStampConverted, For::kScheduler},
    {kStamped, "unlockWrite", Place::kEntryThisLong, kStampGone, For::kScheduler},
    {kStamped, "unlockRead", Place::kEntryThisLong, kStampGone, For::kScheduler},
    {kStamped, "unlock", Place::kEntryThisLong, kStampGone, For::kScheduler},
    {kStamped, "tryUnlockWrite", Place::kEntryThis, kWriteStampGone, For::kScheduler},
    {kStamped, "tryUnlockRead", Place::kEntryThis, kReadStampGone, For::kScheduler},
    {kStamped, "unstampedUnlockWrite", Place::kEntryThis, kWriteStampGone, For::kScheduler},
    {kStamped, "unstampedUnlockRead", Place::kEntryThis, kReadStampGone, For::kScheduler},
    // Calls of wait() are hooked; those of reflection, method handles and native code nobody sees. To be told twice is
    // to be told once. (JDK 17 has wait(long) without code: native_gates.h.)
    {"java/lang/Object", "wait", Place::kEntryThis, {kSync, "waiting", kTakesThis}},
    {"java/lang/Object", "wait", Place::kReturns, {kSync, "waited", "()V"}},
    // The VM makes this exception in wait(), sleep() and join(): what the interrupter did before happens before it
    // (JLS 17.4.4).
    {"java/lang/InterruptedException", "<init>", Place::kEntry, {kSync, "interrupted", "()V"}},
    // The VM makes this error when a class is used whose initialiser has thrown: after it (JLS 12.4.2, step 5).
    {"java/lang/NoClassDefFoundError", "<init>", Place::kEntry, {kInit, "classUnusable", "()V"}},
    {"java/lang/NoClassDefFoundError", "<init>", Place::kEntry, {kGateInit, "classUnusable", "()V"}, For::kScheduler},
    // Initialise a class without a use of its members.
    {kClass, "forName", Place::kReturnsClass, {kInit, "initialised", kTakesThis}},
    {kClass, "forName", Place::kReturnsNamed, {kInit, "named", "(Ljava/lang/Object;Z)V"}},
    {"java/lang/invoke/MethodHandles$Lookup",
     "ensureInitialized",
     Place::kReturnsArgument,
     {kInit, "initialised", kTakesThis}},
    {kClass, "forName", Place::kReturnsClass, {kGateInit, "initialised", kTakesThis}, For::kScheduler},
    {kClass, "forName", Place::kReturnsNamed, {kGateInit, "named", "(Ljava/lang/Object;Z)V"}, For::kScheduler},
    {"java/lang/invoke/MethodHandles$Lookup",
     "ensureInitialized",
     Place::kReturnsArgument,
     {kGateInit, "initialised", kTakesThis},
     For::kScheduler},
    // Where the thread of the collector hands over the references it has cleared (java.lang.ref, "Memory Consistency").
    {"java/lang/ref/ReferenceQueue", "enqueue", Place::kEntry, {"java/lang/DeadheatFences", "enqueuing", "()V"}},
    // Where the VM registers an object with a finalizer, at the end of the constructor of Object, and where it is
    // finalized.
    {kFinalizer, "<init>", Place::kReturnsArgument, {kFinalizers, "registered", kTakesThis}},
    {kFinalizer, "runFinalizer", Place::kEntryThis, {kFinalizers, "finalizing", kTakesThis}},
    // The exclusive locks of java.util.concurrent, for detectors that go by locks held.
    {"java/util/concurrent/locks/AbstractOwnableSynchronizer",
     "setExclusiveOwnerThread",
     Place::kEntryThisArgument,
     {"java/lang/DeadheatLocks", "owned", "(Ljava/lang/Object;Ljava/lang/Object;)V"}},
    // Final fields of objects that are read from a stream are set behind everybody's back, and frozen at the end.
    {"java/io/ObjectInputStream",
     "readSerialData",
     Place::kEntryThisArgument,
     {kSerial, "making", "(Ljava/lang/Object;Ljava/lang/Object;)V"}},
    {"java/io/ObjectInputStream", "freeze", Place::kEntryThis, {kSerial, "freezing", kTakesThis}},
    // The thread that destroys the VM has waited until no other thread was left that is no daemon.
    {"java/lang/Shutdown", "shutdown", Place::kEntryStatic, {kThreads, "allEnded", "()V"}},
    // The field with a platform thread's state is written by the VM, and VirtualThread is not watched.
    {"java/lang/Thread", "getState", Place::kReturnsReference, kStateSeen},
    {"java/lang/Thread", "threadState", Place::kReturnsReference, kStateSeen},
    {kVirtualThread, "threadState", Place::kReturnsReference, kStateSeen},
    // (JDK 17 has no such method, and its getState reads the field that tells.)
    {"java/lang/Thread",
     "threadState",
     Place::kReturnsReference,
     {kGateThreads, "stateSeen", "(Ljava/lang/Object;Ljava/lang/Object;)V"},
     For::kScheduler},
    // Its target is set by a native method of java.lang.invoke, and read as a volatile field (VolatileCallSite).
    {kVolatileCallSite, "setTarget", Place::kEntryThis, {kSync, "callSiteSet", kTakesThis}},
    {kVolatileCallSite, "getTarget", Place::kReturnsThis, {kSync, "callSiteGot", kTakesThis}},
    {kVolatileCallSite, "setTarget", Place::kEntryThis, {kGateCalls, "callSiteSet", kTakesThis}, For::kScheduler},
    {kVolatileCallSite, "getTarget", Place::kReturnsThis, {kGateCalls, "callSiteGot", kTakesThis}, For::kScheduler},
    // What a program draws at random: from the system's entropy, and from what the VM's start made of the time.
    {"java/security/SecureRandom",
     "nextBytes",
     Place::kReturnsArgument,
     {kGateRandoms, "drawn", kTakesThis},
     For::kScheduler},
    {"java/util/concurrent/ThreadLocalRandom",
     "localInit",
     Place::kReturnsStatic,
     {kGateRandoms, "seeded", "()V"},
     For::kScheduler},
    // The cache of class values is filled under a lock and looked at without one, in arrays that are not watched: who
    // finds nothing there computes the value, so it is part of what a thread does that it found something. (The names
    // are those of JDK 17, then of JDK 25.)
    {kClassValueMap, "probeHomeLocation", Place::kEntryStaticSecond, kClassValueSought, For::kScheduler},
    {kClassValueMap, "probeBackupLocations", Place::kEntryStaticSecond, kClassValueSought, For::kScheduler},
    {kClassValueMap, "finishEntry", Place::kEntryArgument, kClassValueSet, For::kScheduler},
    {kClassValueMap, "finishEntry", Place::kReturnsArgument, kClassValueSet, For::kScheduler},
    {kClassValueMap, "changeEntry", Place::kEntryArgument, kClassValueSet, For::kScheduler},
    {kClassValueMap, "changeEntry", Place::kReturnsArgument, kClassValueSet, For::kScheduler},
    {kClassValueMap, "removeEntry", Place::kEntryArgument, kClassValueSet, For::kScheduler},
    {kClassValueMap, "removeEntry", Place::kReturnsArgument, kClassValueSet, For::kScheduler},
    {kClassValueMap, "associateAccess", Place::kEntryArgument, kClassValueSet, For::kScheduler},
    {kClassValueMap, "associateAccess", Place::kReturnsArgument, kClassValueSet, For::kScheduler},
    {kClassValueMap, "removeAccess", Place::kEntryArgument, kClassValueSet, For::kScheduler},
    {kClassValueMap, "removeAccess", Place::kReturnsArgument, kClassValueSet, For::kScheduler},
    {kVirtualThread, "start", Place::kEntryThis, {kThreads, "starting", kTakesThis}},
    {kVirtualThread, "run", Place::kEntryThis, {kThreads, "virtualStarts", kTakesThis}},
    {kVirtualThread, "run", Place::kReturnsThis, {kThreads, "virtualEnds", kTakesThis}},
    {"jdk/internal/misc/ThreadFlock",
     "onStart",
     Place::kEntryThisArgument,
     {kThreads, "joinsFlock", "(Ljava/lang/Object;Ljava/lang/Object;)V"}},
    {kVirtualThread, "joinNanos", Place::kReturnsThis, {kThreads, "joined", kTakesThis}},
    {kVirtualThread, "interrupt", Place::kEntryThis, {kSync, "interrupting", kTakesThis}},
    {kVirtualThread, "isInterrupted", Place::kReturnsThis, {kSync, "interruptSeen", kTakesThis}},
    {kVirtualThread, "getAndClearInterrupt", Place::kReturnsThis, {kSync, "interruptSeen", kTakesThis}},
    {kVirtualThread, "alive", Place::kReturnsThis, {kThreads, "joined", kTakesThis}},
};

bool is_static(Place place) {
  return place == Place::kArgument || place == Place::kReturnsStatic || place == Place::kEntryStatic ||
         place == Place::kEntryStaticSecond || place == Place::kReturnsClass || place == Place::kReturnsNamed ||
         place == Place::kReplacesLong;
}

// What the descriptor has to begin with.
std::string_view parameters(Place place) {
  if (place == Place::kReplacesLong) return "()J";
  if (place == Place::kReturnsClass) return "(Ljava/lang/String;)";
  if (place == Place::kReturnsNamed) return "(Ljava/lang/String;ZLjava/lang/ClassLoader;)";
  return {};
}

void edit(classfile::Code& code, classfile::ClassFile& cls, const SpecialMethod& special) {
  const Instruction call = Instruction::invoke_static(cls.pool.add_method(special.hook));
  const Instruction self = Instruction::local(Opcode::aload, 0);
  switch (special.place) {
    case Place::kEntry:
    case Place::kEntryStatic:
      code.prepend({call});
      break;
    case Place::kEntryThis:
      code.prepend({self, call});
      break;
    case Place::kEntryThisArgument:
      code.prepend({self, Instruction::local(Opcode::aload, 1), call});
      break;
    case Place::kEntryArgument:
    case Place::kEntryStaticSecond:
      code.prepend({Instruction::local(Opcode::aload, 1), call});
      break;
    case Place::kReturnsThis:
    case Place::kReturns:
    case Place::kReturnsStatic:
      for (classfile::InsnId at : code.originals()) {
        if (!classfile::is_return(code.at(at).opcode)) continue;
        if (special.place == Place::kReturnsThis) {
          code.insert_before(at, {self, call});
        } else {
          code.insert_before(at, {call});
        }
      }
      break;
    case Place::kReplacesLong:
      for (classfile::InsnId at : code.originals()) {
        if (code.at(at).opcode == Opcode::lreturn) code.insert_before(at, {call});
      }
      break;
    case Place::kReturnsReference:
      for (classfile::InsnId at : code.originals()) {
        if (code.at(at).opcode != Opcode::areturn) continue;
        code.insert_before(at, {Instruction::simple(Opcode::dup), self, call});
      }
      break;
    case Place::kEntryThisLong:
      code.prepend({self, Instruction::local(Opcode::lload, 1), call});
      break;
    case Place::kReturnsLong:
    case Place::kReturnsLongs:
      for (classfile::InsnId at : code.originals()) {
        if (code.at(at).opcode != Opcode::lreturn) continue;
        if (special.place == Place::kReturnsLong) {
          code.insert_before(at, {Instruction::simple(Opcode::dup2), self, call});
        } else {
          code.insert_before(at, {Instruction::simple(Opcode::dup2), Instruction::local(Opcode::lload, 1), self, call});
        }
      }
      break;
    case Place::kReturnsArgument:
    case Place::kReturnsClass:
    case Place::kReturnsNamed:
      for (classfile::InsnId at : code.originals()) {
        if (!classfile::is_return(code.at(at).opcode)) continue;
        if (special.place == Place::kReturnsArgument) {
          code.insert_before(at, {Instruction::local(Opcode::aload, 1), call});
        } else if (special.place == Place::kReturnsClass) {
          code.insert_before(at, {Instruction::simple(Opcode::dup), call});
        } else {
          code.insert_before(at, {Instruction::simple(Opcode::dup), Instruction::local(Opcode::iload, 1), call});
        }
      }
      break;
    case Place::kArgument:
      code.prepend({Instruction::local(Opcode::aload, 1), call, Instruction::local(Opcode::astore, 1)});
      break;
  }
  code.raise_max_stack(special.place == Place::kReturnsLongs ? 7 : 5);
}

}  // namespace

bool hook_special_methods(classfile::ClassFile& cls, Purpose purpose) {
  bool any = false;
  for (const SpecialMethod& special : kSpecialMethods) {
    if (special.owner != cls.name()) continue;
    const bool detector = purpose == Purpose::kDetector || purpose == Purpose::kCandidates || purpose == Purpose::kBoth;
    const bool scheduler = purpose == Purpose::kScheduler || purpose == Purpose::kBoth;
    if (special.whom == For::kDetector && !detector) continue;
    if (special.whom == For::kScheduler && !scheduler) continue;
    for (classfile::Member& method : cls.methods) {
      if (cls.name_of(method) != special.name || method.has(classfile::kAccStatic) != is_static(special.place) ||
          !cls.descriptor_of(method).starts_with(parameters(special.place)))
        continue;
      Result<classfile::Code> code = classfile::Code::parse(cls, method);
      if (!code.ok()) continue;
      edit(code.value(), cls, special);
      any = code.value().store(cls, method).ok() || any;
    }
  }
  return any;
}

}  // namespace deadheat::agent
