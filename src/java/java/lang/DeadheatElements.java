// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * The shadow words of an array's elements. Allocated on first use and published by compare-and-set, so that of two threads that
 * allocate at once both use the same ones.
 */
final class DeadheatElements {
  private static final long WRITES = U.objectFieldOffset(DeadheatElements.class, "writes");
  private static final long READS = U.objectFieldOffset(DeadheatElements.class, "reads");

  /** The last write of each element, or null while none was written. */
  long[] writes;
  /** The last read of each element, or null while none was read first. */
  long[] reads;

  @Hidden
  DeadheatElements() {}

  @Hidden
  long[] allocateWrites(int length) {
    return allocate(WRITES, length);
  }

  @Hidden
  long[] allocateReads(int length) {
    return allocate(READS, length);
  }

  /** What {@link #writes} is at this moment, after a store of this thread. */
  @Hidden
  long[] writesNow() {
    return (long[]) U.getReferenceVolatile(this, WRITES);
  }

  @Hidden
  long[] readsNow() {
    return (long[]) U.getReferenceVolatile(this, READS);
  }

  @Hidden
  private long[] allocate(long field, int length) {
    long[] fresh = new long[length];
    return U.compareAndSetReference(this, field, null, fresh) ? fresh : (long[]) U.getReferenceAcquire(this, field);
  }
}
