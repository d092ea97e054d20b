// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatVm.HAS_WORDS;

import jdk.internal.vm.annotation.Hidden;

/** Monitors and their wait sets under the controlled scheduler; see {@link DeadheatGate}. */
public final class DeadheatGateMonitors {
  private DeadheatGateMonitors() {}

  /** Before {@code monitorenter}: returns when the monitor is free for this thread. */
  @Hidden
  public static void locking(Object o, int site) {
    long self = self();
    if (self != 0 && o != null) lock(self, DeadheatNumbers.of(o), site);
  }

  /** Before {@code monitorexit}. */
  @Hidden
  public static void unlocking(Object o, int site) {
    long self = self();
    if (self != 0 && o != null) unlock(self, DeadheatNumbers.of(o), site);
  }

  // ---- monitors that native code takes, as the agent sees it (agent/jni_monitors.h) ----------------------------------------------

  /** Before native code enters the monitor of {@code o}. */
  @Hidden
  public static void lockingNative(Object o) {
    long self = self();
    if (self != 0 && o != null) lockNative(self, DeadheatNumbers.of(o), false);
  }

  /** First thing in a synchronized native method: it has the monitor of {@code o}. */
  @Hidden
  public static void enteredNative(Object o) {
    long self = self();
    if (self != 0 && o != null) lockNative(self, DeadheatNumbers.of(o), true);
  }

  @Hidden
  public static void exitingNative(Object o) {
    long self = self();
    if (self != 0 && o != null) unlockNative(self, DeadheatNumbers.of(o));
  }

  /** In place of {@code o.wait()}. The hooks of the detector, if it runs along, are called here: it does not see the call. */
  @Hidden
  public static void await(Object o, int site) throws InterruptedException {
    await(o, 0, site);
  }

  @Hidden
  public static void await(Object o, long millis, int nanos, int site) throws InterruptedException {
    if (self() == 0 || nanos < 0 || nanos > 999999 || millis < 0) {
      if (HAS_WORDS) DeadheatSync.waiting(o);
      o.wait(millis, nanos);
      if (HAS_WORDS) DeadheatSync.waited();
    } else {
      await(o, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis, site);
    }
  }

  @Hidden
  public static void await(Object o, long millis, int site) throws InterruptedException {
    if (HAS_WORDS) DeadheatSync.waiting(o);
    awaitUnwatched(o, millis, site);
    if (HAS_WORDS) DeadheatSync.waited();
  }

  @Hidden
  private static void awaitUnwatched(Object o, long millis, int site) throws InterruptedException {
    long self = self();
    if (self == 0 || millis < 0 || !Thread.holdsLock(o)) {
      waitOutside(o, millis, self == 0 && Deadheat.live && o != null);
      return;
    }
    switch (waitFor(self, o, DeadheatNumbers.of(o), millis, site)) {
      case DeadheatLayout.PASSAGE_INTERRUPTED -> throw DeadheatGateThreads.interruption();
      case DeadheatLayout.PASSAGE_FREE_RUN -> o.wait(millis);
      default -> {}
    }
  }

  /**
   * A thread that is not managed waits: those that are must notify it for real. It asks for no number, because the identity hash that
   * takes would be missing from the sequence of a managed thread, and with it the order of its hash tables would change.
   */
  @Hidden
  private static void waitOutside(Object o, long millis, boolean tell) throws InterruptedException {
    if (tell) waitsOutside(o, true);
    try {
      o.wait(millis);
    } finally {
      if (tell) waitsOutside(o, false);
    }
  }

  /** A thread that is not managed notifies those that are, too. */
  @Hidden
  private static void notifyOutside(Object o) {
    if (Deadheat.live && o != null && Thread.holdsLock(o)) notifyFromOutside(o);
  }

  @Hidden
  public static void notifying(Object o, int site) {
    long self = self();
    if (self == 0) notifyOutside(o);
    if (self == 0 || !Thread.holdsLock(o) || notify(self, DeadheatNumbers.of(o), false, site) == DeadheatLayout.PASSAGE_FREE_RUN) {
      o.notify();
    } else if (isAwaitedOutside(o)) {
      notifyForReal(o);
    }
  }

  @Hidden
  public static void notifyingAll(Object o, int site) {
    long self = self();
    if (self == 0) notifyOutside(o);
    if (self == 0 || !Thread.holdsLock(o) || notify(self, DeadheatNumbers.of(o), true, site) == DeadheatLayout.PASSAGE_FREE_RUN) {
      o.notifyAll();
    } else if (isAwaitedOutside(o)) {
      notifyForReal(o);
    }
  }

  /**
   * From now on the native methods behind {@code wait}, {@code notify} and {@code sleep} come to these hooks, without a site, when they are
   * called by reflection, method handles or native code (agent/native_gates.h). What the hooks call in the end comes by here once more, and
   * is told the same.
   */
  @Hidden
  static boolean takeNatives() {
    return takeNatives0();
  }

  @Hidden
  private static native void lock(long self, long monitor, int site);

  @Hidden
  private static native void unlock(long self, long monitor, int site);

  @Hidden
  private static native void lockNative(long self, long monitor, boolean taken);

  @Hidden
  private static native void unlockNative(long self, long monitor);

  @Hidden
  private static native int waitFor(long self, Object o, long monitor, long millis, int site);

  @Hidden
  private static native int notify(long self, long monitor, boolean all, int site);

  // By threads that are not managed, and whether there is one.
  @Hidden
  private static native void notifyFromOutside(Object o);

  @Hidden
  private static native void waitsOutside(Object o, boolean begins);

  @Hidden
  private static native boolean isAwaitedOutside(Object o);

  /** All who wait for {@code o} outside the model: those in it have been told. */
  @Hidden
  private static native void notifyForReal(Object o);

  @Hidden
  private static native boolean takeNatives0();
}
