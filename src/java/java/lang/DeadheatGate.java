// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks of the controlled scheduler ({@code engine=schedule}): before each operation that matters between threads the thread tells
 * the scheduler what it is about to do and goes on when it is its turn. What can block (park, sleep, wait) is waited for in the
 * scheduler's model and not again for real; everything else the host does itself afterwards. A thread that is not managed (of the VM, or
 * started by one that is not) passes every hook and does what it would have done without it.
 *
 * <p>Here are the accesses and the regions; the other hooks are in the classes beside it ({@link DeadheatGateCalls},
 * {@link DeadheatGateMonitors}, {@link DeadheatGateThreads}, {@link DeadheatGateInit}, {@link DeadheatGateLocks}). Objects are told by {@link DeadheatNumbers}.
 */
public final class DeadheatGate {
  private DeadheatGate() {}

  /**
   * The current thread's record in the agent, 0 if it is not managed; the `self` of all natives of the gate. 0 also while the thread is
   * held: what it runs there (a real wait makes an exception when the thread is interrupted, which the gate drops) is not the program's.
   */
  @Hidden
  static long self() {
    Thread t = Deadheat.thread();
    if (t == null) return 0;
    long gate = U.getLong(t, GATE);
    return (gate & DeadheatLayout.GATE_HELD) == 0 ? gate : 0;
  }

  /** The record of any thread, held or not. */
  @Hidden
  static long recordOf(Thread t) {
    return U.getLong(t, GATE) & ~(long) DeadheatLayout.GATE_HELD;
  }

  /** Whether the thread, the current one, runs code on behalf of the gate. */
  @Hidden
  static boolean isHeld(Thread t) {
    return (U.getLong(t, GATE) & DeadheatLayout.GATE_HELD) != 0;
  }

  // ---- accesses: volatile ones, and plain ones at the sites that are asked for --------------------------------------------------

  @Hidden
  public static void read(Object o, int site) {
    long self = self();
    if (self == 0) {
      passing(site);
    } else if (o != null) {
      field(self, o, site, false);
    }
  }

  @Hidden
  public static void write(Object o, int site) {
    long self = self();
    if (self == 0) {
      passing(site);
    } else if (o != null) {
      field(self, o, site, true);
    }
  }

  @Hidden
  private static void field(long self, Object o, int site, boolean write) {
    long where = Deadheat.whereOf(o, site);
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    boolean frozen = kind == DeadheatLayout.KIND_FROZEN && RECORDS && !write;
    if (!frozen && !Deadheat.hasAccessWords(where) && kind != DeadheatLayout.KIND_VOLATILE) return;
    long number = RECORDS ? DeadheatNumbers.of(o, Deadheat.heldOffset(where)) : DeadheatNumbers.of(o);
    if (frozen) readFrozen(self, number, site); else access(self, number | variable(where), 1, site, operation(kind, write));
  }

  /** Before a final field that leads to other objects is read, of the object with this number. */
  @Hidden
  static void readFrozen(long self, long object, int site) {
    access(self, object | DeadheatLayout.KEY_FREEZE, 1, site, DeadheatLayout.OPERATION_VOLATILE_READ);
  }

  /** Before a method of a record reads its components, and those of {@code other} if that is such a record too: see {@link Deadheat#readRecord}. */
  @Hidden
  public static void readRecord(Object record, Object other, int site) {
    if (record == null) return;
    read(record, site);
    if (other != null && other.getClass() == record.getClass()) read(other, site);
  }

  /** Last thing in a constructor of a class whose final fields lead to other objects, when a run is recorded. */
  @Hidden
  public static void frozen(Object o) {
    long self = self();
    if (self != 0) access(self, DeadheatNumbers.of(o) | DeadheatLayout.KEY_FREEZE, 1, 0, DeadheatLayout.OPERATION_VOLATILE_WRITE);
  }

  /** A thread that is not managed comes to an access. It is not held; that it came by is told where nobody was found to hold. */
  @Hidden
  private static void passing(int site) {
    if (Deadheat.live && !RECORDS) passedOutside(site);  // in this order: see DeadheatVm
  }

  /** A read or write, volatile if the field is. */
  @ForceInline
  @Hidden
  private static int operation(int kind, boolean write) {
    if (kind != DeadheatLayout.KIND_VOLATILE) return write ? DeadheatLayout.OPERATION_WRITE : DeadheatLayout.OPERATION_READ;
    return write ? DeadheatLayout.OPERATION_VOLATILE_WRITE : DeadheatLayout.OPERATION_VOLATILE_READ;
  }

