// SPDX-License-Identifier: Apache-2.0
package kernels;

/** One lock that all threads want all the time. */
final class LockContended implements Kernel {
  private final Object lock = new Object();
  private long shared; // guarded by lock

  @Override
  public String name() {
    return "lock_contended";
  }

  @Override
  public int iterations() {
    return 600_000;
  }

  @Override
  public long work(int thread, int iterations) {
    long own = thread;
    for (int i = 0; i < iterations; i++) {
      synchronized (lock) {
        shared += i & 15;
      }
      own = own * 31 + i;
    }
    return own;
  }

  @Override
  public long finish() {
    synchronized (lock) {
      long result = shared;
      shared = 0;
      return result;
    }
  }
}
