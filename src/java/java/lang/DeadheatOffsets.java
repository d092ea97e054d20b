// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * Accesses of a variable that is named by an object and an offset in it: what is behind {@code Unsafe}, {@code VarHandle}, reflection and
 * method handles. {@link #before} and {@link #after} are the hooks around such an access by watched code; its mode is a set of
 * {@code DeadheatLayout.MODE_*} bits. Plain accesses go into the same words as those of field and array instructions. Atomic ones are
 * the engine's ({@code engine/atomic_access.h}, which also gives the order of checks and synchronisation that is kept here). A volatile
 * field has no words for accesses: it only synchronises.
 */
public final class DeadheatOffsets {
  private DeadheatOffsets() {}

  @Hidden
  public static void before(Object o, long offset, int mode, int site) {
    if (!DeadheatSync.attached() || (mode & DeadheatLayout.MODE_WRITES) == 0) return;
    if ((mode & DeadheatLayout.MODE_READS) != 0 && (mode & DeadheatLayout.MODE_ACQUIRES) != 0) DeadheatSync.atomicAcquire(o, offset);
    // What may not be written after all counts as a read.
    access(o, offset, mode, site, (mode & DeadheatLayout.MODE_COMPARES) == 0);
    publish(o, offset, mode);
  }

  @Hidden
  public static void after(Object o, long offset, int mode, int site) {
    if (!DeadheatSync.attached()) return;
    receive(o, offset, mode);
    if ((mode & DeadheatLayout.MODE_WRITES) == 0) access(o, offset, mode, site, false);
  }

  /** Around a plain write that may be refused: what an earlier fence publishes with it, then the write itself. */
  @Hidden
  static void writing(Object o, long offset) {
    DeadheatFences.stored(o, offset);
  }

  @Hidden
  static void written(Object o, long offset, int mode, int site) {
    access(o, offset, mode, site, true);
  }

  /** A plain read that no fence has to do with. */
  @Hidden
  static void read(Object o, long offset, int site) {
    access(o, offset, DeadheatLayout.MODE_READS | DeadheatLayout.MODE_PLAIN, site, false);
  }

  @Hidden
  private static void publish(Object o, long offset, int mode) {
    if ((mode & DeadheatLayout.MODE_RELEASES) != 0) {
      DeadheatSync.atomicRelease(o, offset);
    } else {
      DeadheatFences.stored(o, offset);
    }
  }

  @Hidden
  private static void receive(Object o, long offset, int mode) {
    if ((mode & DeadheatLayout.MODE_ACQUIRES) != 0) {
      DeadheatSync.atomicAcquire(o, offset);
    } else {
      DeadheatFences.loaded(o, offset);
    }
  }

  // ---- compare-and-set: whether it writes is known afterwards ------------------------------------------------------------------

  /** The epoch to give to {@link #compared}; taken before {@link #beforeCompare}, which may begin a new one. */
  @Hidden
  public static long epoch() {
    Thread t = Deadheat.thread();
    return t == null ? 0 : U.getLong(t, EPOCH);
  }

  /** The read word of the variable, for {@link #compared}; 0 when it has none. */
  @Hidden
  public static long beforeCompare(Object o, long offset, int mode, int site) {
    if (!DeadheatSync.attached()) return 0;
    if ((mode & DeadheatLayout.MODE_ACQUIRES) != 0) DeadheatSync.atomicAcquire(o, offset);
    return access(o, offset, mode, site, false);
  }

  /** Behind {@link #beforeCompare}: what {@link #compared} needs to withdraw what is published here, or -1. */
  @Hidden
  public static long publishCompare(Object o, long offset, int mode, int site) {
    if (!DeadheatSync.attached()) return -1;
    if ((mode & DeadheatLayout.MODE_RELEASES) != 0) return DeadheatSync.tryRelease(o, offset);
    DeadheatFences.stored(o, offset);
    return -1;
  }

  @Hidden
  public static void compared(boolean succeeded, Object o, long offset, long read, long before, long epoch, int mode, int site) {
    if (!DeadheatSync.attached()) return;
    if (!succeeded) DeadheatSync.withdraw(o, offset, before);
    receive(o, offset, mode);
    if (succeeded && epoch > 0 && read != 0) update(o, offset, read, epoch, site);
  }

  // ---- where the words are -----------------------------------------------------------------------------------------------------

  /** Returns the variable's read word after an atomic read, else 0. */
  @Hidden
  private static long access(Object o, long offset, int mode, int site, boolean write) {
    if (o == null) return 0;
    boolean plain = (mode & DeadheatLayout.MODE_PLAIN) != 0;
    if (o.getClass().isArray()) return elements(o, offset, 1 << (mode >>> DeadheatLayout.MODE_SIZE_SHIFT), plain, site, write);
    boolean isStatic = o instanceof Class;
    DeadheatVariable v = DeadheatVariable.field(isStatic ? (Class<?>) o : o.getClass(), isStatic, offset, site);
    if (v == null) return 0;
    int kind = (int) v.where & DeadheatLayout.KIND_MASK;
    if (kind >= DeadheatLayout.KIND_FROZEN && isFrozen(o, v.where, kind, write)) return 0;
    if (!Deadheat.hasAccessWords(v.where)) return 0;
    if (!isStatic) return words(o, Deadheat.writeOffset(v.where), o, Deadheat.readOffset(v.where), v, plain, write, o, -1);
    long record = v.where & ~DeadheatLayout.KIND_MASK;
    DeadheatInit.initialised(U.getLong(record + DeadheatLayout.STATIC_INIT));
    return words(null, record + DeadheatLayout.STATIC_WRITE, null, record + DeadheatLayout.STATIC_READ, v, plain, write, null, -1);
  }

  /** Whether the access of a final field of {@code o} is ordered by its freeze alone: a write is, which freezes it again (JLS 17.5.3). */
  @Hidden
  private static boolean isFrozen(Object o, long where, int kind, boolean write) {
    long at = kind == DeadheatLayout.KIND_FROZEN ? Deadheat.writeOffset(where) : Deadheat.heldOffset(where);
    long freeze = U.getLong(o, at);
    if (kind != DeadheatLayout.KIND_OPEN) {
      if (write) DeadheatSync.refreeze(o, at); else DeadheatSync.readFrozen(freeze);
    }
    return write || freeze != 0 || kind == DeadheatLayout.KIND_FROZEN;
  }

  /** An access may touch several elements of a byte array. */
  @Hidden
  private static long elements(Object array, long offset, int size, boolean plain, int site, boolean write) {
    DeadheatCell cell = DeadheatArrays.cellWithWords(array);
    DeadheatVariable v = DeadheatVariable.element(site);
    if (cell == null || v == null) return 0;
    int first = indexOf(array, offset);
    int last = indexOf(array, offset + size - 1);
    if (first < 0 || last >= cell.length) return 0;
    long read = 0;
    for (int i = first; i <= last; i++) {
      long word = element(cell, v, plain, write, array, i);
      if (first == last) read = word;
    }
    DeadheatArrayWords.keep(array);
    return read;
  }

  @Hidden
  private static long element(DeadheatCell cell, DeadheatVariable v, boolean plain, boolean write, Object array, int index) {
    if (cell.words != 0) {
      return words(null, DeadheatArrayWords.writeAt(cell, index), null, DeadheatArrayWords.readAt(cell, index), v, plain, write, array, index);
    }
    long at = LONGS + index * 8L;
    return words(cell.elements.writes, at, cell.elements.reads, at, v, plain, write, array, index);
  }

  @Hidden
  static int indexOf(Object array, long offset) {
    long base = BYTES;
    int shift;
    if (array instanceof byte[] || array instanceof boolean[]) {
      shift = 0;
    } else if (array instanceof short[] || array instanceof char[]) {
      shift = 1;
    } else if (array instanceof int[] || array instanceof float[]) {
      shift = 2;
    } else if (array instanceof long[] || array instanceof double[]) {
      shift = 3;
      base = LONGS;
    } else {
      shift = REFERENCE_SIZE == 4 ? 2 : 3;
      base = REFERENCES;
    }
    long index = offset - base >> shift;
    return index == (int) index ? (int) index : -1;
  }

  @Hidden
  private static void update(Object o, long offset, long read, long epoch, int site) {
    if (o == null) return;
    if (o.getClass().isArray()) {
      DeadheatCell cell = DeadheatArrays.cellWithWords(o);
      DeadheatVariable v = DeadheatVariable.element(site);
      int index = indexOf(o, offset);
      if (cell == null || v == null || index < 0 || index >= cell.length) return;
      if (cell.words != 0) {
        atomicUpdate(null, DeadheatArrayWords.writeAt(cell, index), null, DeadheatArrayWords.readAt(cell, index), read, epoch, v.atomicSite, o, index);
      } else {
        long at = LONGS + index * 8L;
        atomicUpdate(cell.elements.writes, at, cell.elements.reads, at, read, epoch, v.atomicSite, o, index);
      }
      DeadheatArrayWords.keep(o);
      return;
    }
    boolean isStatic = o instanceof Class;
    DeadheatVariable v = DeadheatVariable.field(isStatic ? (Class<?>) o : o.getClass(), isStatic, offset, site);
    if (v == null || ((int) v.where & DeadheatLayout.KIND_MASK) != DeadheatLayout.KIND_PLAIN) return;
    if (isStatic) {
      long record = v.where & ~DeadheatLayout.KIND_MASK;
      atomicUpdate(null, record + DeadheatLayout.STATIC_WRITE, null, record + DeadheatLayout.STATIC_READ, read, epoch, v.atomicSite, null, -1);
    } else {
      atomicUpdate(o, Deadheat.writeOffset(v.where), o, Deadheat.readOffset(v.where), read, epoch, v.atomicSite, o, -1);
    }
  }

  // ---- on words: of a field of o, or of its element index ----------------------------------------------------------------------

  @Hidden
  private static long words(Object writes, long writeAt, Object reads, long readAt, DeadheatVariable v, boolean plain, boolean write, Object o,
      int index) {
    if (!plain) {
      if (v.atomicSite == 0 || ALWAYS_HIT) return 0;
      if (LOCKSETS) {
        DeadheatWords.findCandidates(writes, writeAt, reads, readAt, write, v.atomicSite, o, index, 0, false);
        return write ? 0 : 1;  // not 0: there are words
      }
      if (write) atomicWrite(writes, writeAt, reads, readAt, v.atomicSite, o, index);
      return write ? 0 : atomicRead(writes, writeAt, reads, readAt, v.atomicSite, o, index);
    }
    if (v.plainSite == 0) return 0;
    if (write) {
      DeadheatWords.write(writes, writeAt, reads, readAt, v.plainSite, o, index);
    } else {
      DeadheatWords.read(writes, writeAt, reads, readAt, v.plainSite, o, index);
    }
    return 0;
  }

  @Hidden
  private static long atomicRead(Object writes, long writeAt, Object reads, long readAt, int site, Object o, int index) {
    long state = U.getLong(Thread.currentThread(), STATE);
    for (;;) {
      long r = U.getLongAcquire(reads, readAt);
      long next = onAtomicRead(state, U.getLongAcquire(writes, writeAt), r, site);
      if (next == DeadheatLayout.NEW_RACE) next = DeadheatWords.onNewRace(state, o, index, site, false);
      if (next == r || U.compareAndSetLong(reads, readAt, r, next)) return next;
      DeadheatWords.retract(state);
    }
  }

  @Hidden
  private static void atomicWrite(Object writes, long writeAt, Object reads, long readAt, int site, Object o, int index) {
    long state = U.getLong(Thread.currentThread(), STATE);
    for (;;) {
      long w = U.getLongAcquire(writes, writeAt);
      long next = onAtomicWrite(state, w, U.getLongAcquire(reads, readAt), site);
      if (next == DeadheatLayout.NEW_RACE) next = DeadheatWords.onNewRace(state, o, index, site, true);
      if (next == w || U.compareAndSetLong(writes, writeAt, w, next)) return;
      DeadheatWords.retract(state);
    }
  }

  @Hidden
  private static void atomicUpdate(
      Object writes, long writeAt, Object reads, long readAt, long read, long epoch, int site, Object o, int index) {
    if (LOCKSETS) {
      DeadheatWords.findCandidates(writes, writeAt, reads, readAt, true, site, o, index, epoch, false);
      return;
    }
    long state = U.getLong(Thread.currentThread(), STATE);
    for (;;) {
      long w = U.getLongAcquire(writes, writeAt);
      long next = onAtomicUpdate(state, w, read, epoch, site);
      if (next == DeadheatLayout.NEW_RACE) next = DeadheatWords.onNewRace(state, o, index, site, true);
      if (next == w || U.compareAndSetLong(writes, writeAt, w, next)) return;
      DeadheatWords.retract(state);
    }
  }

  @Hidden
  private static native long onAtomicRead(long state, long write, long read, int site);

  @Hidden
  private static native long onAtomicWrite(long state, long write, long read, int site);

  @Hidden
  private static native long onAtomicUpdate(long state, long write, long read, long epoch, int site);
}
