// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;
import static java.lang.invoke.DeadheatOdds.likely;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks for accesses of array elements. What is known of an array is in its {@link DeadheatCell}; the hint that each hook gets and
 * returns is the cell which the same method used last for an array from the same place, so that in a loop nothing is looked up.
 */
public final class DeadheatArrays {
  /** In the place of the words of elements that nobody has written yet, or read. */
  private static final long[] NEVER = new long[1];
  /**
   * Up to so many elements a range is accessed one by one. Longer ones are gone through with plain stores, so that of two that meet in
   * the same instant some elements may not be told of each other.
   */
  static final int SHORT_RANGE = 8;

  private DeadheatArrays() {}

  /**
   * Before {@code array[index]} is read; an array that is null or an index out of bounds is left to the access to complain of. (The cell of an array
   * that is gone refers to null as well, and has no words any more.)
   */
  @Hidden
  public static DeadheatCell read(Object array, int index, int site, DeadheatCell hint) {
    return hint != null && likely(hint.isOf(array)) && likely(DeadheatArrayWords.wasRead(hint, index)) ? hint : readSlow(array, index, site, hint);
  }

  @DontInline
  @Hidden
  private static DeadheatCell readSlow(Object array, int index, int site, DeadheatCell hint) {
    DeadheatCell cell = cellFor(array, site, hint);
    if (cell == null) return null;
    if (cell.words != 0) return DeadheatArrayWords.read(cell, array, index, site) ? DeadheatReaders.hint(cell, array) : DeadheatReaders.missed(cell, array);
    read(cell.elements, array, index, site);
    return cell;
  }

  /** The cell of {@code array}, which may be the hint. */
  @ForceInline
  @Hidden
  private static DeadheatCell cellFor(Object array, int site, DeadheatCell hint) {
    return hint != null && !hint.isCopy() && hint.isOf(array) ? hint : cellAt(array, site);
  }

  /** Before {@code array[index] = v}. */
  @Hidden
  public static DeadheatCell write(Object array, int index, int site, DeadheatCell hint) {
    return hint != null && likely(hint.isOf(array)) && likely(DeadheatArrayWords.wasWritten(hint, index)) ? hint : writeSlow(array, index, site, hint);
  }

  @DontInline
  @Hidden
  private static DeadheatCell writeSlow(Object array, int index, int site, DeadheatCell hint) {
    DeadheatCell cell = cellFor(array, site, hint);
    if (cell == null) return null;
    if (cell.words != 0) DeadheatArrayWords.write(cell, array, index, site); else write(cell.elements, array, index, site);
    return cell;
  }

  /** Before {@code array[index] = value}, which throws if the array is not for such values; then nothing is written. */
  @Hidden
  public static DeadheatCell writeReference(Object array, int index, Object value, int site, DeadheatCell hint) {
    return hint != null && likely(hint.isOf(array)) && likely(DeadheatArrayWords.wasWritten(hint, index)) ? hint : writeReferenceSlow(array, index, value, site, hint);
  }

  @DontInline
  @Hidden
  private static DeadheatCell writeReferenceSlow(Object array, int index, Object value, int site, DeadheatCell hint) {
    return array != null && fits(array, value) ? writeSlow(array, index, site, hint) : hint;
  }

  /**
   * After {@code array} was read from a field of {@code holder}, and the read is told: the hint for accesses of its elements. The holder remembers
   * the cell of its array, because methods that are called for one element each have no hint when they start.
   */
  @Hidden
  public static DeadheatCell known(Object holder, Object array, int site, DeadheatCell hint) {
    return hint != null && hint.refers(array) ? hint : knownTo(holder, Deadheat.cellOffset(Deadheat.where(site)), array, hint);
  }

  @ForceInline
  @Hidden
  private static DeadheatCell knownTo(Object holder, long at, Object array, DeadheatCell hint) {
    if (at == 0) return hint;
    return U.getReference(holder, at) instanceof DeadheatCell cell && likely(cell.refers(array) && !cell.consults) ? cell : remember(holder, at, array, hint);
  }

