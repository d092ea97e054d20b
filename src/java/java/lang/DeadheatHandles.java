// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks around accesses through a {@link VarHandle}: they find the variable behind the handle and its coordinates and hand over to
 * {@link DeadheatSync}. What a handle stands for is asked of the agent once and kept in the handle's cell.
 */
public final class DeadheatHandles {
  /** Of a buffer: its array, if it has one, and where its first byte is, in the array or in memory. */
  private static final long BUFFER_ARRAY = U.objectFieldOffset(ByteBuffer.class, "hb");
  private static final long BUFFER_ADDRESS = U.objectFieldOffset(Buffer.class, "address");

  private DeadheatHandles() {}

  // ---- synchronisation by code that is not watched ----------------------------------------------------------------------------------

  @Hidden
  public static void release(VarHandle handle) {
    release(handle, null, 0);
  }

  @Hidden
  public static void acquire(VarHandle handle) {
    acquire(handle, null, 0);
  }

  @Hidden
  public static void release(VarHandle handle, Object o) {
    release(handle, o, 0);
  }

  @Hidden
  public static void acquire(VarHandle handle, Object o) {
    acquire(handle, o, 0);
  }

  @Hidden
  public static void release(VarHandle handle, Object o, int index) {
    long[] about = about(handle);
    if (isKnown(about, handle, o, index)) DeadheatSync.atomicRelease(base(about, handle, o), offset(about, o, index));
  }

  @Hidden
  public static void acquire(VarHandle handle, Object o, int index) {
    long[] about = about(handle);
    if (isKnown(about, handle, o, index)) DeadheatSync.atomicAcquire(base(about, handle, o), offset(about, o, index));
  }

  // A compare-and-set: see DeadheatSync.tryRelease.

  @Hidden
  public static long tryRelease(VarHandle handle) {
    return tryRelease(handle, null, 0);
  }

  @Hidden
  public static long tryRelease(VarHandle handle, Object o) {
    return tryRelease(handle, o, 0);
  }

  @Hidden
  public static long tryRelease(VarHandle handle, Object o, int index) {
    long[] about = about(handle);
    return isKnown(about, handle, o, index) ? DeadheatSync.tryRelease(base(about, handle, o), offset(about, o, index)) : -1;
  }

  @Hidden
  public static void tried(boolean succeeded, VarHandle handle, long before) {
    tried(succeeded, handle, null, 0, before);
  }

  @Hidden
  public static void tried(boolean succeeded, VarHandle handle, Object o, long before) {
    tried(succeeded, handle, o, 0, before);
  }

  @Hidden
  public static void tried(boolean succeeded, VarHandle handle, Object o, int index, long before) {
    long[] about = about(handle);
    if (isKnown(about, handle, o, index)) DeadheatSync.tried(succeeded, base(about, handle, o), offset(about, o, index), before);
  }

  // ---- accesses by watched code: a handle without coordinates is given null and 0, one with an object alone 0 --------------------

  /** A plain write is told behind the access, which may yet refuse the value. */
  @Hidden
  public static void before(VarHandle handle, Object o, int index, int mode, int site) {
    long[] about = about(handle);
    if (!isKnown(about, handle, o, index)) return;
    if (isPlainWrite(mode)) {
      DeadheatOffsets.writing(base(about, handle, o), offset(about, o, index));
    } else {
      DeadheatOffsets.before(base(about, handle, o), offset(about, o, index), sized(about, mode), site);
    }
  }

  @Hidden
  static boolean isPlainWrite(int mode) {
    return (mode & DeadheatLayout.MODE_WRITES) != 0 && (mode & DeadheatLayout.MODE_PLAIN) != 0;
  }

  @Hidden
  public static void after(VarHandle handle, Object o, int index, int mode, int site) {
    long[] about = about(handle);
    if (!isKnown(about, handle, o, index)) return;
    Object base = base(about, handle, o);
    if (o == null) DeadheatInit.initialised(base);  // of a static field: the class
    if (isPlainWrite(mode)) {
      DeadheatOffsets.written(base, offset(about, o, index), sized(about, mode), site);
    } else {
      DeadheatOffsets.after(base, offset(about, o, index), sized(about, mode), site);
    }
  }

  @Hidden
  public static long beforeCompare(VarHandle handle, Object o, int index, int mode, int site) {
    long[] about = about(handle);
    if (!isKnown(about, handle, o, index)) return 0;
    return DeadheatOffsets.beforeCompare(base(about, handle, o), offset(about, o, index), sized(about, mode), site);
  }

