// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Uncontended synchronized blocks: every thread has eight lock objects of its own. */
final class LockObjects implements Kernel {
  private static final int LOCKS = 8;

  private static final class Account {
    final Object lock = new Object();
    long balance;
  }

  /** By thread. Reachable from here so that the JIT cannot prove the locks private and drop them. */
  private final Account[][] accountsOf = new Account[Kernel.MAX_THREADS][LOCKS];

  @Override
  public String name() {
    return "lock_objects";
  }

  @Override
  public int iterations() {
    return 3_000_000;
  }

  @Override
  public long work(int thread, int iterations) {
    Account[] accounts = accountsOf[thread];
    for (int i = 0; i < LOCKS; i++) {
      accounts[i] = new Account();
    }
    for (int i = 0; i < iterations; i++) {
      Account account = accounts[(i * 5 + thread) & (LOCKS - 1)];
      synchronized (account.lock) {
        account.balance += i;
      }
    }
    long total = 0;
    for (Account account : accounts) {
      total = total * 31 + account.balance;
    }
    return total;
  }
}
