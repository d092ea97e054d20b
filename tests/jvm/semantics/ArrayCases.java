// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.Arrays;

final class ArrayCases {
  @Case.Cold
  @Case.Racy("[]")
  static final class IntArray_race extends Case.Pair {
    final int[] array = new int[4];
    void a() { array[2] = 1; }
    void b() { array[2]++; }
  }

  @Case.Cold
  @Case.Racy("[]")
  static final class LongArray_race extends Case.Pair {
    final long[] array = new long[4];
    void a() { array[3] = 1L << 40; }
    void b() { array[3] += 2; }
  }

  @Case.Cold
  @Case.Racy("[]")
  static final class DoubleArray_race extends Case.Pair {
    final double[] array = new double[4];
    void a() { array[0] = 1; }
    void b() { array[0] *= 2; }
  }

  @Case.Cold
  @Case.Racy("[]")
  static final class FloatArray_race extends Case.Pair {
    final float[] array = new float[4];
    void a() { array[1] = 1; }
    void b() { array[1] = 2; }
  }

  @Case.Cold
  @Case.Racy("[]")
  static final class ByteArray_race extends Case.Pair {
    final byte[] array = new byte[4];
    void a() { array[1] = 1; }
    void b() { array[1] = 2; }
  }

  @Case.Cold
  @Case.Racy("[]")
  static final class BooleanArray_race extends Case.Pair {
    final boolean[] array = new boolean[4];
    void a() { array[1] = true; }
    void b() { array[1] = false; }
  }

  @Case.Cold
  @Case.Racy("[]")
  static final class CharArray_race extends Case.Pair {
    final char[] array = new char[4];
    void a() { array[1] = 'a'; }
    void b() { array[1]++; }
  }

  @Case.Cold
  @Case.Racy("[]")
  static final class ShortArray_race extends Case.Pair {
    final short[] array = new short[4];
    void a() { array[1] = 1; }
    void b() { array[1]++; }
  }

  @Case.Cold
  @Case.Racy("[]")
  static final class ReferenceArray_race extends Case.Pair {
    final Object[] array = new String[4];
    void a() { array[1] = "a"; }
    void b() { array[1] = "b"; }
  }

  @Case.Cold
  @Case.Racy("[]")
  static final class ReadAndWrite_race extends Case.Pair {
    final int[] array = new int[4];
    int seen;
    void a() { array[0] = 1; }
    void b() { seen = array[0]; }
  }

  @Case.Cold
  static final class TwoElements_norace extends Case.Pair {
    final byte[] array = new byte[2];
    void a() { array[0] = 1; }
    void b() { array[1] = 1; }
  }

  static final class Halves_norace extends Case.Pair {
    final int[] array = new int[10_000];
    void a() { for (int i = 0; i < 5000; i++) array[i] = i; }
    void b() { for (int i = 5000; i < 10_000; i++) array[i] = i; }
  }

  @Case.Racy("[]")
  static final class HalvesOverlap_race extends Case.Pair {
    final int[] array = new int[10_000];
    void a() { for (int i = 0; i <= 5000; i++) array[i] = i; }
    void b() { for (int i = 5000; i < 10_000; i++) array[i] = i; }
  }

  static final class ReadOnly_norace extends Case.Pair {
    final int[] array = {1, 2, 3};
    int inA;
    int inB;
    void a() { for (int v : array) inA += v; }
    void b() { for (int v : array) inB += v; }
  }

  static final class Locked_norace extends Case.Pair {
    final int[] array = new int[8];
    void a() { synchronized (this) { for (int i = 0; i < 8; i++) array[i]++; } }
    void b() { synchronized (this) { for (int i = 0; i < 8; i++) array[i]++; } }
  }

  // ---- arrays of arrays ------------------------------------------------------------------------------------------------------

  @Case.Racy("[]")
  static final class SameRow_race extends Case.Pair {
    final int[][] rows = new int[2][3];
    void a() { rows[1][2] = 1; }
    void b() { rows[1][2] = 2; }
  }

