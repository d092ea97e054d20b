// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatVm.RECORDS;
import static java.lang.DeadheatVm.U;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import jdk.internal.vm.annotation.Hidden;

/**
 * Accesses by way of a call, under the controlled scheduler: {@code Unsafe}, {@link VarHandle}, and, when a run is recorded or their site is
 * asked for, method handles and reflection. Plain ones are told as those of field and array instructions, and those that order something as volatile accesses of the
 * same location that a field instruction names; elements of arrays and places outside the heap are told by their offset. Which field of an object
 * it is, is looked up when a run is recorded only: nobody else wants to know.
 */
public final class DeadheatGateCalls {
  /** In the lower half of a key: it is no field's number. */
  private static final long ATOMIC = 0x80000000L;
  private static final long LOWER = 0x7fffffffL;

  private DeadheatGateCalls() {}

  // ---- accesses that order something ----------------------------------------------------------------------------------------------

  /** Before {@code unsafe.…(o, offset, …)}. The mode is a set of {@code DeadheatLayout.MODE_*}. */
  @Hidden
  public static void atomic(Object o, long offset, int mode, int site) {
    long self = self();
    if (self != 0) access(self, o, offset, mode, site);
  }

  /** Before an access through a handle. Its coordinates: none (a static field), an object, or an array or buffer and an index. */
  @Hidden
  public static void atomic(VarHandle handle, Object o, int index, int mode, int site) {
    long self = self();
    if (self == 0 || handle == null) return;
    if ((site & DeadheatLayout.WANTED_SITE) != 0) {
      meeting(self, handle, o, index, mode, site & ~DeadheatLayout.WANTED_SITE);
      return;
    }
    if (!RECORDS && o != null && !(o instanceof Buffer) && !o.getClass().isArray()) {
      DeadheatGate.access(self, DeadheatNumbers.of(o) | ATOMIC, 1, site, operation(mode));  // some field
      return;
    }
    long[] about = DeadheatHandles.shape(handle);
    if (DeadheatHandles.isKnown(about, handle, o, index)) {
      access(self, DeadheatHandles.base(about, handle, o), DeadheatHandles.offset(about, o, index), mode, site);
    } else {
      DeadheatGate.access(self, DeadheatNumbers.of(o == null ? handle : o) | ATOMIC | index & LOWER, 1, site, operation(mode));
    }
  }

  /**
   * Before an access through a handle where threads are to meet: it races with plain accesses of the same variable. An update that compares
   * is a read, as long as nobody knows whether it will write.
   */
  @Hidden
  private static void meeting(long self, VarHandle handle, Object o, int index, int mode, int site) {
    long[] about = DeadheatHandles.shape(handle);
    int operation = operation((mode & DeadheatLayout.MODE_COMPARES) != 0 ? mode & ~DeadheatLayout.MODE_WRITES : mode);
    if (DeadheatHandles.isKnown(about, handle, o, index)) {
      Object base = DeadheatHandles.base(about, handle, o);
      long offset = DeadheatHandles.offset(about, o, index);
      if (base != null && !isUninitialised(base) && meeting(self, base, offset, DeadheatHandles.sized(about, mode), site, operation)) return;
    }
    atomic(handle, o, index, mode, site);
  }

  /** A VolatileCallSite is about to get a target, or has told it: for a trace alone, so no switch is offered. */
  @Hidden
  public static void callSiteSet(Object site) {
    done(site, DeadheatLayout.OPERATION_VOLATILE_WRITE);
  }

  @Hidden
  public static void callSiteGot(Object site) {
    done(site, DeadheatLayout.OPERATION_VOLATILE_READ);
  }

  /** What is known of a ClassValue has changed or is about to, for some class: likewise. */
  @Hidden
  public static void classValueSet(Object value) {
    done(value, DeadheatLayout.OPERATION_VOLATILE_WRITE);
  }

  /** Somebody is about to look for it. What he finds is up to who comes first, so a switch is offered, recorded or not. */
  @Hidden
  public static void classValueSought(Object value) {
    long self = self();
    if (self != 0) DeadheatGate.access(self, DeadheatNumbers.of(value) | ATOMIC, 1, 0, DeadheatLayout.OPERATION_VOLATILE_READ);
  }

