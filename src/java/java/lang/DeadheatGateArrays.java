// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatVm.RECORDS;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import jdk.internal.vm.annotation.Hidden;

/**
 * When a run is recorded, or at a site that is asked for: methods of the JDK that access arrays, or all fields, of the caller's. Told before the call; where it depends on
 * the program's own objects what is accessed, or when, the method is done here.
 */
public final class DeadheatGateArrays {
  private DeadheatGateArrays() {}

  // ---- ranges -----------------------------------------------------------------------------------------------------------------------

  @Hidden
  public static void readAll(Object array, int site) {
    if (array != null) readPart(array, 0, Array.getLength(array), site);
  }

  /** Elements {@code from} to {@code to}, exclusive; those that there are (a copy may be longer). */
  @Hidden
  public static void readPart(Object array, int from, int to, int site) {
    if (array == null || from < 0) return;
    int end = Math.min(to, Array.getLength(array));
    if (from < end) DeadheatGate.element(array, from, end - from, site, false);
  }

  @Hidden
  public static void readCount(Object array, int from, int count, int site) {
    if (array != null && count > 0 && from >= 0 && from <= Array.getLength(array) - count) readPart(array, from, from + count, site);
  }

  @Hidden
  public static void writeAll(Object array, int site) {
    if (array != null) writePart(array, 0, Array.getLength(array), site);
  }

  @Hidden
  public static void writePart(Object array, int from, int to, int site) {
    if (array != null && from >= 0 && from < to) DeadheatGate.element(array, from, to - from, site, true);
  }

  /** Before {@code Array.get…(array, index)}: at a site that is asked for, where threads are to meet. */
  @Hidden
  public static void gettingElement(Object array, int index, int site) {
    if (!RECORDS) DeadheatGate.element(array, index, 1, site, false);
  }

  /** Before {@code Array.set…(array, index, value)}, likewise. */
  @Hidden
  public static void settingElement(Object array, int index, int site) {
    if (!RECORDS) DeadheatGate.element(array, index, 1, site, true);
  }

  /** Behind {@code Array.get…(array, index)}. */
  @Hidden
  public static void gotElement(Object array, int index, int site) {
    if (RECORDS) DeadheatGate.elementDone(array, index, site, false);
  }

  /** Behind {@code Array.set…(array, index, value)}. */
  @Hidden
  public static void setElement(Object array, int index, int site) {
    if (RECORDS) DeadheatGate.elementDone(array, index, site, true);
  }

  /** Each element is read, and written. */
  @Hidden
  public static void updateAll(Object array, int site) {
    readAll(array, site);
    writeAll(array, site);
  }

  @Hidden
  public static void updatePart(Object array, int from, int to, int site) {
    readPart(array, from, to, site);
    writePart(array, from, to, site);
  }

  // ---- clone() of an object -----------------------------------------------------------------------------------------------------------

  /** Before {@code super.clone()}: every field is read. */
  @Hidden
  public static void cloning(Object o, int site) {
    long self = self();
    if (self == 0 || !(o instanceof Cloneable)) return;
    if (o.getClass().isArray()) {
      readAll(o, site);
      return;
    }
    long[] words = DeadheatClones.wordsOf(o.getClass());
    if (words == null) return;
    for (int i = 0; i < words.length; i += 3) {
      if (words[i + 1] >= 0) DeadheatGateCalls.plain(o, words[i + 2], DeadheatLayout.MODE_READS | DeadheatLayout.MODE_PLAIN, site);
    }
  }

  // ---- in place of methods of java.util.Arrays ------------------------------------------------------------------------------------------

  @Hidden
  private static Object at(Object[] array, int index, int site) {
    DeadheatGate.element(array, index, 1, site, false);
    return array[index];
  }

  @Hidden
  public static boolean equals(Object[] a, Object[] b, int site) {
    if (a == b) return true;
    if (a == null || b == null || a.length != b.length) return false;
    return difference(a, 0, b, 0, a.length, site) < 0;
  }

