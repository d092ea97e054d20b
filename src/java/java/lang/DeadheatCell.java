// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;
import static java.lang.invoke.DeadheatOdds.isCompiledByC2;

import java.lang.ref.PhantomReference;
import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What deadheat knows of one object that cannot be given fields: an array, a {@code new Object()} used as a lock, a class
 * mirror. Found through {@link DeadheatMap}; it dies with its object.
 *
 * <p>The monitor word is written by the owner of the object's monitor only. The other parts are allocated on first use and
 * published by compare-and-set, so that of two threads that allocate at once both use the same one.
 */
final class DeadheatCell extends WeakReference<Object> {
  static final long MONITOR = U.objectFieldOffset(DeadheatCell.class, "monitor");
  private static final long OWN_OFFSET = U.objectFieldOffset(DeadheatCell.class, "ownOffset");
  private static final long MORE = U.objectFieldOffset(DeadheatCell.class, "more");

  final int hash;
  /** Of an array, else -1. */
  final int length;
  /** The next cell of the same bucket; changed under the segment's lock. */
  DeadheatCell next;
  /** Of an array: its elements, unless their words are in native memory. */
  final DeadheatElements elements;
  private More more;
  /** Sync word of the object's monitor; with sets of locks ({@link DeadheatLocks}) its number. */
  long monitor;
  /**
   * Of a class mirror: where its instances have the word of their monitor, or their number if the run is recorded (0 = not known yet,
   * -1 = in their cells).
   */
  int ownOffset;
  /** Under the controlled scheduler: the object's number in the order of first use, 0 before ({@link DeadheatNumbers}). */
  int number;
  /**
   * Of an array: where its words are in native memory ({@link DeadheatArrayWords}), or 0; of how many elements; and of how many those of reads
   * count: none in a copy that {@link DeadheatReaders} has made, where {@link #whole} stands for the reads of all.
   */
  final long words;
  final int near;
  final int nearReads;
  long whole;
  /** Who has read how much of a large array; null before. */
  DeadheatReaders[] readers;
  /** Of an array of very many elements: there are some, to be asked whenever a method begins with the array. */
  boolean consults;

  /**
   * What few cells need; most are of arrays that die soon, and each is copied once by the collector. It knows the object for longer than the
   * cell: weak references are cleared before finalizers run, which still use their object and all that it leads to.
   */
  static final class More extends PhantomReference<Object> {
    static final long NOTIFIED = U.objectFieldOffset(More.class, "notified");
    static final long CONSTRUCTED = U.objectFieldOffset(More.class, "constructed");
    private static final long SYNCS = U.objectFieldOffset(More.class, "syncs");
    private static final long FIELDS = U.objectFieldOffset(More.class, "fields");

    /** Under the controlled scheduler: its number among the objects whose identity hash was asked for, 0 before. */
    int hashNumber;
    /** Sync word of the notifications of its waiters; with sets of locks only. */
    long notified;
    /** Of an object with a finalizer: sync word of the ends of its constructors, written by the thread that constructs it. */
    long constructed;
    /** Of a class mirror: whether the agent knows that its instances have a finalizer. */
    boolean finalizable;
    /**
     * Of an array: the sync word of each element that is accessed atomically. Of a class mirror: where the sync word of the
     * volatile field at byte offset 4 * i of its instances is (0 = not known yet, -1 = there is none).
     */
    long[] syncs;
    /** Of a class mirror: see {@link DeadheatClones}. */
    long[] words;
    /** Sync words of fields that are accessed atomically but have no injected word, by offset. */
    SyncField fields;

    @Hidden
    More(Object of) {
      super(of, null);
    }

    @Hidden
    long[] allocateSyncs(int length) {
      return publishSyncs(new long[length]);
    }

    /** Of two threads that publish at once both get the same ones. */
    @Hidden
    long[] publishSyncs(long[] fresh) {
      return U.compareAndSetReference(this, SYNCS, null, fresh) ? fresh : (long[]) U.getReferenceAcquire(this, SYNCS);
    }

