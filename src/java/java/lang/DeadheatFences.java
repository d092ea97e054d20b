// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * Fences of watched code. By itself a fence orders nothing. What came before a release fence is published by the thread's later stores
 * (opaque ones, and plain ones through {@code VarHandle} or {@code Unsafe}), and received by the acquire fence of a thread that has loaded
 * from there before it. Publishing goes into the sync word of the variable; what a thread has loaded is kept until its next acquire fence.
 */
public final class DeadheatFences {
  /** Places whose releases the thread has loaded without acquiring them: the last few, as old ones are rarely meant. */
  private static final class Loads {
    static final int MOST = 8;

    final Object[] objects = new Object[MOST];
    final long[] offsets = new long[MOST];
    int next;
  }

  private static final String HANDLER = "java.lang.ref.Reference$ReferenceHandler";

  /** What came before a {@code reachabilityFence}, of whatever object: a reference that is enqueued does not tell whose it was. */
  private static final class Reachable {
    static final Reachable ALL = new Reachable();
    static final long WORD = U.objectFieldOffset(Reachable.class, "word");

    long word;
  }

  private DeadheatFences() {}

  /** {@code Reference.reachabilityFence}: happens before the collector clears a reference to its argument. */
  @Hidden
  public static void reachable(int site) {
    if (Deadheat.live) DeadheatSync.releaseJoin(Reachable.ALL, Reachable.WORD);
  }

  /** Before a reference is put into its queue, which happens after the collector has cleared it if the thread of the collector does it. */
  @Hidden
  public static void enqueuing() {
    if (!Deadheat.live || U.getLongAcquire(Reachable.ALL, Reachable.WORD) == 0) return;
    if (HANDLER.equals(Thread.currentThread().getClass().getName())) DeadheatSync.acquire(Reachable.ALL, Reachable.WORD);
  }

  @Hidden
  public static void full(int site) {
    release(site);
    acquire(site);
  }

  @Hidden
  public static void release(int site) {
    if (DeadheatSync.attached()) U.putLong(Thread.currentThread(), FENCE, DeadheatSync.publishNow());
  }

  @Hidden
  public static void acquire(int site) {
    if (!DeadheatSync.attached()) return;
    Loads loads = (Loads) U.getReference(Thread.currentThread(), LOADS);
    if (loads == null) return;
    for (int i = 0; i < Loads.MOST; i++) {
      Object o = loads.objects[i];
      loads.objects[i] = null;
      if (o != null) DeadheatSync.atomicAcquire(o == Loads.class ? null : o, loads.offsets[i]);
    }
  }

  /** Before a store that itself releases nothing. */
  @Hidden
  static void stored(Object o, long offset) {
    long fence = U.getLong(Thread.currentThread(), FENCE);
    if (fence != 0) DeadheatSync.releaseAt(o, offset, fence);
  }

  /** After a load that itself acquires nothing. */
  @Hidden
  static void loaded(Object o, long offset) {
    if (!DeadheatSync.hasNews(o, offset)) return;
    Thread t = Thread.currentThread();
    Loads loads = (Loads) U.getReference(t, LOADS);
    if (loads == null) {
      if (!DeadheatMap.mayAllocate()) return;
      try {
        U.putReference(t, LOADS, loads = new Loads());
      } catch (OutOfMemoryError e) {
        DeadheatMap.exhausted();
        return;
      }
    }
    int at = loads.next++ % Loads.MOST;
    loads.objects[at] = o == null ? Loads.class : o;
    loads.offsets[at] = offset;
  }
}
