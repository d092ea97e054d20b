// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks in {@code ObjectInputStream}, which sets final fields without a constructor and freezes all objects it made where the outermost
 * {@code readObject} ends (JLS 17.5.3). An instance is one such object; those of a stream that is being read hang from the stream itself.
 */
public final class DeadheatSerial {
  private static final long MADE = U.objectFieldOffset(java.io.ObjectInputStream.class, "$dh$made");

  private final Object object;
  private final DeadheatSerial next;

  @Hidden
  private DeadheatSerial(Object object, DeadheatSerial next) {
    this.object = object;
    this.next = next;
  }

  /** The fields of {@code o} are about to be read from {@code stream}. */
  @Hidden
  public static void making(Object stream, Object o) {
    if (o == null || !DeadheatSync.attached() || !DeadheatMap.mayAllocate()) return;
    try {
      if (hasFreezeWord(o)) U.putReference(stream, MADE, new DeadheatSerial(o, (DeadheatSerial) U.getReference(stream, MADE)));
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
    }
  }

  @Hidden
  public static void freezing(Object stream) {
    if (!Deadheat.live) return;
    DeadheatSerial made = (DeadheatSerial) U.getReference(stream, MADE);
    if (made == null) return;
    U.putReference(stream, MADE, null);
    long word = DeadheatSync.freeze();
    for (; made != null; made = made.next) freeze(made.object, word);
  }

  @Hidden
  private static boolean hasFreezeWord(Object o) {
    long[] words = DeadheatClones.wordsOf(o.getClass());
    for (int i = 0; words != null && i < words.length; i += 3) {
      if (words[i + 1] == DeadheatLayout.FREEZE_WORD) return true;
    }
    return false;
  }

  @Hidden
  private static void freeze(Object o, long word) {
    long[] words = DeadheatClones.wordsOf(o.getClass());
    for (int i = 0; words != null && i < words.length; i += 3) {
      if (words[i + 1] == DeadheatLayout.FREEZE_WORD) U.putLong(o, words[i], word);
    }
  }
}
