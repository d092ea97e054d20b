// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;
import static java.lang.invoke.DeadheatOdds.isConstant;
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

  /**
   * After {@code o.f} was read: {@code o} is not null. This and the other hooks of fields are as long as they are for the compilers' sake: C1 is not
   * to inline them (above 35 bytes of bytecode), C2 is, also under the limits for large programs (up to 60, agent/vm_flags.cc).
   */
  @Hidden
  public static void read(Object o, int site) {
    long where = where(site);
    if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_PLAIN) {
      if (!likely(wasRead(U.getLong(o, readOffset(where))))) readMiss(o, where, site);
    } else {
      readNotPlain(o, site, where);
    }
  }

  @ForceInline
  @Hidden
  private static void readNotPlain(Object o, int site, long where) {
    if (isInlined(site)) readUnusual(o, site, where); else readUnusualCalled(o, site, where);
  }

  /**
   * Whether this is compiled into the code around the hook, where C2 knows the site. Where it is not, the hook itself is compiled, and C2 will only
   * inline it elsewhere if that comes to little code: then what is not usual is left to a call.
   */
  @ForceInline
  @Hidden
  private static boolean isInlined(int site) {
    long[] chunk = SITES[site >>> CHUNK_BITS];
    return chunk != null && isConstant(chunk);  // null also while the VM starts, when that may not be asked yet
  }

  @DontInline
  @Hidden
  private static void readUnusualCalled(Object o, int site, long where) {
    readUnusual(o, site, where);
  }

  /** Whether the read word {@code r} says that this thread has read or written the variable in this epoch. */
  @ForceInline
  @Hidden
  private static boolean wasRead(long r) {
    return FAST && r >>> DeadheatLayout.SITE_BITS == U.getLong(Thread.currentThread(), READS);
  }

  @ForceInline
  @Hidden
  private static void readUnusual(Object o, int site, long where) {
    if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_FROZEN) {
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
    if (!wasRead(U.getLong(o, readOffset(where)))) readMiss(o, where, site);
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
      if (!likely(wasWritten(U.getLong(o, writeOffset(where))))) writeMiss(o, where, site);
    } else {
      writeUnusual(o, site, where);
    }
  }

  @ForceInline
  @Hidden
  private static void writeUnusual(Object o, int site, long where) {
    if (where != DeadheatLayout.KIND_NONE) writeOther(o, site, where);
  }

  /** Whether the write word {@code w} says that this thread has written the variable in this epoch. */
  @ForceInline
  @Hidden
  private static boolean wasWritten(long w) {
    return FAST && w >>> DeadheatLayout.SITE_BITS == U.getLong(Thread.currentThread(), EPOCH);
  }

  @DontInline
  @Hidden
  private static void writeMiss(Object o, long where, int site) {
    if (o == null) return;
    DeadheatWords.writeAndMark(o, writeOffset(where), o, readOffset(where), site, o, -1);
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
    if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_PLAIN) {
      // A hit means that this thread was here in this epoch, so it knows of the class's initialisation too.
      if (!likely(wasRead(U.getLong((where & ~DeadheatLayout.KIND_MASK) + DeadheatLayout.STATIC_READ)))) readStaticSlow(site, where);
    } else {
      readStaticNotPlain(site, where);
    }
  }

  @ForceInline
  @Hidden
  private static void readStaticNotPlain(int site, long where) {
    if (where == DeadheatLayout.KIND_NONE) return;
    if (((int) where & DeadheatLayout.KIND_MASK) == 0 && where != 0) {
      DeadheatInit.initialised(U.getLong(where + DeadheatLayout.STATIC_INIT));  // a final field: no more than that
    } else {
      readStaticSlow(site, where);
    }
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
    if (((int) where & DeadheatLayout.KIND_MASK) == DeadheatLayout.KIND_PLAIN) {
      if (!likely(wasWritten(U.getLong((where & ~DeadheatLayout.KIND_MASK) + DeadheatLayout.STATIC_WRITE)))) writeStaticSlow(site, where);
    } else if (where != DeadheatLayout.KIND_NONE) {
      writeStaticSlow(site, where);
    }
  }

  @DontInline
  @Hidden
  private static void writeStaticSlow(int site, long where) {
    if (where == 0 && (where = resolve(null, site)) == DeadheatLayout.KIND_NONE) return;
    int kind = (int) where & DeadheatLayout.KIND_MASK;
    long record = where & ~DeadheatLayout.KIND_MASK;
    DeadheatInit.initialised(U.getLong(record + DeadheatLayout.STATIC_INIT));
    if (kind == DeadheatLayout.KIND_PLAIN) {
      DeadheatWords.writeAndMark(null, record + DeadheatLayout.STATIC_WRITE, null, record + DeadheatLayout.STATIC_READ, site, null, -1);
    } else if (kind == DeadheatLayout.KIND_VOLATILE) {
      DeadheatSync.releaseJoin(null, record + DeadheatLayout.STATIC_WRITE);
    }
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

  /** Where the object keeps the cell of the array in the field, 0 if it does not. */
  @ForceInline
  @Hidden
  static long cellOffset(long where) {
    return ((int) where & DeadheatLayout.KIND_MASK) < DeadheatLayout.KIND_OPEN ? heldOffset(where) : 0;
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
