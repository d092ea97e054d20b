// SPDX-License-Identifier: Apache-2.0
package hunt;

/** Work that takes a while and touches nothing that is shared. */
final class Work {
  private Work() {}

  /** About so many milliseconds of one processor; where that is not free, longer. */
  static long milliseconds(int count) {
    long value = 1;
    long end = System.nanoTime() + count * 1_000_000L;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 1000; i++) value = value * 6364136223846793005L + 1442695040888963407L;
    }
    return value;
  }
}
