// SPDX-License-Identifier: Apache-2.0
package programs;

/** Transfers between accounts: each balance has its lock, but a transfer reads the other account without it. */
public final class Account {
  private final String name;
  private double amount;
  private int transfers;

  Account(String name, double amount) {
    this.name = name;
    this.amount = amount;
  }

  synchronized void deposit(double money) {
    amount += money;
  }

  synchronized void withdraw(double money) {
    amount -= money;
  }

  synchronized double balance() {
    return amount;
  }

  /** The lock of the other account is forgotten. */
  synchronized void transfer(Account other, double money) {
    amount -= money;
    other.amount += money;
    transfers++;
  }

  /** Two sections that should be one. */
  void doubleBalance() {
    double now = balance();
    deposit(now);
  }

  public static void main(String[] arguments) throws InterruptedException {
    Account a = new Account("a", 100);
    Account b = new Account("b", 100);
    Thread first = new Thread(() -> {
      a.deposit(300);
      a.withdraw(100);
      a.transfer(b, 99);
      a.doubleBalance();
    });
    Thread second = new Thread(() -> {
      b.deposit(300);
      b.withdraw(100);
      b.transfer(a, 99);
    });
    first.start();
    second.start();
    first.join();
    second.join();
    double sum = a.balance() + b.balance();
    if (a.transfers + b.transfers != 2) throw new IllegalStateException(a.name + " and " + b.name + " hold " + sum);
  }
}