  @DontInline
  @Hidden
  private static DeadheatCell remember(Object holder, long at, Object array, DeadheatCell hint) {
    if (U.getReference(holder, at) instanceof DeadheatCell last && last.isOf(array)) return DeadheatReaders.hint(last, array);
    DeadheatCell cell = cellOf(array);
    if (cell == null) return hint;
    U.putReference(holder, at, cell);
    return cell;
  }

  /** Whether an array of references takes the value: else a store of it throws. */
  @Hidden
  static boolean fits(Object array, Object value) {
    return value == null || array.getClass().getComponentType().isInstance(value);
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
      if (DeadheatWords.isReadSet(r)) return DeadheatWords.isKnownSet(t, r, epoch);
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
    boolean refusable = from != null && to != null && mayRefuse(from.getClass(), to.getClass());
    if (refusable) System.arraycopy(from, fromIndex, to, toIndex, length);
    if (length > 0) {
      DeadheatCell source = cellAt(from, site);
      DeadheatCell target = cellAt(to, ~site);
      if (source != null && target != null && inBounds(from, fromIndex, length) && inBounds(to, toIndex, length)) {
        readRange(source, from, fromIndex, length, site);
        writeRange(target, to, toIndex, length, site);
      }
    }
    if (!refusable) System.arraycopy(from, fromIndex, to, toIndex, length);
  }

  /** Whether elements of the one array may not fit into the other: what is refused is no access, so such a copy is told when it is done. */
  @Hidden
  static boolean mayRefuse(Class<?> from, Class<?> to) {
    return from != to && !to.isAssignableFrom(from);
  }

  /** Before elements {@code from} to {@code to} (exclusive) are read by a method of {@code java.util.Arrays}. */
  @Hidden
  public static void readPart(Object array, int from, int to, int site) {
    DeadheatCell cell = cellOf(array);
    if (cell == null) return;
    int end = Math.min(to, lengthOf(array));
    if (from >= 0 && from < end) readRange(cell, array, from, end - from, site);
  }

  /** Before {@code count} elements from {@code from} on are read. */
  @Hidden
  public static void readCount(Object array, int from, int count, int site) {
    if (count > 0 && from >= 0 && from <= lengthOf(array) - count) readPart(array, from, from + count, site);
  }

  /** Before they are written. */
  @Hidden
  public static void writePart(Object array, int from, int to, int site) {
    DeadheatCell cell = cellOf(array);
    if (cell != null && from >= 0 && to <= lengthOf(array) && from < to) {
      writeRange(cell, array, from, to - from, site);
    }
  }

  /** Before all of {@code array} is written. */
  @Hidden
  public static void writeAll(Object array, int site) {
    DeadheatCell cell = cellOf(array);
    if (cell != null) writeRange(cell, array, 0, lengthOf(array), site);
  }

  /** Before all of {@code array} is read (its {@code clone()}). */
  @Hidden
  public static void readAll(Object array, int site) {
    DeadheatCell cell = cellOf(array);
    if (cell != null) readRange(cell, array, 0, lengthOf(array), site);
  }

  // ---- java.lang.reflect.Array: behind the access, which has checked array, index and value ---------------------------------------

  @Hidden
  public static void gotElement(Object array, int index, int site) {
    readPart(array, index, index + 1, site);
  }

  @Hidden
  public static void setElement(Object array, int index, int site) {
    writePart(array, index, index + 1, site);
  }

  @Hidden
  private static void readRange(DeadheatCell cell, Object array, int from, int length, int site) {
    if (cell.words != 0) DeadheatArrayWords.readRange(cell, array, from, length, site); else readRange(cell.elements, array, from, length, site);
  }

  @Hidden
  private static void writeRange(DeadheatCell cell, Object array, int from, int length, int site) {
    if (cell.words != 0) DeadheatArrayWords.writeRange(cell, array, from, length, site); else writeRange(cell.elements, array, from, length, site);
  }

