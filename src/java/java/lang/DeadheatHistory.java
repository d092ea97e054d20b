// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hook that hands a method the calling context of its thread, and the record of what the thread puts into shadow words, from which the
 * stack of the previous access of a race is told. The layout of the record is {@code agent/history_layout.h}'s. See {@link Deadheat} for
 * the rules that hold for every hook.
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

  @Hidden
  static int contextOf(Thread t) {
    DeadheatContext context = (DeadheatContext) U.getReference(t, CONTEXT);
    return context == null ? 0 : context.value;
  }

  /** The access {@code word} of thread {@code t}, the current one, is now in a shadow word. Twin of {@code ThreadHistory::append}. */
  @Hidden
  static void record(Thread t, long word) {
    long history = U.getLong(t, HISTORY);
    if (history == 0) return;
    int context = contextOf(t);
    long known = known(history, (int) word);
    long before = U.getLong(known);
    if (((before ^ word) & SAME_PLACE) == 0 && before <= word
        && U.getInt(known + DeadheatLayout.KNOWN_CONTEXT) == context
        && U.getLong(known + DeadheatLayout.KNOWN_LOCKS) == U.getLong(history + DeadheatLayout.HISTORY_LOCKS_NOW)
        && U.getInt(history + DeadheatLayout.HISTORY_HEAD) - U.getInt(known + DeadheatLayout.KNOWN_POSITION)
            < U.getInt(history + DeadheatLayout.HISTORY_LIMIT) >> 1) {
      U.putLong(known, word);
      return;
    }
    recordChange(history, word, context);
  }

  /** The thread has come to this place in another way than the last time. */
  @Hidden
  private static void recordChange(long history, long word, int context) {
    int site = (int) word & DeadheatLayout.MAX_SITES - 1;
    long asked = known(history, context ^ context >>> 15 ^ site) + DeadheatLayout.KNOWN_ASKED;
    long way = (long) context << 32 | site;
    if (U.getLong(asked) != way && askForStack(history, context, site)) U.putLong(asked, way);
    DeadheatLockHistory.record(history);
    long known = known(history, site);  // where it is now: the ring may have grown
    long before = U.getLong(known);
    boolean again = before == word || ((int) (before ^ word) & DeadheatLayout.MAX_SITES - 1) != 0;
    U.putLong(known, word);
    U.putInt(known + DeadheatLayout.KNOWN_CONTEXT, context);
    U.putInt(known + DeadheatLayout.KNOWN_POSITION, U.getInt(history + DeadheatLayout.HISTORY_HEAD));
    U.putLong(known + DeadheatLayout.KNOWN_LOCKS, U.getLong(history + DeadheatLayout.HISTORY_LOCKS_NOW));
    append(history, word, context, again ? DeadheatLayout.AGAIN_TAG : DeadheatLayout.ACCESS_TAG);
  }

  /** The bits in which the words of a thread at one place are alike (but for threads that have worn out a slot). */
  private static final long SAME_PLACE = -1L << DeadheatLayout.SLOT_SHIFT | DeadheatLayout.MAX_SITES - 1;

  @ForceInline
  @Hidden
  private static long known(long history, int hash) {
    int place = hash & U.getInt(history + DeadheatLayout.HISTORY_KNOWN_MASK);
    return U.getLong(history + DeadheatLayout.HISTORY_KNOWN) + place * DeadheatLayout.KNOWN_BYTES;
  }

  /**
   * The stack of this context in this method is needed, unless somebody has asked for it before; whether it is on record now. While the
   * agent has no time for stacks nothing is looked up either: programs with ever new contexts would come here at every access.
   */
  @Hidden
  private static boolean askForStack(long history, int context, int site) {
    int pause = U.getInt(history + DeadheatLayout.HISTORY_PAUSE);
    if (pause == 0) {
      if (hasStack(context, U.getInt(METHODS + site * 4L))) return true;
      pause = keepStack(context, site);
      if (pause == 0) return true;
    }
    U.putInt(history + DeadheatLayout.HISTORY_PAUSE, pause - 1);
    return false;
  }

  /** Twin of {@code AskedStacks::looks_known}. */
  @ForceInline
  @Hidden
  private static boolean hasStack(int context, int method) {
    long words = U.getLong(STACKS);
    long hash = ((long) context << 32 | method & 0xffffffffL) * DeadheatLayout.STACKS_FACTOR;
    long place = words + (hash >>> DeadheatLayout.STACKS_WORD_SHIFT & words - 1);
    long mark = (hash >>> DeadheatLayout.STACKS_MARK_SHIFT & DeadheatLayout.STACKS_MARK_MASK) + 1;
    long others = U.getLong(STACKS + place * 8) ^ mark * DeadheatLayout.STACKS_LANES;
    return (others - DeadheatLayout.STACKS_LANES & ~others & DeadheatLayout.STACKS_LANES << 15) != 0;
  }

  @ForceInline
  @Hidden
  static void append(long history, long word, int context, int tag) {
    int head = U.getInt(history + DeadheatLayout.HISTORY_HEAD);
    if (head >= U.getInt(history + DeadheatLayout.HISTORY_LIMIT)) {
      makeRoom(history);  // the last one left none: the host's stack ended at its call of this
      head = U.getInt(history + DeadheatLayout.HISTORY_HEAD);
    }
    long entry = U.getLong(history + DeadheatLayout.HISTORY_ENTRIES) + head * 16L;
    U.putLong(entry, word);
    U.putLong(entry + 8, (long) tag << 32 | context & 0xffffffffL);
    U.putIntRelease(null, history + DeadheatLayout.HISTORY_HEAD, head + 1);
    if (head + 1 >= U.getInt(history + DeadheatLayout.HISTORY_LIMIT)) makeRoom(history);
  }

  /** 0: it is on record, and in the table. Else how many times not to ask, this one included. */
  @Hidden
  private static native int keepStack(int context, int site);

  @Hidden
  static native void makeRoom(long history);
}
