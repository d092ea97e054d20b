// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.concurrent.locks.ReentrantLock;

/** ReentrantLock: mostly one of the thread's own, now and then the one all share. */
final class JucLock implements Kernel {
  private static final int SHARED_EVERY = 16;

  private final ReentrantLock sharedLock = new ReentrantLock();
  private long shared; // guarded by sharedLock

  @Override
  public String name() {
    return "juc_lock";
  }

  @Override
  public int iterations() {
    return 2_000_000;
  }

  @Override
  public long work(int thread, int iterations) {
    ReentrantLock ownLock = new ReentrantLock();
    long own = thread;
    for (int i = 0; i < iterations; i++) {
      if (i % SHARED_EVERY == 0) {
        addShared(i);
      } else {
        ownLock.lock();
        try {
          own = own * 31 + i;
        } finally {
          ownLock.unlock();
        }
      }
    }
    return own;
  }

  @Override
  public long finish() {
    sharedLock.lock();
    try {
      long result = shared;
      shared = 0;
      return result;
    } finally {
      sharedLock.unlock();
    }
  }

  private void addShared(int amount) {
    sharedLock.lock();
    try {
      shared += amount;
    } finally {
      sharedLock.unlock();
    }
  }
}
