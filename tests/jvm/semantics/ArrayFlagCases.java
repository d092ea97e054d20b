// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.Arrays;

/**
 * An element that a lock guards says whether the other thread may access {@code x}, and it is read or written by a method of the JDK. Who does
 * not see that access takes the two sections for independent of each other.
 */
final class ArrayFlagCases {
  static final class Clone_norace extends Case.Pair {
    final int[] flags = new int[2];
    int x;
    void a() { x = 1; synchronized (flags) { flags[1] = 1; } }
    void b() { int[] seen; synchronized (flags) { seen = flags.clone(); } if (seen[1] == 1) x = 2; }
  }

  static final class CopyOf_norace extends Case.Pair {
    final int[] flags = new int[2];
    int x;
    void a() { x = 1; synchronized (flags) { flags[1] = 1; } }
    void b() { int[] seen; synchronized (flags) { seen = Arrays.copyOf(flags, 2); } if (seen[1] == 1) x = 2; }
  }

  static final class Fill_norace extends Case.Pair {
    final int[] flags = new int[2];
    int x;
    void a() { x = 1; synchronized (flags) { Arrays.fill(flags, 1); } }
    void b() { boolean set; synchronized (flags) { set = flags[1] == 1; } if (set) x = 2; }
  }

  static final class SetAll_norace extends Case.Pair {
    final long[] flags = new long[2];
    int x;
    void a() { x = 1; synchronized (flags) { Arrays.setAll(flags, i -> i); } }
    void b() { boolean set; synchronized (flags) { set = flags[1] == 1; } if (set) x = 2; }
  }

  static final class Sort_norace extends Case.Pair {
    final int[] flags = {1, 0};
    int x;
    void a() { x = 1; synchronized (flags) { Arrays.sort(flags); } }
    void b() { boolean set; synchronized (flags) { set = flags[1] == 1; } if (set) x = 2; }
  }

  /** What is sorted is also read: b's section after a's, or x is not touched. */
  static final class SortReads_norace extends Case.Pair {
    final int[] flags = {2, 0};
    int x;
    void a() { x = 1; synchronized (flags) { flags[1] = 3; } }
    void b() { boolean set; synchronized (flags) { Arrays.sort(flags); set = flags[1] == 3; } if (set) x = 2; }
  }

  static final class Equals_norace extends Case.Pair {
    final int[] flags = new int[2];
    int x;
    void a() { x = 1; synchronized (flags) { flags[1] = 1; } }
    void b() { boolean none; synchronized (flags) { none = Arrays.equals(flags, new int[2]); } if (!none) x = 2; }
  }

  /** Elements that are equal and not the same are gone past. */
  static final class EqualsObjects_norace extends Case.Pair {
    final String[] flags = {"one", "two"};
    int x;
    void a() { x = 1; synchronized (flags) { flags[1] = "three"; } }
    void b() { boolean none; synchronized (flags) { none = Arrays.equals(flags, new String[] {new String("one"), new String("two")}); } if (!none) x = 2; }
  }

  static final class DeepEquals_norace extends Case.Pair {
    final int[][] flags = new int[2][2];
    int x;
    void a() { x = 1; synchronized (flags) { flags[1][1] = 1; } }
    void b() { boolean none; synchronized (flags) { none = Arrays.deepEquals(flags, new int[2][2]); } if (!none) x = 2; }
  }

  static final class Mismatch_norace extends Case.Pair {
    final Object[] flags = {"one", "two"};
    int x;
    void a() { x = 1; synchronized (flags) { flags[1] = "three"; } }
    void b() { int at; synchronized (flags) { at = Arrays.mismatch(flags, new Object[] {new String("one"), "two"}); } if (at >= 0) x = 2; }
  }

  static final class BinarySearch_norace extends Case.Pair {
    final Integer[] flags = {1, 2, 3, 4, 5, 6, 7};
    int x;
    void a() { x = 1; synchronized (flags) { flags[6] = 8; } }
    void b() { int at; synchronized (flags) { at = Arrays.binarySearch(flags, 8); } if (at >= 0) x = 2; }
  }

  static final class ToString_norace extends Case.Pair {
    final int[][] flags = new int[2][2];
    int x;
    void a() { x = 1; synchronized (flags) { flags[1][1] = 1; } }
    void b() { String seen; synchronized (flags) { seen = Arrays.deepToString(flags); } if (seen.contains("1")) x = 2; }
  }

  static final class ToStringOfItself_norace extends Case.Pair {
    final Object[] flags = new Object[2];
    int x;
    void setup() { flags[0] = flags; }
    void a() { x = 1; synchronized (flags) { flags[1] = "set"; } }
    void b() { String seen; synchronized (flags) { seen = Arrays.deepToString(flags); } if (seen.contains("set")) x = 2; }
  }

  static final class String_norace extends Case.Pair {
    final char[] flags = {'a', 'b'};
    int x;
    void a() { x = 1; synchronized (flags) { flags[1] = 'c'; } }
    void b() { String seen; synchronized (flags) { seen = new String(flags); } if (seen.equals("ac")) x = 2; }
  }

  static final class GetChars_norace extends Case.Pair {
    final char[] flags = {'a', 'b'};
    int x;
    void a() { x = 1; synchronized (flags) { "xyz".getChars(1, 3, flags, 0); } }
    void b() { boolean set; synchronized (flags) { set = flags[1] == 'z'; } if (set) x = 2; }
  }

  static final class Reflected_norace extends Case.Pair {
    final int[] flags = new int[2];
    int x;
    void a() { x = 1; synchronized (flags) { java.lang.reflect.Array.setInt(flags, 1, 1); } }
    void b() { boolean set; synchronized (flags) { set = java.lang.reflect.Array.getInt(flags, 1) == 1; } if (set) x = 2; }
  }

  static final class ClonedObject_norace extends Case.Pair {
    static final class Holder implements Cloneable {
      int flag;
      @Override public Holder clone() { try { return (Holder) super.clone(); } catch (CloneNotSupportedException e) { throw new AssertionError(e); } }
    }
    final Holder holder = new Holder();
    int x;
    void a() { x = 1; synchronized (holder) { holder.flag = 1; } }
    void b() { Holder seen; synchronized (holder) { seen = holder.clone(); } if (seen.flag == 1) x = 2; }
  }
}
