// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;
import static java.lang.invoke.DeadheatOdds.likely;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What is known of the elements of an array that belongs to one object alone, such as the table of a HashMap: kept by that object, so
 * that the millions of short-lived arrays behind collections need no entry in {@link DeadheatMap}. Also the hooks for them.
 */
public final class DeadheatHeld {
  final Object array;
  final DeadheatElements elements = new DeadheatElements();

  @Hidden
  private DeadheatHeld(Object array) {
    this.array = array;
  }

  /** After an array was read from a field of {@code holder}: the hint for accesses of its elements. */
  @ForceInline
  @Hidden
  public static Object loaded(Object holder, Object array, int site) {
    Deadheat.read(holder, site);
    long offset = Deadheat.heldOffset(Deadheat.where(site));
    if (offset == 0 || array == null) return null;
    Object known = U.getReference(holder, offset);
    return known instanceof DeadheatHeld held && held.array == array ? held : hold(holder, offset, array, known);
  }

  @Hidden
  private static Object hold(Object holder, long offset, Object array, Object before) {
    if (!DeadheatMap.mayAllocate()) return null;
    try {
      DeadheatHeld held = new DeadheatHeld(array);
      U.storeFence();
      return U.compareAndSetReference(holder, offset, before, held) ? held : U.getReferenceAcquire(holder, offset);
    } catch (OutOfMemoryError e) {
      DeadheatMap.exhausted();
      return null;
    }
  }

  /** Before a held array may be handed to another method of its class, which finds it with {@link #passed}. */
  @Hidden
  public static void passing(Object hint) {
    Thread t = Deadheat.thread();
    if (t != null) U.putReference(t, HELD, hint);
  }

  @Hidden
  public static Object passed() {
    Thread t = Deadheat.thread();
    if (t == null) return null;
    Object hint = U.getReference(t, HELD);
    if (hint != null) U.putReference(t, HELD, null);  // the thread must not keep the array alive
    return hint;
  }

  /** Before an element is read. An array other than the hint's comes from outside the holder and is its owner's business. */
  @ForceInline
  @Hidden
  public static void read(Object array, int index, int site, Object hint) {
    if (hint instanceof DeadheatHeld held && held.array == array && !likely(DeadheatArrays.readHits(held.elements, index))) {
      DeadheatArrays.read(held.elements, array, index, site);
    }
  }

  @ForceInline
  @Hidden
  public static void write(Object array, int index, int site, Object hint) {
    if (hint instanceof DeadheatHeld held && held.array == array && !likely(DeadheatArrays.writeHits(held.elements, index))) {
      DeadheatArrays.write(held.elements, array, index, site);
    }
  }

  /** Before a method of {@code java.util.Arrays} reads elements {@code from} to {@code to} (exclusive). */
  @Hidden
  public static void readPart(Object array, int from, int to, int site, Object hint) {
    if (!(hint instanceof DeadheatHeld held) || held.array != array) return;
    int end = Math.min(to, java.lang.reflect.Array.getLength(array));
    if (from >= 0 && from < end) DeadheatArrays.readRange(held.elements, array, from, end - from, site);
  }

  /** Before it writes them; {@code to} is the largest int for all of the array. */
  @Hidden
  public static void writePart(Object array, int from, int to, int site, Object hint) {
    if (!(hint instanceof DeadheatHeld held) || held.array != array) return;
    int length = java.lang.reflect.Array.getLength(array);
    int end = to == Integer.MAX_VALUE ? length : to;
    if (from >= 0 && from < end && end <= length) DeadheatArrays.writeRange(held.elements, array, from, end - from, site);
  }

  /** In place of {@code System.arraycopy}. */
  @Hidden
  public static void copy(Object from, int fromIndex, Object to, int toIndex, int length, int site, Object hint) {
    if (hint instanceof DeadheatHeld held && length > 0) {
      if (held.array == from && DeadheatArrays.inBounds(from, fromIndex, length)) {
        DeadheatArrays.readRange(held.elements, from, fromIndex, length, site);
      }
      if (held.array == to && DeadheatArrays.inBounds(to, toIndex, length)) {
        DeadheatArrays.writeRange(held.elements, to, toIndex, length, site);
      }
    }
    System.arraycopy(from, fromIndex, to, toIndex, length);
  }
}
