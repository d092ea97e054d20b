// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The rules of an access that no fast path has ended, over the two words of its variable, wherever these are: a base (null for native
 * memory) and an offset each. Any number of threads may be in here for one variable at once. Each publishes its own word with a
 * compare-and-set and then looks at the other word again, so that of two accesses made at the same instant at least one is told of the
 * other (the protocol of {@code engine/access.h}).
 */
final class DeadheatWords {
  private DeadheatWords() {}

  /**
   * This thread has read the variable at {@code site}. It is a field of {@code o}, or its element {@code index}, if they are known (for
   * reports).
   */
  @ForceInline  // to where the bases are known
  @Hidden
  static void read(Object writes, long writeAt, Object reads, long readAt, int site, Object o, int index) {
    Thread t = Thread.currentThread();
    long epoch = U.getLong(t, READS);
    if (epoch <= 0) return;  // not attached yet, or not watched
    if (ALWAYS_HIT) {
      U.putLong(reads, readAt, epoch << DeadheatLayout.SITE_BITS | site);
      return;
    }
    if (LOCKSETS) {
      findCandidates(writes, writeAt, reads, readAt, false, site, o, index);
      return;
    }
    long clocks = U.getLong(t, CLOCKS);
    long w;
    for (;;) {
      w = U.getLong(writes, writeAt);
      long r = U.getLong(reads, readAt);
      // FastTrack READ EXCLUSIVE: the last write and the last read are both ordered before this read.
      if (FAST && DeadheatSync.ordered(w, clocks) && DeadheatSync.ordered(r, clocks)) {
        if (U.compareAndSetLong(reads, readAt, r, remembered(t, epoch, site))) break;
        continue;
      }
      // The same read set, met before in this epoch; or a write of this epoch, which covers the read.
      if (FAST && (isKnownSet(t, r, epoch) || w >>> DeadheatLayout.SITE_BITS == U.getLong(t, EPOCH))) return;
      long next = judgeRead(t, w, r, site, o, index);
      if (isReadSet(next)) know(t, next, epoch);
      if (next == r) return;
      if (U.compareAndSetLong(reads, readAt, r, next)) break;
      retract(U.getLong(t, STATE));
    }
    lookAgain(t, writes, writeAt, w, false, site, o, index);
  }

  /** This thread is about to write the variable. */
  @ForceInline
  @Hidden
  static void write(Object writes, long writeAt, Object reads, long readAt, int site, Object o, int index) {
    write(writes, writeAt, reads, readAt, false, site, o, index);
  }

  /** The same, and leaves a mark in the word of the reads by which this thread's next read is let pass. */
  @ForceInline
  @Hidden
  static void writeAndMark(Object writes, long writeAt, Object reads, long readAt, int site, Object o, int index) {
    write(writes, writeAt, reads, readAt, FAST, site, o, index);
  }

  @ForceInline
  @Hidden
  private static void write(Object writes, long writeAt, Object reads, long readAt, boolean marks, int site, Object o, int index) {
    Thread t = Thread.currentThread();
    long epoch = U.getLong(t, EPOCH);
    if (epoch <= 0) return;
    if (ALWAYS_HIT) {
      U.putLong(writes, writeAt, epoch << DeadheatLayout.SITE_BITS | site);
      if (marks) U.putLong(reads, readAt, epoch << DeadheatLayout.SITE_BITS);
      return;
    }
    if (LOCKSETS) {
      findCandidates(writes, writeAt, reads, readAt, true, site, o, index);
      return;
    }
    long clocks = U.getLong(t, CLOCKS);
    long mark = marks ? U.getLong(t, READS) << DeadheatLayout.SITE_BITS : 0;
    long r;
    for (;;) {
      long w = U.getLong(writes, writeAt);
      r = U.getLong(reads, readAt);
      // FastTrack WRITE EXCLUSIVE: the last write and the last read are both ordered before this write.
      if (FAST && DeadheatSync.ordered(w, clocks) && DeadheatSync.ordered(r, clocks)) {
        if (U.compareAndSetLong(writes, writeAt, w, remembered(t, epoch, site))) break;
        continue;
      }
      long next = judgeWrite(t, w, r, site, o, index);
      if (next == w) return;
      if (!U.compareAndSetLong(writes, writeAt, w, next)) {
        retract(U.getLong(t, STATE));
        continue;
      }
      if (isReadSet(r)) {
        // FastTrack WRITE SHARED: a write that has checked them all ends the set.
        if (U.compareAndSetLong(reads, readAt, r, mark)) return;
        retract(U.getLong(t, STATE));
      }
      break;
    }
    // A read that is published between this look and the store of the mark is lost. Who has made it looks again too, and is told of this write: only
    // a read can be lost that was made in the same instant and in no order with it.
    if (U.getLongVolatile(reads, readAt) != r) {
      lookAgain(t, reads, readAt, r, true, site, o, index);
    } else if (marks && !isRead(r)) {
      U.putLong(reads, readAt, mark);
    }
  }

  /** For a variable that had no words for its writes when this thread's read was published, and has them now. */
  @Hidden
  static void writtenMeanwhile(Object writes, long writeAt, Object reads, long readAt, int site, Object o, int index) {
    if (LOCKSETS) {
      findCandidates(writes, writeAt, reads, readAt, false, site, o, index);
    } else if (!ALWAYS_HIT) {
      lookAgain(Thread.currentThread(), writes, writeAt, 0, false, site, o, index);
    }
  }

