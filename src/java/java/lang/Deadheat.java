// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * The hooks for memory accesses that rewritten bytecode calls, and the ground rules of the shim.
 *
 * <p>Rules. (1) Hooks never throw into the host and never call code that is itself watched. (2) The fast half is
 * {@code @ForceInline} and touches the object only through field-like accesses, so that escape analysis still sees through it;
 * the slow half gets and returns primitives only. (3) Every method is {@code @Hidden}: no frame of ours in a stack trace.
 * (4) The rules of FastTrack that cannot find a race are decided here on epochs; everything else is the C++ engine's, and with
 * the fast path off ({@code --no-fast-path}) all of it is. The word layouts are generated from the engine's headers
 * ({@link DeadheatLayout}).
 */
public final class Deadheat {
  private static final int CHUNK_BITS = 12;
  /**
   * For each site where the words of its variable are, resolved on first execution and constant from then on, so that the JIT folds
   * it: 0 = not yet, else kind in the low two bits (see DeadheatLayout.KIND_*) and two offsets or one native address above.
   */
  @Stable private static final long[][] SITES = new long[DeadheatLayout.MAX_SITES >>> CHUNK_BITS][];

  /** Set once the VM is up and the main thread attached; until then hooks do nothing. */
  @Stable static boolean live;

  private Deadheat() {}

  /** The current thread, or null while the VM is starting: there may be no thread object yet to ask for. */
  @ForceInline
  @Hidden
  static Thread thread() {
    return live ? Thread.currentThread() : null;
  }

  // ---- instance fields -------------------------------------------------------------------------------------------------------

  /** After {@code o.f} was read: {@code o} is not null. */
  @ForceInline
  @Hidden
  public static void read(Object o, int site) {
    long where = where(site);
    if (where == 0) where = resolve(o, site);
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    if (kind == DeadheatLayout.KIND_PLAIN) {
      long r = U.getLong(o, readOffset(where));
      long w = U.getLong(o, writeOffset(where));
      long next = afterRead(w, r, site);
      if (next != r) U.putLong(o, readOffset(where), next);
    } else if (kind == DeadheatLayout.KIND_VOLATILE) {
      DeadheatSync.acquire(o, writeOffset(where));
    }
  }

  /** Before {@code o.f = v}; {@code o} may be null, then the write itself throws. */
  @ForceInline
  @Hidden
  public static void write(Object o, int site) {
    if (o == null) return;
    long where = where(site);
    if (where == 0) where = resolve(o, site);
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    if (kind == DeadheatLayout.KIND_PLAIN) {
      long w = U.getLong(o, writeOffset(where));
      if (hit(w)) return;
      long r = U.getLong(o, readOffset(where));
      U.putLong(o, writeOffset(where), afterWrite(w, r, site));
      if (isReadSet(r)) U.putLong(o, readOffset(where), 0);
    } else if (kind == DeadheatLayout.KIND_VOLATILE) {
      DeadheatSync.releaseJoin(o, writeOffset(where));
    }
  }

  // ---- static fields: their words are in native memory -----------------------------------------------------------------------

  /** After a static field was read. */
  @ForceInline
  @Hidden
  public static void readStatic(int site) {
    long where = where(site);
    if (where == 0) where = resolve(null, site);
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    if (kind == DeadheatLayout.KIND_NONE) return;
    long record = where & ~DeadheatLayout.KIND_MASK;
    DeadheatSync.initialised(U.getLong(record + DeadheatLayout.STATIC_INIT));
    if (kind == DeadheatLayout.KIND_PLAIN) {
      long r = U.getLong(record + DeadheatLayout.STATIC_READ);
      long next = afterRead(U.getLong(record + DeadheatLayout.STATIC_WRITE), r, site);
      if (next != r) U.putLong(record + DeadheatLayout.STATIC_READ, next);
    } else if (kind == DeadheatLayout.KIND_VOLATILE) {
      DeadheatSync.acquire(null, record + DeadheatLayout.STATIC_WRITE);
    }
  }

  /** Before a static field is written; the class is initialised by then or being initialised by this thread. */
  @ForceInline
  @Hidden
  public static void writeStatic(int site) {
    long where = where(site);
    if (where == 0) where = resolve(null, site);
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    if (kind == DeadheatLayout.KIND_NONE) return;
    long record = where & ~DeadheatLayout.KIND_MASK;
    DeadheatSync.initialised(U.getLong(record + DeadheatLayout.STATIC_INIT));
    if (kind == DeadheatLayout.KIND_PLAIN) {
      long w = U.getLong(record + DeadheatLayout.STATIC_WRITE);
      if (hit(w)) return;
      long r = U.getLong(record + DeadheatLayout.STATIC_READ);
      U.putLong(record + DeadheatLayout.STATIC_WRITE, afterWrite(w, r, site));
      if (isReadSet(r)) U.putLong(record + DeadheatLayout.STATIC_READ, 0);
    } else if (kind == DeadheatLayout.KIND_VOLATILE) {
      DeadheatSync.releaseJoin(null, record + DeadheatLayout.STATIC_WRITE);
    }
  }

  // ---- the rules, on words ---------------------------------------------------------------------------------------------------

