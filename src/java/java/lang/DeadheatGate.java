// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks of the controlled scheduler ({@code engine=schedule}): before each operation that matters between threads the thread tells
 * the scheduler what it is about to do and goes on when it is its turn. What can block (park, sleep, wait) is waited for in the
 * scheduler's model and not again for real; everything else the host does itself afterwards. A thread that is not managed (of the VM, or
 * started by one that is not) passes every hook and does what it would have done without it.
 *
 * <p>Objects are told by numbers in the order of their first use, which under control is the same in every run.
 */
public final class DeadheatGate {
  /** The numbers of the objects used so far. Only the thread whose turn it is comes here. */
  private static int objects;
  /**
   * The same for identity hashes, by themselves: how many objects of the JDK are locked while the VM starts differs from run to run, and the
   * program's hashes must not.
   */
  private static int hashes;
  /** The same for objects that a thread which is not managed has asked for first: below zero. */
  private static int outsiders;

  private DeadheatGate() {}

  /** The current thread's record in the agent, 0 if it is not managed. */
  @Hidden
  private static long self() {
    Thread t = Deadheat.thread();
    return t == null ? 0 : U.getLong(t, GATE);
  }

  // ---- identity hashes: the VM's differ from run to run, and with them the order of hash tables ---------------------------------------

  /** In place of {@code o.hashCode()}. */
  @Hidden
  public static int hashCode(Object o) {
    int hash = o.hashCode();
    return isNumbered(o) && hash == System.identityHashCode(o) ? numberedHash(o, hash) : hash;
  }

  /** In place of {@code System.identityHashCode(o)}. */
  @Hidden
  public static int identityHashCode(Object o) {
    int hash = System.identityHashCode(o);
    return isNumbered(o) ? numberedHash(o, hash) : hash;
  }

  /**
   * Objects of the JDK may be in tables that were made before the hooks were live, under the VM's hash. Weak references are keys of the set of
   * executors and pools that some JDKs keep, and each program makes its own.
   */
  @Hidden
  private static boolean isNumbered(Object o) {
    if (o == null || !Deadheat.live) return false;
    Class<?> type = o.getClass();
    return type.getClassLoader0() != null && !type.isArray() || type.getPackageName() == "java.util.concurrent"
        || type == java.lang.ref.WeakReference.class;
  }

  @Hidden
  private static int numberedHash(Object o, int hash) {
    DeadheatCell cell = DeadheatMap.get(o);
    if (cell == null) return hash;
    if (cell.hashNumber == 0) cell.hashNumber = self() != 0 ? ++hashes : --outsiders;
    return cell.hashNumber * 0x9e3779b9 >>> 1;
  }

  /** The number of {@code o}, in the upper half of a key; 0 when there is no room to remember it. */
  @Hidden
  private static long number(Object o) {
    DeadheatCell cell = DeadheatMap.get(o);
    if (cell == null) return 0;
    if (cell.number == 0) cell.number = ++objects;
    return (long) cell.number << 32;
  }

  // ---- accesses: volatile ones, and plain ones at the sites that are asked for ---------------------------------------------------

  @Hidden
  public static void read(Object o, int site) {
    long self = self();
    if (self != 0 && o != null) field(self, o, site, false);
  }

  @Hidden
  public static void write(Object o, int site) {
    long self = self();
    if (self != 0 && o != null) field(self, o, site, true);
  }

  @Hidden
  private static void field(long self, Object o, int site, boolean write) {
    long where = Deadheat.whereOf(o, site);
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    if (kind != DeadheatLayout.KIND_PLAIN && kind != DeadheatLayout.KIND_VOLATILE) return;
    access(self, number(o) | variable(where), 1, site, kind == DeadheatLayout.KIND_VOLATILE, write);
  }

  /** Which field it is, in the lower half of a key: its number; beside the detector, part of where its words are, which is as good. */
  @Hidden
  private static long variable(long where) {
    return where >>> DeadheatLayout.FIELD_SHIFT & 0x7fffffffL;
  }

  @Hidden
  public static void readStatic(int site) {
    long self = self();
    if (self != 0) staticField(self, site, false);
  }

  @Hidden
  public static void writeStatic(int site) {
    long self = self();
    if (self != 0) staticField(self, site, true);
  }

