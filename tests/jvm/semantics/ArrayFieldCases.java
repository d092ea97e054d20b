// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.Arrays;

/** Arrays behind fields: what is known of an array is not to be taken for that of another, which came before or after it, or is another object's. */
final class ArrayFieldCases {
  /** Known from the first access on, so that later ones find it in the field. */
  private static final int ROUNDS = 3;

  private ArrayFieldCases() {}

  @Case.Racy("[]")
  static final class FormerArray_race extends Case.Pair {
    static final class Holder {
      int[] array;
      Holder(int[] array) { this.array = array; }
      void set(int index, int value) { array[index] = value; }
    }

    final int[] first = new int[4];
    final int[] second = new int[4];
    final Holder holder = new Holder(first);
    void a() {
      for (int i = 0; i < ROUNDS; i++) holder.set(1, i);
      holder.array = second;
      for (int i = 0; i < ROUNDS; i++) holder.set(2, i);
    }
    void b() { first[1]++; }
  }

  static final class FormerArray_norace extends Case.Pair {
    static final class Holder {
      int[] array;
      Holder(int[] array) { this.array = array; }
      void set(int index, int value) { array[index] = value; }
    }

    final int[] first = new int[4];
    final int[] second = new int[4];
    final Holder holder = new Holder(first);
    void a() {
      for (int i = 0; i < ROUNDS; i++) holder.set(1, i);
      holder.array = second;
      for (int i = 0; i < ROUNDS; i++) holder.set(2, i);
    }
    void b() {
      first[2]++;
      second[1]++;
    }
  }

  @Case.Racy("[]")
  static final class TwoHolders_race extends Case.Pair {
    static final class Holder {
      int[] array;
      Holder(int[] array) { this.array = array; }
      void set(int index, int value) { array[index] = value; }
    }

    final int[] array = new int[300];
    final Holder one = new Holder(array);
    final Holder other = new Holder(array);
    void a() {
      for (int i = 0; i < ROUNDS; i++) one.set(250, i);
    }
    void b() {
      for (int i = 0; i < ROUNDS; i++) other.set(250, i);
    }
  }

  static final class TwoHolders_norace extends Case.Pair {
    static final class Holder {
      int[] array;
      Holder(int[] array) { this.array = array; }
      void set(int index, int value) { array[index] = value; }
    }

    final int[] array = new int[300];
    final Holder one = new Holder(array);
    final Holder other = new Holder(array);
    void a() {
      for (int i = 0; i < ROUNDS; i++) one.set(250, i);
    }
    void b() {
      for (int i = 0; i < ROUNDS; i++) other.set(251, i);
    }
  }

  @Case.Racy("[]")
  static final class ClonedHolder_race extends Case.Pair {
    static final class Holder implements Cloneable {
      int[] array = new int[4];
      void set(int index, int value) { array[index] = value; }
      Holder copy() {
        set(3, 3);
        try {
          return (Holder) clone();
        } catch (CloneNotSupportedException e) {
          throw new AssertionError(e);
        }
      }
    }

    final Holder holder = new Holder();
    final Holder copy = holder.copy();
    void a() { holder.set(1, 1); }
    void b() { copy.set(1, 2); }
  }

  static final class ClonedHolder_norace extends Case.Pair {
    static final class Holder implements Cloneable {
      int[] array = new int[4];
      void set(int index, int value) { array[index] = value; }
      Holder copy() {
        set(3, 3);
        try {
          return (Holder) clone();
        } catch (CloneNotSupportedException e) {
          throw new AssertionError(e);
        }
      }
    }

    final Holder holder = new Holder();
    final Holder copy = holder.copy();
    void a() { holder.set(1, 1); }
    void b() {
      copy.set(2, 2);
      copy.array = new int[4];
      copy.set(1, 2);
    }
  }

  /** As a list does it. */
  static final class Growing_norace extends Case.Pair {
    int[] array = new int[2];
    int size;
    synchronized void add(int value) {
      if (size == array.length) array = Arrays.copyOf(array, size * 2);
      array[size++] = value;
    }
    void a() {
      for (int i = 0; i < 100; i++) add(i);
    }
    void b() {
      for (int i = 0; i < 100; i++) add(i);
    }
  }

  @Case.Racy("[]")
  static final class FinalField_race extends Case.Pair {
    static final class Reader {
      private final long[] values;
      Reader(long[] values) { this.values = values; }
      long at(int index) { return values[index]; }
    }

    final long[] values = new long[4000];
    final Reader reader = new Reader(values);
    long sum;
    void a() {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < values.length; i++) sum += reader.at(i);
      }
    }
    void b() { values[3999] = 1; }
  }

  static final class FinalField_norace extends Case.Pair {
    private final long[] values = new long[4000];
    long sum;
    synchronized long at(int index) { return values[index]; }
    void a() {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < values.length; i++) sum += at(i);
      }
    }
    synchronized void b() { values[3999] = 1; }
  }
}
