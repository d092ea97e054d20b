// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hook that hands a method the calling context of its thread, and the numbers of the ways by which threads come to places, which shadow
 * words carry and from which the stack of the previous access of a race is told. See {@link Deadheat} for the rules that hold for every
 * hook.
 *
 * <p>The context is a number. Each call that leads to watched code sets it to a hash of the caller's own context and the call site; a
 * method that has set it leaves a mark of what it found when it returns ({@code classfile/context_points.cc}). So the context and the
 * method of an access determine the stack, but for hash collisions and for what code that is not watched does in between.
 */
public final class DeadheatHistory {
  /** For threads that have none: until they are attached, and when there was no memory. */
  private static final DeadheatContext NONE = new DeadheatContext();

  private DeadheatHistory() {}

  /** First thing in a method that makes calls: the context of the thread, made the method's own. */
  @ForceInline
  @Hidden
  public static DeadheatContext entry() {
    if (!Deadheat.live) return NONE;
    DeadheatContext context = (DeadheatContext) U.getReference(Thread.currentThread(), CONTEXT);
    if (context == null) context = NONE;
    context.value *= 31;
    return context;
  }

  /** Before a method returns that has not kept what {@link #entry} gave it: the context that it leaves. */
  @ForceInline
  @Hidden
  public static void leave(int value) {
    if (!Deadheat.live) return;
    DeadheatContext context = (DeadheatContext) U.getReference(Thread.currentThread(), CONTEXT);
    if (context != null) context.value = value;
  }

  @Hidden
  static int contextOf(Thread t) {
    DeadheatContext context = (DeadheatContext) U.getReference(t, CONTEXT);
    return context == null ? 0 : context.value;
  }

  /**
   * How the current thread, {@code t}, has come to {@code site}: the number that the word of its access there carries. Hashes and
   * tables are those of {@code agent/way_table.h}.
   */
  @ForceInline
  @Hidden
  static int way(Thread t, int site) {
    long history = U.getLong(t, HISTORY);
    return history == 0 ? site : way(history, contextOf(t), site);
  }

  @Hidden
  private static int way(long history, int context, int site) {
    long key = key((long) context << 32 | site, U.getLong(history + DeadheatLayout.HISTORY_LOCKS_NOW));
    long entry = U.getLong(recent(history, key));
    return isOf(entry, key) ? number(entry) : otherWay(history, key, context, site);
  }

  /** It is not among those the thread has come lately. */
  @DontInline
  @Hidden
  private static int otherWay(long history, long key, int context, int site) {
    long entry = find(key * DeadheatLayout.WAY_FACTOR);
    if (entry == 0) {
      int pause = U.getInt(history + DeadheatLayout.HISTORY_PAUSE);
      if (pause != 0) {
        U.putInt(history + DeadheatLayout.HISTORY_PAUSE, pause - 1);
        long known = key(DeadheatLayout.WAY_NO_CONTEXT | site, U.getLong(history + DeadheatLayout.HISTORY_LOCKS_NOW));
        entry = U.getLong(recent(history, known));
        if (!isOf(entry, known)) {
          entry = find(known * DeadheatLayout.WAY_FACTOR);
          if (entry != 0) U.putLong(recent(history, known), known & -DeadheatLayout.MAX_SITES | number(entry));
        }
        if (entry != 0) return number(entry);
      }
      if (entry == 0 && U.getLong(WAYS + 8) != 0) {  // there is no room for more
        entry = site;
        U.putLong(history + DeadheatLayout.HISTORY_NOT_KEPT, U.getLong(history + DeadheatLayout.HISTORY_NOT_KEPT) + 1);
      }
      if (entry == 0) return newWay(history, context, site);
    }
    int number = number(entry);
    U.putLong(recent(history, key), key & -DeadheatLayout.MAX_SITES | number);
    int left = U.getInt(history + DeadheatLayout.HISTORY_UNTIL_GROWTH) - 1;
    U.putInt(history + DeadheatLayout.HISTORY_UNTIL_GROWTH, left);
    if (left == 0) enlarge(history);
    return number;
  }

  /** Twin of {@code way_key}. */
  @ForceInline
  @Hidden
  private static long key(long place, long locks) {
    long product = (place ^ locks) * DeadheatLayout.WAY_FACTOR;
    return product ^ product >>> 32;
  }

  /** Twin of {@code WayTable::find}, but for what it returns: the entry. The hash is that of {@code way_hash}. */
  @Hidden
  private static long find(long hash) {
    long filter = U.getLong(WAYS + (DeadheatLayout.WAYS_FILTER + (hash >>> DeadheatLayout.WAYS_FILTER_SHIFT + 6)) * 8);
    if ((filter >>> (hash >>> DeadheatLayout.WAYS_FILTER_SHIFT) & 1) == 0) return 0;
    long entries = U.getLongAcquire(null, WAYS);
    for (long at = hash; ; at++) {
      long entry = U.getLong(WAYS + (entries + (at & entries - 1)) * 8);
      if (entry == 0 || isOf(entry, hash)) return entry;
    }
  }

  @ForceInline
  @Hidden
  private static boolean isOf(long entry, long key) {
    return (entry ^ key) >>> DeadheatLayout.SITE_BITS == 0;
  }

  @ForceInline
  @Hidden
  private static int number(long entry) {
    return (int) entry & DeadheatLayout.MAX_SITES - 1;
  }

  @ForceInline
  @Hidden
  private static long recent(long history, long key) {
    return U.getLong(history + DeadheatLayout.HISTORY_RECENT) + (key & U.getInt(history + DeadheatLayout.HISTORY_RECENT_MASK)) * 8;
  }

  @Hidden
  private static native int newWay(long history, int context, int site);

  @Hidden
  private static native void enlarge(long history);
}