  // ---- on elements in the heap ---------------------------------------------------------------------------------------

  @Hidden
  static void read(DeadheatElements elements, Object array, int index, int site) {
    if (!readHits(elements, index)) readMiss(elements, array, index, site);
  }

  @Hidden
  private static void readMiss(DeadheatElements elements, Object array, int index, int site) {
    long[] reads = elements.reads;
    if (reads == null && (reads = allocate(elements, array, false)) == null) return;
    if (index < 0 || index >= reads.length) return;
    long at = LONGS + index * 8L;
    long[] writes = elements.writes;
    if (writes != null) {
      DeadheatWords.read(writes, at, reads, at, site, array, index);
      return;
    }
    DeadheatWords.read(NEVER, LONGS, reads, at, site, array, index);
    if ((writes = elements.writesNow()) != null) DeadheatWords.writtenMeanwhile(writes, at, reads, at, site, array, index);
  }

  @Hidden
  static void write(DeadheatElements elements, Object array, int index, int site) {
    if (writeHits(elements, index)) return;
    long[] writes = elements.writes;
    if (writes == null && (writes = allocate(elements, array, true)) == null) return;
    if (index < 0 || index >= writes.length) return;
    long at = LONGS + index * 8L;
    long[] reads = elements.reads;
    if (reads != null) {
      DeadheatWords.write(writes, at, reads, at, site, array, index);
      return;
    }
    DeadheatWords.write(writes, at, NEVER, LONGS, site, array, index);
    if ((reads = elements.readsNow()) != null) DeadheatWords.readMeanwhile(writes, at, reads, at, site, array, index);
  }

  @Hidden
  static void readRange(DeadheatElements elements, Object array, int from, int length, int site) {
    int to = from + length;
    for (int i = readOrdered(elements, from, to, site); i < to; i = readOrdered(elements, i + 1, to, site)) read(elements, array, i, site);
  }

  /** Reads elements from {@code at} on as long as no call is needed for it; the first element that needs one. */
  @Hidden
  private static int readOrdered(DeadheatElements elements, int at, int to, int site) {
    long[] writes = elements.writes;
    long[] reads = elements.reads;
    Thread t = Thread.currentThread();
    long epoch = U.getLong(t, EPOCH);
    long readEpoch = U.getLong(t, READS);
    if (!FAST || to - at <= SHORT_RANGE || readEpoch <= 0 || reads != null && to > reads.length || writes != null && to > writes.length) return at;
    long clocks = U.getLong(t, CLOCKS);
    long own = 0;  // one word for all of them
    for (; at < to; at++) {
      long r = reads == null ? 0 : reads[at];
      long w = writes == null ? 0 : writes[at];
      if (r >>> DeadheatLayout.SITE_BITS == readEpoch || w >>> DeadheatLayout.SITE_BITS == epoch) continue;
      if (reads == null) break;
      if (ALWAYS_HIT || DeadheatSync.ordered(w, clocks) && DeadheatSync.ordered(r, clocks)) {
        if (own == 0) own = DeadheatWords.remembered(t, readEpoch, site);
        reads[at] = own;
      } else if (!DeadheatWords.isReadSet(r) || !DeadheatWords.isKnownSet(t, r, readEpoch)) {
        break;
      }
    }
    return at;
  }

  @Hidden
  static void writeRange(DeadheatElements elements, Object array, int from, int length, int site) {
    int to = from + length;
    for (int i = writeOrdered(elements, from, to, site); i < to; i = writeOrdered(elements, i + 1, to, site)) write(elements, array, i, site);
  }

