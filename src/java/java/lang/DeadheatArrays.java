// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks for accesses of array elements. What is known of an array is in its {@link DeadheatCell}; the hint that each hook gets and
 * returns is the cell which the same method used last for an array from the same place, so that in a loop nothing is looked up.
 */
public final class DeadheatArrays {
  private DeadheatArrays() {}

  /** Before {@code array[index]} is read; an array that is null or an index out of bounds is left to the access to complain of. */
  @Hidden
  public static Object read(Object array, int index, int site, Object hint) {
    if (hint instanceof DeadheatCell cell && cell.refersTo(array) && readHits(cell.elements, index)) return hint;
    return readSlow(array, index, site, hint);
  }

  @DontInline
  @Hidden
  private static Object readSlow(Object array, int index, int site, Object hint) {
    DeadheatCell cell = hint instanceof DeadheatCell last && last.refersTo(array) ? last : cellOf(array);
    if (cell != null) read(cell.elements, array, index, site);
    return cell;
  }

  /** Before {@code array[index] = v}. */
  @Hidden
  public static Object write(Object array, int index, int site, Object hint) {
    if (hint instanceof DeadheatCell cell && cell.refersTo(array) && writeHits(cell.elements, index)) return hint;
    return writeSlow(array, index, site, hint);
  }

  @DontInline
  @Hidden
  private static Object writeSlow(Object array, int index, int site, Object hint) {
    DeadheatCell cell = hint instanceof DeadheatCell last && last.refersTo(array) ? last : cellOf(array);
    if (cell != null) write(cell.elements, array, index, site);
    return cell;
  }

  /** Before {@code array[index] = value}, which throws if the array is not for such values; then nothing is written. */
  @ForceInline
  @Hidden
  public static Object writeReference(Object array, int index, Object value, int site, Object hint) {
    if (hint instanceof DeadheatCell cell && cell.refersTo(array) && writeHits(cell.elements, index)) return hint;
    return writeReferenceSlow(array, index, value, site, hint);
  }

  @Hidden
  private static Object writeReferenceSlow(Object array, int index, Object value, int site, Object hint) {
    if (array == null || value != null && !array.getClass().getComponentType().isInstance(value)) return hint;
    return writeSlow(array, index, site, hint);
  }

  /** Whether this thread has read or written the element in this epoch before. */
  @ForceInline
  @Hidden
  static boolean readHits(DeadheatElements elements, int index) {
    long[] reads = elements.reads;
    if (FAST && reads != null && index >= 0 && index < reads.length) {
      long r = reads[index];
      Thread t = Thread.currentThread();
      long epoch = U.getLong(t, READS);
      if (r >>> DeadheatLayout.SITE_BITS == epoch) return true;
      if (Deadheat.isReadSet(r)) return Deadheat.isKnownSet(t, r, epoch);
    }
    return writeHits(elements, index);
  }

  @ForceInline
  @Hidden
  static boolean writeHits(DeadheatElements elements, int index) {
    long[] writes = elements.writes;
    return FAST && writes != null && index >= 0 && index < writes.length
        && writes[index] >>> DeadheatLayout.SITE_BITS == U.getLong(Thread.currentThread(), EPOCH);
  }

  /** In place of {@code System.arraycopy}: a range of reads and a range of writes. */
  @Hidden
  public static void copy(Object from, int fromIndex, Object to, int toIndex, int length, int site) {
    if (length > 0) {
      DeadheatCell source = cellOf(from);
      DeadheatCell target = cellOf(to);
      if (source != null && target != null && inBounds(from, fromIndex, length) && inBounds(to, toIndex, length)) {
        readRange(source.elements, from, fromIndex, length, site);
        writeRange(target.elements, to, toIndex, length, site);
      }
    }
    System.arraycopy(from, fromIndex, to, toIndex, length);
  }

  /** Before elements {@code from} to {@code to} (exclusive) are read by a method of {@code java.util.Arrays}. */
  @Hidden
  public static void readPart(Object array, int from, int to, int site) {
    DeadheatCell cell = cellOf(array);
    if (cell == null) return;
    int end = Math.min(to, java.lang.reflect.Array.getLength(array));
    if (from >= 0 && from < end) readRange(cell.elements, array, from, end - from, site);
  }

