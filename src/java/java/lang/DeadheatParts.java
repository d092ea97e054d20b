// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks for methods of the JDK that access only part of an array of the caller's, and which part depends on what is in it: only
 * elements that the method is sure to access count. See {@link Deadheat} for the rules that hold for every hook.
 */
public final class DeadheatParts {
  private DeadheatParts() {}

  // ---- Arrays.equals, mismatch, compare ----------------------------------------------------------------------------------------

  /** Before {@code Arrays.equals(a, b)}: arrays of different length are not looked at. */
  @Hidden
  public static void comparing(Object a, Object b, int site) {
    if (a != null && b != null && lengthOf(a) == lengthOf(b)) scanning(a, b, site);
  }

  @Hidden
  public static void comparing(Object a, int from, int to, Object b, int fromB, int toB, int site) {
    if (to - from == toB - fromB) scanning(a, from, to, b, fromB, toB, site);
  }

  /** Before {@code Arrays.mismatch(a, b)} and {@code Arrays.compare(a, b)}. */
  @Hidden
  public static void scanning(Object a, Object b, int site) {
    if (a != null && b != null && a != b) scanning(a, 0, lengthOf(a), b, 0, lengthOf(b), site);
  }

  @Hidden
  public static void scanning(Object a, int from, int to, Object b, int fromB, int toB, int site) {
    if (a == null || b == null || from > to || fromB > toB) return;
    int length = Math.min(to - from, toB - fromB);
    if (length == 0 || !DeadheatArrays.inBounds(a, from, to - from) || !DeadheatArrays.inBounds(b, fromB, toB - fromB)) return;
    int same = 0;
    while (same < length && isSame(a, from + same, b, fromB + same)) same++;
    // The first two elements that differ are read. Of objects that are equal and not the same those behind them are read too: these are missed.
    int read = Math.min(same + 1, length);
    read(a, from, from + read, site);
    read(b, fromB, fromB + read, site);
  }

  // ---- Arrays.parallelSort ----------------------------------------------------------------------------------------------------

  @Hidden
  public static void sorting(Object array, int site) {
    if (array != null) sorting(array, 0, lengthOf(array), site);
  }

  /** What is in order already is only read. Else all counts as written: which elements stay where they are is the method's own business. */
  @Hidden
  public static void sorting(Object array, int from, int to, int site) {
    if (array == null || to - from < 2 || !DeadheatArrays.inBounds(array, from, to - from)) return;
    boolean inOrder = isInOrder(array, from, to);
    if (inOrder || !HAS_WORDS) read(array, from, to, site);
    if (!inOrder) write(array, from, to, site);
  }

  @Hidden
  private static boolean isInOrder(Object array, int from, int to) {
    if (array instanceof Object[]) return false;
    for (int i = from + 1; i < to; i++) {
      if (at(array, i - 1) > at(array, i)) return false;
    }
    return true;
  }

  // ---- Arrays.binarySearch ------------------------------------------------------------------------------------------------------

  @Hidden
  public static void searching(byte[] array, byte key, int site) {
    if (array != null) search(array, 0, array.length, key, site);
  }

  @Hidden
  public static void searching(byte[] array, int from, int to, byte key, int site) {
    search(array, from, to, key, site);
  }

  @Hidden
  public static void searching(char[] array, char key, int site) {
    if (array != null) search(array, 0, array.length, key, site);
  }

  @Hidden
  public static void searching(char[] array, int from, int to, char key, int site) {
    search(array, from, to, key, site);
  }

  @Hidden
  public static void searching(short[] array, short key, int site) {
    if (array != null) search(array, 0, array.length, key, site);
  }

  @Hidden
  public static void searching(short[] array, int from, int to, short key, int site) {
    search(array, from, to, key, site);
  }

  @Hidden
  public static void searching(int[] array, int key, int site) {
    if (array != null) search(array, 0, array.length, key, site);
  }

