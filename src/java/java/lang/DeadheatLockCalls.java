// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatVm.*;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.vm.annotation.Hidden;

/**
 * The JDK's own locks, told as locks (agent/lock_calls.h): when a run is recorded, and at the program's calls to the detectors of candidates ({@link
 * DeadheatLockModes}). A lock is known by its synchroniser, which the lock, both sides of a read-write lock and the conditions have in common.
 */
public final class DeadheatLockCalls {
  private static final long SYNC = U.objectFieldOffset(ReentrantLock.class, "sync");
  private static final long READ_WRITE = U.objectFieldOffset(ReentrantReadWriteLock.class, "sync");
  private static final long READ = U.objectFieldOffset(ReentrantReadWriteLock.ReadLock.class, "sync");
  private static final long WRITE = U.objectFieldOffset(ReentrantReadWriteLock.WriteLock.class, "sync");
  private static final long OUTER = U.objectFieldOffset(AbstractQueuedSynchronizer.ConditionObject.class, "this$0");
  private static final long LONG_OUTER = U.objectFieldOffset(AbstractQueuedLongSynchronizer.ConditionObject.class, "this$0");

  /** The synchronisers of these locks, as far as they were met: {@code barging} takes threads as they come, even if others queue. */
  private static Class<?> barging;
  private static Class<?> fair;
  private static Class<?> readWrite;
  private static Class<?> fairReadWrite;

  private DeadheatLockCalls() {}

  @Hidden
  static boolean isOfLock(Object synchroniser) {
    Class<?> type = synchroniser.getClass();
    return type == barging || type == fair || type == readWrite || type == fairReadWrite || isNew(type);
  }

  @Hidden
  private static boolean isNew(Class<?> type) {
    if (type.getClassLoader0() != null) return false;
    switch (type.getName()) {
      case "java.util.concurrent.locks.ReentrantLock$NonfairSync": barging = type; return true;
      case "java.util.concurrent.locks.ReentrantLock$FairSync": fair = type; return true;
      case "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync": readWrite = type; return true;
      case "java.util.concurrent.locks.ReentrantReadWriteLock$FairSync": fairReadWrite = type; return true;
      default: return false;
    }
  }

  @Hidden
  static Object synchroniser(Object o) {
    if (o instanceof ReentrantLock) return U.getReference(o, SYNC);
    if (o instanceof ReentrantReadWriteLock.ReadLock) return U.getReference(o, READ);
    if (o instanceof ReentrantReadWriteLock.WriteLock) return U.getReference(o, WRITE);
    if (o instanceof ReentrantReadWriteLock) return U.getReference(o, READ_WRITE);
    if (o instanceof AbstractQueuedSynchronizer.ConditionObject) return U.getReference(o, OUTER);
    return U.getReference(o, LONG_OUTER);
  }

  /** First thing in a method of a lock or a condition. */
  @Hidden
  public static void entered(Object o, int call, int site) {
    long self = self();
    if (self == 0) return;
    if (o instanceof StampedLock) {
      DeadheatStampedCalls.entered(self, o, call, site);
      return;
    }
    Object synchroniser = synchroniser(o);
    if (synchroniser == null || !isOfLock(synchroniser)) return;
    enter(self, call, synchroniser, DeadheatNumbers.of(synchroniser), DeadheatNumbers.of(o), site, synchroniser.getClass() == barging);
  }

  /** Last thing, whichever way it ends. */
  @Hidden
  public static void left(Object o, int call, int site) {
    long self = self();
    if (self == 0) return;
    if (o instanceof StampedLock) {
      DeadheatStampedCalls.left(self, o, call);
      return;
    }
    Object synchroniser = synchroniser(o);
    if (synchroniser != null && isOfLock(synchroniser)) leave(self, call, synchroniser, DeadheatNumbers.of(synchroniser));
  }

  /** The lock gets an owner, the current thread, or is about to have none. */
  @Hidden
  static void owned(long self, Object synchroniser, boolean taken) {
    if (isOfLock(synchroniser)) owned(self, DeadheatNumbers.of(synchroniser), taken);
  }

  @Hidden
  private static native void enter(long self, int call, Object synchroniser, long lock, long subject, int site, boolean barging);

  @Hidden
  private static native void leave(long self, int call, Object synchroniser, long lock);

  @Hidden
  private static native void owned(long self, long lock, boolean taken);

  // ---- in place of calls in watched code: the same, from a place that is known -------------------------------------------------------

  @Hidden
  static long begin(Object lock, int site) {
    if (LOCKSETS) return DeadheatLockModes.begin(lock);
    long self = self();
    if (self != 0) U.putInt(self + DeadheatLayout.LOCK_SITE, site);
    return self;
  }

  @Hidden
  static void end(long self) {
    if (self == 0) return;
    if (LOCKSETS) DeadheatLockModes.end(self); else U.putInt(self + DeadheatLayout.LOCK_SITE, 0);
  }

  @Hidden
  private static void endAwait(long self, Object condition) {
    end(self);
    if (LOCKSETS && self != 0) DeadheatLockModes.awaited(condition);
  }

  @Hidden
  public static void lock(Object lock, int site) {
    long self = begin(lock, site);
    try {
      ((Lock) lock).lock();
      if (LOCKSETS) DeadheatLockModes.taken(self, lock);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static void lockInterruptibly(Object lock, int site) throws InterruptedException {
    long self = begin(lock, site);
    try {
      ((Lock) lock).lockInterruptibly();
      if (LOCKSETS) DeadheatLockModes.taken(self, lock);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static boolean tryLock(Object lock, int site) {
    long self = begin(lock, site);
    try {
      boolean taken = ((Lock) lock).tryLock();
      if (LOCKSETS && taken) DeadheatLockModes.taken(self, lock);
      return taken;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static boolean tryLock(Object lock, long time, TimeUnit unit, int site) throws InterruptedException {
    long self = begin(lock, site);
    try {
      boolean taken = ((Lock) lock).tryLock(time, unit);
      if (LOCKSETS && taken) DeadheatLockModes.taken(self, lock);
      return taken;
    } finally {
      end(self);
    }
  }

  @Hidden
  public static void unlock(Object lock, int site) {
    long self = begin(lock, site);
    try {
      ((Lock) lock).unlock();
      if (LOCKSETS) DeadheatLockModes.given(self, lock);
    } finally {
      end(self);
    }
  }

  @Hidden
  public static void await(Object condition, int site) throws InterruptedException {
    long self = begin(condition, site);
    try {
      ((Condition) condition).await();
    } finally {
      endAwait(self, condition);
    }
  }

  @Hidden
  public static void awaitUninterruptibly(Object condition, int site) {
    long self = begin(condition, site);
    try {
      ((Condition) condition).awaitUninterruptibly();
    } finally {
      endAwait(self, condition);
    }
  }

  @Hidden
  public static long awaitNanos(Object condition, long nanos, int site) throws InterruptedException {
    long self = begin(condition, site);
    try {
      return ((Condition) condition).awaitNanos(nanos);
    } finally {
      endAwait(self, condition);
    }
  }

  @Hidden
  public static boolean await(Object condition, long time, TimeUnit unit, int site) throws InterruptedException {
    long self = begin(condition, site);
    try {
      return ((Condition) condition).await(time, unit);
    } finally {
      endAwait(self, condition);
    }
  }

  @Hidden
  public static boolean awaitUntil(Object condition, Date deadline, int site) throws InterruptedException {
    long self = begin(condition, site);
    try {
      return ((Condition) condition).awaitUntil(deadline);
    } finally {
      endAwait(self, condition);
    }
  }
}