  @ForceInline
  @Hidden
  static boolean hit(long word) {
    Thread t = thread();
    return FAST && t != null && word >>> DeadheatLayout.SITE_BITS == U.getLong(t, EPOCH);
  }

  /** Whether a read word stands for several reads; a write that has checked them all ends that (FastTrack WRITE SHARED). */
  @ForceInline
  @Hidden
  static boolean isReadSet(long r) {
    return r >>> DeadheatLayout.SLOT_SHIFT == DeadheatLayout.READ_SET_TAG;
  }

  /** The new read word of a variable with the words {@code w} and {@code r} that this thread has read at {@code site}. */
  @ForceInline
  @Hidden
  static long afterRead(long w, long r, int site) {
    Thread t = thread();
    if (t == null) return r;
    long epoch = U.getLong(t, EPOCH);
    if (FAST) {
      if (r >>> DeadheatLayout.SITE_BITS == epoch || w >>> DeadheatLayout.SITE_BITS == epoch || r == U.getLong(t, SHARED)) return r;
    }
    return readMiss(w, r, site, t, epoch);
  }

  /** The new write word of a variable with the words {@code w} and {@code r} that this thread is about to write at {@code site}. */
  @ForceInline
  @Hidden
  static long afterWrite(long w, long r, int site) {
    Thread t = thread();
    return t == null ? w : writeMiss(w, r, site, t, U.getLong(t, EPOCH));
  }

  @Hidden
  private static long readMiss(long w, long r, int site, Thread t, long epoch) {
    if (epoch <= 0) return r;  // not attached yet, or not watched
    if (FAST) {
      long own = epoch << DeadheatLayout.SITE_BITS | site;
      if (ALWAYS_HIT) return own;
      long clocks = U.getLong(t, CLOCKS);
      // FastTrack READ EXCLUSIVE: the last write and the last read are both ordered before this read.
      if (DeadheatSync.ordered(w, clocks) && DeadheatSync.ordered(r, clocks)) return remembered(t, own);
    }
    long state = U.getLong(t, STATE);
    long next = onRead(state, w, r, site);
    U.putLong(t, SHARED, U.getLong(state + DeadheatLayout.STATE_SHARED));
    return next;
  }

  @Hidden
  private static long writeMiss(long w, long r, int site, Thread t, long epoch) {
    if (epoch <= 0) return w;
    if (FAST) {
      long own = epoch << DeadheatLayout.SITE_BITS | site;
      if (ALWAYS_HIT) return own;
      long clocks = U.getLong(t, CLOCKS);
      // FastTrack WRITE EXCLUSIVE: the last write and the last read are both ordered before this write.
      if (DeadheatSync.ordered(w, clocks) && DeadheatSync.ordered(r, clocks)) return remembered(t, own);
    }
    return onWrite(U.getLong(t, STATE), w, r, site);
  }

  /** Tells the engine that an access of this epoch is now on record, so that the next release must begin a new one. */
  @ForceInline
  @Hidden
  private static long remembered(Thread t, long word) {
    U.putByte(U.getLong(t, STATE) + DeadheatLayout.STATE_DIRTY, (byte) 1);
    return word;
  }

  // ---- where the words of a site are -----------------------------------------------------------------------------------------

  @ForceInline
  @Hidden
  private static long where(int site) {
    long[] chunk = SITES[site >>> CHUNK_BITS];
    return chunk == null ? 0 : chunk[site & (1 << CHUNK_BITS) - 1];
  }

  @ForceInline
  @Hidden
  private static long writeOffset(long where) {
    return where >>> DeadheatLayout.WRITE_OFFSET_SHIFT & DeadheatLayout.OFFSET_MASK;
  }

  @ForceInline
  @Hidden
  private static long readOffset(long where) {
    return where >>> DeadheatLayout.READ_OFFSET_SHIFT & DeadheatLayout.OFFSET_MASK;
  }

  @Hidden
  private static long resolve(Object o, int site) {
    Thread t = thread();
    if (t == null || U.getLong(t, EPOCH) == 0) return DeadheatLayout.KIND_NONE;  // the VM is still starting
    long where = o == null ? resolveStatic(site) : resolveField(o, site);
    if (where == 0) return DeadheatLayout.KIND_NONE;
    try {
      long[] chunk = SITES[site >>> CHUNK_BITS];
      if (chunk == null) chunk = addChunk(site >>> CHUNK_BITS);
      chunk[site & (1 << CHUNK_BITS) - 1] = where;
    } catch (OutOfMemoryError e) {
      // Resolved again next time.
    }
    return where;
  }

  @Hidden
  private static synchronized long[] addChunk(int index) {
    long[] chunk = SITES[index];
    if (chunk == null) {
      chunk = new long[1 << CHUNK_BITS];
      U.storeFence();
      SITES[index] = chunk;
    }
    return chunk;
  }

  // ---- natives: primitives only on the access path ----------------------------------------------------------------------------

  private static native long onRead(long state, long write, long read, int site);

  private static native long onWrite(long state, long write, long read, int site);

  private static native long resolveField(Object o, int site);

  private static native long resolveStatic(int site);
}
