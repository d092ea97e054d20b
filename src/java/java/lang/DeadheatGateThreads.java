// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatVm.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/** Threads, parking and time under the controlled scheduler; see {@link DeadheatGate}. */
public final class DeadheatGateThreads {
  private DeadheatGateThreads() {}

  /** In place of {@code Unsafe.park}; like it, may return for no reason. */
  @Hidden
  public static void park(Unsafe unsafe, boolean absolute, long time, int site) {
    long self = self();
    if (self == 0 || park(self, absolute, time, site) == DeadheatLayout.PASSAGE_FREE_RUN) unsafe.park(absolute, time);
    if (HAS_WORDS) DeadheatSync.parked();
  }

  @Hidden
  public static void unpark(Unsafe unsafe, Object thread, int site) {
    long self = self();
    // A thread without a turn may be overtaken by the one it wakes; one that has it cannot.
    if (HAS_WORDS && self == 0) DeadheatSync.unparking(thread);
    boolean done = thread instanceof Thread target && unpark(self, DeadheatGate.recordOf(target), site);
    if (HAS_WORDS && self != 0) DeadheatSync.unparking(thread);
    if (!done) unsafe.unpark(thread);
  }

  @Hidden
  public static void sleep(long millis, int site) throws InterruptedException {
    if (self() == 0 || millis < 0) {
      Thread.sleep(millis);
    } else {
      pause(millis > Long.MAX_VALUE / 1000000 ? Long.MAX_VALUE : millis * 1000000, site);
    }
  }

  @Hidden
  public static void sleep(long millis, int nanos, int site) throws InterruptedException {
    if (self() == 0 || millis < 0 || nanos < 0 || nanos > 999999) {
      Thread.sleep(millis, nanos);
    } else {
      pause(millis > Long.MAX_VALUE / 1000000 - 1 ? Long.MAX_VALUE : millis * 1000000 + nanos, site);
    }
  }

  /** In place of the native method of JDK 21 and later. */
  @Hidden
  public static void sleepNanos(long nanos, int site) throws InterruptedException {
    if (self() == 0) {
      Thread.sleep(nanos / 1000000, (int) (nanos % 1000000));
    } else {
      pause(nanos, site);
    }
  }

  @Hidden
  private static void pause(long nanos, int site) throws InterruptedException {
    switch (sleep0(self(), nanos, site)) {
      case DeadheatLayout.PASSAGE_INTERRUPTED -> throw interruption();
      case DeadheatLayout.PASSAGE_FREE_RUN -> Thread.sleep(nanos / 1000000);
      default -> {}
    }
  }

  /** The mark that the interrupter has set for real goes with the exception, as it does without us. */
  @Hidden
  static InterruptedException interruption() {
    Thread.interrupted();
    return new InterruptedException();
  }

  /** Under control there is nobody to yield to for real: the others are held, and a busy machine would take its time to come back. */
  @Hidden
  public static void yield(int site) {
    long self = self();
    if (self == 0 || yield0(self, site) == DeadheatLayout.PASSAGE_FREE_RUN) Thread.yield();
  }

  /** In place of {@code Thread.onSpinWait()}: whoever spins waits for another thread. */
  @Hidden
  public static void spin(int site) {
    long self = self();
    if (self == 0 || yield0(self, site) == DeadheatLayout.PASSAGE_FREE_RUN) Thread.onSpinWait();
  }

  /** Before {@code thread.interrupt0()}, by which every interrupt of a platform thread goes. */
  @Hidden
  public static void interrupting(Object thread, int site) {
    if (thread instanceof Thread target && Deadheat.live) interrupt(self(), DeadheatGate.recordOf(target), site);
  }

  /** After {@code Thread.clearInterruptEvent()}, by which every thread that clears its own mark goes. */
  @Hidden
  public static void interruptCleared() {
    long self = self();
    if (self != 0) clearInterrupt(self);
  }

  /** Before {@code thread.start0()}. The JDK's own helpers live in a world of their own. */
  @Hidden
  public static void starting(Object thread, int site) {
    long self = self();
    if (self != 0 && !(thread instanceof jdk.internal.misc.InnocuousThread)) start(self, thread, DeadheatNumbers.of(thread), site);
  }

  /** Where the JDK has drawn {@code id} for a new thread: what managed threads make has an id of their own sequence (agent/thread_ids.h). */
  @Hidden
  public static long threadId(long id) {
    return self() == 0 ? id : DeadheatNumbers.threadId(id);
  }

