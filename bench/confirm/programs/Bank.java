// SPDX-License-Identifier: Apache-2.0
package programs;

/** Transfers under the account's lock; the audit adds up without it. */
public final class Bank {
  private static final class Account {
    private int balance = 100;

    synchronized void withdraw(int amount) {
      if (balance < amount) throw new IllegalStateException("overdrawn");
      balance -= amount;
    }

    synchronized void deposit(int amount) {
      balance += amount;
    }

    int balance() {
      return balance;
    }
  }

  private Bank() {}

  public static void main(String[] arguments) throws Exception {
    Account a = new Account();
    Account b = new Account();
    Threads.runAll(
        () -> {
          for (int i = 0; i < 5; i++) {
            a.withdraw(10);
            b.deposit(10);
          }
        },
        () -> {
          for (int i = 0; i < 5; i++) {
            b.withdraw(10);
            a.deposit(10);
          }
        },
        () -> {
          int sum = a.balance() + b.balance();
          if (sum > 200) throw new IllegalStateException("money out of nothing: " + sum);
        });
  }
}