  @Hidden
  private static void done(Object o, int operation) {
    long self = self();
    if (self != 0 && RECORDS) DeadheatGate.done(self, DeadheatNumbers.of(o) | ATOMIC, 1, 0, operation);
  }

  // ---- plain accesses by watched code, when a run is recorded or the site is asked for --------------------------------------------
  //
  // Told before the call, as every access is: behind it another thread could come between the access and its telling. Where the call may
  // initialise a class (static fields) or refuse (reflection) a recorded run is told behind it, as something that has happened, without a
  // switch. At a site that is asked for threads are to meet, so there it is told before all the same, unless the class is not initialised yet.

  /** Before {@code unsafe.…(o, offset, …)}. */
  @Hidden
  public static void plain(Object o, long offset, int mode, int site) {
    long self = self();
    if (self != 0 && o != null) plainAccess(self, o, offset, mode, site, false);
  }

  /** Before an access through a handle. */
  @Hidden
  public static void plain(VarHandle handle, Object o, int index, int mode, int site) {
    if (o != null || !RECORDS) plain(handle, o, index, mode, site, false);
  }

  /** Behind it. */
  @Hidden
  public static void plainDone(VarHandle handle, Object o, int index, int mode, int site) {
    if (o == null && RECORDS) plain(handle, null, index, mode, site, true);
  }

  @Hidden
  private static void plain(VarHandle handle, Object o, int index, int mode, int site, boolean done) {
    long self = self();
    if (self == 0 || handle == null) return;
    long[] about = DeadheatHandles.shape(handle);
    if (!DeadheatHandles.isKnown(about, handle, o, index)) return;
    Object base = DeadheatHandles.base(about, handle, o);
    if (o == null && RECORDS) DeadheatGateInit.initialised(base);  // of a static field: the class
    if (o == null && !RECORDS && isUninitialised(base)) return;
    if (base != null) plainAccess(self, base, DeadheatHandles.offset(about, o, index), DeadheatHandles.sized(about, mode), site, done);
  }

  /** A class whose initialiser the access would begin with, or wait for. */
  @Hidden
  private static boolean isUninitialised(Object base) {
    return base instanceof Class<?> c && U.shouldBeInitialized(c);
  }

  /** An atomic access of a variable that plain ones know too; false if it is none. */
  @Hidden
  private static boolean meeting(long self, Object base, long offset, int mode, int site, int operation) {
    if (base.getClass().isArray()) {
      elements(self, base, offset, mode, site, operation);
      return true;
    }
    DeadheatVariable v = variable(base, offset, site);
    if (v == null || ((int) v.where & DeadheatLayout.KIND_MASK) != DeadheatLayout.KIND_PLAIN) return false;
    DeadheatGate.access(self, location(base, v), 1, site, operation);
    return true;
  }

  @Hidden
  private static void elements(long self, Object array, long offset, int mode, int site, int operation) {
    int first = DeadheatOffsets.indexOf(array, offset);
    int last = DeadheatOffsets.indexOf(array, offset + (1L << (mode >>> DeadheatLayout.MODE_SIZE_SHIFT)) - 1);
    if (first < 0 || last >= java.lang.reflect.Array.getLength(array)) return;
    DeadheatGate.access(self, DeadheatNumbers.of(array) | first, Math.max(last - first, 0) + 1, site, operation);
  }

  @Hidden
  private static DeadheatVariable variable(Object base, long offset, int site) {
    boolean isStatic = base instanceof Class;
    return DeadheatVariable.field(isStatic ? (Class<?>) base : base.getClass(), isStatic, offset, site);
  }

  @Hidden
  private static long location(Object base, DeadheatVariable v) {
    return (base instanceof Class ? 0 : DeadheatNumbers.of(base)) | DeadheatGate.variable(v.where);
  }

