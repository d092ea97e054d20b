// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * The locks that each thread holds, for the detectors of candidates ({@code engine/candidates.h}); with happens-before detection they
 * are told to the history alone ({@link DeadheatLockHistory}). A lock is known by a number in its cell: monitors, and what extends {@code AbstractOwnableSynchronizer}.
 */
public final class DeadheatLocks {
  private DeadheatLocks() {}

  /** After a monitor was entered; {@code cell} is its object's. */
  @Hidden
  static void locked(Object cell) {
    long state = state();
    if (state != 0) onLock(state, number(cell));
  }

  @Hidden
  static void unlocked(Object cell) {
    long state = state();
    if (state != 0) onUnlock(state, number(cell));
  }

  /** Around {@code Object.wait}. Whoever notified before the wait ended did so before it. */
  @Hidden
  static void waiting(Object cell) {
    long state = state();
    if (state != 0) onWaitBegin(state, number(cell));
  }

  @Hidden
  static void waited(Object cell) {
    long state = state();
    if (state == 0) return;
    onWaitEnd(state, number(cell));
    DeadheatSync.acquire(((DeadheatCell) cell).more(), DeadheatCell.More.NOTIFIED);
  }

  /** Before {@code o.notify()} and {@code o.notifyAll()}. */
  @Hidden
  public static void notifying(Object o) {
    if (o == null || !Deadheat.live || !LOCKSETS) return;
    Object cell = DeadheatSync.heldMonitorOf(o);
    if (cell != null) DeadheatSync.releaseJoin(((DeadheatCell) cell).more(), DeadheatCell.More.NOTIFIED);
  }

  /** A synchroniser gets an owner, the current thread, or has none any more. (In a call of {@link DeadheatLockModes} a thread has no clocks.) */
  @Hidden
  public static void owned(Object synchroniser, Object owner) {
    if (!Deadheat.live || !DeadheatSync.attached() && !LOCKSETS) return;
    if (KEEPS_HISTORY) DeadheatLockHistory.owned(synchroniser, owner);
    if (!LOCKSETS) return;
    long state = state();
    long number = state == 0 ? 0 : numberOf(synchroniser);
    if (number != 0) tell(state, number, false, owner != null);
  }

  /** The current thread has taken a lock, or gives it up; {@code shared}: for reading. */
  @Hidden
  static void tell(long state, long lock, boolean shared, boolean taken) {
    if (shared) {
      if (taken) onLockShared(state, lock); else onUnlockShared(state, lock);
    } else {
      if (taken) onLock(state, lock); else onUnlock(state, lock);
    }
  }

  /** 0 when the heap is full. */
  @Hidden
  static long numberOf(Object lock) {
    Object cell = DeadheatMap.get(lock);
    return cell == null ? 0 : number(cell);
  }

  /** Given by the first who holds it, or the first of several readers. */
  @Hidden
  private static long number(Object cell) {
    long number = U.getLong(cell, DeadheatCell.MONITOR);
    if (number != 0) return number;
    U.compareAndSetLong(cell, DeadheatCell.MONITOR, 0, newLock());
    return U.getLong(cell, DeadheatCell.MONITOR);
  }

  @Hidden
  private static long state() {
    Thread t = Deadheat.thread();
    return t == null ? 0 : U.getLong(t, STATE);
  }

  @Hidden
  private static native long newLock();

  @Hidden
  private static native void onLock(long state, long lock);

  @Hidden
  private static native void onUnlock(long state, long lock);

  @Hidden
  private static native void onLockShared(long state, long lock);

  @Hidden
  private static native void onUnlockShared(long state, long lock);

  @Hidden
  private static native void onWaitBegin(long state, long lock);

  @Hidden
  private static native void onWaitEnd(long state, long lock);
}
