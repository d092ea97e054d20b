// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Pairs of threads that pass a volatile counter to and fro, with plain data published along. */
final class VolatilePingPong implements Kernel {
  private static final int SPINS_BEFORE_YIELD = 100;

  private static final class Table {
    volatile int ball;
    long score; // published by ball
  }

  private final Table[] tables = new Table[Kernel.MAX_THREADS / 2];

  VolatilePingPong() {
    reset();
  }

  @Override
  public String name() {
    return "volatile_pingpong";
  }

  @Override
  public int iterations() {
    return 100_000;
  }

  @Override
  public long work(int thread, int iterations) {
    Table table = tables[thread / 2];
    int side = thread & 1;
    for (int i = 0; i < iterations; i++) {
      await(table, 2 * i + side);
      table.score = table.score * 31 + side;
      table.ball = 2 * i + side + 1;
    }
    return iterations;
  }

  @Override
  public long finish() {
    long total = 0;
    for (Table table : tables) {
      total = total * 31 + table.score + table.ball;
    }
    reset();
    return total;
  }

  private static void await(Table table, int ball) {
    int spins = 0;
    while (table.ball != ball) {
      if (++spins % SPINS_BEFORE_YIELD == 0) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void reset() {
    for (int i = 0; i < tables.length; i++) {
      tables[i] = new Table();
    }
  }
}
