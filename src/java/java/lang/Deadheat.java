// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;
import static java.lang.invoke.DeadheatOdds.likely;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * The hooks for memory accesses that rewritten bytecode calls, and the ground rules of the shim.
 *
 * <p>Rules. (1) Hooks never throw into the host and never call code that is itself watched. (2) The fast half is
 * {@code @ForceInline} and touches the object only through field-like accesses; the slow half is given it for reports alone, and native
 * code gets and returns primitives only. (3) Every method is {@code @Hidden}: no frame of ours in a stack trace.
 * (4) The rules of FastTrack that cannot find a race are decided on epochs, here or in {@link DeadheatWords}; everything else is the C++ engine's, and with
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
  @Hidden
  public static void read(Object o, int site) {
    long where = where(site);
    if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_PLAIN) {
      long r = U.getLong(o, readOffset(where));
      long w = U.getLong(o, writeOffset(where));
      Thread t = Thread.currentThread();
      if (FAST && likely(eitherIs(r >>> DeadheatLayout.SITE_BITS, U.getLong(t, READS), w >>> DeadheatLayout.SITE_BITS, U.getLong(t, EPOCH)))) return;
      readMiss(o, where, site);
    } else if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_FROZEN) {
      DeadheatSync.readFrozen(U.getLong(o, writeOffset(where)));
    } else if (((int) where & DeadheatLayout.KIND_MASK) >= DeadheatLayout.KIND_OPEN) {
      readOpen(o, site, where);
    } else if (where != DeadheatLayout.KIND_NONE) {
      readOther(o, site, where);
    }
  }

  /**
   * A final field that others may know of before its constructor has ended. Whoever reads it before that got the object before the freeze, which
   * then orders nothing for him (JLS 17.5.1); afterwards nobody knows how he got it, and nothing is checked.
   */
  @ForceInline
  @Hidden
  private static void readOpen(Object o, int site, long where) {
    long freeze = U.getLong(o, heldOffset(where));  // the field has been read already
    if (freeze == 0) {
      readUnfrozen(o, site, where);
    } else if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_OPEN_FROZEN) {
      DeadheatSync.readFrozen(freeze);
    }
  }

  @DontInline
  @Hidden
  private static void readUnfrozen(Object o, int site, long where) {
    Thread t = Thread.currentThread();
    long r = U.getLong(o, readOffset(where)) >>> DeadheatLayout.SITE_BITS;
    long w = U.getLong(o, writeOffset(where)) >>> DeadheatLayout.SITE_BITS;
    if (!FAST || !eitherIs(r, U.getLong(t, READS), w, U.getLong(t, EPOCH))) readMiss(o, where, site);
  }

  @DontInline
  @Hidden
  private static void readMiss(Object o, long where, int site) {
    if (o == null) return;  // never; it tells C2 that what follows is in the heap
    if (FAST && !ALWAYS_HIT) {
      // The same read set, met before in this epoch: what reads of shared data come to.
      Thread t = Thread.currentThread();
      long epoch = U.getLong(t, READS);
      if (epoch <= 0) return;  // not attached yet, or not watched: it may know of no sets
      if (DeadheatWords.isKnownSet(t, U.getLong(o, readOffset(where)), epoch)) return;
    }
    DeadheatWords.read(o, writeOffset(where), o, readOffset(where), site, o, -1);
  }

  @DontInline
  @Hidden
  private static void readOther(Object o, int site, long where) {
    if (where == 0) {
      if (resolve(o, site) != DeadheatLayout.KIND_NONE && where(site) != 0) read(o, site);
    } else if (writeOffset(where) != 0) {
      DeadheatSync.acquire(o, writeOffset(where));
    } else {
      DeadheatSync.atomicAcquire(o, readOffset(where));
    }
  }

  /**
   * Before a method of a record that {@code ObjectMethods} has made: its final components are read, and for {@code equals} those of
   * {@code other}, if it is such a record too. Null: there is none.
   */
  @Hidden
  public static void readRecord(Object record, Object other, int site) {
    if (record == null) return;
    read(record, site);
    if (other != null && other.getClass() == record.getClass()) read(other, site);
  }

  /** Before {@code o.f = v}; {@code o} may be null, then the write itself throws. */
  @Hidden
  public static void write(Object o, int site) {
    if (o == null) return;
    long where = where(site);
    if (hasAccessWords(where)) {
      long w = U.getLong(o, writeOffset(where));
      if (FAST && likely(w >>> DeadheatLayout.SITE_BITS == U.getLong(Thread.currentThread(), EPOCH))) return;
      writeMiss(o, where, site);
    } else if (where != DeadheatLayout.KIND_NONE) {
      writeOther(o, site, where);
    }
  }

  @DontInline
  @Hidden
  private static void writeMiss(Object o, long where, int site) {
    if (o == null) return;
    DeadheatWords.write(o, writeOffset(where), o, readOffset(where), site, o, -1);
  }

  @DontInline
  @Hidden
  private static void writeOther(Object o, int site, long where) {
    if (where == 0) {
      if (resolve(o, site) != DeadheatLayout.KIND_NONE && where(site) != 0) write(o, site);
    } else if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_VOLATILE) {
      if (writeOffset(where) != 0) DeadheatSync.releaseJoin(o, writeOffset(where)); else DeadheatSync.atomicRelease(o, readOffset(where));
    }
  }

  // ---- fields that are checked already, unless they are volatile: where the code was rewritten that was not known ---------------

  /** {@link #read} of a field that was read or written before in this epoch. */
  @ForceInline
  @Hidden
  public static void readAgain(Object o, int site) {
    int kind = (int) where(site) & DeadheatLayout.KIND_MASK;
    if (kind != DeadheatLayout.KIND_PLAIN && kind < DeadheatLayout.KIND_FROZEN) read(o, site);
  }

  /** {@link #write} of a field that was written before in this epoch, or {@link #update}d. */
  @ForceInline
  @Hidden
  public static void writeAgain(Object o, int site) {
    if (!hasAccessWords(where(site))) write(o, site);
  }

  /** After {@code o.f} was read which {@code site} is going to write: the check of the write, if the field is not volatile. */
  @Hidden
  public static void update(Object o, int site) {
    long where = where(site);
    if (hasAccessWords(where)) {
      write(o, site);
    } else if (where != DeadheatLayout.KIND_NONE) {
      updateOther(o, site, where);
    }
  }

  @DontInline
  @Hidden
  private static void updateOther(Object o, int site, long where) {
    if (where != 0) readOther(o, site, where);
    else if (resolve(o, site) != DeadheatLayout.KIND_NONE && where(site) != 0) update(o, site);
  }

  // ---- static fields: their words are in native memory -----------------------------------------------------------------------

  /** After a static field was read. */
  @Hidden
  public static void readStatic(int site) {
    long where = where(site);
    if (where == DeadheatLayout.KIND_NONE) return;
    if (((int) where & DeadheatLayout.KIND_MASK) == 0 && where != 0) {
      DeadheatInit.initialised(U.getLong(where + DeadheatLayout.STATIC_INIT));  // a final field: no more than that
      return;
    }
    if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_PLAIN && FAST) {
      long record = where & ~DeadheatLayout.KIND_MASK;
      Thread t = Thread.currentThread();
      // A hit means that this thread was here in this epoch, so it knows of the class's initialisation too.
      long read = U.getLong(record + DeadheatLayout.STATIC_READ) >>> DeadheatLayout.SITE_BITS;
      long written = U.getLong(record + DeadheatLayout.STATIC_WRITE) >>> DeadheatLayout.SITE_BITS;
      if (likely(eitherIs(read, U.getLong(t, READS), written, U.getLong(t, EPOCH)))) return;
    }
    readStaticSlow(site, where);
  }

  @DontInline
  @Hidden
  private static void readStaticSlow(int site, long where) {
    if (where == 0 && (where = resolve(null, site)) == DeadheatLayout.KIND_NONE) return;
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    long record = where & ~DeadheatLayout.KIND_MASK;
    DeadheatInit.initialised(U.getLong(record + DeadheatLayout.STATIC_INIT));
    if (kind == DeadheatLayout.KIND_PLAIN) {
      DeadheatWords.read(null, record + DeadheatLayout.STATIC_WRITE, null, record + DeadheatLayout.STATIC_READ, site, null, -1);
    } else if (kind == DeadheatLayout.KIND_VOLATILE) {
      DeadheatSync.acquire(null, record + DeadheatLayout.STATIC_WRITE);
    }
  }

  /** Before a static field is written, with its class initialised or being initialised by this thread. */
  @Hidden
  public static void writeStatic(int site) {
    long where = where(site);
    if (where == DeadheatLayout.KIND_NONE) return;
    if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_PLAIN && FAST) {
      long w = U.getLong((where & ~DeadheatLayout.KIND_MASK) + DeadheatLayout.STATIC_WRITE);
      if (likely(w >>> DeadheatLayout.SITE_BITS == U.getLong(Thread.currentThread(), EPOCH))) return;
    }
    writeStaticSlow(site, where);
  }

  @DontInline
  @Hidden
  private static void writeStaticSlow(int site, long where) {
    if (where == 0 && (where = resolve(null, site)) == DeadheatLayout.KIND_NONE) return;
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    long record = where & ~DeadheatLayout.KIND_MASK;
    DeadheatInit.initialised(U.getLong(record + DeadheatLayout.STATIC_INIT));
    if (kind == DeadheatLayout.KIND_PLAIN) {
      DeadheatWords.write(null, record + DeadheatLayout.STATIC_WRITE, null, record + DeadheatLayout.STATIC_READ, site, null, -1);
    } else if (kind == DeadheatLayout.KIND_VOLATILE) {
      DeadheatSync.releaseJoin(null, record + DeadheatLayout.STATIC_WRITE);
    }
  }

  /**
   * Whether {@code a == b || c == d}, of numbers that are not negative, by one branch: of two, each would be as likely as C2 has seen it to
   * be, and to miss as likely as both together.
   */
  @ForceInline
  @Hidden
  private static boolean eitherIs(long a, long b, long c, long d) {
    return ((a ^ b) - 1 | (c ^ d) - 1) < 0;
  }

  // ---- where the words of a site are -----------------------------------------------------------------------------------------

  @ForceInline
  @Hidden
  static long where(int site) {
    long[] chunk = SITES[site >>> CHUNK_BITS];
    return chunk == null ? 0 : chunk[site & (1 << CHUNK_BITS) - 1];
  }

  /** Whether the field of an object has words for its last accesses. */
  @ForceInline
  @Hidden
  static boolean hasAccessWords(long where) {
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    return kind == DeadheatLayout.KIND_PLAIN || kind >= DeadheatLayout.KIND_OPEN;
  }

  @ForceInline
  @Hidden
  static long writeOffset(long where) {
    return where >>> DeadheatLayout.WRITE_OFFSET_SHIFT & DeadheatLayout.OFFSET_MASK;
  }

  /** Where the object keeps what is known of the array in the field, 0 if it does not; of an open field, the word of its freeze. */
  @ForceInline
  @Hidden
  static long heldOffset(long where) {
    return where >>> DeadheatLayout.HELD_OFFSET_SHIFT & DeadheatLayout.OFFSET_MASK;
  }

  @ForceInline
  @Hidden
  static long readOffset(long where) {
    return where >>> DeadheatLayout.READ_OFFSET_SHIFT & DeadheatLayout.OFFSET_MASK;
  }

  /** The same for any thread, attached or not; 0 if it cannot be said now. */
  @Hidden
  static long whereOf(Object o, int site) {
    long where = where(site);
    return where != 0 ? where : lookUp(o, site);
  }

  @Hidden
  private static long resolve(Object o, int site) {
    Thread t = thread();
    if (t == null || U.getLong(t, EPOCH) == 0) return DeadheatLayout.KIND_NONE;  // the VM is still starting
    long where = lookUp(o, site);
    return where == 0 ? DeadheatLayout.KIND_NONE : where;
  }

  @Hidden
  private static long lookUp(Object o, int site) {
    long where = o == null ? resolveStatic(site) : resolveField(o, site);
    if (where == 0) return 0;
    long[] chunk = SITES[site >>> CHUNK_BITS];
    if (chunk == null) chunk = addChunk(site >>> CHUNK_BITS);
    if (chunk != null) chunk[site & (1 << CHUNK_BITS) - 1] = where;  // or it is resolved again next time
    return where;
  }

  /** Null: the heap is full. */
  @Hidden
  private static synchronized long[] addChunk(int index) {
    long[] chunk = SITES[index];
    if (chunk != null || !DeadheatMap.mayAllocate()) return chunk;
    try {
      chunk = new long[1 << CHUNK_BITS];
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
      return null;
    }
    U.storeFence();
    SITES[index] = chunk;
    return chunk;
  }

  // ---- natives --------------------------------------------------------------------------------------------------------------------

  @Hidden
  private static native long resolveField(Object o, int site);

  @Hidden
  private static native long resolveStatic(int site);
}
