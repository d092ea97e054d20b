// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Numbers for objects under the controlled scheduler, in the order of their first use, which under control is the same in every run: the
 * scheduler is told of objects by them, and identity hashes are made from them.
 */
public final class DeadheatNumbers {
  /** The numbers of the objects used so far. Only the thread whose turn it is comes here. */
  private static int objects;
  /**
   * The same for identity hashes, by themselves: how many objects of the JDK are locked while the VM starts differs from run to run, and the
   * program's hashes must not.
   */
  private static int hashes;
  /** The same for objects that a thread which is not managed has asked for first: below zero. */
  private static int outsiders;

  /** The least id that a managed thread has given to one it made. */
  private static long ownIds = Long.MAX_VALUE;

  private DeadheatNumbers() {}

  /** The number of {@code o}, in the upper half of a key; 0 when there is no room to remember it. */
  @Hidden
  static long of(Object o) {
    if (RECORDS && !o.getClass().isArray()) {
      DeadheatCell type = DeadheatMap.get(o.getClass());
      if (type == null) return 0;
      int offset = type.ownOffset != 0 ? type.ownOffset : type.publishOwnOffset(resolveNumber(o.getClass()));
      if (offset > 0) return at(o, offset);
    }
    return in(DeadheatMap.get(o));
  }

  /** The same of an object that has its number at {@code offset}, if that is not 0. */
  @ForceInline
  @Hidden
  static long of(Object o, long offset) {
    return offset != 0 ? at(o, offset) : of(o);
  }

  /** The same of an array that is accessed at {@code site}. */
  @Hidden
  static long ofArray(Object array, int site) {
    return in(RECORDS ? DeadheatArrays.cellAt(array, site) : DeadheatMap.get(array));
  }

  @ForceInline
  @Hidden
  private static long at(Object o, long offset) {
    int number = U.getInt(o, offset);
    if (number == 0) U.putInt(o, offset, number = ++objects);
    return (long) number << 32;
  }

  @ForceInline
  @Hidden
  private static long in(DeadheatCell cell) {
    if (cell == null) return 0;
    if (cell.number == 0) cell.number = ++objects;
    return (long) cell.number << 32;
  }

  /** Behind {@code Object.clone()}, which copies the number with the rest. */
  @Hidden
  public static void cloned(Object clone) {
    if (!Deadheat.live || !RECORDS || clone == null || clone.getClass().isArray()) return;
    DeadheatCell type = DeadheatMap.get(clone.getClass());
    if (type != null && type.ownOffset > 0) U.putInt(clone, type.ownOffset, 0);
  }

  /** Where instances of {@code type} have their number, or -1. */
  @Hidden
  private static native long resolveNumber(Class<?> type);

  /** The id of a thread that a managed thread makes, for which the VM has drawn {@code id}. */
  @Hidden
  static long threadId(long id) {
    long own = DeadheatGateThreads.nextThreadId();
    if (own == 0) return id;
    if (own < ownIds) ownIds = own;
    return own;
  }

  /** Made by a managed thread: its id is the same in every run. */
  @Hidden
  private static boolean hasOwnId(Thread t) {
    long id = U.getLong(t, TID);
    return id >= ownIds && id < DeadheatLayout.OTHER_THREAD_IDS;
  }

  // ---- identity hashes: the VM's differ from run to run, and with them the order of hash tables ---------------------------------------

  /** In place of {@code o.hashCode()}. */
  @Hidden
  public static int hashCode(Object o) {
    if (o instanceof Class<?> type && isOfProgram(type)) return hashOfName(type);
    int hash = o.hashCode();
    return isNumbered(o) && hash == System.identityHashCode(o) ? numberedHash(o, hash) : hash;
  }

  /** In place of {@code System.identityHashCode(o)}. */
  @Hidden
  public static int identityHashCode(Object o) {
    if (o instanceof Class<?> type && isOfProgram(type)) return hashOfName(type);
    int hash = System.identityHashCode(o);
    return isNumbered(o) ? numberedHash(o, hash) : hash;
  }

  /** Programs make hashes of objects from those of their classes, and the VM draws these when it links a class. */
  @Hidden
  private static boolean isOfProgram(Class<?> type) {
    return Deadheat.live && type.getClassLoader0() != null;
  }

  /** What comes behind the '/' of a hidden class's name is its address. */
  @Hidden
  private static int hashOfName(Class<?> type) {
    String name = type.getName();
    int end = name.indexOf('/');
    long sum = 0;
    for (int i = end < 0 ? name.length() : end; --i >= 0; ) sum = sum * 31 + name.charAt(i);
    return (int) DeadheatHashes.mix(sum) & Integer.MAX_VALUE;
  }

  /**
   * Objects of the JDK may be in tables that were made before the hooks were live, under the VM's hash. Weak references are keys of the set of
   * executors and pools that some JDKs keep, and each program makes its own. Threads are elements of the set that an executor of a thread per
   * task keeps, which interrupts them in its order.
   */
  @Hidden
  private static boolean isNumbered(Object o) {
    if (o == null || !Deadheat.live) return false;
    Class<?> type = o.getClass();
    return type.getClassLoader0() != null && !type.isArray() || type.getPackageName() == "java.util.concurrent"
        || type == java.lang.ref.WeakReference.class || o instanceof Thread t && hasOwnId(t);
  }

  @Hidden
  private static int numberedHash(Object o, int hash) {
    DeadheatCell cell = DeadheatMap.get(o);
    if (cell == null) return hash;
    DeadheatCell.More more = cell.more();
    if (more.hashNumber == 0) more.hashNumber = self() != 0 ? ++hashes : --outsiders;
    return more.hashNumber * 0x9e3779b9 >>> 1;
  }
}
