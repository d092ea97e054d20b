// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Where the words of monitors are. Objects of classes with synchronized methods have theirs themselves: nothing else is known of most of them,
 * and to look for their cell when the monitor is held already would inflate it, because it takes a hash. Other objects have it in their cell,
 * looked up while the monitor is not held.
 *
 * <p>An instance is what a thread remembers of that: the cells of the classes and of the locks that it met lately. Used by its thread only.
 */
final class DeadheatMonitors {
  /** How many cells of each kind; a power of two. */
  private static final int PLACES = 32;
  private static final int OTHERS = 64;

  private final DeadheatCell[] types = new DeadheatCell[PLACES];
  private final DeadheatCell[] locks = new DeadheatCell[PLACES];
  /** The place of the lock that was entered last: what is left next is mostly that. */
  private int last;
  /** The cell of a class whose objects have no words of their own. */
  private DeadheatCell plainType;
  /**
   * How often an object was of another class than that of {@link DeadheatVm#LOCK_TYPE} and {@link #plainType}. Now and then its class takes the place, so
   * most of the time these are the ones that come most often.
   */
  private int others;

  @Hidden
  private DeadheatMonitors() {}

  /** The object that has the word of the monitor of {@code o}, which is held if so; null if the heap is full. */
  @ForceInline
  @Hidden
  static Object of(Thread t, Object o, boolean held) {
    DeadheatCell type = (DeadheatCell) U.getReference(t, LOCK_TYPE);
    return type != null && type.isOf(o.getClass()) ? o : find(t, o, held);
  }

  /** The offset of the monitor's word in {@code base}, an answer of {@link #of}. */
  @ForceInline
  @Hidden
  static long offsetIn(Object base) {
    return base instanceof DeadheatCell ? DeadheatCell.MONITOR : ownOffset(base);
  }

  @ForceInline
  @Hidden
  private static long ownOffset(Object o) {
    Thread t = Thread.currentThread();
    DeadheatCell type = (DeadheatCell) U.getReference(t, LOCK_TYPE);
    return type != null && type.isOf(o.getClass()) ? type.ownOffset : otherOffset(t, o.getClass());
  }

  @Hidden
  private static long otherOffset(Thread t, Class<?> type) {
    DeadheatMonitors known = (DeadheatMonitors) U.getReference(t, MONITORS);
    return (known == null ? DeadheatMap.get(type) : known.cellOf(type)).ownOffset;  // it has one, or this would be a cell
  }

  @DontInline
  @Hidden
  private static Object find(Thread t, Object o, boolean held) {
    DeadheatMonitors known = (DeadheatMonitors) U.getReference(t, MONITORS);
    if (known == null && (known = begin(t)) == null) return null;
    return known.find(t, o, o.getClass(), held);
  }

  @Hidden
  private static DeadheatMonitors begin(Thread t) {
    if (!DeadheatMap.mayAllocate()) return null;
    try {
      DeadheatMonitors fresh = new DeadheatMonitors();
      U.putReference(t, MONITORS, fresh);
      return fresh;
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
      return null;
    }
  }

  @ForceInline
  @Hidden
  private Object find(Thread t, Object o, Class<?> type, boolean held) {
    DeadheatCell lock = locks[last];
    if (lock != null && lock.isOf(o)) return lock;
    if (!LOCKSETS && !(plainType != null && plainType.isOf(type))) {
      DeadheatCell cell = cellOf(type);
      if (cell == null) return null;
      if (++others % OTHERS == 1) prefer(t, cell);
      if (cell.ownOffset > 0) return o;
    }
    return held ? findHeld(o) : findLock(o);
  }

  @DontInline
  @Hidden
  private void prefer(Thread t, DeadheatCell type) {
    if (type.ownOffset > 0) U.putReference(t, LOCK_TYPE, type); else plainType = type;
  }

  /** The cell of a class that is locked, with its {@code ownOffset}; null if the heap is full. */
  @ForceInline
  @Hidden
  private DeadheatCell cellOf(Class<?> type) {
    int place = DeadheatHashes.of(type) & PLACES - 1;
    DeadheatCell cell = types[place];
    return cell != null && cell.isOf(type) ? cell : meetType(type, place);
  }

  @DontInline
  @Hidden
  private DeadheatCell meetType(Class<?> type, int place) {
    DeadheatCell cell = DeadheatMap.get(type);
    if (cell == null) return null;
    // Whatever is found out first holds for everybody and for good.
    if (cell.ownOffset == 0) cell.publishOwnOffset(resolveMonitor(type));
    types[place] = cell;
    return cell;
  }

  @ForceInline
  @Hidden
  private DeadheatCell findLock(Object o) {
    int place = DeadheatHashes.of(o) & PLACES - 1;
    DeadheatCell lock = locks[place];
    if (lock == null || !lock.isOf(o)) return meet(o, place);
    last = place;
    return lock;
  }

  /** It is among those met lately, most likely, and the hash of an object whose monitor is held takes a call into the VM. */
  @Hidden
  private DeadheatCell findHeld(Object o) {
    for (DeadheatCell lock : locks) {
      if (lock != null && lock.isOf(o)) return lock;
    }
    return meet(o, DeadheatHashes.of(o) & PLACES - 1);
  }

  @DontInline
  @Hidden
  private DeadheatCell meet(Object o, int place) {
    DeadheatCell lock = DeadheatMap.get(o);
    if (lock == null) return null;
    if (DeadheatFinalizers.seen) DeadheatFinalizers.keep(lock);
    locks[place] = lock;
    last = place;
    return lock;
  }

  /** Where instances of {@code type} have the word of their monitor, or -1. */
  @Hidden
  private static native long resolveMonitor(Class<?> type);
}
