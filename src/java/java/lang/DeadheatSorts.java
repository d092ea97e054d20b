// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import jdk.internal.vm.annotation.Hidden;

/**
 * In place of {@code Arrays.fill} of references, and of {@code Arrays.sort} and {@code Arrays.setAll}, whose elements are seen when they are done. A sort reads all elements, but which it writes is its own business: an array in order is not written, an element
 * that stays where it is may be. So what is compared afterwards with how it was before counts as written where it differs, and as read where it does not.
 */
public final class DeadheatSorts {
  private DeadheatSorts() {}

  @Hidden
  public static void sort(Object array, int site) {
    Object before = copyOf(array, 0, DeadheatArrays.lengthOf(array));
    try {
      sortAll(array);
    } finally {
      if (before != null) tell(before, array, 0, site, null);
    }
  }

  @Hidden
  public static void sort(Object array, Comparator<Object> by, int site) {
    Object before = copyOf(array, 0, DeadheatArrays.lengthOf(array));
    try {
      Arrays.sort((Object[]) array, by);
    } finally {
      if (before != null) tell(before, array, 0, site, null);
    }
  }

  @Hidden
  public static void sort(Object array, int from, int to, int site) {
    Object before = copyOf(array, from, to);
    try {
      sortPart(array, from, to);
    } finally {
      if (before != null) tell(before, array, from, site, null);
    }
  }

  @Hidden
  public static void sort(Object array, int from, int to, Comparator<Object> by, int site) {
    Object before = copyOf(array, from, to);
    try {
      Arrays.sort((Object[]) array, from, to, by);
    } finally {
      if (before != null) tell(before, array, from, site, null);
    }
  }

  /** The generator may synchronise, and may throw: what it gives is written behind it. */
  @Hidden
  public static void setAll(Object[] array, IntFunction<?> generator, int site) {
    Arrays.setAll(array, generator);
    DeadheatArrays.writeAll(array, site);
  }

  @Hidden
  public static void setAll(int[] array, IntUnaryOperator generator, int site) {
    Arrays.setAll(array, generator);
    DeadheatArrays.writeAll(array, site);
  }

  @Hidden
  public static void setAll(long[] array, IntToLongFunction generator, int site) {
    Arrays.setAll(array, generator);
    DeadheatArrays.writeAll(array, site);
  }

  @Hidden
  public static void setAll(double[] array, IntToDoubleFunction generator, int site) {
    Arrays.setAll(array, generator);
    DeadheatArrays.writeAll(array, site);
  }

  // ---- Arrays.fill of references: an array that cannot hold the value refuses it -------------------------------------------------

  @Hidden
  public static void fill(Object[] array, Object value, int site) {
    if (Deadheat.live && array != null && DeadheatArrays.fits(array, value)) DeadheatParts.write(array, 0, array.length, site);
    Arrays.fill(array, value);
  }

  @Hidden
  public static void fill(Object[] array, int from, int to, Object value, int site) {
    if (Deadheat.live && array != null && DeadheatArrays.fits(array, value)) DeadheatParts.write(array, from, to, site);
    Arrays.fill(array, from, to, value);
  }

  /** The array of a collection, as below. */
  @Hidden
  public static void fillHeld(Object[] array, Object value, int site, Object hint) {
    if (array != null && DeadheatArrays.fits(array, value)) DeadheatHeld.writePart(array, 0, array.length, site, hint);
    Arrays.fill(array, value);
  }

  @Hidden
  public static void fillHeld(Object[] array, int from, int to, Object value, int site, Object hint) {
    if (array != null && DeadheatArrays.fits(array, value)) DeadheatHeld.writePart(array, from, to, site, hint);
    Arrays.fill(array, from, to, value);
  }

  /** The array of a collection; see {@link DeadheatHeld}. */
  @Hidden
  public static void sortHeld(Object array, int from, int to, Comparator<Object> by, int site, Object hint) {
    DeadheatHeld held = hint instanceof DeadheatHeld known && known.array == array ? known : null;
    Object before = held == null ? null : copyOf(array, from, to);
    try {
      Arrays.sort((Object[]) array, from, to, by);
    } finally {
      if (before != null) tell(before, array, from, site, held.elements);
    }
  }

  @Hidden
  private static void sortAll(Object array) {
    if (array instanceof int[] of) Arrays.sort(of);
    else if (array instanceof long[] of) Arrays.sort(of);
    else if (array instanceof double[] of) Arrays.sort(of);
    else if (array instanceof byte[] of) Arrays.sort(of);
    else if (array instanceof char[] of) Arrays.sort(of);
    else if (array instanceof float[] of) Arrays.sort(of);
    else if (array instanceof short[] of) Arrays.sort(of);
    else Arrays.sort((Object[]) array);
  }

  @Hidden
  private static void sortPart(Object array, int from, int to) {
    if (array instanceof int[] of) Arrays.sort(of, from, to);
    else if (array instanceof long[] of) Arrays.sort(of, from, to);
    else if (array instanceof double[] of) Arrays.sort(of, from, to);
    else if (array instanceof byte[] of) Arrays.sort(of, from, to);
    else if (array instanceof char[] of) Arrays.sort(of, from, to);
    else if (array instanceof float[] of) Arrays.sort(of, from, to);
    else if (array instanceof short[] of) Arrays.sort(of, from, to);
    else Arrays.sort((Object[]) array, from, to);
  }

  /** By the detector, or by who records the run. */
  @Hidden
  private static boolean isWatched() {
    return DeadheatVm.HAS_WORDS ? DeadheatSync.attached() : DeadheatGate.self() != 0;
  }

  /** The elements as they are; null if none will be accessed, for fewer than two are in order, or if there is no telling. */
  @Hidden
  private static Object copyOf(Object array, int from, int to) {
    if (array == null || to - from < 2 || !isWatched() || !DeadheatArrays.inBounds(array, from, to - from)) return null;
    if (!DeadheatMap.mayAllocate()) return null;
    try {
      Object copy = array instanceof Object[] ? new Object[to - from] : java.lang.reflect.Array.newInstance(array.getClass().getComponentType(), to - from);
      System.arraycopy(array, from, copy, 0, to - from);
      return copy;
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
      return null;
    }
  }

  /** Behind a sort, which may have ended by an exception of the program's. Elements of {@code held}, or of the array's own cell. */
  @Hidden
  private static void tell(Object before, Object array, int from, int site, DeadheatElements held) {
    int length = DeadheatArrays.lengthOf(before);
    // A trace has all that was read before what was written.
    if (!DeadheatVm.HAS_WORDS) DeadheatGateArrays.readPart(array, from, from + length, site);
    for (int i = 0; i < length; ) {
      boolean same = DeadheatParts.isSame(before, i, array, from + i);
      int end = i + 1;
      while (end < length && DeadheatParts.isSame(before, end, array, from + end) == same) end++;
      if (!DeadheatVm.HAS_WORDS) {
        if (!same) DeadheatGateArrays.writePart(array, from + i, from + end, site);
      } else if (held != null) {
        if (same) DeadheatArrays.readRange(held, array, from + i, end - i, site); else DeadheatArrays.writeRange(held, array, from + i, end - i, site);
      } else if (same) {
        DeadheatArrays.readPart(array, from + i, from + end, site);
      } else {
        DeadheatArrays.writePart(array, from + i, from + end, site);
      }
      i = end;
    }
  }
}
