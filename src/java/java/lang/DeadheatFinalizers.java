// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import java.lang.ref.Reference;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks for finalizers: the end of each constructor of an object happens before its finalizer (JLS 17.4.5). Whether an object has a
 * finalizer is not known where its class is rewritten, because the class may inherit it. But the VM registers such an object before any of its
 * constructors has ended but that of {@code Object}, and from then on those of its class and of its superclasses are listened to.
 *
 * <p>A finalizer takes the locks of its object like anybody else, when the collector has cleared all weak references to them. From the first
 * object with a finalizer on the cells of locks are therefore kept until no finalizer can meet them.
 */
public final class DeadheatFinalizers {
  /** Whether there is any object with a finalizer: then constructors are listened to, and cells outlive their weak references. */
  static boolean seen;

  private DeadheatFinalizers() {}

  /** Last thing in a constructor of a class that may have a finalizer; the agent's word of that class has the number {@code finalizable}. */
  @ForceInline
  @Hidden
  public static void constructed(Object o, int finalizable) {
    if (seen && U.getLong(INIT_WORDS + 8L * finalizable) != 0) release(o);
  }

  /** Of another object of the class, or of one that was registered in a thread of which nothing is known, there is no word. */
  @Hidden
  private static void release(Object o) {
    DeadheatCell.More more = wordOf(o);
    if (more != null && more.constructed != 0) DeadheatSync.release(more, DeadheatCell.More.CONSTRUCTED);
  }

  @Hidden
  private static DeadheatCell.More wordOf(Object o) {
    DeadheatCell cell = DeadheatMap.find(o);
    return cell == null ? null : cell.knownMore();
  }

  /** A {@code Finalizer} has been made for {@code o}: the constructor of {@code Object} ends. */
  @Hidden
  public static void registered(Object o) {
    if (o == null || !DeadheatSync.attached() || !DeadheatMap.mayAllocate()) return;
    try {
      if (!seen) {
        seen = true;
        DeadheatMap.keepLocks();
      }
      DeadheatCell cell = DeadheatMap.get(o);
      DeadheatCell type = DeadheatMap.get(o.getClass());
      if (cell == null || type == null) return;
      listenTo(o.getClass(), type.more());
      DeadheatSync.release(cell.more(), DeadheatCell.More.CONSTRUCTED);
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
    }
  }

  /** The lock with this cell may be met again by a finalizer. */
  @Hidden
  static void keep(DeadheatCell cell) {
    if (cell.knownMore() != null || !DeadheatMap.mayAllocate()) return;
    try {
      cell.more();
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
    }
  }

  @Hidden
  private static void listenTo(Class<?> type, DeadheatCell.More more) {
    if (more.finalizable) return;
    mark(type);
    U.storeFence();
    more.finalizable = true;
  }

  /** A clone is registered too, but has no constructor. */
  @Hidden
  static void cloned(Object clone) {
    DeadheatCell.More more = seen ? wordOf(clone) : null;
    if (more != null) more.constructed = 0;
  }

  /** The object of {@code finalizer} is about to be finalized, unless it has been. */
  @Hidden
  public static void finalizing(Object finalizer) {
    if (!DeadheatSync.attached()) return;
    Object o = ((Reference<?>) finalizer).get();
    DeadheatCell cell = o == null ? null : DeadheatMap.get(o);
    DeadheatCell.More more = cell == null ? null : cell.knownMore();
    if (more != null) DeadheatSync.acquire(more, DeadheatCell.More.CONSTRUCTED);
  }

  /** Listens to the constructors of {@code type} and its superclasses. */
  @Hidden
  private static native void mark(Class<?> type);
}