  /** The same for reads and this thread's write. */
  @Hidden
  static void readMeanwhile(Object writes, long writeAt, Object reads, long readAt, int site, Object o, int index) {
    if (LOCKSETS) {
      findCandidates(writes, writeAt, reads, readAt, true, site, o, index);
    } else if (!ALWAYS_HIT) {
      lookAgain(Thread.currentThread(), reads, readAt, 0, true, site, o, index);
    }
  }

  // ---- the parts -----------------------------------------------------------------------------------------------------------------

  /**
   * The word of an access at {@code site}. Tells the engine that one of this epoch is now on record, so that the next release must begin
   * a new one.
   */
  @ForceInline
  @Hidden
  static long remembered(Thread t, long epoch, int site) {
    U.putByte(U.getLong(t, STATE) + DeadheatLayout.STATE_DIRTY, (byte) 1);
    return epoch << DeadheatLayout.SITE_BITS | way(t, site);
  }

  @ForceInline
  @Hidden
  private static int way(Thread t, int site) {
    return KEEPS_HISTORY ? DeadheatHistory.way(t, site) : site;
  }

  @Hidden
  private static long judgeRead(Thread t, long w, long r, int site, Object o, int index) {
    long next = onRead(U.getLong(t, STATE), w, r, way(t, site));
    return next == DeadheatLayout.NEW_RACE ? onNewRace(U.getLong(t, STATE), o, index, site, false) : next;
  }

  @Hidden
  private static long judgeWrite(Thread t, long w, long r, int site, Object o, int index) {
    long next = onWrite(U.getLong(t, STATE), w, r, way(t, site));
    return next == DeadheatLayout.NEW_RACE ? onNewRace(U.getLong(t, STATE), o, index, site, true) : next;
  }

  /** The own word is published; who has published the other one since was not told of it, or is to be told of. */
  @ForceInline
  @Hidden
  private static void lookAgain(Thread t, Object other, long at, long seen, boolean write, int site, Object o, int index) {
    long now = U.getLongVolatile(other, at);
    if (now != seen) onChange(U.getLong(t, STATE), now, write, site, o, index);
  }

  /** Over detectors whose words may stand for a record that changes while they do not: these look again when they have stored. */
  @DontInline
  @Hidden
  private static void findCandidates(Object writes, long writeAt, Object reads, long readAt, boolean write, int site, Object o, int index) {
    findCandidates(writes, writeAt, reads, readAt, write, site, o, index, 0, KEEPS_HISTORY);
  }

  /** {@code epoch}: when it was made, if that is not now. No stack is kept of atomic accesses. */
  @Hidden
  static void findCandidates(
      Object writes, long writeAt, Object reads, long readAt, boolean write, int site, Object o, int index, long epoch, boolean kept) {
    Thread t = Thread.currentThread();
    int way = kept ? DeadheatHistory.way(t, site) : site;
    for (;;) {
      long w = U.getLongVolatile(writes, writeAt);
      long r = U.getLongVolatile(reads, readAt);
      long next = onCandidate(U.getLong(t, STATE), w, r, write, way, o, index, epoch);
      boolean stores = next != (write ? w : r);
      if (stores && !(write ? U.compareAndSetLong(writes, writeAt, w, next) : U.compareAndSetLong(reads, readAt, r, next))) continue;
      long other = write ? r : w;
      long now = write ? U.getLongVolatile(reads, readAt) : U.getLongVolatile(writes, writeAt);
      if (now == other && !(stores && isRecord(other))) return;
    }
  }

  // ---- forms of words ------------------------------------------------------------------------------------------------------------

  /** Whether a read word stands for several reads. */
  @ForceInline
  @Hidden
  static boolean isReadSet(long r) {
    return r >>> DeadheatLayout.SLOT_SHIFT == DeadheatLayout.READ_SET_TAG;
  }

  /** Whether a read word that is no set is that of a read, and not the mark of a write. */
  @ForceInline
  @Hidden
  static boolean isRead(long r) {
    return ((int) r & DeadheatLayout.MAX_SITES - 1) != 0;
  }

  @ForceInline
  @Hidden
  private static boolean isRecord(long word) {
    return word != 0 && word >>> DeadheatLayout.SLOT_SHIFT == 0;
  }

  /** Whether this thread's read is in the set {@code r}, made in this epoch; false for what is no set. */
  @ForceInline
  @Hidden
  static boolean isKnownSet(Thread t, long r, long epoch) {
    long known = knownSet(t, r);
    return U.getLong(known) == r && U.getLong(known + 8) == epoch;
  }

  @Hidden
  private static void know(Thread t, long set, long epoch) {
    long known = knownSet(t, set);
    U.putLong(known, set);
    U.putLong(known + 8, epoch);
  }

  @ForceInline
  @Hidden
  private static long knownSet(Thread t, long r) {
    return U.getLong(t, SETS) + (r & DeadheatLayout.KNOWN_SETS - 1) * 16;
  }

  // ---- natives: primitives only, but where a race may have to be told ----------------------------------------------------------

  @Hidden
  private static native long onRead(long state, long write, long read, int way);

  @Hidden
  private static native long onWrite(long state, long write, long read, int way);

  @Hidden
  static native long onNewRace(long state, Object o, int index, int site, boolean write);

  @Hidden
  private static native void onChange(long state, long word, boolean write, int site, Object o, int index);

  @Hidden
  private static native long onCandidate(long state, long write, long read, boolean isWrite, int way, Object o, int index, long epoch);

  @Hidden
  static native void retract(long state);
}
