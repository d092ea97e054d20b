// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Weak map from object identity to {@link DeadheatCell}. Look-ups take no lock; insertion and removal take the spin lock of one of
 * {@link #SEGMENTS} segments. No {@code ReferenceQueue} is used, because its locks are instrumented code: cleared cells are dropped
 * when a segment is swept.
 *
 * <p>It has two generations, because most arrays die young. A new cell goes into the segment's nursery, a table that is itself young: stores
 * into it cost collectors nothing, while each store into an old table makes them look at a part of it again. The first insertion
 * behind a collection moves what is left of the nursery to the old table and begins a new one. The old table is swept when what came in
 * since the last time is half of what was alive then, so cells of dead objects never outweigh those of live ones.
 *
 * <p>The host's stack may end at any call made under the lock of a segment. So no call comes between the first store of a change and
 * its last (only calls can overflow), and the lock is given back by a store: an overflow leaves the segment unlocked and whole. Not
 * {@code @ReservedStackAccess}, which would let the section finish: the VM warns of it on the host's stderr.
 */
final class DeadheatMap {
  private static final int SEGMENTS = 64;
  private static final long LOCK = U.objectFieldOffset(Segment.class, "lock");

  private static final int FIRST_BUCKETS = 64;
  /** The old table of a segment is not swept for less than this many words. */
  private static final long SMALL = 1 << 14;
  /** Of a cell beside its length, which is -1 of what is no array. */
  private static final long OWN_WEIGHT = 9;

  private static final class Segment {
    volatile int lock;
    /** The cells made since the last collection. */
    int young;
    int old;
    /** About how many words the old cells keep alive: those alive at the last sweep, and those that came in since. */
    long liveWeight;
    long addedWeight;
    /** Cells whose object is gone, to be freed once the segment is unlocked. */
    DeadheatCell dead;
    /** The value of the agent's collection counter when the nursery was begun. */
    long begun;
    /** Volatile, as {@link #buckets}: a table that was filled under the lock is published by the store. */
    volatile DeadheatCell[] nursery = new DeadheatCell[FIRST_BUCKETS];
    volatile DeadheatCell[] buckets = new DeadheatCell[FIRST_BUCKETS];
  }

  private static final Segment[] segments = new Segment[SEGMENTS];

  static {
    for (int i = 0; i < SEGMENTS; i++) segments[i] = new Segment();
  }

  private DeadheatMap() {}

  /** The cell of {@code o}, made if there is none; null only when the heap is exhausted (the caller counts it). */
  @Hidden
  static DeadheatCell get(Object o) {
    long now = U.getLong(COLLECTIONS);
    boolean unhashed = DeadheatHashes.isUnhashed(o);
    int hash = DeadheatHashes.of(o);
    Segment segment = segments[hash & SEGMENTS - 1];
    DeadheatCell found = unhashed ? null : find(segment, o, hash);
    return found != null ? found : add(segment, o, hash, unhashed ? now : -1);
  }

  /** The cell of {@code o} if there is one. */
  @Hidden
  static DeadheatCell find(Object o) {
    int hash = DeadheatHashes.of(o);
    Segment segment = segments[hash & SEGMENTS - 1];
    DeadheatCell found = find(segment, o, hash);
    if (found != null) return found;
    lock(segment);  // it may have been overlooked while cells were relinked
    try {
      return find(segment, o, hash);
    } finally {
      segment.lock = 0;
    }
  }

  @ForceInline
  @Hidden
  private static DeadheatCell find(Segment segment, Object o, int hash) {
    DeadheatCell found = find(segment.nursery, o, hash);
    return found != null ? found : find(segment.buckets, o, hash);
  }

  @ForceInline
  @Hidden
  private static DeadheatCell find(DeadheatCell[] buckets, Object o, int hash) {
    for (DeadheatCell c = buckets[hash >>> 6 & buckets.length - 1]; c != null; c = c.next) {
      if (c.hash == hash && c.isOf(o)) return c;
    }
    return null;
  }

  /** The cell that {@code o} had before only finalizers could have it. */
  @Hidden
  private static DeadheatCell findFormer(Segment segment, Object o, int hash) {
    DeadheatCell found = findFormer(segment.nursery, o, hash);
    return found != null ? found : findFormer(segment.buckets, o, hash);
  }

  @Hidden
  private static DeadheatCell findFormer(DeadheatCell[] buckets, Object o, int hash) {
    for (DeadheatCell c = buckets[hash >>> 6 & buckets.length - 1]; c != null; c = c.next) {
      if (c.hash == hash && c.wasOf(o)) return c;
    }
    return null;
  }

  /** Keeps the cells that have been made for locks for finalizers too; those that are made later who makes them keeps. */
  @Hidden
  static void keepLocks() {
    for (int i = 0; i < SEGMENTS; i++) {
      Segment segment = segments[i];
      lock(segment);
      try {
        keepLocks(segment.nursery);
        keepLocks(segment.buckets);
      } finally {
        segment.lock = 0;
      }
    }
  }

  @Hidden
  private static void keepLocks(DeadheatCell[] buckets) {
    for (int i = 0; i < buckets.length; i++) {
      for (DeadheatCell c = buckets[i]; c != null; c = c.next) {
        if (!c.refersTo(null) && (c.length < 0 || c.monitor != 0)) c.more();
      }
    }
  }

  /** {@code unhashedAt}: the count of collections before {@code o} was seen to have no hash, or -1. */
  @Hidden
  private static DeadheatCell add(Segment segment, Object o, int hash, long unhashedAt) {
    if (!mayAllocate()) return null;
    try {
      DeadheatCell fresh = new DeadheatCell(o, hash);
      DeadheatCell found = insert(segment, o, fresh, unhashedAt);
      if (found != fresh) DeadheatArrayWords.free(fresh);
      return found;
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

  @Hidden
  private static native void heapExhausted();

  @Hidden
  private static DeadheatCell insert(Segment segment, Object o, DeadheatCell fresh, long unhashedAt) {
    DeadheatCell found = insertLocked(segment, o, fresh, unhashedAt);
    if (segment.dead != null) freeDead(segment);
    return found;
  }

  /** Those that a stack overflow keeps from here are freed the next time, or not at all. */
  @Hidden
  private static void freeDead(Segment segment) {
    lock(segment);
    DeadheatCell dead = segment.dead;
    segment.dead = null;
    segment.lock = 0;
    for (; dead != null; dead = dead.next) DeadheatArrayWords.free(dead);
  }

  @Hidden
  private static DeadheatCell insertLocked(Segment segment, Object o, DeadheatCell fresh, long unhashedAt) {
    lock(segment);
    try {
      long collections = U.getLong(COLLECTIONS);  // here, so that of two insertions the later one knows of no fewer
      // Another thread may have hashed it and put it in since; then it is among the young, unless there are others by now.
      DeadheatCell found = find(segment.nursery, o, fresh.hash);
      if (found == null && segment.begun != unhashedAt) found = find(segment.buckets, o, fresh.hash);
      if (found != null) return found;
      if (segment.begun != collections) {
        beginNursery(segment, collections);
      } else if (segment.young >= segment.nursery.length) {
        segment.nursery = spread(segment.nursery);
      }
      DeadheatCell former = DeadheatFinalizers.seen ? findFormer(segment, o, fresh.hash) : null;
      if (former != null) fresh.inherit(former);
      link(segment.nursery, fresh);
      segment.young++;
      if (former != null) former.forget();
      return fresh;
    } finally {
      segment.lock = 0;
    }
  }

  /** Look-ups take no lock: the cell first, then the way to it. */
  @ForceInline
  @Hidden
  private static void link(DeadheatCell[] buckets, DeadheatCell cell) {
    int at = cell.hash >>> 6 & buckets.length - 1;
    cell.next = buckets[at];
    U.storeFence();
    buckets[at] = cell;
  }

  /**
   * Behind a collection: the cells of the nursery whose object has survived it become old. Cells are relinked in place, here and in
   * {@link #spread}, so a look-up that runs beside it can miss a cell; such a look-up goes on to {@link #insert}, which looks again
   * under the lock.
   */
  @Hidden
  private static void beginNursery(Segment segment, long collections) {
    DeadheatCell[] nursery = segment.nursery;
    DeadheatCell[] fresh = new DeadheatCell[lengthFor(nursery.length, segment.young)];
    dropDead(segment, nursery);
    if (segment.addedWeight >= Math.max(SMALL, segment.liveWeight >> 1)) sweep(segment);
    // From here to the new nursery nothing is called.
    DeadheatCell[] buckets = segment.buckets;
    for (int i = 0; i < nursery.length; i++) {
      for (DeadheatCell c = nursery[i], next; c != null; c = next) {
        next = c.next;
        int at = c.hash >>> 6 & buckets.length - 1;
        c.next = buckets[at];
        buckets[at] = c;
        segment.old++;
        segment.addedWeight += OWN_WEIGHT + c.length;
      }
    }
    segment.begun = collections;
    segment.young = 0;
    segment.nursery = fresh;
    while (segment.old > segment.buckets.length) segment.buckets = spread(segment.buckets);
  }

  /** How long a nursery begins, after one that ended with so many cells: as long, most of the time, so that it need not be spread. */
  @Hidden
  private static int lengthFor(int last, int young) {
    return young <= last >> 2 && last > FIRST_BUCKETS ? last >> 1 : last;
  }

  /** Drops the old cells whose object is gone. */
  @Hidden
  private static void sweep(Segment segment) {
    DeadheatCell[] buckets = segment.buckets;
    dropDead(segment, buckets);
    int live = 0;
    long weight = 0;
    for (int i = 0; i < buckets.length; i++) {
      for (DeadheatCell c = buckets[i]; c != null; c = c.next) {
        live++;
        weight += OWN_WEIGHT + c.length;
      }
    }
    segment.old = live;
    segment.liveWeight = weight;
    segment.addedWeight = 0;
  }

  /** A look-up that stands at a cell which becomes one of the dead goes astray among them, and looks again under the lock. */
  @Hidden
  private static void dropDead(Segment segment, DeadheatCell[] buckets) {
    for (int i = 0; i < buckets.length; i++) {
      DeadheatCell before = null;
      for (DeadheatCell c = buckets[i], next; c != null; c = next) {
        boolean gone = c.isDead();
        next = c.next;
        if (!gone) {
          before = c;
          continue;
        }
        if (before == null) buckets[i] = next; else before.next = next;
        c.next = segment.dead;
        segment.dead = c;
      }
    }
  }

  /** The cells of {@code from} in a table twice as long; nothing is called once the first of them is relinked. */
  @Hidden
  private static DeadheatCell[] spread(DeadheatCell[] from) {
    int length = from.length * 2;
    DeadheatCell[] buckets = new DeadheatCell[length];
    for (int i = 0; i < from.length; i++) {
      for (DeadheatCell c = from[i], next; c != null; c = next) {
        next = c.next;
        int at = c.hash >>> 6 & length - 1;
        c.next = buckets[at];
        buckets[at] = c;
      }
    }
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
