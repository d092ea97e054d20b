// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.vm.annotation.Hidden;

/**
 * For the detectors of candidates: the JDK's own locks where the program calls them (agent/lock_calls.h). There they are locks like a monitor, and
 * what they are made of orders nothing: during the call the thread has no clocks, which every hook for order takes for "not known". Where the
 * JDK calls them, in its queues and pools, they order as ever. Exclusive locks have an owner, who is told of wherever he takes them ({@link
 * DeadheatLocks#owned}); readers and stamps are told of here.
 */
public final class DeadheatLockModes {
  /** In the number of a StampedLock: the object may be locked as a monitor too. */
  private static final long STAMPED = 1L << 62;
  private static final long WRITE_BIT = 1 << 7;  // of a stamp (StampedLock.java)
  private static final long READERS = WRITE_BIT - 1;

  /** The views of a StampedLock as a Lock, as far as they were met, and where they have it. */
  private static Class<?> readView;
  private static Class<?> writeView;
  private static long readOuter;
  private static long writeOuter;

  private DeadheatLockModes() {}

  // ---- around a call -----------------------------------------------------------------------------------------------------------------

  /** Before a call of a lock or of a condition: what {@link #end} wants, 0 if it is none of the JDK's own. */
  @Hidden
  static long begin(Object o) {
    Thread t = Deadheat.thread();
    if (t == null || o == null) return 0;
    long state = U.getLong(t, STATE);
    if (state == 0 || !isJdkLock(o)) return 0;
    U.putLong(t, CLOCKS, 0);
    return state;
  }

  /** Whichever way the call ended. */
  @Hidden
  static void end(long state) {
    if (state != 0) U.putLong(Thread.currentThread(), CLOCKS, U.getLong(state + DeadheatLayout.STATE_CLOCKS));
  }

  /** A subclass that the program has written is what it makes of itself. */
  @Hidden
  private static boolean isJdkLock(Object o) {
    Class<?> type = o.getClass();
    if (type == ReentrantLock.class || type == ReentrantReadWriteLock.ReadLock.class || type == ReentrantReadWriteLock.WriteLock.class) return true;
    if (type == AbstractQueuedSynchronizer.ConditionObject.class || type == AbstractQueuedLongSynchronizer.ConditionObject.class)
      return DeadheatLockCalls.isOfLock(DeadheatLockCalls.synchroniser(o));
    return type == StampedLock.class || isView(type);
  }

  @Hidden
  private static boolean isView(Class<?> type) {
    if (type == readView || type == writeView) return true;
    if (type.getClassLoader0() != null) return false;
    switch (type.getName()) {
      case "java.util.concurrent.locks.StampedLock$ReadLockView":
        readOuter = U.objectFieldOffset(type, "this$0");
        readView = type;
        return true;
      case "java.util.concurrent.locks.StampedLock$WriteLockView":
        writeOuter = U.objectFieldOffset(type, "this$0");
        writeView = type;
        return true;
      default:
        return false;
    }
  }

  /** An InterruptedException is made inside such a call: whoever interrupted the thread did so before. */
  @Hidden
  static void interrupted(Thread t) {
    long state = U.getLong(t, STATE);
    if (state == 0) return;
    end(state);
    DeadheatSync.interruptSeen(t);
    U.putLong(t, CLOCKS, 0);
  }

  // ---- what it has done ----------------------------------------------------------------------------------------------------------------

  /** The call has taken the lock. */
  @Hidden
  static void taken(long state, Object lock) {
    if (state != 0) change(state, lock, true);
  }

  @Hidden
  static void given(long state, Object lock) {
    if (state != 0) change(state, lock, false);
  }

  @Hidden
  private static void change(long state, Object lock, boolean taken) {
    Class<?> type = lock.getClass();
    if (type == ReentrantReadWriteLock.ReadLock.class) {
      tell(state, DeadheatLockCalls.synchroniser(lock), 0, true, taken);
    } else if (type == readView) {
      tell(state, U.getReference(lock, readOuter), STAMPED, true, taken);
    } else if (type == writeView) {
      tell(state, U.getReference(lock, writeOuter), STAMPED, false, taken);
    }
  }

  /** The call returned this stamp; 0 if it got none, without a mode if it is an optimistic one. */
  @Hidden
  static void stamped(long state, Object lock, long stamp) {
    if (state != 0 && (stamp & (WRITE_BIT | READERS)) != 0) tell(state, lock, STAMPED, (stamp & WRITE_BIT) == 0, true);
  }

  /** The call has given up what this stamp stands for. */
  @Hidden
  static void unstamped(long state, Object lock, long stamp) {
    if (state != 0 && (stamp & (WRITE_BIT | READERS)) != 0) tell(state, lock, STAMPED, (stamp & WRITE_BIT) == 0, false);
  }

  /** The call was made without a stamp. */
  @Hidden
  static void unstamped(long state, Object lock, boolean shared) {
    if (state != 0) tell(state, lock, STAMPED, shared, false);
  }

  /** The call was to make the first stamp into the second, which is 0 if it did not. */
  @Hidden
  static void converted(long state, Object lock, long before, long after) {
    if (after == 0) return;
    unstamped(state, lock, before);
    stamped(state, lock, after);
  }

  /** The lock is taken or given up already: were this to throw, the program would not know. */
  @Hidden
  private static void tell(long state, Object lock, long kind, boolean shared, boolean taken) {
    try {
      long number = DeadheatLocks.numberOf(lock);
      if (number != 0) DeadheatLocks.tell(state, number | kind, shared, taken);
    } catch (StackOverflowError e) {
      // It is not known that the lock is held, or that it is not any more.
    }
  }

  // ---- conditions ------------------------------------------------------------------------------------------------------------------------

  /** Behind the end of a wait: whoever signalled before did so before it, as with {@code notify}. */
  @Hidden
  static void awaited(Object condition) {
    DeadheatCell cell = DeadheatMap.get(condition);
    if (cell != null) DeadheatSync.acquire(cell.more(), DeadheatCell.More.NOTIFIED);
  }

  @Hidden
  private static long signalling(Object condition) {
    if (condition == null || !DeadheatSync.attached() || !isJdkLock(condition)) return 0;
    DeadheatCell cell = DeadheatMap.get(condition);
    if (cell != null) DeadheatSync.releaseJoin(cell.more(), DeadheatCell.More.NOTIFIED);
    return begin(condition);
  }

  /** In place of the calls in watched code. */
  @Hidden
  public static void signal(Object condition, int site) {
    long state = signalling(condition);
    try {
      ((Condition) condition).signal();
    } finally {
      end(state);
    }
  }

  @Hidden
  public static void signalAll(Object condition, int site) {
    long state = signalling(condition);
    try {
      ((Condition) condition).signalAll();
    } finally {
      end(state);
    }
  }
}
