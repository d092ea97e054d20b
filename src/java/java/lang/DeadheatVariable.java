// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * A variable as one call accesses it: where its words are, and the sites under which its plain and its atomic accesses there go into
 * those words. (A site of a field instruction names its field; a call may access any.) Asked of the agent once for each call site, class
 * and offset; found in a table that only grows, but for entries of classes that are gone.
 */
final class DeadheatVariable {
  private static final int BUCKETS = 1 << 14;
  private static final DeadheatVariable[] table = new DeadheatVariable[BUCKETS];

  /** The class with the field; null for the elements of arrays. */
  private final DeadheatCell type;
  /** A static field and a field of instances may have one offset, and are two variables: of the one it is the complement. */
  private final long offset;
  private final int callSite;
  private final DeadheatVariable next;
  final long where;
  final int plainSite;
  final int atomicSite;

  @Hidden
  private DeadheatVariable(DeadheatCell type, long offset, int callSite, long[] answer, DeadheatVariable next) {
    this.type = type;
    this.offset = offset;
    this.callSite = callSite;
    this.next = next;
    this.where = answer[DeadheatLayout.VARIABLE_WHERE];
    this.plainSite = (int) answer[DeadheatLayout.VARIABLE_PLAIN_SITE];
    this.atomicSite = (int) answer[DeadheatLayout.VARIABLE_ATOMIC_SITE];
  }

  /** The field at {@code offset} of instances of {@code type} or, if {@code isStatic}, of the class itself. Null when the heap is full. */
  @Hidden
  static DeadheatVariable field(Class<?> type, boolean isStatic, long offset, int callSite) {
    long key = isStatic ? ~offset : offset;
    int bucket = bucket(DeadheatHashes.of(type), key, callSite);
    for (DeadheatVariable v = table[bucket]; v != null; v = v.next) {
      if (v.callSite == callSite && v.offset == key && v.type != null && v.type.refersTo(type)) return v;
    }
    return add(bucket, type, isStatic, offset, callSite);
  }

  @Hidden
  static DeadheatVariable element(int callSite) {
    int bucket = bucket(0, 0, callSite);
    for (DeadheatVariable v = table[bucket]; v != null; v = v.next) {
      if (v.callSite == callSite && v.type == null) return v;
    }
    return add(bucket, null, false, 0, callSite);
  }

  @Hidden
  private static int bucket(int type, long offset, int callSite) {
    long hash = (type * 31L + offset * 7 + callSite) * 0x9e3779b97f4a7c15L;
    return (int) (hash >>> 50);
  }

  /** Two threads may add the same variable at once; its second entry is never found and does no harm. */
  @Hidden
  private static DeadheatVariable add(int bucket, Class<?> type, boolean isStatic, long offset, int callSite) {
    if (!DeadheatMap.mayAllocate()) return null;
    try {
      DeadheatCell cell = type == null ? null : DeadheatMap.get(type);
      if (type != null && cell == null) return null;
      long[] answer = new long[DeadheatLayout.VARIABLE_PARTS];
      resolve(type, isStatic, offset, callSite, answer);
      DeadheatVariable head = table[bucket];
      while (head != null && head.type != null && head.type.refersTo(null)) head = head.next;
      DeadheatVariable added = new DeadheatVariable(cell, isStatic ? ~offset : offset, callSite, answer, head);
      U.storeFence();
      table[bucket] = added;
      return added;
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
      return null;
    }
  }

  @Hidden
  private static native void resolve(Class<?> type, boolean isStatic, long offset, int callSite, long[] answer);
}