  @Hidden
  private static void plainAccess(long self, Object base, long offset, int mode, int site, boolean done) {
    boolean write = (mode & DeadheatLayout.MODE_WRITES) != 0;
    int operation = write ? DeadheatLayout.OPERATION_WRITE : DeadheatLayout.OPERATION_READ;
    if (base.getClass().isArray()) {
      elements(self, base, offset, mode, site, operation);
      return;
    }
    boolean isStatic = base instanceof Class;
    DeadheatVariable v = variable(base, offset, site);
    int kind = v == null ? 0 : (int) v.where & DeadheatLayout.KIND_MASK;
    if (kind == DeadheatLayout.KIND_FROZEN && !isStatic && RECORDS) {
      if (write) DeadheatGate.frozen(base); else DeadheatGate.readFrozen(self, DeadheatNumbers.of(base), site);  // JLS 17.5.3
    }
    if (kind != DeadheatLayout.KIND_PLAIN || v.plainSite == 0) return;
    if (isStatic && RECORDS) DeadheatGateInit.usedAt(self, v.plainSite);
    long location = location(base, v);
    if (done) DeadheatGate.done(self, location, 1, v.plainSite, operation); else DeadheatGate.access(self, location, 1, v.plainSite, operation);
  }

  /** Behind {@code handle.invoke(o, index, …)}. */
  @Hidden
  public static void invoked(MethodHandle handle, Object o, int index, int site) {
    long self = self();
    long[] about = self == 0 || !RECORDS ? null : DeadheatMethodHandles.shape(handle);
    if (about == null) return;
    int mode = (int) about[DeadheatLayout.HANDLE_MODE];
    if ((mode & DeadheatLayout.MODE_PLAIN) == 0) return;
    switch ((int) about[DeadheatLayout.HANDLE_KIND]) {
      case DeadheatLayout.HANDLE_BOUND:
        plainDone(DeadheatMethodHandles.bound(about, handle), o, index, mode, site);
        break;
      case DeadheatLayout.HANDLE_STATIC_FIELD:
        Object base = DeadheatMethodHandles.base(about, handle, o);
        if (base == null) break;
        DeadheatGateInit.initialised(base);
        plainAccess(self, base, about[DeadheatLayout.HANDLE_OFFSET], mode, site, true);
        break;
      default:
    }
  }

  /** Behind {@code field.get…(o)}. */
  @Hidden
  public static void got(Field field, Object o, int site) {
    reflected(field, o, DeadheatLayout.MODE_READS, site);
  }

  /** Behind {@code field.set…(o, …)}. */
  @Hidden
  public static void set(Field field, Object o, int site) {
    reflected(field, o, DeadheatLayout.MODE_WRITES, site);
  }

  @Hidden
  private static void reflected(Field field, Object o, int mode, int site) {
    long self = self();
    if (self == 0 || !RECORDS) return;
    if (Modifier.isStatic(field.getModifiers())) DeadheatGateInit.initialised(field.getDeclaringClass());
    if (!Modifier.isVolatile(field.getModifiers())) {
      plainAccess(self, DeadheatFields.base(field, o), DeadheatFields.offset(field), mode, site, true);
    }
  }

  /** Before a plain store that publishes into an array of references (fork-join's queues). */
  @Hidden
  public static void elementReleases(Object array, int index) {
    long self = self();
    if (self != 0 && array != null && index >= 0) access(self, array, DeadheatSync.elementOffset(index), DeadheatLayout.MODE_WRITES, 0);
  }

  /** Before {@code handle.invoke(o, index, …)}; what is behind it may be an access, see {@link DeadheatMethodHandles}. */
  @Hidden
  public static void invoking(MethodHandle handle, Object o, int index, int site) {
    long self = self();
    long[] about = self == 0 ? null : DeadheatMethodHandles.shape(handle);
    if (about == null) return;
    int mode = (int) about[DeadheatLayout.HANDLE_MODE];
    if ((mode & DeadheatLayout.MODE_PLAIN) != 0) {
      invokingPlain(about, handle, o, index, mode, site);
      return;
    }
    switch ((int) about[DeadheatLayout.HANDLE_KIND]) {
      case DeadheatLayout.HANDLE_BOUND:
        atomic(DeadheatMethodHandles.bound(about, handle), o, index, mode, site);
        break;
      case DeadheatLayout.HANDLE_INSTANCE_FIELD:
      case DeadheatLayout.HANDLE_STATIC_FIELD:
        Object base = DeadheatMethodHandles.base(about, handle, o);
        if (base != null) access(self, base, about[DeadheatLayout.HANDLE_OFFSET], mode, site);
        break;
      default:
    }
  }