  @Hidden
  public static boolean equals(Object[] a, int from, int to, Object[] b, int fromB, int toB, int site) {
    if (!isPart(a, from, to) || !isPart(b, fromB, toB)) return Arrays.equals(a, from, to, b, fromB, toB);
    return to - from == toB - fromB && difference(a, from, b, fromB, to - from, site) < 0;
  }

  @Hidden
  public static int mismatch(Object[] a, Object[] b, int site) {
    if (a == null || b == null) return Arrays.mismatch(a, b);
    if (a == b) return -1;
    return mismatch(a, 0, a.length, b, 0, b.length, site);
  }

  @Hidden
  public static int mismatch(Object[] a, int from, int to, Object[] b, int fromB, int toB, int site) {
    if (!isPart(a, from, to) || !isPart(b, fromB, toB)) return Arrays.mismatch(a, from, to, b, fromB, toB);
    int length = Math.min(to - from, toB - fromB);
    int different = difference(a, from, b, fromB, length, site);
    return different >= 0 || to - from == toB - fromB ? different : length;
  }

  /** The first of {@code length} elements that are not equal, or -1. */
  @Hidden
  private static int difference(Object[] a, int from, Object[] b, int fromB, int length, int site) {
    for (int i = 0; i < length; i++) {
      if (!Objects.equals(at(a, from + i, site), at(b, fromB + i, site))) return i;
    }
    return -1;
  }

  @Hidden
  private static boolean isPart(Object[] array, int from, int to) {
    return array != null && from >= 0 && from <= to && to <= array.length;
  }

  @Hidden
  public static boolean deepEquals(Object[] a, Object[] b, int site) {
    if (a == b) return true;
    if (a == null || b == null || a.length != b.length) return false;
    for (int i = 0; i < a.length; i++) {
      if (!areDeepEqual(at(a, i, site), at(b, i, site), site)) return false;
    }
    return true;
  }

  @Hidden
  private static boolean areDeepEqual(Object a, Object b, int site) {
    if (a == b) return true;
    if (a == null || b == null) return false;
    if (a instanceof Object[] of && b instanceof Object[] other) return deepEquals(of, other, site);
    if (!a.getClass().isArray() || a.getClass() != b.getClass()) return a.equals(b);
    DeadheatParts.comparing(a, b, site);
    return Arrays.deepEquals(new Object[] {a}, new Object[] {b});
  }

  @Hidden
  public static int binarySearch(Object[] array, Object key, int site) {
    return binarySearch(array, 0, array.length, key, site);
  }

  @Hidden
  @SuppressWarnings("unchecked")
  public static int binarySearch(Object[] array, int from, int to, Object key, int site) {
    if (!isPart(array, from, to)) return Arrays.binarySearch(array, from, to, key);
    int low = from;
    int high = to - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = ((Comparable<Object>) at(array, middle, site)).compareTo(key);
      if (order == 0) return middle;
      if (order < 0) low = middle + 1; else high = middle - 1;
    }
    return -(low + 1);
  }

  /** The value that is written is made before each write, by the program. */
  @Hidden
  public static void setAll(Object[] array, IntFunction<?> made, int site) {
    Objects.requireNonNull(made);
    for (int i = 0; i < array.length; i++) {
      Object value = made.apply(i);
      DeadheatGate.writeReference(array, i, value, site, null);
      array[i] = value;
    }
  }

  @Hidden
  public static void setAll(int[] array, IntUnaryOperator made, int site) {
    Objects.requireNonNull(made);
    for (int i = 0; i < array.length; i++) {
      int value = made.applyAsInt(i);
      DeadheatGate.element(array, i, 1, site, true);
      array[i] = value;
    }
  }

  @Hidden
  public static void setAll(long[] array, IntToLongFunction made, int site) {
    Objects.requireNonNull(made);
    for (int i = 0; i < array.length; i++) {
      long value = made.applyAsLong(i);
      DeadheatGate.element(array, i, 1, site, true);
      array[i] = value;
    }
  }

  @Hidden
  public static void setAll(double[] array, IntToDoubleFunction made, int site) {
    Objects.requireNonNull(made);
    for (int i = 0; i < array.length; i++) {
      double value = made.applyAsDouble(i);
      DeadheatGate.element(array, i, 1, site, true);
      array[i] = value;
    }
  }
}