  static final class TwoRows_norace extends Case.Pair {
    final int[][] rows = new int[2][3];
    void a() { rows[0][2] = 1; }
    void b() { rows[1][2] = 2; }
  }

  @Case.Racy("[]")
  static final class RowReplaced_race extends Case.Pair {
    final int[][] rows = new int[2][3];
    void a() { rows[1] = new int[3]; }
    void b() { rows[1][2] = 2; }
  }

  @Case.Racy("[]")
  static final class SharedRow_race extends Case.Pair {
    final long[][][] cube = new long[2][2][2];
    void setup() { cube[1] = cube[0]; }
    void a() { cube[0][1][1] = 1; }
    void b() { cube[1][1][1] = 2; }
  }

  // ---- ranges ----------------------------------------------------------------------------------------------------------------

  @Case.Racy("[]")
  static final class CopyInto_race extends Case.Pair {
    final int[] from = new int[8];
    final int[] to = new int[8];
    void a() { System.arraycopy(from, 0, to, 2, 4); }
    void b() { to[5] = 1; }
  }

  static final class CopyIntoElsewhere_norace extends Case.Pair {
    final int[] from = new int[8];
    final int[] to = new int[8];
    void a() { System.arraycopy(from, 0, to, 2, 4); }
    void b() { to[6] = 1; to[1] = 1; }
  }

  @Case.Racy("[]")
  static final class CopyFrom_race extends Case.Pair {
    final Object[] from = new Object[8];
    final Object[] to = new Object[8];
    void a() { System.arraycopy(from, 2, to, 0, 4); }
    void b() { from[2] = "b"; }
  }

  static final class CopyFromBoth_norace extends Case.Pair {
    final int[] from = new int[8];
    final int[] one = new int[8];
    final int[] two = new int[8];
    void a() { System.arraycopy(from, 0, one, 0, 8); }
    void b() { System.arraycopy(from, 0, two, 0, 8); }
  }

  @Case.Racy("[]")
  static final class TwoCopies_race extends Case.Pair {
    final byte[] from = new byte[64];
    final byte[] to = new byte[64];
    void a() { System.arraycopy(from, 0, to, 0, 40); }
    void b() { System.arraycopy(from, 24, to, 24, 40); }
  }

  static final class CopyFails_norace extends Case.Pair {
    final int[] from = new int[8];
    final int[] to = new int[8];
    void a() { try { System.arraycopy(from, 0, to, 7, 4); } catch (IndexOutOfBoundsException expected) { } }
    void b() { to[7] = 1; from[0] = 1; }
  }

  @Case.Racy("[]")
  static final class Clone_race extends Case.Pair {
    final int[] array = new int[8];
    int[] copy;
    void a() { copy = array.clone(); }
    void b() { array[7] = 1; }
  }

  static final class CloneIsOwn_norace extends Case.Pair {
    final int[] array = new int[8];
    void a() { array.clone()[3] = 1; }
    void b() { array.clone()[3] = 2; }
  }

  @Case.Racy("[]")
  static final class CloneIsShallow_race extends Case.Pair {
    final int[][] array = new int[2][2];
    void a() { array.clone()[1][1] = 1; }
    void b() { array.clone()[1][1] = 2; }
  }

  @Case.Racy({"[]", "java.util.Arrays"})
  static final class Fill_race extends Case.Pair {
    final int[] array = new int[8];
    void a() { Arrays.fill(array, 1); }
    void b() { array[7] = 2; }
  }

  @Case.Racy({"[]", "java.util.Arrays"})
  static final class FillTwice_race extends Case.Pair {
    final long[] array = new long[8];
    void a() { Arrays.fill(array, 1); }
    void b() { Arrays.fill(array, 7, 8, 2); }
  }

  static final class FillHalves_norace extends Case.Pair {
    final int[] array = new int[8];
    void a() { Arrays.fill(array, 0, 4, 1); }
    void b() { Arrays.fill(array, 4, 8, 1); }
  }