  /** The same for writes. */
  @Hidden
  private static int writeOrdered(DeadheatElements elements, int at, int to, int site) {
    long[] writes = elements.writes;
    long[] reads = elements.reads;
    Thread t = Thread.currentThread();
    long epoch = U.getLong(t, EPOCH);
    if (!FAST || to - at <= SHORT_RANGE || epoch <= 0 || writes == null || to > writes.length || reads != null && to > reads.length) return at;
    long clocks = U.getLong(t, CLOCKS);
    long own = 0;  // one word for all of them
    for (; at < to; at++) {
      long w = writes[at];
      if (w >>> DeadheatLayout.SITE_BITS == epoch) continue;
      if (!ALWAYS_HIT && !(DeadheatSync.ordered(w, clocks) && (reads == null || DeadheatSync.ordered(reads[at], clocks)))) break;
      if (own == 0) own = DeadheatWords.remembered(t, epoch, site);
      writes[at] = own;
    }
    return at;
  }

  @Hidden
  static boolean inBounds(Object array, int from, int length) {
    return from >= 0 && from <= lengthOf(array) - length;
  }

  /** The length of an array, -1 of what is none: {@code Array.getLength} and {@code Class.isArray} are native calls until C2 compiles. */
  @Hidden
  static int lengthOf(Object array) {
    if (array instanceof Object[] a) return a.length;
    if (array instanceof byte[] a) return a.length;
    if (array instanceof char[] a) return a.length;
    if (array instanceof int[] a) return a.length;
    if (array instanceof long[] a) return a.length;
    if (array instanceof double[] a) return a.length;
    if (array instanceof float[] a) return a.length;
    if (array instanceof boolean[] a) return a.length;
    return array instanceof short[] a ? a.length : -1;
  }

  /** The cell of {@code array} with words for every element; null for what is no array, or when the heap is full. */
  @Hidden
  static DeadheatCell cellWithWords(Object array) {
    DeadheatCell cell = cellOf(array);
    if (cell == null || cell.words != 0) return cell;
    DeadheatElements elements = cell.elements;
    if (elements.writes == null && allocate(elements, array, true) == null) return null;
    return elements.reads == null && allocate(elements, array, false) == null ? null : cell;
  }

  /** How many places a thread remembers a cell for; a power of two. */
  private static final int RECENT_CELLS = 64;

  /**
   * The same as {@link #cellOf}, looked for first where this thread found the one for the same place (by its last bits) the last time:
   * methods that are called for each element of the array in some field have no hint when they start.
   */
  @Hidden
  static DeadheatCell cellAt(Object array, int place) {
    Thread t = Deadheat.thread();
    if (array == null || t == null) return null;
    DeadheatCell[] recent = (DeadheatCell[]) U.getReference(t, RECENT);
    if (recent == null) return cellOfFirst(t, array);
    DeadheatCell known = recent[place & RECENT_CELLS - 1];
    if (known != null && known.isOf(array)) return known;
    DeadheatCell cell = cellOf(array);
    if (cell != null) recent[place & RECENT_CELLS - 1] = cell;
    return cell;
  }

  @Hidden
  private static DeadheatCell cellOfFirst(Thread t, Object array) {
    DeadheatCell cell = cellOf(array);
    if (cell == null || !DeadheatMap.mayAllocate()) return cell;
    try {
      U.putReference(t, RECENT, new DeadheatCell[RECENT_CELLS]);
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
    }
    return cell;
  }

  /** The cell of {@code array}; null for what is no array, and while the thread is not attached. */
  @Hidden
  private static DeadheatCell cellOf(Object array) {
    if (array == null || !Deadheat.live || !RECORDS && !DeadheatSync.attached() || lengthOf(array) < 0) return null;
    return DeadheatMap.get(array);
  }

  @Hidden
  private static long[] allocate(DeadheatElements elements, Object array, boolean writes) {
    if (!DeadheatMap.mayAllocate()) return null;
    try {
      int length = lengthOf(array);
      if (length < 0) return null;  // no array at all, but a hint whose array is gone
      return writes ? elements.allocateWrites(length) : elements.allocateReads(length);
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
      return null;
    }
  }
}
