// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks of {@code deadheat hunt}: before a lock is requested and after it was acquired, monitors and the locks of
 * {@code java.util.concurrent} alike. What is learnt and who has to wait is decided by the agent ({@code agent/hunt.h}); here a counter
 * for each place says how many requests are of no interest, so that a lock in a hot loop costs a compare and a decrement.
 */
public final class DeadheatHunt {
  private DeadheatHunt() {}

  /** Before a monitor is entered; {@code o} may be null. */
  @ForceInline
  @Hidden
  public static void requesting(Object o, int site) {
    if (!Deadheat.live) return;
    long place = HUNT_PLACES + (site & DeadheatLayout.HUNT_PLACES_MASK) * 4L;
    int skip = U.getInt(place);
    if (skip > 0 && U.getInt(HUNT_ESCORT) == 0) {
      // Threads that count at once may lose a count: then it takes one request longer.
      U.putInt(place, skip - 1);
    } else {
      ask(o, site);
    }
  }

  /** After one was entered. */
  @ForceInline
  @Hidden
  public static void acquired() {
    if (Deadheat.live && U.getInt(HUNT_ESCORT) != 0) tell();
  }

  /** Before a call that has the shape of a lock's. */
  @Hidden
  public static void locking(Object o, int site) {
    if (Deadheat.live && isLock(o)) requesting(o, site);
  }

  /**
   * Behind the release of one. It counts as acquired only now: a thread that comes while the lock is held leaves its name in the lock's
   * queue, by volatile writes that the owner reads when it lets go, and would so be ordered before it after all.
   */
  @Hidden
  public static void unlocked(Object o, int site) {
    if (!Deadheat.live || U.getInt(HUNT_ESCORT) == 0 || !isLock(o)) return;
    long self = U.getLong(Thread.currentThread(), GATE);
    if (self != 0) released(self, o, site);
  }

  @Hidden
  private static boolean isLock(Object o) {
    return o instanceof Lock || o instanceof StampedLock;
  }

  @Hidden
  private static void ask(Object o, int site) {
    if (o == null) return;
    // A monitor that the thread has already is no request. (While relations are learnt, synchronized methods ask from within.)
    if (HUNT_GATE && Thread.holdsLock(o)) return;
    request(U.getLong(Thread.currentThread(), GATE), o, site);
  }

  @Hidden
  private static void tell() {
    long self = U.getLong(Thread.currentThread(), GATE);
    if (self != 0) acquired(self);
  }

  @Hidden
  private static native void request(long self, Object o, int site);

  @Hidden
  private static native void acquired(long self);

  @Hidden
  private static native void released(long self, Object o, int site);
}