  /** In place of {@code ContinuationSupport.isSupported()}, where virtual threads are made. */
  @Hidden
  public static boolean continuations() {
    return false;
  }

  /** First and last thing when a Java agent is started with the VM: its code is the program's, unlike that of other agents around it. */
  @Hidden
  public static void premainBegins() {
    if (Deadheat.live) control(true);
  }

  @Hidden
  public static void premainEnds() {
    if (Deadheat.live) control(false);
  }

  /**
   * Shutdown hooks are about to be started. At the normal end of the program by a thread that the VM has made for it: it is managed from here on,
   * as the one is that calls {@code System.exit}. Not when a run is recorded: a trace has no word for what the VM orders before it.
   */
  @Hidden
  public static void shuttingDown() {
    if (Deadheat.live && !DeadheatVm.RECORDS && self() == 0) manage(Thread.currentThread(), DeadheatNumbers.of(Thread.currentThread()));
  }

  /** First thing in a virtual thread that has a platform thread of its own. */
  @Hidden
  public static void boundBegins(Object thread) {
    long self = self();
    if (self != 0) bound(self, thread, true);
  }

  /** A thread has been asked for its state: who sees that it has terminated has joined it (JLS 17.4.4), which reading the field says that tells. */
  @Hidden
  public static void stateSeen(Object state, Object thread) {
    if (state == Thread.State.TERMINATED && self() != 0) ((Thread) thread).isAlive();
  }

  /** Last thing in any thread; of platform threads the VM tells. {@code exit} is the VM's to call. */
  @Hidden
  public static void exited(Object thread) {
    long self = self();
    if (self != 0 && thread == Thread.currentThread()) bound(self, thread, false);
  }

  /** Before {@code thread.getState()}: a thread that is held is, for the VM, in native code. */
  @Hidden
  public static void askingState(Object thread, int site) {
    long self = self();
    if (self != 0 && thread instanceof Thread target) showState(self, DeadheatGate.recordOf(target), site);
  }

  @Hidden
  public static long nanoTime(int site) {
    long self = self();
    return self != 0 ? now(self, false, site) : Deadheat.live ? System.nanoTime() : 0;
  }

  @Hidden
  public static long currentTimeMillis(int site) {
    long self = self();
    return self != 0 ? now(self, true, site) : System.currentTimeMillis();
  }

  /** In place of {@code VM.getNanoTimeAdjustment(seconds)}: the nanoseconds since {@code seconds} after 1970, or -1 if those are too many. */
  @Hidden
  public static long nanoTimeAdjustment(long seconds, int site) {
    long self = self();
    if (self == 0) return jdk.internal.misc.VM.getNanoTimeAdjustment(seconds);
    long nanos = wallNanos(self, site);
    long difference = nanos / 1000000000L - seconds;
    return difference > 1L << 32 || difference < -(1L << 32) ? -1 : difference * 1000000000L + nanos % 1000000000L;
  }

  @Hidden
  private static native int park(long self, boolean absolute, long time, int site);

  /** Whether the scheduler has taken care of it: the target is managed. */
  @Hidden
  private static native boolean unpark(long self, long target, int site);

  @Hidden
  private static native int sleep0(long self, long nanos, int site);

  @Hidden
  private static native int yield0(long self, int site);

  @Hidden
  private static native void interrupt(long self, long target, int site);

  @Hidden
  private static native void clearInterrupt(long self);

  @Hidden
  private static native void start(long self, Object thread, long monitor, int site);

  /** 0: threads have the ids that the VM draws. */
  @Hidden
  static native long nextThreadId();

  /** While the VM starts: whether what the current thread, the main one, runs from here on is the program's. */
  @Hidden
  private static native void control(boolean programs);

  /** The current thread, unless it is managed already. */
  @Hidden
  private static native void manage(Object thread, long monitor);

  /** The begin of a thread that the VM does not tell of; the end of any, which counts if its begin did. */
  @Hidden
  private static native void bound(long self, Object thread, boolean begins);

  @Hidden
  private static native void showState(long self, long target, int site);

  @Hidden
  private static native long now(long self, boolean wallClock, int site);

  /** Nanoseconds since 1970, in the model's time. */
  @Hidden
  private static native long wallNanos(long self, int site);
}