  static final class FillLocked_norace extends Case.Pair {
    final Object[] array = new Object[8];
    void a() { synchronized (array) { Arrays.fill(array, "a"); } }
    void b() { synchronized (array) { array[3] = "b"; } }
  }

  @Case.Racy({"[]", "java.util.Arrays", "java.util.DualPivotQuicksort"})
  static final class Sort_race extends Case.Pair {
    final int[] array = {5, 4, 3, 2, 1};
    void a() { Arrays.sort(array); }
    void b() { array[2] = 9; }
  }

  @Case.Racy({"[]", "java.util.Arrays", "java.util.ComparableTimSort", "java.util.TimSort"})
  static final class SortObjects_race extends Case.Pair {
    final String[] array = {"c", "b", "a"};
    void a() { Arrays.sort(array); }
    void b() { array[2] = "z"; }
  }

  @Case.Racy({"[]", "java.util.Arrays"})
  static final class CopyOf_race extends Case.Pair {
    final int[] array = new int[8];
    void a() { Arrays.copyOf(array, 16); }
    void b() { array[7] = 1; }
  }

  @Case.Racy({"[]", "java.util.Arrays"})
  static final class Equals_race extends Case.Pair {
    final int[] array = new int[8];
    final int[] other = new int[8];
    void a() { Arrays.equals(array, other); }
    void b() { array[7] = 1; }
  }

  @Case.Racy("[]")
  static final class CopyOfPart_race extends Case.Pair {
    final int[] array = new int[8];
    void a() { Arrays.copyOf(array, 4); }
    void b() { array[3] = 1; }
  }

  static final class CopyOfPart_norace extends Case.Pair {
    final int[] array = new int[8];
    void a() { Arrays.copyOf(array, 4); }
    void b() { array[4] = 1; }
  }

  static final class CopyOfRange_norace extends Case.Pair {
    final String[] array = new String[8];
    void a() { Arrays.copyOfRange(array, 2, 4); }
    void b() { array[1] = "a"; array[4] = "b"; }
  }

  @Case.Racy("[]")
  static final class EqualsStops_race extends Case.Pair {
    final int[] array = {1, 2, 3, 4};
    final int[] other = {1, 9, 3, 4};
    void a() { Arrays.equals(array, other); }
    void b() { array[1] = 5; }
  }

  static final class EqualsStops_norace extends Case.Pair {
    final int[] array = {1, 2, 3, 4};
    final int[] other = {1, 9, 3, 4};
    void a() { Arrays.equals(array, other); }
    void b() { array[2] = 5; other[3] = 6; }
  }

  @Case.Racy("[]")
  static final class EqualsOther_race extends Case.Pair {
    final double[] array = {1, Double.NaN, 3};
    final double[] other = {1, Double.NaN, 3};
    void a() { Arrays.equals(array, other); }
    void b() { other[2] = 5; }
  }

  static final class EqualsLengths_norace extends Case.Pair {
    final byte[] array = {1, 2, 3};
    final byte[] other = {1, 2, 3, 4};
    void a() { Arrays.equals(array, other); }
    void b() { array[0] = 5; }
  }

  @Case.Racy("[]")
  static final class EqualsObjects_race extends Case.Pair {
    final Object[] array = {"a", "b", "c"};
    final Object[] other = {"a", "b", "c"};
    void a() { Arrays.equals(array, other); }
    void b() { array[2] = "d"; }
  }

  static final class EqualsObjects_norace extends Case.Pair {
    final Object[] array = {"a", "b", "c"};
    final Object[] other = {"a", "x", "c"};
    void a() { Arrays.equals(array, other); }
    void b() { array[2] = "d"; }
  }

  @Case.Racy("[]")
  static final class EqualsRange_race extends Case.Pair {
    final char[] array = {'a', 'b', 'c', 'd'};
    final char[] other = {'b', 'c', 'd', 'e'};
    void a() { Arrays.equals(array, 1, 4, other, 0, 3); }
    void b() { other[2] = 'd'; }
  }

