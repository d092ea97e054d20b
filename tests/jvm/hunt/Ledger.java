// SPDX-License-Identifier: Apache-2.0
package hunt;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** One edge through a {@link ReentrantLock}: the booking is written before the lock is taken, and read behind it. */
public final class Ledger {
  private final Lock lock = new ReentrantLock();
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
    booking = 1;
    enter();
  }

  private void audit() {
    Work.milliseconds(120);
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
