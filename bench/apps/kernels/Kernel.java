// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * A small loop that stresses one construct. All threads call {@link #work} at the same time; what they return depends
 * on the arguments only, never on the schedule.
 */
interface Kernel {
  int MAX_THREADS = 64;

  String name();

  /** How much one repetition does per thread; chosen for 50-150 ms on the plain JVM. */
  int iterations();

  /** The share of one thread; returns its part of the checksum. */
  long work(int thread, int iterations);

  /** Called by the main thread after every repetition: checks and resets shared state, adds it to the checksum. */
  default long finish() {
    return 0;
  }
}
