// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.concurrent.atomic.AtomicLong;

/** AtomicLong: reads of and additions to one that all threads share, compareAndSet on one's own. */
final class JucAtomic implements Kernel {
  private final AtomicLong shared = new AtomicLong();

  @Override
  public String name() {
    return "juc_atomic";
  }

  @Override
  public int iterations() {
    return 2_000_000;
  }

  @Override
  public long work(int thread, int iterations) {
    AtomicLong own = new AtomicLong(thread);
    for (int i = 0; i < iterations; i++) {
      long before = own.get();
      if (!own.compareAndSet(before, before * 31 + i)) {
        throw new IllegalStateException("someone else wrote a private number");
      }
      if (shared.get() >= 0) {
        shared.addAndGet(i & 7);
      }
    }
    return own.get();
  }

  @Override
  public long finish() {
    return shared.getAndSet(0);
  }
}
