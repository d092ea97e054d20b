// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import java.lang.ref.WeakReference;
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
  private static final long WRITES = U.objectFieldOffset(DeadheatCell.class, "writes");
  private static final long READS = U.objectFieldOffset(DeadheatCell.class, "reads");
  private static final long SYNCS = U.objectFieldOffset(DeadheatCell.class, "syncs");
  private static final long FIELDS = U.objectFieldOffset(DeadheatCell.class, "fields");

  final int hash;
  /** The next cell of the same bucket; changed under the segment's lock. */
  DeadheatCell next;
  /** Sync word of the object's monitor. */
  long monitor;
  /** Of an array: the shadow word of the last write of each element, or null while none was written. */
  long[] writes;
  /** Of an array: the shadow word of the last read of each element, or null while none was read first. */
  long[] reads;
  /**
   * Of an array: the sync word of each element that is accessed atomically. Of a class mirror: where the sync word of the
   * volatile field at byte offset 4 * i of its instances is (0 = not known yet, -1 = there is none).
   */
  long[] syncs;
  /** Of a class mirror: see {@link DeadheatClones}. */
  long[] words;
  /** Sync words of fields that are accessed atomically but have no injected word, by offset. */
  SyncField fields;

  /** One sync word; a list of them only grows at its head. */
  static final class SyncField {
    static final long WORD = U.objectFieldOffset(SyncField.class, "word");

    final long offset;
    final SyncField next;
    long word;

    SyncField(long offset, SyncField next) {
      this.offset = offset;
      this.next = next;
    }
  }

  DeadheatCell(Object of, int hash) {
    super(of);
    this.hash = hash;
  }

  @Hidden
  long[] allocateWrites(int length) {
    return allocate(WRITES, length);
  }

  @Hidden
  long[] allocateReads(int length) {
    return allocate(READS, length);
  }

  @Hidden
  long[] allocateSyncs(int length) {
    return allocate(SYNCS, length);
  }

  @Hidden
  private long[] allocate(long field, int length) {
    long[] fresh = new long[length];
    return U.compareAndSetReference(this, field, null, fresh) ? fresh : (long[]) U.getReferenceAcquire(this, field);
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
