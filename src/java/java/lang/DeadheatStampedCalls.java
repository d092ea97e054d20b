// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatLockCalls.end;
import static java.lang.DeadheatVm.*;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.vm.annotation.Hidden;

/**
 * When a run is recorded: {@code StampedLock}, told as a lock (agent/stamped_lock.h). It has no owner; what a method has done follows from the
 * stamp it got and from who held the lock before and after it: no other thread runs between, unless the method waits.
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
  private static long begin(int site) {
    long self = self();
    return self == 0 || U.getInt(self + DeadheatLayout.LOCK_SITE) != 0 ? 0 : DeadheatLockCalls.begin(site);
  }

  @Hidden
  public static long writeLock(Object lock, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).writeLock();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long writeLockInterruptibly(Object lock, int site) throws InterruptedException {
    long self = begin(site);
    try {
      return ((StampedLock) lock).writeLockInterruptibly();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryWriteLock(Object lock, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryWriteLock();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryWriteLock(Object lock, long time, TimeUnit unit, int site) throws InterruptedException {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryWriteLock(time, unit);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long readLock(Object lock, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).readLock();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long readLockInterruptibly(Object lock, int site) throws InterruptedException {
    long self = begin(site);
    try {
      return ((StampedLock) lock).readLockInterruptibly();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryReadLock(Object lock, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryReadLock();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryReadLock(Object lock, long time, TimeUnit unit, int site) throws InterruptedException {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryReadLock(time, unit);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryOptimisticRead(Object lock, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryOptimisticRead();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static boolean validate(Object lock, long stamp, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).validate(stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static void unlock(Object lock, long stamp, int site) {
    long self = begin(site);
    try {
      ((StampedLock) lock).unlock(stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static void unlockWrite(Object lock, long stamp, int site) {
    long self = begin(site);
    try {
      ((StampedLock) lock).unlockWrite(stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static boolean tryUnlockWrite(Object lock, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryUnlockWrite();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static void unlockRead(Object lock, long stamp, int site) {
    long self = begin(site);
    try {
      ((StampedLock) lock).unlockRead(stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static boolean tryUnlockRead(Object lock, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryUnlockRead();
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryConvertToWriteLock(Object lock, long stamp, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryConvertToWriteLock(stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryConvertToReadLock(Object lock, long stamp, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryConvertToReadLock(stamp);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static long tryConvertToOptimisticRead(Object lock, long stamp, int site) {
    long self = begin(site);
    try {
      return ((StampedLock) lock).tryConvertToOptimisticRead(stamp);
    } finally {
      end(self);
    }
  }
}
