// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * How much of a large array a thread has read in its epoch. Once each element has been, further reads in that epoch are all hits, and need not
 * be looked up: the hint of such an array is then a copy of its cell in which {@link DeadheatCell#whole}, that epoch, stands for the reads of all elements.
 * Tables that all threads read again and again then need no words, which are twice or eight times as large as the element and seldom in
 * a cache.
 *
 * <p>Any thread may use the record of its slot, and two may share one: they then count badly and overwrite each other's epoch, but each believes only
 * in its own, and that it has written itself.
 */
final class DeadheatReaders {
  /** Of smaller arrays the words are near enough. */
  private static final int LEAST_ELEMENTS = 256;
  /** The words of so many fill the first cache: what is kept here is worth a look whenever a method begins with such an array. */
  static final int MANY_ELEMENTS = 2048;
  private static final int SLOTS = 8;
  /** An epoch in which an array was looked through so often in vain is left alone. */
  private static final int MOST_LOOKS = 8;

  private long epoch;
  /** Elements to be met for the first time before it is worth looking whether all have been. */
  private int left;
  private int looks;
  /** Elements met again since the last look. */
  private int again;
  private DeadheatCell whole;

  @Hidden
  private DeadheatReaders() {}

  /** The hint for further accesses of the array by the current thread, which has read an element again. */
  @Hidden
  static DeadheatCell hint(DeadheatCell cell, Object array) {
    DeadheatReaders[] readers = cell.readers;
    if (readers == null) return cell;
    long epoch = U.getLong(Thread.currentThread(), READS);
    DeadheatReaders reader = readers[slot(epoch)];
    if (reader == null || reader.epoch != epoch) return cell;
    if (reader.hasAll()) return reader.whole;
    // Where counts were lost the last of them never comes.
    if (reader.left > cell.length >> 3 || ++reader.again >> reader.looks < cell.length || reader.looks++ >= MOST_LOOKS) return cell;
    reader.look(cell, array, epoch);
    return reader.hasAll() ? reader.whole : cell;
  }

  /** Whether the current thread has read all in its epoch, as far as is known. */
  @Hidden
  private boolean hasAll() {
    return whole != null && whole.whole == epoch;
  }

  /** The same, which has read one that it had not read in this epoch. */
  @Hidden
  static DeadheatCell missed(DeadheatCell cell, Object array) {
    if (!FAST || LOCKSETS || cell.near < LEAST_ELEMENTS) return cell;
    long epoch = U.getLong(Thread.currentThread(), READS);
    DeadheatReaders reader = epoch <= 0 ? null : of(cell, epoch);
    if (reader == null) return cell;
    if (reader.epoch != epoch) reader.begin(epoch, cell.length);
    if (--reader.left == 0 && reader.looks++ < MOST_LOOKS) reader.look(cell, array, epoch);
    return reader.hasAll() ? reader.whole : cell;
  }

  @Hidden
  private void begin(long now, int length) {
    epoch = now;
    looks = 0;
    again = 0;
    left = most(length);
  }

  /** Not all of those that are missing: of what two threads count at once some is lost. */
  @Hidden
  private static int most(int missing) {
    return missing - (missing >> 3);
  }

  @Hidden
  private void look(DeadheatCell cell, Object array, long now) {
    int missing = 0;
    for (int i = 0; i < cell.length; i++) {
      if (!DeadheatArrayWords.isReadOnRecord(cell, i)) missing++;
    }
    left = most(missing);
    again = 0;
    if (missing != 0 || whole == null && !DeadheatMap.mayAllocate()) return;
    try {
      if (whole == null) whole = new DeadheatCell(array, cell);
      whole.whole = now;
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
    }
    DeadheatArrayWords.keep(array);
  }

  @Hidden
  private static int slot(long epoch) {
    return (int) (epoch >>> DeadheatLayout.SLOT_SHIFT - DeadheatLayout.SITE_BITS) & SLOTS - 1;
  }

  @Hidden
  private static DeadheatReaders of(DeadheatCell cell, long epoch) {
    DeadheatReaders[] readers = cell.readers;
    DeadheatReaders reader = readers == null ? null : readers[slot(epoch)];
    if (reader != null || !DeadheatMap.mayAllocate()) return reader;
    try {
      if (readers == null) readers = new DeadheatReaders[SLOTS];
      reader = new DeadheatReaders();
      U.storeFence();
      readers[slot(epoch)] = reader;
      cell.readers = readers;
      cell.consults = cell.near >= MANY_ELEMENTS;
      return reader;
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
      return null;
    }
  }
}