  @Hidden
  private static void staticField(long self, int site, boolean write) {
    long where = Deadheat.whereOf(null, site);
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    if (kind != DeadheatLayout.KIND_PLAIN && kind != DeadheatLayout.KIND_VOLATILE) return;
    access(self, variable(where), 1, site, kind == DeadheatLayout.KIND_VOLATILE, write);
  }

  // ---- class initialisation, which the recorder is told of: what an initialiser did happens before every use of its class -------------

  /** In place of {@link #readStatic}. */
  @Hidden
  public static void readInitialised(int site) {
    long self = self();
    if (self != 0) initialisedStatic(self, site, false);
  }

  /** In place of {@link #writeStatic}. */
  @Hidden
  public static void writeInitialised(int site) {
    long self = self();
    if (self != 0) initialisedStatic(self, site, true);
  }

  @Hidden
  private static void initialisedStatic(long self, int site, boolean write) {
    Deadheat.whereOf(null, site);  // which class's field it is
    usedBySite(self, site);
    staticField(self, site, write);
  }

  /** First thing in the static methods and constructors of a class that has an initialiser. */
  @Hidden
  public static void used(int init) {
    long self = self();
    if (self != 0) used(self, init);
  }

  @Hidden
  public static void initialiserBegins(int init) {
    long self = self();
    if (self != 0) initialiser(self, init, true);
  }

  @Hidden
  public static void initialiserEnds(int init) {
    long self = self();
    if (self != 0) initialiser(self, init, false);
  }

  /** Every use of the class ends in an error from now on; there is nothing to be ordered. */
  @Hidden
  public static void initialiserFails() {}

  /** Elements are watched at the sites that are asked for only. The hint is the detector's; there is none here. */
  @Hidden
  public static Object readElement(Object array, int index, int site, Object hint) {
    element(array, index, 1, site, false);
    return null;
  }

  @Hidden
  public static Object writeElement(Object array, int index, int site, Object hint) {
    element(array, index, 1, site, true);
    return null;
  }

  /** Before a store that fails if the value does not fit. */
  @Hidden
  public static Object writeReference(Object array, int index, Object value, int site, Object hint) {
    if (array == null || value != null && !array.getClass().getComponentType().isInstance(value)) return null;
    element(array, index, 1, site, true);
    return null;
  }

  @Hidden
  private static void element(Object array, int index, int length, int site, boolean write) {
    long self = self();
    if (self != 0 && isInside(array, index, length)) access(self, number(array) | index, length, site, false, write);
  }

  /** Whether the array has these elements: else the access throws, and is none. */
  @Hidden
  private static boolean isInside(Object array, int index, int length) {
    return array != null && array.getClass().isArray() && index >= 0 && index <= java.lang.reflect.Array.getLength(array) - length;
  }

  /** In place of {@code System.arraycopy} at a site that is asked for. */
  @Hidden
  public static void copy(Object from, int fromIndex, Object to, int toIndex, int length, int site) {
    if (length > 0 && isInside(from, fromIndex, length) && isInside(to, toIndex, length)) {
      element(from, fromIndex, length, site, false);
      element(to, toIndex, length, site, true);
    }
    System.arraycopy(from, fromIndex, to, toIndex, length);
  }

  // ---- atomic accesses ------------------------------------------------------------------------------------------------------------

  @Hidden
  public static void atomic(Object o, long offset, int site) {
    long self = self();
    // Offsets count in bytes, elements and fields do not: the top bit keeps them apart. The fields of an object, which field instructions
    // and handles access as well, are one location.
    if (self != 0 && o != null) update(self, number(o) | (o.getClass().isArray() ? offset & 0x7fffffffL : 0) | 0x80000000L, site);
  }

  /** The coordinates of a handle: none (a static field), an object, or an array and an index. */
  @Hidden
  public static void atomic(java.lang.invoke.VarHandle handle, Object o, int index, int site) {
    long self = self();
    if (self == 0 || handle == null) return;
    update(self, number(o == null ? handle : o) | index & 0x7fffffffL | 0x80000000L, site);
  }

  // ---- monitors -------------------------------------------------------------------------------------------------------------------

  /** Before {@code monitorenter}: returns when the monitor is free for this thread. */
  @Hidden
  public static void locking(Object o, int site) {
    long self = self();
    if (self != 0 && o != null) lock(self, number(o), site);
  }

  /** Before {@code monitorexit}. */
  @Hidden
  public static void unlocking(Object o, int site) {
    long self = self();
    if (self != 0 && o != null) unlock(self, number(o), site);
  }