  static final class EqualsRange_norace extends Case.Pair {
    final char[] array = {'a', 'b', 'c', 'd'};
    final char[] other = {'b', 'c', 'd', 'e'};
    void a() { Arrays.equals(array, 1, 4, other, 0, 3); }
    void b() { array[0] = 'x'; other[3] = 'd'; }
  }

  @Case.Racy("[]")
  static final class Mismatch_race extends Case.Pair {
    final long[] array = {1, 2, 3, 4, 5};
    final long[] other = {1, 2, 3};
    void a() { Arrays.mismatch(array, other); }
    void b() { array[2] = 3; }
  }

  static final class Mismatch_norace extends Case.Pair {
    final long[] array = {1, 2, 3, 4, 5};
    final long[] other = {1, 2, 3};
    void a() { Arrays.mismatch(array, other); }
    void b() { array[3] = 9; }
  }

  @Case.Racy("[]")
  static final class Compare_race extends Case.Pair {
    final short[] array = {1, 2, 3};
    final short[] other = {1, 5, 3};
    void a() { Arrays.compare(array, other); }
    void b() { other[1] = 5; }
  }

  static final class Compare_norace extends Case.Pair {
    final short[] array = {1, 2, 3};
    final short[] other = {1, 5, 3};
    void a() { Arrays.compare(array, other); }
    void b() { other[2] = 5; }
  }

  @Case.Racy("[]")
  static final class BinarySearch_race extends Case.Pair {
    final int[] array = {0, 1, 2, 3, 4, 5, 6, 7};
    void a() { Arrays.binarySearch(array, 0); }
    void b() { array[1] = 1; }
  }

  static final class BinarySearch_norace extends Case.Pair {
    final int[] array = {0, 1, 2, 3, 4, 5, 6, 7};
    void a() { Arrays.binarySearch(array, 0); }
    void b() { array[2] = 2; array[5] = 5; }
  }

  @Case.Racy("[]")
  static final class BinarySearchDoubles_race extends Case.Pair {
    final double[] array = {-2, -0.0, 0.0, 3, Double.NaN};
    void a() { Arrays.binarySearch(array, 0, 5, Double.NaN); }
    void b() { array[4] = Double.NaN; }
  }

  static final class BinarySearchDoubles_norace extends Case.Pair {
    final double[] array = {-2, -0.0, 0.0, 3, Double.NaN};
    void a() { Arrays.binarySearch(array, 0, 5, Double.NaN); }
    void b() { array[0] = -3; array[1] = -1; }
  }

  @Case.Racy("[]")
  static final class BinarySearchObjects_race extends Case.Pair {
    final String[] array = {"a", "b", "c"};
    void a() { Arrays.binarySearch(array, "a"); }
    void b() { array[1] = "b"; }
  }

  static final class BinarySearchObjects_norace extends Case.Pair {
    final String[] array = {"a", "b", "c"};
    void a() { Arrays.binarySearch(array, "a"); }
    void b() { array[2] = "d"; }
  }

  @Case.Racy("[]")
  static final class SortSorted_race extends Case.Pair {
    final int[] array = {1, 2, 3};
    void a() { Arrays.sort(array); }
    void b() { array[1] = 2; }
  }

  static final class SortSorted_norace extends Case.Pair {
    final int[] array = {1, 2, 3};
    int found;
    void a() { Arrays.sort(array); }
    void b() { found = array[1]; }
  }

  static final class SortSortedObjects_norace extends Case.Pair {
    final String[] array = {"a", "b", "c"};
    void a() { Arrays.sort(array); }
    void b() { Arrays.sort(array, java.util.Comparator.naturalOrder()); }
  }

  static final class SortLeavesInPlace_norace extends Case.Pair {
    final String[] array = {"a", "b", "d", "c", "e"};
    final int[] numbers = {1, 2, 4, 3, 5};
    int found;
    void a() { Arrays.sort(array); Arrays.sort(numbers, 1, 5); }
    void b() { found = array[0].length() + array[4].length() + numbers[1] + numbers[4]; }
  }