  @Hidden
  public static void searching(int[] array, int from, int to, int key, int site) {
    search(array, from, to, key, site);
  }

  @Hidden
  public static void searching(long[] array, long key, int site) {
    if (array != null) search(array, 0, array.length, key, site);
  }

  @Hidden
  public static void searching(long[] array, int from, int to, long key, int site) {
    search(array, from, to, key, site);
  }

  @Hidden
  public static void searching(float[] array, float key, int site) {
    if (array != null) search(array, 0, array.length, ordered(key), site);
  }

  @Hidden
  public static void searching(float[] array, int from, int to, float key, int site) {
    search(array, from, to, ordered(key), site);
  }

  @Hidden
  public static void searching(double[] array, double key, int site) {
    if (array != null) search(array, 0, array.length, ordered(key), site);
  }

  @Hidden
  public static void searching(double[] array, int from, int to, double key, int site) {
    search(array, from, to, ordered(key), site);
  }

  /** Where it goes on from the first look is up to the objects. */
  @Hidden
  public static void searching(Object[] array, Object key, int site) {
    if (array != null) searching(array, 0, array.length, key, site);
  }

  @Hidden
  public static void searching(Object[] array, int from, int to, Object key, int site) {
    if (array == null || from >= to || !DeadheatArrays.inBounds(array, from, to - from)) return;
    int first = from + to - 1 >>> 1;
    read(array, first, first + 1, site);
  }

  @Hidden
  private static void search(Object array, int from, int to, long key, int site) {
    if (array == null || from > to || !DeadheatArrays.inBounds(array, from, to - from)) return;
    int low = from;
    int high = to - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      read(array, middle, middle + 1, site);
      long value = at(array, middle);
      if (value == key) return;
      if (value < key) low = middle + 1; else high = middle - 1;
    }
  }

  // ---- String.getChars, getBytes ----------------------------------------------------------------------------------------------

  /** After {@code text.getChars(begin, end, into, at)}. */
  @Hidden
  public static void got(Object text, int begin, int end, Object into, int at, int site) {
    write(into, at, at + (end - begin), site);
  }

  // ---- to the detector, or to the trace of a recorded run ------------------------------------------------------------------------

  @Hidden
  static void read(Object array, int from, int to, int site) {
    if (HAS_WORDS) DeadheatArrays.readPart(array, from, to, site); else DeadheatGateArrays.readPart(array, from, to, site);
  }

  @Hidden
  static void write(Object array, int from, int to, int site) {
    if (HAS_WORDS) DeadheatArrays.writePart(array, from, to, site); else DeadheatGateArrays.writePart(array, from, to, site);
  }

  // ---- elements ----------------------------------------------------------------------------------------------------------------

  @Hidden
  private static int lengthOf(Object array) {
    return java.lang.reflect.Array.getLength(array);
  }

  @Hidden
  static boolean isSame(Object a, int i, Object b, int j) {
    if (a instanceof Object[] of && b instanceof Object[] other) return of[i] == other[j];
    return at(a, i) == at(b, j);
  }

  /** The element of a primitive array as a number that compares as the elements do. */
  @Hidden
  private static long at(Object array, int i) {
    if (array instanceof int[] of) return of[i];
    if (array instanceof byte[] of) return of[i];
    if (array instanceof char[] of) return of[i];
    if (array instanceof long[] of) return of[i];
    if (array instanceof short[] of) return of[i];
    if (array instanceof boolean[] of) return of[i] ? 1 : 0;
    return array instanceof float[] of ? ordered(of[i]) : ordered(((double[]) array)[i]);
  }

  /** Doubles in the order of {@code Double.compare}. */
  @Hidden
  private static long ordered(double value) {
    long bits = value == value ? Double.doubleToRawLongBits(value) : Long.MAX_VALUE;
    return bits ^ bits >> 63 & Long.MAX_VALUE;
  }
}