    /** Null if nobody has asked for it with {@link #syncField}. */
    @Hidden
    SyncField findSyncField(long offset) {
      SyncField f = (SyncField) U.getReferenceAcquire(this, FIELDS);
      while (f != null && f.offset != offset) f = f.next;
      return f;
    }

    @Hidden
    SyncField syncField(long offset) {
      for (;;) {
        SyncField head = (SyncField) U.getReferenceAcquire(this, FIELDS);
        for (SyncField f = head; f != null; f = f.next) {
          if (f.offset == offset) return f;
        }
        SyncField fresh = new SyncField(offset, head);
        if (U.compareAndSetReference(this, FIELDS, head, fresh)) return fresh;
      }
    }
  }

  /** One sync word; a list of them only grows at its head. */
  static final class SyncField {
    static final long WORD = U.objectFieldOffset(SyncField.class, "word");

    final long offset;
    final SyncField next;
    long word;
    /**
     * Of a class mirror: the address of the sync word of the static field there, or, if the offset is below zero, where instances have the
     * word of their field at {@code ~offset}; 0 = not known yet, -1 = there is none, use {@link #word}.
     */
    long address;

    @Hidden
    SyncField(long offset, SyncField next) {
      this.offset = offset;
      this.next = next;
    }
  }

  @Hidden
  DeadheatCell(Object of, int hash) {
    super(of);
    this.hash = hash;
    this.length = DeadheatArrays.lengthOf(of);
    this.words = RECORDS ? 0 : DeadheatArrayWords.allocate(length);
    this.near = words == 0 ? 0 : length;
    this.nearReads = near;
    this.elements = length >= 0 && words == 0 && !RECORDS ? new DeadheatElements() : null;
  }

  /** A copy of the cell of an array with {@link #words}, in no map: {@link #whole} tells of the reads of all elements. */
  @Hidden
  DeadheatCell(Object array, DeadheatCell cell) {
    super(array);
    this.hash = cell.hash;
    this.length = cell.length;
    this.words = cell.words;
    this.near = cell.near;
    this.nearReads = 0;
    this.elements = null;
  }

  /** Whether this is a copy for reads, where each read that is not on record has to be looked up. */
  @ForceInline
  @Hidden
  boolean isCopy() {
    return nearReads != near;
  }

  /** Whether this is the cell of {@code o}; never of null. */
  @ForceInline
  @Hidden
  boolean isOf(Object o) {
    return o != null && refers(o);
  }

  /**
   * The same of what may be null, as the object of this cell may be by now. {@code refersTo} is a native call until C2 compiles it, which
   * in turn puts code for collectors around what {@code get} returns. (That {@code get} keeps it alive through a collection that is under way
   * does no harm to an object that the caller has in hand.)
   */
  @ForceInline
  @Hidden
  boolean refers(Object o) {
    return isCompiledByC2() ? refersTo(o) : get() == o;
  }

  @ForceInline
  @Hidden
  More more() {
    More known = more;
    return known != null ? known : makeMore();
  }

  /** Null if there is none. */
  @ForceInline
  @Hidden
  More knownMore() {
    return more;
  }

  @Hidden
  private More makeMore() {
    More fresh = new More(get());
    return U.compareAndSetReference(this, MORE, null, fresh) ? fresh : (More) U.getReferenceAcquire(this, MORE);
  }

  /** Whether the object is gone, for finalizers too if it has been kept for them. */
  @Hidden
  boolean isDead() {
    return refersTo(null) && (more == null || more.refersTo(null));
  }

  /** Whether this was the cell of {@code o} until the collector found that nobody but finalizers can have it. */
  @Hidden
  boolean wasOf(Object o) {
    return more != null && refersTo(null) && more.refersTo(o);
  }

  /** What {@code former}, a cell that {@link #wasOf} this one's object, knows of its synchronisation. */
  @Hidden
  void inherit(DeadheatCell former) {
    monitor = former.monitor;
    more = former.more;
  }

  /** Another has inherited. */
  @Hidden
  void forget() {
    monitor = 0;
    more = null;
  }

  /** Of two threads that publish at once both get the same. */
  @Hidden
  int publishOwnOffset(long offset) {
    U.compareAndSetInt(this, OWN_OFFSET, 0, (int) offset);
    return ownOffset;
  }
}
