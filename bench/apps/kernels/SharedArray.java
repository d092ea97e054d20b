// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.SplittableRandom;

/** All threads read the same int[65536], in order and at random places; not vectorisable. */
final class SharedArray implements Kernel {
  private static final int LENGTH = 65_536;

  private final int[] numbers = new SplittableRandom(1).ints(LENGTH).toArray();

  @Override
  public String name() {
    return "shared_array";
  }

  @Override
  public int iterations() {
    return 600;
  }

  @Override
  public long work(int thread, int iterations) {
    long sum = thread;
    for (int i = 0; i < iterations; i++) {
      for (int k = 0; k < LENGTH; k++) {
        sum = sum * 31 + numbers[k] + numbers[(k * 40_503 + i) & (LENGTH - 1)];
      }
    }
    return sum;
  }
}