  /** In place of {@code o.wait()}. The hooks of the detector, if it runs along, are called here: it does not see the call. */
  @Hidden
  public static void await(Object o, int site) throws InterruptedException {
    await(o, 0, site);
  }

  @Hidden
  public static void await(Object o, long millis, int nanos, int site) throws InterruptedException {
    if (self() == 0 || nanos < 0 || nanos > 999999 || millis < 0) {
      if (DETECTS) DeadheatSync.waiting(o);
      o.wait(millis, nanos);
      if (DETECTS) DeadheatSync.waited();
    } else {
      await(o, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis, site);
    }
  }

  @Hidden
  public static void await(Object o, long millis, int site) throws InterruptedException {
    if (DETECTS) DeadheatSync.waiting(o);
    awaitUnwatched(o, millis, site);
    if (DETECTS) DeadheatSync.waited();
  }

  @Hidden
  private static void awaitUnwatched(Object o, long millis, int site) throws InterruptedException {
    long self = self();
    if (self == 0 || millis < 0 || !Thread.holdsLock(o)) {
      waitOutside(o, millis, self == 0 && Deadheat.live && o != null);
      return;
    }
    switch (waitFor(self, o, number(o), millis, site)) {
      case DeadheatLayout.PASSAGE_INTERRUPTED -> throw interruption();
      case DeadheatLayout.PASSAGE_FREE_RUN -> o.wait(millis);
      default -> {}
    }
  }

  /**
   * A thread that is not managed waits: those that are must notify it for real. It asks for no number, because the identity hash that
   * takes would be missing from the sequence of a managed thread, and with it the order of its hash tables would change.
   */
  @Hidden
  private static void waitOutside(Object o, long millis, boolean tell) throws InterruptedException {
    if (tell) waitsOutside(o, true);
    try {
      o.wait(millis);
    } finally {
      if (tell) waitsOutside(o, false);
    }
  }

  /** A thread that is not managed notifies those that are, too. */
  @Hidden
  private static void notifyOutside(Object o) {
    if (Deadheat.live && o != null && Thread.holdsLock(o)) notifyFromOutside(o);
  }

  @Hidden
  public static void notifying(Object o, int site) {
    long self = self();
    if (self == 0) notifyOutside(o);
    if (self == 0 || !Thread.holdsLock(o) || notify(self, number(o), false, site) == DeadheatLayout.PASSAGE_FREE_RUN) {
      o.notify();
    } else if (isAwaitedOutside(o)) {
      o.notifyAll();
    }
  }

  @Hidden
  public static void notifyingAll(Object o, int site) {
    long self = self();
    if (self == 0) notifyOutside(o);
    if (self == 0 || !Thread.holdsLock(o) || notify(self, number(o), true, site) == DeadheatLayout.PASSAGE_FREE_RUN
        || isAwaitedOutside(o)) {
      o.notifyAll();
    }
  }

  // ---- threads and time -----------------------------------------------------------------------------------------------------------

  /** In place of {@code Unsafe.park}; like it, may return for no reason. */
  @Hidden
  public static void park(Unsafe unsafe, boolean absolute, long time, int site) {
    long self = self();
    if (self == 0 || park(self, absolute, time, site) == DeadheatLayout.PASSAGE_FREE_RUN) unsafe.park(absolute, time);
    if (DETECTS) DeadheatSync.parked();
  }

  @Hidden
  public static void unpark(Unsafe unsafe, Object thread, int site) {
    long self = self();
    // A thread without a turn may be overtaken by the one it wakes; one that has it cannot.
    if (DETECTS && self == 0) DeadheatSync.unparking(thread);
    boolean done = thread instanceof Thread target && unpark(self, U.getLong(target, GATE), site);
    if (DETECTS && self != 0) DeadheatSync.unparking(thread);
    if (!done) unsafe.unpark(thread);
  }

  @Hidden
  public static void sleep(long millis, int site) throws InterruptedException {
    if (self() == 0 || millis < 0) {
      Thread.sleep(millis);
    } else {
      pause(millis > Long.MAX_VALUE / 1000000 ? Long.MAX_VALUE : millis * 1000000, site);
    }
  }

