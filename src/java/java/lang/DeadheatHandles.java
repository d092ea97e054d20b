// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.invoke.VarHandle;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks around accesses through a {@link VarHandle}: they find the variable behind the handle and its coordinates and hand over to
 * {@link DeadheatSync}. What a handle stands for is asked of the agent once and kept in the handle's cell.
 */
public final class DeadheatHandles {
  private static final int KIND = 0, OFFSET = 1, SCALE = 2, PARTS = 3;
  private static final int INSTANCE = 1, STATIC = 2, ARRAY = 3;

  private DeadheatHandles() {}

  @Hidden
  public static void release(VarHandle handle) {
    long[] about = about(handle);
    if (about != null && about[KIND] == STATIC) DeadheatSync.atomicRelease(staticBase(handle), about[OFFSET]);
  }

  @Hidden
  public static void acquire(VarHandle handle) {
    long[] about = about(handle);
    if (about != null && about[KIND] == STATIC) DeadheatSync.atomicAcquire(staticBase(handle), about[OFFSET]);
  }

  @Hidden
  public static void release(VarHandle handle, Object o) {
    long[] about = about(handle);
    if (about != null && about[KIND] == INSTANCE) DeadheatSync.atomicRelease(o, about[OFFSET]);
  }

  @Hidden
  public static void acquire(VarHandle handle, Object o) {
    long[] about = about(handle);
    if (about != null && about[KIND] == INSTANCE) DeadheatSync.atomicAcquire(o, about[OFFSET]);
  }

  @Hidden
  public static void release(VarHandle handle, Object array, int index) {
    long[] about = about(handle);
    if (isElement(about, array, index)) DeadheatSync.atomicRelease(array, about[OFFSET] + ((long) index << about[SCALE]));
  }

  @Hidden
  public static void acquire(VarHandle handle, Object array, int index) {
    long[] about = about(handle);
    if (isElement(about, array, index)) DeadheatSync.atomicAcquire(array, about[OFFSET] + ((long) index << about[SCALE]));
  }

  // ---- accesses by watched code: a handle without coordinates is given null and 0, one with an object alone 0 --------------------

  @Hidden
  public static void before(VarHandle handle, Object o, int index, int mode, int site) {
    long[] about = about(handle);
    if (isKnown(about, o, index)) DeadheatOffsets.before(base(about, handle, o), offset(about, o, index), sized(about, mode), site);
  }

  @Hidden
  public static void after(VarHandle handle, Object o, int index, int mode, int site) {
    long[] about = about(handle);
    if (isKnown(about, o, index)) DeadheatOffsets.after(base(about, handle, o), offset(about, o, index), sized(about, mode), site);
  }

  @Hidden
  public static long beforeCompare(VarHandle handle, Object o, int index, int mode, int site) {
    long[] about = about(handle);
    if (!isKnown(about, o, index)) return 0;
    return DeadheatOffsets.beforeCompare(base(about, handle, o), offset(about, o, index), sized(about, mode), site);
  }

  @Hidden
  public static void compared(boolean succeeded, VarHandle handle, Object o, int index, long read, long epoch, int mode, int site) {
    long[] about = about(handle);
    if (!isKnown(about, o, index)) return;
    DeadheatOffsets.compared(succeeded, base(about, handle, o), offset(about, o, index), read, epoch, sized(about, mode), site);
  }

  // ---- what is behind a handle and its coordinates --------------------------------------------------------------------------------

  @Hidden
  private static boolean isKnown(long[] about, Object o, int index) {
    if (about == null) return false;
    int kind = (int) about[KIND];
    return kind == STATIC || kind == INSTANCE && o != null || kind == ARRAY && isElement(about, o, index);
  }

  @Hidden
  private static Object base(long[] about, VarHandle handle, Object o) {
    return about[KIND] == STATIC ? staticBase(handle) : o;
  }

  @Hidden
  private static long offset(long[] about, Object o, int index) {
    return about[KIND] == ARRAY ? about[OFFSET] + ((long) index << about[SCALE]) : about[OFFSET];
  }

  @Hidden
  private static int sized(long[] about, int mode) {
    return mode;
  }

  @Hidden
  private static boolean isElement(long[] about, Object array, int index) {
    return about != null && about[KIND] == ARRAY && array != null && array.getClass().isArray() && index >= 0
        && index < java.lang.reflect.Array.getLength(array);
  }

  @Hidden
  private static long[] about(VarHandle handle) {
    if (handle == null || !DeadheatSync.attached()) return null;
    DeadheatCell cell = DeadheatMap.get(handle);
    if (cell == null) return null;
    long[] about = cell.syncs;
    return about != null ? about : ask(handle, cell);
  }

  @Hidden
  private static long[] ask(VarHandle handle, DeadheatCell cell) {
    long[] about = new long[PARTS];
    describe(handle, about);
    return cell.publishSyncs(about);  // full: whoever finds it half done would take the handle for one that orders nothing
  }

  /** Fills in what the handle stands for; all zero when it is none of the kinds above. */
  private static native void describe(VarHandle handle, long[] about);

  private static native Object staticBase(VarHandle handle);
}
