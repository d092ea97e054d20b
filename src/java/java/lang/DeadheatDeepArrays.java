// SPDX-License-Identifier: Apache-2.0
package java.lang;

import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks before {@code Arrays.deepToString}, {@code deepHashCode} and {@code deepEquals}, which look into the arrays that are elements of
 * an array. See {@link Deadheat} for the rules that hold for every hook.
 */
public final class DeadheatDeepArrays {
  private DeadheatDeepArrays() {}

  /** Before a method that reads all there is. */
  @Hidden
  public static void readAll(Object array, int site) {
    if (!Deadheat.live || !(array instanceof Object[] of) || !DeadheatMap.mayAllocate()) return;
    try {
      readAll(of, null, site);
    } catch (StackOverflowError e) {
      // The method itself goes as deep.
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
    }
  }

  /** {@code outside}: the array that this one is in, and what that one is in; one inside itself is not read again. */
  @Hidden
  private static void readAll(Object[] array, Object[] outside, int site) {
    DeadheatParts.read(array, 0, array.length, site);
    Object[] here = null;
    for (Object element : array) {
      if (element == null || !element.getClass().isArray()) continue;
      if (!(element instanceof Object[] inner)) {
        DeadheatParts.read(element, 0, DeadheatArrays.lengthOf(element), site);
        continue;
      }
      if (here == null) here = new Object[] {array, outside};
      if (!isInside(inner, here)) readAll(inner, here, site);
    }
  }

  @Hidden
  private static boolean isInside(Object[] array, Object[] here) {
    for (Object[] at = here; at != null; at = (Object[]) at[1]) {
      if (at[0] == array) return true;
    }
    return false;
  }

  /** Before {@code Arrays.deepEquals(a, b)}. */
  @Hidden
  public static void comparing(Object a, Object b, int site) {
    if (!Deadheat.live || !(a instanceof Object[] of) || !(b instanceof Object[] other) || !DeadheatMap.mayAllocate()) return;
    try {
      areSame(of, other, null, site);
    } catch (StackOverflowError e) {
      // The method itself goes as deep.
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
    }
  }

  /**
   * Whether the comparison goes on behind these two. What it is sure to read is told: up to the first two elements that differ, or that only
   * the program's {@code equals} can compare.
   */
  @Hidden
  private static boolean areSame(Object[] a, Object[] b, Object[] outside, int site) {
    if (a == b) return true;
    if (a.length != b.length) return false;
    Object[] here = {a, outside};
    for (int i = 0; i < a.length; i++) {
      DeadheatParts.read(a, i, i + 1, site);
      DeadheatParts.read(b, i, i + 1, site);
      Object one = a[i];
      Object other = b[i];
      if (one == other) continue;
      if (one == null || other == null) return false;
      if (one instanceof Object[] of && other instanceof Object[] with) {
        if (isInside(of, here) || !areSame(of, with, here, site)) return false;
      } else if (!one.getClass().isArray() || one.getClass() != other.getClass() || !arePrimitivesSame(one, other, site)) {
        return false;
      }
    }
    return true;
  }

  @Hidden
  private static boolean arePrimitivesSame(Object a, Object b, int site) {
    DeadheatParts.comparing(a, b, site);
    int length = DeadheatArrays.lengthOf(a);
    if (length != DeadheatArrays.lengthOf(b)) return false;
    for (int i = 0; i < length; i++) {
      if (!DeadheatParts.isSame(a, i, b, i)) return false;
    }
    return true;
  }
}