  @Hidden
  public static void sleep(long millis, int nanos, int site) throws InterruptedException {
    if (self() == 0 || millis < 0 || nanos < 0 || nanos > 999999) {
      Thread.sleep(millis, nanos);
    } else {
      pause(millis > Long.MAX_VALUE / 1000000 - 1 ? Long.MAX_VALUE : millis * 1000000 + nanos, site);
    }
  }

  @Hidden
  private static void pause(long nanos, int site) throws InterruptedException {
    switch (sleep0(self(), nanos, site)) {
      case DeadheatLayout.PASSAGE_INTERRUPTED -> throw interruption();
      case DeadheatLayout.PASSAGE_FREE_RUN -> Thread.sleep(nanos / 1000000);
      default -> {}
    }
  }

  /** The mark that the interrupter has set for real goes with the exception, as it does without us. */
  @Hidden
  private static InterruptedException interruption() {
    Thread.interrupted();
    return new InterruptedException();
  }

  @Hidden
  public static void yield(int site) {
    long self = self();
    if (self != 0) yield0(self, site);
    Thread.yield();
  }

  /** In place of {@code Thread.onSpinWait()}: whoever spins waits for another thread. */
  @Hidden
  public static void spin(int site) {
    long self = self();
    if (self != 0) yield0(self, site);
    Thread.onSpinWait();
  }

  /** Before {@code thread.interrupt0()}, by which every interrupt of a platform thread goes. */
  @Hidden
  public static void interrupting(Object thread, int site) {
    if (thread instanceof Thread target && Deadheat.live) interrupt(self(), U.getLong(target, GATE), site);
  }

  /** After {@code Thread.clearInterruptEvent()}, by which every thread that clears its own mark goes. */
  @Hidden
  public static void interruptCleared() {
    long self = self();
    if (self != 0) clearInterrupt(self);
  }

  /** Before {@code thread.start0()}. The JDK's own helpers live in a world of their own. */
  @Hidden
  public static void starting(Object thread, int site) {
    long self = self();
    if (self != 0 && !(thread instanceof jdk.internal.misc.InnocuousThread)) start(self, thread, number(thread), site);
  }

  /** In place of {@code ContinuationSupport.isSupported()}, where virtual threads are made. */
  @Hidden
  public static boolean continuations() {
    return false;
  }

  /** First thing in a virtual thread that has a platform thread of its own. */
  @Hidden
  public static void boundBegins(Object thread) {
    long self = self();
    if (self != 0) bound(self, thread, true);
  }

  /** Last thing in any thread; of platform threads the VM tells. {@code exit} is the VM's to call. */
  @Hidden
  public static void exited(Object thread) {
    long self = self();
    if (self != 0 && thread == Thread.currentThread()) bound(self, thread, false);
  }

  /** The key of the thread's own monitor, for the first thread, which nobody starts. */
  @Hidden
  static long keyOf(Thread thread) {
    return number(thread);
  }

  /** Before {@code thread.getState()}: a thread that is held is, for the VM, in native code. */
  @Hidden
  public static void askingState(Object thread, int site) {
    long self = self();
    if (self != 0 && thread instanceof Thread target) showState(self, U.getLong(target, GATE), site);
  }

  @Hidden
  public static long nanoTime(int site) {
    long self = self();
    return self != 0 ? now(self, false, site) : Deadheat.live ? System.nanoTime() : 0;
  }

  @Hidden
  public static long currentTimeMillis(int site) {
    long self = self();
    return self != 0 ? now(self, true, site) : System.currentTimeMillis();
  }

  /** In place of {@code VM.getNanoTimeAdjustment(seconds)}: the nanoseconds since {@code seconds} after 1970, or -1 if those are too many. */
  @Hidden
  public static long nanoTimeAdjustment(long seconds, int site) {
    long self = self();
    if (self == 0) return jdk.internal.misc.VM.getNanoTimeAdjustment(seconds);
    long nanos = wallNanos(self, site);
    long difference = nanos / 1000000000L - seconds;
    return difference > 1L << 32 || difference < -(1L << 32) ? -1 : difference * 1000000000L + nanos % 1000000000L;
  }

  // ---- code in which no switch is offered: class initialisers and class loading, which hold locks of the VM's own ------------------

  @Hidden
  public static void enterUnscheduled() {
    long self = self();
    if (self != 0) unscheduled(self, true);
  }

  @Hidden
  public static void leaveUnscheduled() {
    long self = self();
    if (self != 0) unscheduled(self, false);
  }