  @Hidden
  public static long publishCompare(VarHandle handle, Object o, int index, int mode, int site) {
    long[] about = about(handle);
    return isKnown(about, handle, o, index) ? DeadheatOffsets.publishCompare(base(about, handle, o), offset(about, o, index), mode, site) : -1;
  }

  @Hidden
  public static void compared(
      boolean succeeded, VarHandle handle, Object o, int index, long read, long before, long epoch, int mode, int site) {
    long[] about = about(handle);
    if (!isKnown(about, handle, o, index)) return;
    DeadheatOffsets.compared(succeeded, base(about, handle, o), offset(about, o, index), read, before, epoch, sized(about, mode), site);
  }

  // ---- what is behind a handle and its coordinates --------------------------------------------------------------------------------

  /** Which objects the handle accepts, or arrays of which elements; null: nobody knows. */
  @Hidden
  private static Class<?> guard(long[] about, VarHandle handle) {
    long at = about[DeadheatLayout.HANDLE_GUARD];
    return at == 0 ? null : (Class<?>) U.getReference(handle, at);
  }

  /** Whether the handle accepts these coordinates: if not, it is about to throw. */
  @Hidden
  static boolean isKnown(long[] about, VarHandle handle, Object o, int index) {
    if (about == null) return false;
    switch ((int) about[DeadheatLayout.HANDLE_KIND]) {
      case DeadheatLayout.HANDLE_STATIC_FIELD:
        return true;
      case DeadheatLayout.HANDLE_INSTANCE_FIELD:
        Class<?> holder = guard(about, handle);
        return o != null && (holder == null || holder.isInstance(o));
      case DeadheatLayout.HANDLE_ARRAY_ELEMENT:
        if (o == null || !o.getClass().isArray() || index < 0 || index >= java.lang.reflect.Array.getLength(o)) return false;
        Class<?> component = guard(about, handle);
        return component == null || component.isAssignableFrom(o.getClass().getComponentType());
      case DeadheatLayout.HANDLE_BYTE_ARRAY_VIEW:
        return o instanceof byte[] bytes && index >= 0 && index <= bytes.length - (1 << about[DeadheatLayout.HANDLE_SIZE]);
      case DeadheatLayout.HANDLE_BUFFER_VIEW:
        return o instanceof Buffer buffer && index >= 0 && index <= buffer.limit() - (1 << about[DeadheatLayout.HANDLE_SIZE]);
      default:
        return false;
    }
  }

  @Hidden
  static Object base(long[] about, VarHandle handle, Object o) {
    int kind = (int) about[DeadheatLayout.HANDLE_KIND];
    if (kind == DeadheatLayout.HANDLE_BUFFER_VIEW) return U.getReference(o, BUFFER_ARRAY);  // null for memory outside the heap
    return kind == DeadheatLayout.HANDLE_STATIC_FIELD ? staticBase(handle) : o;
  }

  @Hidden
  static long offset(long[] about, Object o, int index) {
    switch ((int) about[DeadheatLayout.HANDLE_KIND]) {
      case DeadheatLayout.HANDLE_ARRAY_ELEMENT:
        return about[DeadheatLayout.HANDLE_OFFSET] + ((long) index << about[DeadheatLayout.HANDLE_SCALE]);
      case DeadheatLayout.HANDLE_BYTE_ARRAY_VIEW:
        return BYTES + index;
      case DeadheatLayout.HANDLE_BUFFER_VIEW:
        return U.getLong(o, BUFFER_ADDRESS) + index;
      default:
        return about[DeadheatLayout.HANDLE_OFFSET];
    }
  }

  @Hidden
  static int sized(long[] about, int mode) {
    return mode | (int) about[DeadheatLayout.HANDLE_SIZE] << DeadheatLayout.MODE_SIZE_SHIFT;
  }

  @Hidden
  private static long[] about(VarHandle handle) {
    return handle == null || !DeadheatSync.attached() ? null : shape(handle);
  }

  /** What the handle stands for; null when the heap is full. */
  @Hidden
  static long[] shape(VarHandle handle) {
    DeadheatCell cell = DeadheatMap.get(handle);
    if (cell == null) return null;
    long[] about = cell.more().syncs;
    return about != null ? about : ask(handle, cell);
  }

  @Hidden
  private static long[] ask(VarHandle handle, DeadheatCell cell) {
    long[] about = new long[DeadheatLayout.HANDLE_PARTS];
    describe(handle, about);
    return cell.more().publishSyncs(about);  // full: whoever finds it half done would take the handle for one that orders nothing
  }

  /** Fills in what the handle stands for; all zero when it is none of the kinds above. */
  @Hidden
  private static native void describe(VarHandle handle, long[] about);

  @Hidden
  private static native Object staticBase(VarHandle handle);
}
