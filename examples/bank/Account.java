// SPDX-License-Identifier: Apache-2.0
package bank;

/** An account whose money moves under a lock, and whose fee does not. */
final class Account {
    private final Object lock = new Object();
    private long balance;
    private long fees;

    void deposit(long amount) {
        synchronized (lock) {
            balance += amount;
        }
        // Race 1, on a field: this line is outside the lock, so two tellers can lose one of their fees.
        fees += 1;
    }

    long balance() {
        synchronized (lock) {
            return balance;
        }
    }

    long fees() {
        return fees;
    }
}
