// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Values with final references made and read between accesses of plain fields: a freeze (JLS 17.5) ends the epoch each time. */
final class Immutables implements Kernel {
  private static final class Account {
    int balance;
    int moves;
    Entry last;
  }

  private record Entry(Account account, int amount) {}

  @Override
  public String name() {
    return "immutables";
  }

  @Override
  public int iterations() {
    return 5_000_000;
  }

  @Override
  public long work(int thread, int iterations) {
    Account account = new Account();
    account.last = new Entry(account, thread);
    long total = 0;
    for (int i = 0; i < iterations; i++) {
      Entry entry = new Entry(account, i & 63);
      Account owner = entry.account();
      owner.balance += entry.amount() - account.last.amount();
      owner.moves++;
      owner.last = entry;
      total = total * 31 + owner.balance;
    }
    return total + account.moves;
  }
}
