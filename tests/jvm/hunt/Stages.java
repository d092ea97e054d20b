// SPDX-License-Identifier: Apache-2.0
package hunt;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Three locks in a row, of three kinds; the race is there only when all three orders are reversed, and the second thread comes after the start. */
public final class Stages {
  private static final class Draft {
    int edits;
  }

  private final ReentrantReadWriteLock review = new ReentrantReadWriteLock();
  private final StampedLock print = new StampedLock();
  private final Draft draft = new Draft();
  private volatile boolean started;
  private int page;
  private int reviewed, printed;

  private void edit() {
    synchronized (draft) {
      draft.edits++;
    }
  }

  private void review() {
    review.writeLock().lock();
    try {
      reviewed++;
    } finally {
      review.writeLock().unlock();
    }
  }

  private void print() {
    long stamp = print.writeLock();
    try {
      printed++;
    } finally {
      print.unlockWrite(stamp);
    }
  }

  private void pass() {
    edit();
    review();
    print();
  }

  private void first() {
    Work.milliseconds(5);
    started = true;
    page = 1;
    pass();
  }

  private void second() {
    Work.milliseconds(120);
    if (!started) return;
    pass();
    if (page > 1) throw new AssertionError();
  }

  public static void main(String[] arguments) throws InterruptedException {
    // Class loaders synchronise: a class that is loaded on the way would order the threads as well.
    new Stages().pass();
    Stages stages = new Stages();
    Thread[] threads = {new Thread(stages::second, "second"), new Thread(stages::first, "first")};
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println(stages.draft.edits + " " + stages.reviewed + " " + stages.printed);
  }
}
