// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatLockCalls.end;
import static java.lang.DeadheatVm.*;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.vm.annotation.Hidden;

/**
 * {@code StampedLock}, told as a lock: when a run is recorded (agent/stamped_lock.h), and to the detectors of candidates ({@link
 * DeadheatLockModes}). It has no owner. What a method has done follows, in a recorded run, from the stamp it got and from who held the lock before
 * and after it: no other thread runs between, unless the method waits. Else from the stamps it was given and returned.
 */
public final class DeadheatStampedCalls {
  private static final long STATE = U.objectFieldOffset(StampedLock.class, "state");
  private static final long OVERFLOW = U.objectFieldOffset(StampedLock.class, "readerOverflow");
  // The layout of the state (StampedLock.java).
  private static final long WRITE_BIT = 1 << 7;
  private static final long READERS = WRITE_BIT - 1;

  private DeadheatStampedCalls() {}

  /** The number of readers, or that there is a writer (agent/gate_view.h). */
  @Hidden
  private static int holds(Object lock) {
    long state = U.getLongVolatile(lock, STATE);
    if ((state & WRITE_BIT) != 0) return DeadheatLayout.HELD_BY_WRITER;
    return (int) (state & READERS) + U.getInt(lock, OVERFLOW);
  }

  @Hidden
  static void entered(long self, Object lock, int call, int site) {
    if (!enter(self, call, DeadheatNumbers.of(lock), site)) return;
    U.putLong(self + DeadheatLayout.LOCK_STAMP, 0);
    U.putInt(self + DeadheatLayout.LOCK_HOLDS, holds(lock));
  }

  @Hidden
  static void left(long self, Object lock, int call) {
    leave(self, call, DeadheatNumbers.of(lock), holds(lock));
  }

  /** A method is about to return this stamp. */
  @Hidden
  static void taken(long self, long stamp) {
    U.putLong(self + DeadheatLayout.LOCK_STAMP, stamp);
  }

  @Hidden
  private static native boolean enter(long self, int call, long lock, int site);

  @Hidden
  private static native void leave(long self, int call, long lock, int holds);

  // ---- in place of calls in watched code: the same, from a place that is known -------------------------------------------------------

  /** Within a call of a lock that is a view of this one, the place of that call is told. */
  @Hidden
  private static long begin(Object lock, int site) {
    if (LOCKSETS) return DeadheatLockModes.begin(lock);
    long self = self();
    return self == 0 || U.getInt(self + DeadheatLayout.LOCK_SITE) != 0 ? 0 : DeadheatLockCalls.begin(lock, site);
  }

  @Hidden
  public static long writeLock(Object lock, int site) {
    long self = begin(lock, site);
    try {
      long stamp = ((StampedLock) lock).writeLock();
      if (LOCKSETS) DeadheatLockModes.stamped(self, lock, stamp);
      return stamp;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long writeLockInterruptibly(Object lock, int site) throws InterruptedException {
    long self = begin(lock, site);
    try {
      long stamp = ((StampedLock) lock).writeLockInterruptibly();
      if (LOCKSETS) DeadheatLockModes.stamped(self, lock, stamp);
      return stamp;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryWriteLock(Object lock, int site) {
    long self = begin(lock, site);
    try {
      long stamp = ((StampedLock) lock).tryWriteLock();
      if (LOCKSETS) DeadheatLockModes.stamped(self, lock, stamp);
      return stamp;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryWriteLock(Object lock, long time, TimeUnit unit, int site) throws InterruptedException {
    long self = begin(lock, site);
    try {
      long stamp = ((StampedLock) lock).tryWriteLock(time, unit);
      if (LOCKSETS) DeadheatLockModes.stamped(self, lock, stamp);
      return stamp;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long readLock(Object lock, int site) {
    long self = begin(lock, site);
    try {
      long stamp = ((StampedLock) lock).readLock();
      if (LOCKSETS) DeadheatLockModes.stamped(self, lock, stamp);
      return stamp;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long readLockInterruptibly(Object lock, int site) throws InterruptedException {
    long self = begin(lock, site);
    try {
      long stamp = ((StampedLock) lock).readLockInterruptibly();
      if (LOCKSETS) DeadheatLockModes.stamped(self, lock, stamp);
      return stamp;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryReadLock(Object lock, int site) {
    long self = begin(lock, site);
    try {
      long stamp = ((StampedLock) lock).tryReadLock();
      if (LOCKSETS) DeadheatLockModes.stamped(self, lock, stamp);
      return stamp;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryReadLock(Object lock, long time, TimeUnit unit, int site) throws InterruptedException {
    long self = begin(lock, site);
    try {
      long stamp = ((StampedLock) lock).tryReadLock(time, unit);
      if (LOCKSETS) DeadheatLockModes.stamped(self, lock, stamp);
      return stamp;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryOptimisticRead(Object lock, int site) {
    long self = begin(lock, site);
    try {
      return ((StampedLock) lock).tryOptimisticRead();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static boolean validate(Object lock, long stamp, int site) {
    long self = begin(lock, site);
    try {
      return ((StampedLock) lock).validate(stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static void unlock(Object lock, long stamp, int site) {
    long self = begin(lock, site);
    try {
      ((StampedLock) lock).unlock(stamp);
      if (LOCKSETS) DeadheatLockModes.unstamped(self, lock, stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static void unlockWrite(Object lock, long stamp, int site) {
    long self = begin(lock, site);
    try {
      ((StampedLock) lock).unlockWrite(stamp);
      if (LOCKSETS) DeadheatLockModes.unstamped(self, lock, stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static boolean tryUnlockWrite(Object lock, int site) {
    long self = begin(lock, site);
    try {
      boolean given = ((StampedLock) lock).tryUnlockWrite();
      if (LOCKSETS && given) DeadheatLockModes.unstamped(self, lock, false);
      return given;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static void unlockRead(Object lock, long stamp, int site) {
    long self = begin(lock, site);
    try {
      ((StampedLock) lock).unlockRead(stamp);
      if (LOCKSETS) DeadheatLockModes.unstamped(self, lock, stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static boolean tryUnlockRead(Object lock, int site) {
    long self = begin(lock, site);
    try {
      boolean given = ((StampedLock) lock).tryUnlockRead();
      if (LOCKSETS && given) DeadheatLockModes.unstamped(self, lock, true);
      return given;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryConvertToWriteLock(Object lock, long stamp, int site) {
    long self = begin(lock, site);
    try {
      long after = ((StampedLock) lock).tryConvertToWriteLock(stamp);
      if (LOCKSETS) DeadheatLockModes.converted(self, lock, stamp, after);
      return after;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryConvertToReadLock(Object lock, long stamp, int site) {
    long self = begin(lock, site);
    try {
      long after = ((StampedLock) lock).tryConvertToReadLock(stamp);
      if (LOCKSETS) DeadheatLockModes.converted(self, lock, stamp, after);
      return after;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryConvertToOptimisticRead(Object lock, long stamp, int site) {
    long self = begin(lock, site);
    try {
      long after = ((StampedLock) lock).tryConvertToOptimisticRead(stamp);
      if (LOCKSETS) DeadheatLockModes.converted(self, lock, stamp, after);
      return after;
    } finally {
      end(self);
    }
  }
}
