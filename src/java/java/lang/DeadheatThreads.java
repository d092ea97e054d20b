// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/** The hooks where threads start and end, and where others are told that they have. See {@link Deadheat} for the rules that hold for every hook. */
public final class DeadheatThreads {
  private DeadheatThreads() {}

  /** Before {@code thread} is started: the child takes over from its parent what is in its start word. */
  @Hidden
  public static void starting(Object thread) {
    if (thread == null || !Deadheat.live) return;
    DeadheatSync.release(thread, START);
    Thread t = Deadheat.thread();
    if (t != null && U.getLong(t, CLOCKS) != 0) U.putLong(thread, CREATED, onStart(U.getLong(t, STATE)));
  }

  /** Keeps the stack of this start for reports; the child is to carry the answer. */
  @Hidden
  private static native long onStart(long state);

  /** First and last thing a virtual thread does; platform threads are told of by the VM. */
  @Hidden
  public static void virtualStarts(Object thread) {
    if (Deadheat.live) attach(thread);
  }

  @Hidden
  public static void virtualEnds(Object thread) {
    if (!Deadheat.live) return;
    leaveFlock(thread);
    end(thread);
  }

  /** {@code thread} is about to be started in {@code flock}, whose owner waits until all its threads have ended. */
  @Hidden
  public static void joinsFlock(Object flock, Object thread) {
    if (Deadheat.live && thread != null) U.putReference(thread, FLOCK, flock);
  }

  /**
   * A virtual thread that has ended is counted out of its flock by its carrier, which knows nothing of what it did: the thread releases into the
   * count itself. (Were the carrier after the end of all that it carries, its queues would order threads that have nothing to do with each other.)
   */
  @Hidden
  private static void leaveFlock(Object thread) {
    Object flock = U.getReference(thread, FLOCK);
    if (flock != null) DeadheatSync.atomicRelease(flock, U.objectFieldOffset(flock.getClass(), "threadCount"));
  }

  /** A thread was asked whether it has ended: if so, all it did happens before. (The field is the one that tells of a platform thread.) */
  @Hidden
  public static void joined(Object thread) {
    if (Deadheat.live) DeadheatSync.atomicAcquire(thread, U.objectFieldOffset(Thread.class, "eetop"));
  }

  /** A thread has been asked for its state: one that has terminated has done all it did before (JLS 17.4.4). */
  @Hidden
  public static void stateSeen(Object state, Object thread) {
    if (state == Thread.State.TERMINATED) joined(thread);
  }

  /** The current thread has waited for the end of all threads that are no daemons. */
  @Hidden
  public static void allEnded() {
    if (Deadheat.live && DeadheatSync.attached()) onAllEnded(U.getLong(Thread.currentThread(), STATE));
  }

  @Hidden
  private static native void onAllEnded(long state);

  @Hidden
  private static native void attach(Object thread);

  @Hidden
  private static native void end(Object thread);
}
