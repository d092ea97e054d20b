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
      if (c.hash == hash && c.isOf(o)) return c;
    }
    return add(segment, o, hash);
  }

  @Hidden
  private static DeadheatCell add(Segment segment, Object o, int hash) {
    if (!mayAllocate()) return null;
    try {
      return insert(segment, new DeadheatCell(o, hash));
    } catch (OutOfMemoryError e) {
      exhausted();
      return null;
    }
  }

  /** After the heap had no room for us we ask for none until this many collections are over: each vain try costs the host a full one. */
  private static final int PAUSE = 16;

  private static long pausedUntil;

  @ForceInline
  @Hidden
  static boolean mayAllocate() {
    return pausedUntil == 0 || U.getLong(COLLECTIONS) >= pausedUntil;
  }

  /** An allocation of ours has failed: what is not on record now is lost, and from now on an order between threads may be unknown. */
  @Hidden
  static void exhausted() {
    pausedUntil = U.getLong(COLLECTIONS) + PAUSE;
    heapExhausted();
  }

  private static native void heapExhausted();

  @Hidden
  @ReservedStackAccess
  private static DeadheatCell insert(Segment segment, DeadheatCell fresh) {
    lock(segment);
    try {
      DeadheatCell[] buckets = segment.buckets;
      int at = fresh.hash >>> 6 & buckets.length - 1;
      for (DeadheatCell c = buckets[at]; c != null; c = c.next) {
        if (c.hash == fresh.hash && c.isOf(fresh.get())) return c;
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

  /** Drops the cells whose object is gone and, if the rest is still too many, doubles the buckets. */
  @Hidden
  private static DeadheatCell[] sweep(Segment segment) {
    segment.swept = U.getLong(COLLECTIONS);
    DeadheatCell[] buckets = segment.buckets;
    int live = 0;
    for (int i = 0; i < buckets.length; i++) {
      DeadheatCell before = null;
      for (DeadheatCell c = buckets[i]; c != null; c = c.next) {
        if (!c.refersTo(null)) {
          before = c;
          live++;
        } else if (before == null) {
          buckets[i] = c.next;
        } else {
          before.next = c.next;
        }
      }
    }
    segment.size = live;
    return live > buckets.length / 2 ? grow(segment) : buckets;
  }

  /**
   * Cells are relinked in place, so a look-up that runs beside it can miss a cell; such a look-up goes on to {@link #insert}, which looks
   * again under the lock.
   */
  @Hidden
  private static DeadheatCell[] grow(Segment segment) {
    DeadheatCell[] old = segment.buckets;
    int length = old.length * 2;
    DeadheatCell[] buckets = new DeadheatCell[length];
    for (int i = 0; i < old.length; i++) {
      for (DeadheatCell c = old[i], next; c != null; c = next) {
        next = c.next;
        int at = c.hash >>> 6 & length - 1;
        c.next = buckets[at];
        buckets[at] = c;
      }
    }
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
