// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The words of arrays in native memory: the last write of each element, then the last read of each. Programs make small arrays by the million and drop them: words in the heap would outlive their array by one collection,
 * which copies them in vain, and fill old regions. Those of large arrays are several times as large as the array, and what is never touched of them
 * takes no memory here.
 *
 * <p>They are freed when the array is found to be gone ({@link DeadheatMap}). So who touches them has the array in hand until it is
 * done ({@link #keep}); the hooks in front of an access have.
 */
final class DeadheatArrayWords {
  /** Bytes for each element: two words. */
  private static final long ELEMENT = 16;

  /**
   * When so many bytes are in use new arrays have their words in the heap ({@link DeadheatElements}): these make the collector find those that are
   * gone.
   */
  private static final long MOST_BYTES = mostBytes();

  private DeadheatArrayWords() {}

  @Hidden
  private static long mostBytes() {
    long given = setting(DeadheatLayout.SETTING_ARRAY_WORDS);
    return given >= 0 ? given : Math.max(16L << 20, Runtime.getRuntime().maxMemory() >> 2);
  }

  /** The words of an array of this length, all 0; 0 if it is to have them in the heap, or needs none. */
  @Hidden
  static long allocate(int length) {
    return length <= 0 || length > MOST_ELEMENTS ? 0 : allocateWords(bytes(length), MOST_BYTES);
  }

  /** So that offsets in what is allocated are ints. */
  private static final int MOST_ELEMENTS = 1 << 26;

  @Hidden
  static void free(DeadheatCell cell) {
    if (cell.words != 0) freeWords(cell.words, bytes(cell.length));
  }

  @Hidden
  private static long bytes(int length) {
    return length * ELEMENT;
  }

  /** By being called with the array a second time it lets the array live until here: what a collector keeps goes by the bytecode. */
  @ForceInline
  @Hidden
  static void keep(Object array) {}

  // ---- one element -------------------------------------------------------------------------------------------------------------

  /** Where the word of an element's last write is; the element must be there. */
  @ForceInline
  @Hidden
  static long writeAt(DeadheatCell cell, int index) {
    return cell.words + index * 8L;
  }

  /** The same of its last read. */
  @ForceInline
  @Hidden
  static long readAt(DeadheatCell cell, int index) {
    return cell.words + (cell.near + (long) index) * 8;
  }

  /** Whether one look tells that this thread has read or written the element in this epoch; false of what has no words here. */
  @ForceInline
  @Hidden
  static boolean wasRead(DeadheatCell cell, int index) {
    if (!FAST) return false;
    long epoch = U.getLong(Thread.currentThread(), READS);
    return index >= 0 && index < cell.nearReads ? U.getLong(readAt(cell, index)) >>> DeadheatLayout.SITE_BITS == epoch : cell.whole == epoch;
  }

  /** Whether this thread has written the element in this epoch; false of what has no words here. */
  @ForceInline
  @Hidden
  static boolean wasWritten(DeadheatCell cell, int index) {
    return FAST && index >= 0 && index < cell.near && writeHits(writeAt(cell, index));
  }

  /** Whether the read was on record already. */
  @Hidden
  static boolean read(DeadheatCell cell, Object array, int index, int site) {
    if (index < 0 || index >= cell.near) return false;
    long writeAt = writeAt(cell, index);
    long readAt = readAt(cell, index);
    boolean hits = readHits(writeAt, readAt);
    if (!hits) DeadheatWords.read(null, writeAt, null, readAt, site, array, index);
    keep(array);
    return hits;
  }

  @Hidden
  static void write(DeadheatCell cell, Object array, int index, int site) {
    if (index < 0 || index >= cell.near) return;
    long writeAt = writeAt(cell, index);
    if (!writeHits(writeAt)) DeadheatWords.writeAndMark(null, writeAt, null, readAt(cell, index), site, array, index);
    keep(array);
  }

  /** Whether this thread has read or written the element in this epoch before. */
  @ForceInline
  @Hidden
  private static boolean readHits(long writeAt, long readAt) {
    if (!FAST) return false;
    Thread t = Thread.currentThread();
    long epoch = U.getLong(t, READS);
    long r = U.getLong(readAt);
    return r >>> DeadheatLayout.SITE_BITS == epoch || writeHits(writeAt) || DeadheatWords.isReadSet(r) && DeadheatWords.isKnownSet(t, r, epoch);
  }

  @ForceInline
  @Hidden
  private static boolean writeHits(long writeAt) {
    return FAST && U.getLong(writeAt) >>> DeadheatLayout.SITE_BITS == U.getLong(Thread.currentThread(), EPOCH);
  }

  /** Whether this thread has read the element in this epoch; what it has written may be on record with an epoch of writes that ends before. */
  @Hidden
  static boolean isReadOnRecord(DeadheatCell cell, int index) {
    long r = U.getLong(readAt(cell, index));
    Thread t = Thread.currentThread();
    long epoch = U.getLong(t, READS);
    return r >>> DeadheatLayout.SITE_BITS == epoch || !ALWAYS_HIT && DeadheatWords.isReadSet(r) && DeadheatWords.isKnownSet(t, r, epoch);
  }

  // ---- ranges within the array -------------------------------------------------------------------------------------------------

  @Hidden
  static void readRange(DeadheatCell cell, Object array, int from, int length, int site) {
    Thread t = Thread.currentThread();
    boolean plain = mayStorePlainly(t, READS, length);
    long own = 0;  // one word for all of them
    for (int i = from; i < from + length; i++) {
      long writeAt = writeAt(cell, i);
      long readAt = readAt(cell, i);
      if (readHits(writeAt, readAt)) continue;
      if (plain && isOrdered(t, writeAt, readAt)) {
        if (own == 0) own = DeadheatWords.remembered(t, U.getLong(t, READS), site);
        U.putLong(readAt, own);
      } else {
        DeadheatWords.read(null, writeAt, null, readAt, site, array, i);
      }
    }
    keep(array);
  }

  @Hidden
  static void writeRange(DeadheatCell cell, Object array, int from, int length, int site) {
    Thread t = Thread.currentThread();
    boolean plain = mayStorePlainly(t, EPOCH, length);
    long own = 0;
    for (int i = from; i < from + length; i++) {
      long writeAt = writeAt(cell, i);
      if (writeHits(writeAt)) continue;
      long readAt = readAt(cell, i);
      if (plain && isOrdered(t, writeAt, readAt)) {
        if (own == 0) own = DeadheatWords.remembered(t, U.getLong(t, EPOCH), site);
        U.putLong(writeAt, own);
        if (!DeadheatWords.isRead(U.getLong(readAt))) U.putLong(readAt, U.getLong(t, READS) << DeadheatLayout.SITE_BITS);  // a mark
      } else {
        DeadheatWords.writeAndMark(null, writeAt, null, readAt, site, array, i);
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
  private static boolean isOrdered(Thread t, long writeAt, long readAt) {
    if (ALWAYS_HIT) return true;
    long clocks = U.getLong(t, CLOCKS);
    return DeadheatSync.ordered(U.getLong(writeAt), clocks) && DeadheatSync.ordered(U.getLong(readAt), clocks);
  }

  @Hidden
  private static native long allocateWords(long bytes, long most);

  @Hidden
  private static native void freeWords(long words, long bytes);
}