  @Hidden
  private static void invokingPlain(long[] about, MethodHandle handle, Object o, int index, int mode, int site) {
    switch ((int) about[DeadheatLayout.HANDLE_KIND]) {
      case DeadheatLayout.HANDLE_BOUND:
        plain(DeadheatMethodHandles.bound(about, handle), o, index, mode, site);
        break;
      case DeadheatLayout.HANDLE_INSTANCE_FIELD:
        plain(DeadheatMethodHandles.base(about, handle, o), about[DeadheatLayout.HANDLE_OFFSET], mode, site);
        break;
      case DeadheatLayout.HANDLE_STATIC_FIELD:
        if (RECORDS) break;  // behind it
        Object base = DeadheatMethodHandles.base(about, handle, o);
        if (base != null && !isUninitialised(base)) plainAccess(self(), base, about[DeadheatLayout.HANDLE_OFFSET], mode, site, false);
        break;
      case DeadheatLayout.HANDLE_ARRAY_ELEMENT:
        DeadheatGate.element(o, index, 1, site, (mode & DeadheatLayout.MODE_WRITES) != 0);
        break;
      default:
    }
  }

  /** Before {@code field.get…(o)}. */
  @Hidden
  public static void getting(Field field, Object o, int site) {
    reflecting(field, o, DeadheatLayout.MODE_READS | DeadheatLayout.MODE_ACQUIRES, site);
  }

  /** Before {@code field.set…(o, …)}. */
  @Hidden
  public static void setting(Field field, Object o, int site) {
    reflecting(field, o, DeadheatLayout.MODE_WRITES | DeadheatLayout.MODE_RELEASES, site);
  }

  @Hidden
  private static void reflecting(Field field, Object o, int mode, int site) {
    long self = self();
    if (self == 0 || field == null || !DeadheatFields.mayHold(field, o)) return;
    if (Modifier.isVolatile(field.getModifiers())) {
      access(self, DeadheatFields.base(field, o), DeadheatFields.offset(field), mode, site);
    } else if (!RECORDS && mayAccess(field, mode)) {
      plainAccess(self, DeadheatFields.base(field, o), DeadheatFields.offset(field), mode, site, false);
    }
  }

  /** Whether the access is likely to be made. That the caller may make it is known: its site is on record because it has. */
  @Hidden
  private static boolean mayAccess(Field field, int mode) {
    if ((mode & DeadheatLayout.MODE_WRITES) != 0 && Modifier.isFinal(field.getModifiers())) return false;
    return !Modifier.isStatic(field.getModifiers()) || !U.shouldBeInitialized(field.getDeclaringClass());
  }

  @Hidden
  private static void access(long self, Object base, long offset, int mode, int site) {
    DeadheatGate.access(self, location(base, offset, site), 1, site, operation(mode));
  }

  /** An update that fails counts as one that does not: what it has to say is known afterwards only. */
  @Hidden
  private static int operation(int mode) {
    if ((mode & DeadheatLayout.MODE_WRITES) == 0) return DeadheatLayout.OPERATION_VOLATILE_READ;
    return (mode & DeadheatLayout.MODE_READS) == 0 ? DeadheatLayout.OPERATION_VOLATILE_WRITE : DeadheatLayout.OPERATION_VOLATILE_UPDATE;
  }

  @Hidden
  private static long location(Object base, long offset, int site) {
    if (base == null) return DeadheatLayout.KEY_OUTSIDE_HEAP | offset & LOWER;
    if (base.getClass().isArray()) return DeadheatNumbers.of(base) | ATOMIC | offset & LOWER;
    if (base instanceof Class) {
      DeadheatVariable v = DeadheatVariable.field((Class<?>) base, true, offset, site);
      int kind = v == null ? DeadheatLayout.KIND_NONE : (int) v.where & DeadheatLayout.KIND_MASK;
      if (kind == DeadheatLayout.KIND_PLAIN || kind == DeadheatLayout.KIND_VOLATILE) return DeadheatGate.variable(v.where);
    }
    if (RECORDS) {  // a Class has fields of its own, beside the static ones of the class
      long field = DeadheatSyncWords.fieldAt(base.getClass(), offset);
      if (field > 0) return DeadheatNumbers.of(base) | field;
    }
    return DeadheatNumbers.of(base) | ATOMIC;
  }
}
