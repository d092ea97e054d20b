// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;

import jdk.internal.vm.annotation.Hidden;

/** Locks of {@code java.util.concurrent}, to be named when threads meet under the controlled scheduler; see agent/held_locks.h. */
public final class DeadheatGateLocks {
  private DeadheatGateLocks() {}

  /** A synchroniser gets an owner, the current thread, or has none any more. */
  @Hidden
  public static void owned(Object synchroniser, Object owner) {
    long self = self();
    if (self == 0) return;
    owned(self, synchroniser, owner != null);
    if (DeadheatVm.RECORDS) DeadheatLockCalls.owned(self, synchroniser, owner != null);
  }

  /** The read side of a read-write lock is being taken. */
  @Hidden
  public static void shares(Object synchroniser) {
    long self = self();
    if (self != 0) shares(self, synchroniser);
  }

  /** A method of {@code StampedLock} is about to return this stamp, 0 if it has not got one. */
  @Hidden
  public static void stampTaken(long stamp, Object lock) {
    long self = self();
    if (self == 0 || stamp == 0) return;
    stamped(self, lock, stamp, true);
    if (DeadheatVm.RECORDS) DeadheatStampedCalls.taken(self, stamp);
  }

  @Hidden
  public static void stampConverted(long stamp, long old, Object lock) {
    if (stamp == 0 || stamp == old) return;
    stampGone(lock, old);
    stampTaken(stamp, lock);
  }

  @Hidden
  public static void stampGone(Object lock, long stamp) {
    long self = self();
    if (self != 0) stamped(self, lock, stamp, false);
  }

  /** The write side is let go of without a stamp. */
  @Hidden
  public static void writeStampGone(Object lock) {
    long self = self();
    if (self != 0) unstamped(self, lock, true);
  }

  @Hidden
  public static void readStampGone(Object lock) {
    long self = self();
    if (self != 0) unstamped(self, lock, false);
  }

  @Hidden
  private static native void owned(long self, Object synchroniser, boolean taken);

  @Hidden
  private static native void shares(long self, Object synchroniser);

  @Hidden
  private static native void stamped(long self, Object lock, long stamp, boolean taken);

  @Hidden
  private static native void unstamped(long self, Object lock, boolean write);
}
