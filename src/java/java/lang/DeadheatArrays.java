// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/** The hooks for accesses of array elements. See {@link Deadheat} for the rules that hold for every hook. */
public final class DeadheatArrays {
  private DeadheatArrays() {}

  /** Before {@code array[index]} is read; an array that is null or an index out of bounds is left to the access to complain of. */
  @ForceInline
  @Hidden
  public static void read(Object array, int index, int site) {
    Thread t = Deadheat.thread();
    if (t == null || array == null || U.getLong(t, CLOCKS) == 0) return;
    DeadheatCell cell = cell(t, array);
    if (cell == null) return;
    long[] writes = cell.writes;
    long w = writes != null && Integer.compareUnsigned(index, writes.length) < 0 ? writes[index] : 0;
    if (Deadheat.hit(w)) return;
    long[] reads = cell.reads;
    if (reads == null) reads = allocate(cell, array, false);
    if (reads == null || Integer.compareUnsigned(index, reads.length) >= 0) return;
    long r = reads[index];
    long next = Deadheat.afterRead(w, r, site);
    if (next != r) reads[index] = next;
  }

  /** Before {@code array[index] = v}. */
  @ForceInline
  @Hidden
  public static void write(Object array, int index, int site) {
    Thread t = Deadheat.thread();
    if (t == null || array == null || U.getLong(t, CLOCKS) == 0) return;
    DeadheatCell cell = cell(t, array);
    if (cell == null) return;
    long[] writes = cell.writes;
    if (writes == null) writes = allocate(cell, array, true);
    if (writes == null || Integer.compareUnsigned(index, writes.length) >= 0) return;
    long w = writes[index];
    if (Deadheat.hit(w)) return;
    long[] reads = cell.reads;
    long r = reads == null ? 0 : reads[index];
    writes[index] = Deadheat.afterWrite(w, r, site);
    if (Deadheat.isReadSet(r)) reads[index] = 0;
  }

  /** In place of {@code System.arraycopy}: a range of reads and a range of writes. */
  @Hidden
  public static void copy(Object from, int fromIndex, Object to, int toIndex, int length, int site) {
    if (from != null && to != null && length > 0) {
      readRange(from, fromIndex, length, site);
      writeRange(to, toIndex, length, site);
    }
    System.arraycopy(from, fromIndex, to, toIndex, length);
  }

  /** Before all of {@code array} is read (its {@code clone()}). */
  @Hidden
  public static void readAll(Object array, int site) {
    if (array != null && array.getClass().isArray()) readRange(array, 0, java.lang.reflect.Array.getLength(array), site);
  }

  @Hidden
  static void readRange(Object array, int from, int length, int site) {
    if (!inBounds(array, from, length)) return;
    for (int i = from; i < from + length; i++) read(array, i, site);
  }

  @Hidden
  static void writeRange(Object array, int from, int length, int site) {
    if (!inBounds(array, from, length)) return;
    for (int i = from; i < from + length; i++) write(array, i, site);
  }

  @Hidden
  private static boolean inBounds(Object array, int from, int length) {
    if (!array.getClass().isArray() || from < 0 || length < 0) return false;
    return from <= java.lang.reflect.Array.getLength(array) - length;
  }

  /** The cell of {@code array}, through a cache of one per thread. */
  @ForceInline
  @Hidden
  private static DeadheatCell cell(Thread t, Object array) {
    DeadheatCell last = (DeadheatCell) U.getReference(t, CELL);
    if (last != null && last.refersTo(array)) return last;
    return find(t, array);
  }

  @Hidden
  private static DeadheatCell find(Thread t, Object array) {
    DeadheatCell cell = DeadheatMap.get(array);
    U.putReference(t, CELL, cell);
    return cell;
  }

  @Hidden
  private static long[] allocate(DeadheatCell cell, Object array, boolean writes) {
    try {
      int length = java.lang.reflect.Array.getLength(array);
      return writes ? cell.allocateWrites(length) : cell.allocateReads(length);
    } catch (OutOfMemoryError e) {
      return null;
    }
  }
}
