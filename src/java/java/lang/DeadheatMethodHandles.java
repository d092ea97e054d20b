// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks around the invocation of a method handle by watched code: if it is the getter or setter of a field or of array elements, or
 * an access method of a {@link VarHandle} bound to it, then the invocation is that access. Handles made of others (by binding,
 * converting, filtering arguments) are not looked into.
 */
public final class DeadheatMethodHandles {
  /** The class of most handles, those of methods and constructors, which need no further look. */
  private static final Class<?> OF_METHODS = find("java.lang.invoke.DirectMethodHandle");

  private DeadheatMethodHandles() {}

  @Hidden
  private static Class<?> find(String name) {
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      return null;  // every handle is looked up, then
    }
  }

  /** Before. A plain write is noted behind: the access may yet be refused. */
  @Hidden
  public static void invoking(MethodHandle handle, Object o, int index, int site) {
    long[] about = about(handle);
    if (about == null) return;
    int mode = (int) about[DeadheatLayout.HANDLE_MODE];
    switch ((int) about[DeadheatLayout.HANDLE_KIND]) {
      case DeadheatLayout.HANDLE_BOUND:
        if ((mode & DeadheatLayout.MODE_WRITES) != 0) DeadheatHandles.before(bound(about, handle), o, index, mode, site);
        break;
      case DeadheatLayout.HANDLE_INSTANCE_FIELD:
      case DeadheatLayout.HANDLE_STATIC_FIELD:
        if ((mode & DeadheatLayout.MODE_RELEASES) != 0) access(about, handle, o, mode, site);
        break;
      default:
    }
  }

  @Hidden
  public static void invoked(MethodHandle handle, Object o, int index, int site) {
    long[] about = about(handle);
    if (about == null) return;
    int mode = (int) about[DeadheatLayout.HANDLE_MODE];
    boolean writes = (mode & DeadheatLayout.MODE_WRITES) != 0;
    switch ((int) about[DeadheatLayout.HANDLE_KIND]) {
      case DeadheatLayout.HANDLE_BOUND:
        if (!writes || (mode & (DeadheatLayout.MODE_ACQUIRES | DeadheatLayout.MODE_PLAIN)) != 0)
          DeadheatHandles.after(bound(about, handle), o, index, mode, site);
        break;
      case DeadheatLayout.HANDLE_STATIC_FIELD:
        DeadheatInit.initialised(base(about, handle, o));
        if ((mode & DeadheatLayout.MODE_RELEASES) == 0) access(about, handle, o, mode, site);
        break;
      case DeadheatLayout.HANDLE_INSTANCE_FIELD:
        if ((mode & DeadheatLayout.MODE_RELEASES) == 0) access(about, handle, o, mode, site);
        break;
      case DeadheatLayout.HANDLE_ARRAY_ELEMENT:
        if (writes) {
          DeadheatArrays.writePart(o, index, index + 1, site);
        } else {
          DeadheatArrays.readPart(o, index, index + 1, site);
        }
        break;
      default:
    }
  }

  @Hidden
  private static void access(long[] about, MethodHandle handle, Object o, int mode, int site) {
    long offset = about[DeadheatLayout.HANDLE_OFFSET];
    Object base = base(about, handle, o);
    if (base == null) return;
    if ((mode & DeadheatLayout.MODE_WRITES) != 0) {
      DeadheatOffsets.before(base, offset, mode, site);
    } else {
      DeadheatOffsets.after(base, offset, mode, site);
    }
  }

  /** Of the handle of a field: what holds it; null if there is no object. */
  @Hidden
  static Object base(long[] about, MethodHandle handle, Object o) {
    boolean isStatic = about[DeadheatLayout.HANDLE_KIND] == DeadheatLayout.HANDLE_STATIC_FIELD;
    return isStatic ? U.getReference(handle, about[DeadheatLayout.HANDLE_SCALE]) : o;
  }

  @Hidden
  static VarHandle bound(long[] about, MethodHandle handle) {
    return (VarHandle) U.getReference(handle, about[DeadheatLayout.HANDLE_OFFSET]);
  }

  /** Null for a handle that is no access. */
  @Hidden
  private static long[] about(MethodHandle handle) {
    return DeadheatSync.attached() ? shape(handle) : null;
  }

  @Hidden
  static long[] shape(MethodHandle handle) {
    if (handle == null || handle.getClass() == OF_METHODS) return null;
    DeadheatCell cell = DeadheatMap.get(handle);
    if (cell == null) return null;
    long[] about = cell.more().syncs;
    if (about == null && (about = ask(handle, cell)) == null) return null;
    return about[DeadheatLayout.HANDLE_KIND] == DeadheatLayout.HANDLE_UNKNOWN ? null : about;
  }

  @Hidden
  private static long[] ask(MethodHandle handle, DeadheatCell cell) {
    try {
      long[] about = new long[DeadheatLayout.HANDLE_PARTS];
      describe(handle, about);
      return cell.more().publishSyncs(about);
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
      return null;
    }
  }

  /** Fills in what invoking the handle does; all zero when it is no access that is known. */
  @Hidden
  private static native void describe(MethodHandle handle, long[] about);
}
