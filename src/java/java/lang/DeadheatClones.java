// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks around {@code Object.clone()}: it reads every field of the original, and it copies our words into the clone, where they
 * would speak of accesses to another object.
 */
public final class DeadheatClones {
  private DeadheatClones() {}

  /** Before {@code o} is cloned by code that is fully watched. */
  @Hidden
  public static void cloning(Object o, int site) {
    if (!(o instanceof Cloneable) || !DeadheatSync.attached()) return;  // it would be refused
    if (o.getClass().isArray()) {
      DeadheatArrays.readAll(o, site);
      return;
    }
    long[] words = wordsOf(o.getClass());
    if (words == null) return;
    Thread t = Thread.currentThread();
    long reads = U.getLong(t, READS);
    long epoch = U.getLong(t, EPOCH);
    for (int i = 0; i < words.length; i += 3) {
      if (words[i + 1] <= 0) continue;
      boolean hits = FAST
          && (U.getLong(o, words[i + 1]) >>> DeadheatLayout.SITE_BITS == reads || U.getLong(o, words[i]) >>> DeadheatLayout.SITE_BITS == epoch);
      if (!hits) DeadheatOffsets.read(o, words[i + 2], site);
    }
  }

  /** After: nobody but this thread has seen the clone yet, so nothing is known of it. */
  @Hidden
  public static void cloned(Object clone) {
    if (clone == null || !DeadheatSync.attached() || clone.getClass().isArray()) return;
    DeadheatFinalizers.cloned(clone);
    long[] words = wordsOf(clone.getClass());
    if (words == null) return;
    for (int i = 0; i < words.length; i += 3) {
      if (words[i + 1] == DeadheatLayout.FREEZE_WORD) continue;  // what the fields of the original led to, those of the clone do
      U.putLong(clone, words[i], 0);
      if (words[i + 1] > 0) U.putLong(clone, words[i + 1], 0);
    }
  }

  /**
   * The offsets of our words in instances of {@code type}, in threes: last write and last read of a plain field, or a sync word and -1;
   * then the field itself. The word of the monitor is among the latter, without a field, and freeze words are there with FREEZE_WORD.
   */
  @Hidden
  static long[] wordsOf(Class<?> type) {
    DeadheatCell cell = DeadheatMap.get(type);
    if (cell == null) return null;
    DeadheatCell.More more = cell.more();
    long[] words = more.words;
    if (words == null) {
      words = new long[countWords(type)];
      fillWords(type, words);
      U.storeFence();
      more.words = words;
    }
    return words;
  }

  @Hidden
  private static native int countWords(Class<?> type);

  @Hidden
  private static native void fillWords(Class<?> type, long[] words);
}