  @Case.Racy("[]")
  static final class SortMoves_race extends Case.Pair {
    final String[] array = {"a", "b", "d", "c", "e"};
    int found;
    void a() { Arrays.sort(array, 0, 5, java.util.Comparator.naturalOrder()); }
    void b() { found = array[2].length(); }
  }

  @Case.Racy("[]")
  static final class SortMovesNumbers_race extends Case.Pair {
    final double[] array = {1, 2, 4, 3, 5};
    double found;
    void a() { Arrays.sort(array, 0, 5); }
    void b() { found = array[3]; }
  }

  /** The elements that it does not move are read. */
  @Case.Racy("[]")
  static final class SortReadsObjects_race extends Case.Pair {
    final String[] array = {"a", "b", "c"};
    void a() { Arrays.sort(array); }
    void b() { array[1] = "b"; }
  }

  /** A comparator that throws ends the sort, not the watching. */
  @Case.Racy("[]")
  static final class SortThrows_race extends Case.Pair {
    final String[] array = {"b", "a", "c"};
    void a() {
      try {
        Arrays.sort(array, (x, y) -> { throw new IllegalStateException(); });
      } catch (IllegalStateException expected) {
        return;
      }
      throw new AssertionError();
    }
    void b() { array[1] = "b"; }
  }

  static final class SortOne_norace extends Case.Pair {
    final String[] array = {"a", "b"};
    void a() { Arrays.sort(array, 0, 1); }
    void b() { array[0] = "c"; }
  }

  @Case.Racy("[]")
  static final class StringGetChars_race extends Case.Pair {
    final char[] array = new char[8];
    char found;
    void a() { "abcd".getChars(1, 4, array, 2); }
    void b() { found = array[4]; }
  }

  static final class StringGetChars_norace extends Case.Pair {
    final char[] array = new char[8];
    char found;
    void a() { "abcd".getChars(1, 4, array, 2); }
    void b() { found = array[1]; found = array[5]; }
  }

  @Case.Racy("[]")
  static final class BuilderGetChars_race extends Case.Pair {
    final char[] array = new char[8];
    void a() { new StringBuilder("abcd").getChars(0, 4, array, 0); }
    void b() { array[3] = 'x'; }
  }

  @Case.Racy({"[]", "java.util.Arrays"})
  static final class HashCode_race extends Case.Pair {
    final Object[] array = {"a", "b"};
    void a() { Arrays.hashCode(array); }
    void b() { array[1] = "c"; }
  }

  @Case.Racy({"[]", "java.util.Arrays"})
  static final class SetAll_race extends Case.Pair {
    final int[] array = new int[8];
    void a() { Arrays.setAll(array, i -> i); }
    void b() { array[7] = 1; }
  }

  @Case.Racy({"[]", "java.util.Arrays"})
  static final class AsList_race extends Case.Pair {
    final String[] array = new String[2];
    final java.util.List<String> list = Arrays.asList(array);
    void a() { list.set(1, "a"); }
    void b() { array[1] = "b"; }
  }

  @Case.Racy({"[]", "java.util.Spliterators", "java.util.stream"})
  static final class Stream_race extends Case.Pair {
    final int[] array = new int[4];
    int sum;
    void a() { sum = Arrays.stream(array).sum(); }
    void b() { array[3] = 1; }
  }

  @Case.Racy({"[]", "java.lang.String"})
  static final class StringOfChars_race extends Case.Pair {
    final char[] array = {'a', 'b'};
    void a() { new String(array); }
    void b() { array[1] = 'c'; }
  }

  static final class AsListOtherElement_norace extends Case.Pair {
    final String[] array = new String[2];
    final java.util.List<String> list = Arrays.asList(array);
    void a() { list.set(0, "a"); }
    void b() { array[1] = "b"; }
  }

  static final class StreamLocked_norace extends Case.Pair {
    final int[] array = new int[4];
    int sum;
    void a() { synchronized (this) { sum = Arrays.stream(array).sum(); } }
    void b() { synchronized (this) { array[3] = 1; } }
  }

