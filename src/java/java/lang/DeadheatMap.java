// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * Weak map from object identity to {@link DeadheatCell}. Look-ups take no lock; insertion and removal take the spin lock of one of
 * {@link #SEGMENTS} segments. No {@code ReferenceQueue} is used, because its locks are instrumented code: cleared cells are dropped
 * when a segment grows and when it is swept after a garbage collection.
 *
 * <p>The critical sections are marked {@code @ReservedStackAccess}: a stack overflow in the host never leaves a segment locked.
 */
final class DeadheatMap {
  private static final int SEGMENTS = 64;
  private static final long LOCK = U.objectFieldOffset(Segment.class, "lock");

  private static final class Segment {
    int lock;
    int size;
    /** The value of the agent's collection counter at the last sweep. */
    long swept;
    DeadheatCell[] buckets = new DeadheatCell[64];
  }

  private static final Segment[] segments = new Segment[SEGMENTS];

  static {
    for (int i = 0; i < SEGMENTS; i++) segments[i] = new Segment();
  }

  private DeadheatMap() {}

  /** The cell of {@code o}, made if there is none; null only when the heap is exhausted (the caller counts it). */
  @Hidden
  static DeadheatCell get(Object o) {
    int hash = System.identityHashCode(o);
    Segment segment = segments[hash & SEGMENTS - 1];
    DeadheatCell[] buckets = segment.buckets;
    for (DeadheatCell c = buckets[hash >>> 6 & buckets.length - 1]; c != null; c = c.next) {
      if (c.hash == hash && c.refersTo(o)) return c;
    }
    return add(segment, o, hash);
  }

  @Hidden
  private static DeadheatCell add(Segment segment, Object o, int hash) {
    try {
      return insert(segment, new DeadheatCell(o, hash));
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  @Hidden
  @ReservedStackAccess
  private static DeadheatCell insert(Segment segment, DeadheatCell fresh) {
    lock(segment);
    try {
      DeadheatCell[] buckets = segment.buckets;
      int at = fresh.hash >>> 6 & buckets.length - 1;
      for (DeadheatCell c = buckets[at]; c != null; c = c.next) {
        if (c.hash == fresh.hash && c.refersTo(fresh.get())) return c;
      }
      if (segment.size >= buckets.length || segment.swept != U.getLong(COLLECTIONS)) {
        buckets = sweep(segment);
        at = fresh.hash >>> 6 & buckets.length - 1;
      }
      fresh.next = buckets[at];
      U.storeFence();  // look-ups take no lock: the cell first, then the way to it
      buckets[at] = fresh;
      segment.size++;
      return fresh;
    } finally {
      U.putIntRelease(segment, LOCK, 0);
    }
  }

  /**
   * Drops the cells whose object is gone and, if the rest is still too many, doubles the buckets. Cells are relinked in place, so a
   * look-up that runs beside it can miss a cell; such a look-up goes on to {@link #insert}, which looks again under the lock.
   */
  @Hidden
  private static DeadheatCell[] sweep(Segment segment) {
    segment.swept = U.getLong(COLLECTIONS);
    DeadheatCell[] old = segment.buckets;
    int live = 0;
    for (int i = 0; i < old.length; i++) {
      for (DeadheatCell c = old[i]; c != null; c = c.next) if (!c.refersTo(null)) live++;
    }
    int length = old.length;
    while (live > length / 2) length *= 2;
    DeadheatCell[] buckets = new DeadheatCell[length];
    for (int i = 0; i < old.length; i++) {
      for (DeadheatCell c = old[i], next; c != null; c = next) {
        next = c.next;
        if (c.refersTo(null)) continue;
        int at = c.hash >>> 6 & length - 1;
        c.next = buckets[at];
        buckets[at] = c;
      }
    }
    segment.size = live;
    U.storeFence();
    segment.buckets = buckets;
    return buckets;
  }

  @ForceInline
  @Hidden
  private static void lock(Segment segment) {
    for (int spins = 0; !U.compareAndSetInt(segment, LOCK, 0, 1); spins++) {
      if (spins < 100) Thread.onSpinWait(); else yieldProcessor();
    }
  }
}
