// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The words of small arrays, in native memory: for each element its last write, then its last read. Programs make such arrays by the
 * million and drop them; words in the heap would outlive their array by one collection, which copies them in vain, and fill old regions.
 *
 * <p>They are freed when the array is found to be gone ({@link DeadheatMap}). So who touches them has the array in hand until it is
 * done ({@link #keep}).
 */
final class DeadheatSmallArrays {
  private static final int MOST_ELEMENTS = 64;
  private static final long ELEMENT = 16;
  /** From the word of an element's last write to that of its last read. */
  static final long READ = 8;

  /**
   * When so many bytes are in use new arrays have their words in the heap: these make the collector find those that are gone. Beside the
   * heap that the host was given this is little.
   */
  private static final long MOST_BYTES = Math.max(16L << 20, Runtime.getRuntime().maxMemory() >> 4);

  private DeadheatSmallArrays() {}

  /** The words of an array of this length, all 0; 0 if it is to have them in the heap. */
  @Hidden
  static long allocate(int length) {
    return length <= 0 || length > MOST_ELEMENTS ? 0 : allocateWords(length * ELEMENT, MOST_BYTES);
  }

  @Hidden
  static void free(DeadheatCell cell) {
    if (cell.words != 0) freeWords(cell.words, cell.length * ELEMENT);
  }

  /** By being called with the array a second time it lets the array live until here: what a collector keeps goes by the bytecode. */
  @ForceInline
  @Hidden
  static void keep(Object array) {}

  /** Where the words of an element are; 0 if there is no such element. */
  @ForceInline
  @Hidden
  static long at(DeadheatCell cell, int index) {
    return index < 0 || index >= cell.length ? 0 : cell.words + index * ELEMENT;
  }

  @Hidden
  static void read(DeadheatCell cell, Object array, int index, int site) {
    long at = at(cell, index);
    if (at != 0 && !readHits(at)) DeadheatWords.read(null, at, null, at + READ, site, array, index);
    keep(array);
  }

  @Hidden
  static void write(DeadheatCell cell, Object array, int index, int site) {
    long at = at(cell, index);
    if (at != 0 && !writeHits(at)) DeadheatWords.write(null, at, null, at + READ, site, array, index);
    keep(array);
  }

  /** Whether this thread has read or written the element in this epoch before. */
  @ForceInline
  @Hidden
  private static boolean readHits(long at) {
    if (!FAST) return false;
    Thread t = Thread.currentThread();
    long epoch = U.getLong(t, READS);
    long r = U.getLong(at + READ);
    return r >>> DeadheatLayout.SITE_BITS == epoch || writeHits(at) || DeadheatWords.isReadSet(r) && DeadheatWords.isKnownSet(t, r, epoch);
  }

  @ForceInline
  @Hidden
  private static boolean writeHits(long at) {
    return FAST && U.getLong(at) >>> DeadheatLayout.SITE_BITS == U.getLong(Thread.currentThread(), EPOCH);
  }

  /** A range within the array. */
  @Hidden
  static void readRange(DeadheatCell cell, Object array, int from, int length, int site) {
    Thread t = Thread.currentThread();
    boolean plain = mayStorePlainly(t, READS, length);
    long own = 0;  // one word for all of them
    long at = cell.words + from * ELEMENT;
    for (int i = 0; i < length; i++, at += ELEMENT) {
      if (readHits(at)) continue;
      if (plain && isOrdered(t, at)) {
        if (own == 0) own = DeadheatWords.remembered(t, U.getLong(t, READS), site);
        U.putLong(at + READ, own);
      } else {
        DeadheatWords.read(null, at, null, at + READ, site, array, from + i);
      }
    }
    keep(array);
  }

  @Hidden
  static void writeRange(DeadheatCell cell, Object array, int from, int length, int site) {
    Thread t = Thread.currentThread();
    boolean plain = mayStorePlainly(t, EPOCH, length);
    long own = 0;
    long at = cell.words + from * ELEMENT;
    for (int i = 0; i < length; i++, at += ELEMENT) {
      if (writeHits(at)) continue;
      if (plain && isOrdered(t, at)) {
        if (own == 0) own = DeadheatWords.remembered(t, U.getLong(t, EPOCH), site);
        U.putLong(at, own);
      } else {
        DeadheatWords.write(null, at, null, at + READ, site, array, from + i);
      }
    }
    keep(array);
  }

  @ForceInline
  @Hidden
  private static boolean mayStorePlainly(Thread t, long epoch, int length) {
    return FAST && length > DeadheatArrays.SHORT_RANGE && U.getLong(t, epoch) > 0;
  }

  /** The last write and the last read come before what this thread does now. */
  @ForceInline
  @Hidden
  private static boolean isOrdered(Thread t, long at) {
    if (ALWAYS_HIT) return true;
    long clocks = U.getLong(t, CLOCKS);
    return DeadheatSync.ordered(U.getLong(at), clocks) && DeadheatSync.ordered(U.getLong(at + READ), clocks);
  }

  @Hidden
  private static native long allocateWords(long bytes, long most);

  @Hidden
  private static native void freeWords(long words, long bytes);
}
