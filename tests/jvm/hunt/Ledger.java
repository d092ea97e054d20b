// SPDX-License-Identifier: Apache-2.0
package hunt;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One edge through a {@link ReentrantLock}: the booking is written before the lock is taken, and read behind it.
 *
 * <p>The auditor asks once, without waiting, whether the ledger is open. So it does not help to let it go first: it has to overtake the clerk
 * between the opening and the lock.
 */
public final class Ledger {
  private final Lock lock = new ReentrantLock();
  private volatile boolean open;
  private int booking;
  private int entries;

  private void enter() {
    lock.lock();
    try {
      entries++;
    } finally {
      lock.unlock();
    }
  }

  private void book() {
    Work.milliseconds(5);
    open = true;
    booking = 1;
    enter();
  }

  private void audit() {
    Work.milliseconds(120);
    if (!open) return;
    enter();
    if (booking > 1) throw new AssertionError();
  }

  public static void main(String[] arguments) throws InterruptedException {
    Ledger ledger = new Ledger();
    Thread[] threads = {new Thread(ledger::audit, "auditor"), new Thread(ledger::book, "clerk")};
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println(ledger.entries);
  }
}
