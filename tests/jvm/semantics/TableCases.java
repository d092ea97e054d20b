// SPDX-License-Identifier: Apache-2.0
package semantics;

/** Large arrays that a thread reads as a whole, and again: its further reads of the same epoch are not looked up one by one. */
final class TableCases {
  private static final int SIZE = 512;
  /** The first round meets each element, the second begins with knowing that. */
  private static final int ROUNDS = 3;

  private TableCases() {}

  @Case.Racy("[]")
  static final class WholeTable_race extends Case.Pair {
    final int[] table = new int[SIZE];
    int a;
    void a() {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++) a += table[i];
      }
    }
    void b() { table[300] = 1; }
  }

  static final class GuardedTable_norace extends Case.Pair {
    final int[] table = new int[SIZE];
    int a;
    synchronized void a() {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++) a += table[i];
      }
    }
    synchronized void b() { table[300] = 1; }
  }

  /** What was read as a whole in an epoch that has ended is read for the first time in the next one. */
  @Case.Racy("[]")
  static final class NextEpoch_race extends Case.Pair {
    final int[] table = new int[SIZE];
    final Object lock = new Object();
    int a;
    void a() {
      int[] mine = table;
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++) a += mine[i];
      }
      synchronized (lock) { a++; }
      a += mine[300];
    }
    void b() {
      synchronized (lock) { lock.hashCode(); }
      table[300] = 1;
    }
  }

  static final class AllButOne_norace extends Case.Pair {
    final int[] table = new int[SIZE];
    int a;
    void a() {
      for (int round = 0; round < ROUNDS * ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++) a += i == 300 ? 0 : table[i];
      }
    }
    void b() { table[300] = 1; }
  }

  @Case.Racy("[]")
  static final class TheLastOne_race extends Case.Pair {
    final int[] table = new int[SIZE];
    int a;
    void a() {
      int[] mine = table;
      for (int round = 0; round < ROUNDS * ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++) a += i == 300 ? 0 : mine[i];
      }
      a += mine[300];
    }
    void b() { table[300] = 1; }
  }

  /** Writes of a thread that has read all of it are writes as ever. */
  @Case.Racy("[]")
  static final class WrittenByItsReader_race extends Case.Pair {
    final int[] table = new int[SIZE];
    int a;
    int b;
    void a() {
      int[] mine = table;
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++) a += mine[i];
      }
      mine[300] = a;
    }
    void b() { b = table[300]; }
  }

  static final class BothReadAll_norace extends Case.Pair {
    final long[] table = new long[SIZE];
    long a;
    long b;
    void a() {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++) a += table[i];
      }
    }
    void b() {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = SIZE - 1; i >= 0; i--) b += table[i];
      }
    }
  }

  /** One array after another at the same place: what is known of the first is not of the second. */
  @Case.Racy("[]")
  static final class OtherTable_race extends Case.Pair {
    final int[] first = new int[SIZE];
    final int[] second = new int[SIZE];
    int a;
    void a() {
      int[] now = first;
      for (int round = 0; round <= ROUNDS; round++) {
        if (round == ROUNDS) now = second;
        for (int i = 0; i < SIZE; i++) a += now[i];
      }
    }
    void b() { second[300] = 1; }
  }
}
