// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Uncontended synchronized methods on objects of one thread's own. */
final class LockMethods implements Kernel {
  private static final int COUNTERS = 8;

  private static final class Counter {
    private long value;

    synchronized void add(int amount) {
      value += amount;
    }

    synchronized long value() {
      return value;
    }
  }

  /** By thread. Reachable from here so that the JIT cannot prove the locks private and drop them. */
  private final Counter[][] countersOf = new Counter[Kernel.MAX_THREADS][COUNTERS];

  @Override
  public String name() {
    return "lock_methods";
  }

  @Override
  public int iterations() {
    return 3_000_000;
  }

  @Override
  public long work(int thread, int iterations) {
    Counter[] counters = countersOf[thread];
    for (int i = 0; i < COUNTERS; i++) {
      counters[i] = new Counter();
    }
    for (int i = 0; i < iterations; i++) {
      counters[(i * 3 + thread) & (COUNTERS - 1)].add(i);
    }
    long total = 0;
    for (Counter counter : counters) {
      total = total * 31 + counter.value();
    }
    return total;
  }
}
