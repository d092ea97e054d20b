// SPDX-License-Identifier: Apache-2.0
package bank;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Two tellers serve one account. The money is right; three other things are not. */
public final class Bank {
    private static final int DEPOSITS = 1_000;

    // Race 2, on a static field: counted by both tellers without a lock.
    private static int served;

    // Both begin at once: who has gone home before the other comes cannot get in its way.
    private final CountDownLatch doors = new CountDownLatch(1);
    private final Account account = new Account();
    // Race 3, in a collection: ArrayList is not made for two threads.
    private final List<String> journal = new ArrayList<>();

    public static void main(String[] arguments) throws InterruptedException {
        new Bank().openForOneDay();
    }

    private void openForOneDay() throws InterruptedException {
        Thread first = new Thread(this::serve, "teller-1");
        Thread second = new Thread(this::serve, "teller-2");
        first.start();
        second.start();
        doors.countDown();
        first.join();
        second.join();
        System.out.println("deposited: " + account.balance() + " of " + 2 * DEPOSITS);
        System.out.println("fees:      " + account.fees() + " of " + 2 * DEPOSITS);
        System.out.println("served:    " + served + " of " + 2 * DEPOSITS);
        System.out.println("journal:   " + journal.size() + " of 2");
    }

    private void serve() {
        try {
            doors.await();
        } catch (InterruptedException e) {
            return;
        }
        for (int i = 0; i < DEPOSITS; i++) {
            account.deposit(1);
            served++;
        }
        journal.add(Thread.currentThread().getName() + " went home");
    }
}