  @Case.Racy({"[]", "java.lang.String"})
  static final class StringOfSomeChars_race extends Case.Pair {
    final char[] array = {'a', 'b', 'c', 'd'};
    String seen;
    void a() { seen = String.valueOf(array, 1, 2); }
    void b() { array[2] = 'x'; }
  }

  static final class StringOfOtherChars_norace extends Case.Pair {
    final char[] array = {'a', 'b', 'c', 'd'};
    String seen;
    void a() { seen = new String(array, 1, 2); }
    void b() { array[0] = 'x'; array[3] = 'y'; }
  }

  @Case.Racy("[]")
  static final class VarArgs_race extends Case.Pair {
    final Object[] array = new Object[2];
    static void set(Object... values) { values[1] = "x"; }
    void a() { set(array); }
    void b() { set(array); }
  }

  static final class VarArgsOwn_norace extends Case.Pair {
    static int sum(int... values) { int s = 0; for (int v : values) s += v; return s; }
    void a() { sum(1, 2, 3); }
    void b() { sum(1, 2, 3); }
  }

  static final class OutOfBounds_norace extends Case.Pair {
    final int[] array = new int[1];
    void a() { try { array[1] = 1; } catch (ArrayIndexOutOfBoundsException expected) { } }
    void b() { try { array[1] = 2; } catch (ArrayIndexOutOfBoundsException expected) { } }
  }

  static final class StoreCheckFails_norace extends Case.Pair {
    final Object[] array = new String[1];
    void a() { try { array[0] = 1; } catch (ArrayStoreException expected) { } }
    void b() { try { array[0] = 2; } catch (ArrayStoreException expected) { } }
  }

  @Case.Racy("[]")
  static final class ManyArrays_race extends Case.Pair {
    final int[][] arrays = new int[1000][1];
    void a() { for (int[] array : arrays) array[0] = 1; }
    void b() { arrays[777][0] = 2; }
  }

  // ---- arrays in arrays ---------------------------------------------------------------------------------------------------------

  @Case.Racy("[]")
  static final class DeepToString_race extends Case.Pair {
    final int[][] grid = {{1, 2}, {3, 4}};
    void a() { Arrays.deepToString(grid); }
    void b() { grid[1][0] = 5; }
  }

  @Case.Racy("[]")
  static final class DeepHashCode_race extends Case.Pair {
    final Object[] grid = {new Object[] {new long[] {1}}};
    final long[] inner = (long[]) ((Object[]) grid[0])[0];
    void a() { Arrays.deepHashCode(grid); }
    void b() { inner[0] = 5; }
  }

  @Case.Racy("[]")
  static final class DeepEquals_race extends Case.Pair {
    final int[][] grid = {{1, 2}, {3, 4}};
    final int[][] other = {{1, 2}, {3, 4}};
    final int[] inner = other[1];
    void a() { Arrays.deepEquals(grid, other); }
    void b() { inner[1] = 5; }
  }

  /** Nobody looks behind the first difference. */
  static final class DeepEqualsUpToDifference_norace extends Case.Pair {
    final int[][] grid = {{1, 2}, {3, 4}, {5}};
    final int[][] other = {{1, 2}, {7, 4}, {5}};
    void a() { Arrays.deepEquals(grid, other); }
    void b() { other[1][1] = 5; other[2] = null; }
  }

  static final class DeepEqualsOfOtherLengths_norace extends Case.Pair {
    final int[][] grid = {{1, 2}, {3, 4}};
    final int[][] other = {{1, 2}, {3, 4, 5}};
    void a() { Arrays.deepEquals(grid, other); }
    void b() { other[1][0] = 5; }
  }

  static final class DeepToStringOfItself_norace extends Case.Pair {
    final Object[] all = {new int[] {1}, null};
    DeepToStringOfItself_norace() { all[1] = all; }
    void a() { Arrays.deepToString(all); }
    void b() { Arrays.deepToString(all); }
  }
}