  // ---- methods that are meant to be atomic, for a trace -----------------------------------------------------------------------------

  @Hidden
  public static void enterAtomic(int site) {
    long self = self();
    if (self != 0) atomic(self, site, true);
  }

  @Hidden
  public static void leaveAtomic(int site) {
    long self = self();
    if (self != 0) atomic(self, site, false);
  }

  // ---- calls that wait for the world outside ----------------------------------------------------------------------------------------

  @Hidden
  public static void leaving() {
    long self = self();
    if (self != 0) external(self, true);
  }

  @Hidden
  public static void back() {
    long self = self();
    if (self != 0) external(self, false);
  }

  // ---- locks of java.util.concurrent, to be named when threads meet; see agent/held_locks.h -----------------------------------------

  /** A synchroniser gets an owner, the current thread, or has none any more. */
  @Hidden
  public static void owned(Object synchroniser, Object owner) {
    long self = self();
    if (self != 0) owned(self, synchroniser, owner != null);
  }

  /** The read side of a read-write lock is being taken. */
  @Hidden
  public static void shares(Object synchroniser) {
    long self = self();
    if (self != 0) shares(self, synchroniser);
  }

  /** A method of {@code StampedLock} is about to return this stamp, 0 if it has not got one. */
  @Hidden
  public static void stampTaken(long stamp, Object lock) {
    long self = self();
    if (self != 0 && stamp != 0) stamped(self, lock, stamp, true);
  }

  @Hidden
  public static void stampConverted(long stamp, long old, Object lock) {
    if (stamp == 0 || stamp == old) return;
    stampGone(lock, old);
    stampTaken(stamp, lock);
  }

  @Hidden
  public static void stampGone(Object lock, long stamp) {
    long self = self();
    if (self != 0) stamped(self, lock, stamp, false);
  }

  /** The write side is let go of without a stamp. */
  @Hidden
  public static void writeStampGone(Object lock) {
    long self = self();
    if (self != 0) unstamped(self, lock, true);
  }

  @Hidden
  public static void readStampGone(Object lock) {
    long self = self();
    if (self != 0) unstamped(self, lock, false);
  }

  /** A thread is about to die of {@code e}. */
  @Hidden
  public static void uncaught(Object thread, Throwable e) {
    long self = self();
    if (self != 0) uncaught(self, e);
  }

  // ---- natives; `self` is the thread's record, or 0 -----------------------------------------------------------------------------------

  private static native void access(long self, long location, int extent, int site, boolean isVolatile, boolean write);

  private static native void usedBySite(long self, int site);

  private static native void used(long self, int init);

  private static native void initialiser(long self, int init, boolean begins);

  private static native void update(long self, long location, int site);

  private static native void lock(long self, long monitor, int site);

  private static native void unlock(long self, long monitor, int site);

  private static native int waitFor(long self, Object o, long monitor, long millis, int site);

  private static native int notify(long self, long monitor, boolean all, int site);

  private static native int park(long self, boolean absolute, long time, int site);

  /** Whether the scheduler has taken care of it: the target is managed. */
  private static native boolean unpark(long self, long target, int site);

  private static native int sleep0(long self, long nanos, int site);

  private static native void yield0(long self, int site);

  private static native void interrupt(long self, long target, int site);

  private static native void clearInterrupt(long self);

  private static native void start(long self, Object thread, long monitor, int site);

  /** The begin of a thread that the VM does not tell of; the end of any, which counts if its begin did. */
  private static native void bound(long self, Object thread, boolean begins);

  private static native void showState(long self, long target, int site);

  private static native long now(long self, boolean wallClock, int site);

  /** Nanoseconds since 1970, in the model's time. */
  private static native long wallNanos(long self, int site);

  private static native void unscheduled(long self, boolean enter);

  private static native void atomic(long self, int site, boolean enter);

  private static native void external(long self, boolean leave);

  // By threads that are not managed, and whether there is one.
  private static native void notifyFromOutside(Object o);

  private static native void waitsOutside(Object o, boolean begins);

  private static native boolean isAwaitedOutside(Object o);

  private static native void uncaught(long self, Throwable e);

  private static native void owned(long self, Object synchroniser, boolean taken);

  private static native void shares(long self, Object synchroniser);

  private static native void stamped(long self, Object lock, long stamp, boolean taken);

  private static native void unstamped(long self, Object lock, boolean write);
}
