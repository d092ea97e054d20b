// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The locks that a thread holds, for its history ({@code agent/history_layout.h}, where the forms of a lock's name are): a monitor is
 * known by the place where it was entered, a lock of {@code java.util.concurrent} with an owner by a number that it is given.
 */
final class DeadheatLockHistory {
  private DeadheatLockHistory() {}

  /** A monitor was entered at {@code site}; 0 in native code. */
  @ForceInline
  @Hidden
  static void entered(int site) {
    long history = U.getLong(Thread.currentThread(), HISTORY);
    if (history != 0) push(history, site);
  }

  /** The monitor entered last is being left. */
  @Hidden
  static void exited() {
    long history = U.getLong(Thread.currentThread(), HISTORY);
    if (history == 0) return;
    int depth = U.getInt(history + DeadheatLayout.HISTORY_DEPTH);
    int at = depth - 1;
    // Locks of java.util.concurrent need not nest with monitors.
    if (depth <= DeadheatLayout.MOST_HELD_LOCKS) while (at >= 0 && name(history, at) < 0) at--;
    if (at >= 0) remove(history, at, depth);
  }

  /** A synchroniser gets an owner, the current thread, or has none any more. */
  @Hidden
  static void owned(Object synchroniser, Object owner) {
    long history = U.getLong(Thread.currentThread(), HISTORY);
    if (history == 0) return;
    long name = U.getLong(synchroniser, NAME);
    if (name == 0) U.putLong(synchroniser, NAME, name = nameLock(synchroniser));
    if (name == DeadheatLayout.LOCK_WITHOUT_NAME) return;
    if (owner != null) {
      push(history, name);
      return;
    }
    int depth = U.getInt(history + DeadheatLayout.HISTORY_DEPTH);
    int at = Math.min(depth, DeadheatLayout.MOST_HELD_LOCKS) - 1;
    while (at >= 0 && name(history, at) != name) at--;
    if (at < 0 && depth > DeadheatLayout.MOST_HELD_LOCKS) at = depth - 1;  // one of those that are only counted
    if (at >= 0) remove(history, at, depth);
  }

  /** In each synchroniser with an owner: its name. Whoever owns it gives it one. */
  private static final long NAME = U.objectFieldOffset(AbstractOwnableSynchronizer.class, "$dh$name");

  @ForceInline
  @Hidden
  private static void push(long history, long name) {
    int depth = U.getInt(history + DeadheatLayout.HISTORY_DEPTH);
    U.putInt(history + DeadheatLayout.HISTORY_DEPTH, depth + 1);
    if (depth < DeadheatLayout.MOST_HELD_LOCKS) put(history, depth, name, U.getLong(history + DeadheatLayout.HISTORY_LOCKS_NOW));
  }

  @Hidden
  private static void remove(long history, int at, int depth) {
    U.putInt(history + DeadheatLayout.HISTORY_DEPTH, depth - 1);
    if (at >= DeadheatLayout.MOST_HELD_LOCKS) return;  // one of those that are only counted
    int left = Math.min(depth - 1, DeadheatLayout.MOST_HELD_LOCKS);
    long digest = U.getLong(history + DeadheatLayout.HISTORY_DIGESTS + at * 8L);
    U.putLong(history + DeadheatLayout.HISTORY_LOCKS_NOW, digest);
    // The innermost place may have to be filled by one that was only counted: its name is not known, and the last one stays.
    for (; at < left; at++) digest = put(history, at, name(history, Math.min(at + 1, DeadheatLayout.MOST_HELD_LOCKS - 1)), digest);
  }

  /** The lock {@code at} from outside; {@code digest} is that of those around it. Returns the one with it, which is now that of all. */
  @ForceInline
  @Hidden
  private static long put(long history, int at, long name, long digest) {
    digest = (digest ^ name + 1) * DeadheatLayout.LOCKS_DIGEST_FACTOR;
    U.putLong(history + DeadheatLayout.HISTORY_HELD + at * 8L, name);
    U.putLong(history + DeadheatLayout.HISTORY_DIGESTS + 8 + at * 8L, digest);
    U.putLong(history + DeadheatLayout.HISTORY_LOCKS_NOW, digest);
    return digest;
  }

  @ForceInline
  @Hidden
  private static long name(long history, int at) {
    return U.getLong(history + DeadheatLayout.HISTORY_HELD + at * 8L);
  }

  @Hidden
  private static native long nameLock(Object synchroniser);
}