  /** Before {@code count} elements from {@code from} on are read. */
  @Hidden
  public static void readCount(Object array, int from, int count, int site) {
    if (count > 0 && from >= 0 && from <= Integer.MAX_VALUE - count) readPart(array, from, from + count, site);
  }

  /** Before they are written. */
  @Hidden
  public static void writePart(Object array, int from, int to, int site) {
    DeadheatCell cell = cellOf(array);
    if (cell != null && from >= 0 && to <= java.lang.reflect.Array.getLength(array) && from < to) {
      writeRange(cell.elements, array, from, to - from, site);
    }
  }

  /** Before all of {@code array} is written. */
  @Hidden
  public static void writeAll(Object array, int site) {
    DeadheatCell cell = cellOf(array);
    if (cell != null) writeRange(cell.elements, array, 0, java.lang.reflect.Array.getLength(array), site);
  }

  /** Before all of {@code array} is read (its {@code clone()}). */
  @Hidden
  public static void readAll(Object array, int site) {
    DeadheatCell cell = cellOf(array);
    if (cell != null) readRange(cell.elements, array, 0, java.lang.reflect.Array.getLength(array), site);
  }

  // ---- on elements, wherever they are kept ---------------------------------------------------------------------------------------

  @Hidden
  static void read(DeadheatElements elements, Object array, int index, int site) {
    long[] writes = elements.writes;
    long w = writes != null && index >= 0 && index < writes.length ? writes[index] : 0;
    long[] reads = elements.reads;
    if (reads == null) {
      if (FAST && w >>> DeadheatLayout.SITE_BITS == U.getLong(Thread.currentThread(), EPOCH)) return;
      if ((reads = allocate(elements, array, false)) == null) return;
    }
    if (index < 0 || index >= reads.length) return;
    long r = reads[index];
    long next = Deadheat.afterRead(w, r, site);
    if (next != r) reads[index] = next;
  }

  @Hidden
  static void write(DeadheatElements elements, Object array, int index, int site) {
    long[] writes = elements.writes;
    if (writes == null && (writes = allocate(elements, array, true)) == null) return;
    if (index < 0 || index >= writes.length) return;
    long w = writes[index];
    if (FAST && w >>> DeadheatLayout.SITE_BITS == U.getLong(Thread.currentThread(), EPOCH)) return;
    long[] reads = elements.reads;
    long r = reads == null ? 0 : reads[index];
    writes[index] = Deadheat.afterWrite(w, r, site);
    if (Deadheat.isReadSet(r)) reads[index] = 0;
  }

  @Hidden
  static void readRange(DeadheatElements elements, Object array, int from, int length, int site) {
    int i = from;
    long[] writes = elements.writes;
    if (FAST && writes != null) {  // a table that its thread has just filled, and copies to a larger one
      long epoch = U.getLong(Thread.currentThread(), EPOCH);
      while (i < from + length && writes[i] >>> DeadheatLayout.SITE_BITS == epoch) i++;
    }
    for (; i < from + length; i++) read(elements, array, i, site);
  }

  @Hidden
  static void writeRange(DeadheatElements elements, Object array, int from, int length, int site) {
    for (int i = from; i < from + length; i++) write(elements, array, i, site);
  }

  @Hidden
  static boolean inBounds(Object array, int from, int length) {
    return array.getClass().isArray() && from >= 0 && from <= java.lang.reflect.Array.getLength(array) - length;
  }

  /** The words of {@code array} with both of its parts allocated; null for what is no array, or when the heap is full. */
  @Hidden
  static DeadheatElements elementsFor(Object array) {
    DeadheatCell cell = cellOf(array);
    if (cell == null) return null;
    DeadheatElements elements = cell.elements;
    if (elements.writes == null && allocate(elements, array, true) == null) return null;
    return elements.reads == null && allocate(elements, array, false) == null ? null : elements;
  }

  /** The cell of {@code array}; null for what is no array, and while the thread is not attached. */
  @Hidden
  private static DeadheatCell cellOf(Object array) {
    if (array == null || !DeadheatSync.attached() || !array.getClass().isArray()) return null;
    return DeadheatMap.get(array);
  }

  @Hidden
  private static long[] allocate(DeadheatElements elements, Object array, boolean writes) {
    if (!DeadheatMap.mayAllocate()) return null;
    try {
      int length = java.lang.reflect.Array.getLength(array);
      return writes ? elements.allocateWrites(length) : elements.allocateReads(length);
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
      return null;
    }
  }
}