  /**
   * Every access of the thread: told at once, which may take until it is its turn again; or, when a run is recorded and the scheduler
   * has nothing to decide, put where the agent finds it later (agent/ahead_buffer.h).
   */
  @ForceInline
  @Hidden
  static void access(long self, long location, int extent, int site, int operation) {
    long next = U.getLong(self + DeadheatLayout.AHEAD_NEXT);
    if (next >= U.getLong(self + DeadheatLayout.AHEAD_LIMIT) || extent > DeadheatLayout.AHEAD_EXTENT_MASK) {
      perform(self, location, extent, site, operation);
      return;
    }
    U.putLong(next + DeadheatLayout.AHEAD_OBJECT, location);
    U.putInt(next + DeadheatLayout.AHEAD_SITE, site);
    U.putInt(next + DeadheatLayout.AHEAD_WHAT, operation << DeadheatLayout.AHEAD_KIND_SHIFT | extent);
    U.putLongRelease(null, self + DeadheatLayout.AHEAD_NEXT, next + DeadheatLayout.AHEAD_ENTRY);
  }

  /** Which field it is, in the lower half of a key: its number; beside the detector, part of where its words are, which is as good. */
  @Hidden
  static long variable(long where) {
    return where >>> DeadheatLayout.FIELD_SHIFT & 0x7fffffffL;
  }

  @Hidden
  public static void readStatic(int site) {
    long self = self();
    if (self == 0) {
      passing(site);
    } else {
      staticField(self, site, false);
    }
  }

  @Hidden
  public static void writeStatic(int site) {
    long self = self();
    if (self == 0) {
      passing(site);
    } else {
      staticField(self, site, true);
    }
  }

  @Hidden
  static void staticField(long self, int site, boolean write) {
    long where = Deadheat.whereOf(null, site);
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    if (kind != DeadheatLayout.KIND_PLAIN && kind != DeadheatLayout.KIND_VOLATILE) return;
    access(self, variable(where), 1, site, operation(kind, write));
  }

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
    if (array != null && DeadheatArrays.fits(array, value)) element(array, index, 1, site, true);
    return null;
  }

  @Hidden
  static void element(Object array, int index, int length, int site, boolean write) {
    long self = self();
    if (self == 0) passing(site);
    if (self == 0 || !isInside(array, index, length)) return;
    access(self, DeadheatNumbers.ofArray(array, site) | index, length, site, operation(DeadheatLayout.KIND_PLAIN, write));
  }

  /** Behind an access of an element that could have been refused. */
  @Hidden
  static void elementDone(Object array, int index, int site, boolean write) {
    elementsDone(array, index, 1, site, write);
  }

  @Hidden
  private static void elementsDone(Object array, int index, int length, int site, boolean write) {
    long self = self();
    if (self == 0 || !isInside(array, index, length)) return;
    done(self, DeadheatNumbers.ofArray(array, site) | index, length, site, operation(DeadheatLayout.KIND_PLAIN, write));
  }

  /** Whether the array has these elements: else the access throws, and is none. */
  @Hidden
  private static boolean isInside(Object array, int index, int length) {
    return array != null && index >= 0 && index <= DeadheatArrays.lengthOf(array) - length;
  }

  /** In place of {@code System.arraycopy} at a site that is asked for. */
  @Hidden
  public static void copy(Object from, int fromIndex, Object to, int toIndex, int length, int site) {
    boolean inside = length > 0 && isInside(from, fromIndex, length) && isInside(to, toIndex, length);
    if (inside && DeadheatArrays.mayRefuse(from.getClass(), to.getClass())) {
      System.arraycopy(from, fromIndex, to, toIndex, length);
      elementsDone(from, fromIndex, length, site, false);
      elementsDone(to, toIndex, length, site, true);
      return;
    }
    if (inside) {
      element(from, fromIndex, length, site, false);
      element(to, toIndex, length, site, true);
    }
    System.arraycopy(from, fromIndex, to, toIndex, length);
  }

  // ---- code in which no switch is offered: class initialisers and class loading, which hold locks of the VM's own ---------------

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

  // ---- methods that are meant to be atomic, for a trace -------------------------------------------------------------------------

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

  // ---- calls that wait for the world outside ------------------------------------------------------------------------------------

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

  /** A thread is about to die of {@code e}. */
  @Hidden
  public static void uncaught(Object thread, Throwable e) {
    long self = self();
    if (self != 0) uncaught(self, e);
  }

  /** An access; which: DeadheatLayout.OPERATION_…. */
  @Hidden
  private static native void perform(long self, long location, int extent, int site, int operation);

  /** An access that has happened since the last thing that was told: no switch is offered. */
  @Hidden
  static native void done(long self, long location, int extent, int site, int operation);

  @Hidden
  private static native void passedOutside(int site);

  @Hidden
  private static native void unscheduled(long self, boolean enter);

  @Hidden
  private static native void atomic(long self, int site, boolean enter);

  @Hidden
  private static native void external(long self, boolean leave);

  @Hidden
  private static native void uncaught(long self, Throwable e);
}
