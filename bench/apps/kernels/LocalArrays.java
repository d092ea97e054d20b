// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Elements of an array that only one thread ever sees: two reads and a write a step, not vectorisable. */
final class LocalArrays implements Kernel {
  private static final int LENGTH = 4096;

  @Override
  public String name() {
    return "local_arrays";
  }

  @Override
  public int iterations() {
    return 40_000_000;
  }

  @Override
  public long work(int thread, int iterations) {
    int[] cells = new int[LENGTH];
    for (int i = 0; i < iterations; i++) {
      int here = i & (LENGTH - 1);
      cells[here] = cells[here] * 31 + cells[(here * 7 + thread) & (LENGTH - 1)] + i;
    }
    long total = 0;
    for (int cell : cells) {
      total = total * 31 + cell;
    }
    return total;
  }
}
