// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A program with something of everything that a trace holds. Races: on {@code racy}, and on {@code hidden} in other schedules at least;
 * everything else is ordered.
 */
public class Recorded {
  static int racy;
  int hidden;
  int guarded;
  int[] elements = new int[4];
  volatile boolean flag;
  final AtomicInteger counter = new AtomicInteger();
  final Object lock = new Object();
  boolean ready;
  Thread parked;

  /** What an initialiser did is there for every thread. */
  static final class Table {
    static final int[] VALUES = {1, 2, 3};
    static int plain = 7;

    private Table() {}
  }

  void worker() {
    racy++;
    hidden = 1;
    synchronized (lock) {
      guarded++;
      nested();
      while (!ready) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          return;
        }
      }
    }
    elements[1] = Table.VALUES[2] + Table.plain;
    flag = true;
    counter.incrementAndGet();
    LockSupport.unpark(parked);
  }

  synchronized void nested() {
    synchronized (this) {
      guarded++;
    }
  }

  void run() throws InterruptedException {
    parked = Thread.currentThread();
    Thread thread = new Thread(this::worker);
    thread.start();
    racy++;
    Thread.yield();
    synchronized (lock) {
      guarded++;
      ready = true;
      lock.notifyAll();
    }
    hidden = 2;
    while (!flag) LockSupport.park();
    int[] copy = new int[4];
    System.arraycopy(elements, 0, copy, 0, 4);
    thread.join();
    System.out.println(guarded + " " + copy[1] + " " + counter.get() + " " + Table.VALUES[0]);
  }

  public static void main(String[] arguments) throws InterruptedException {
    new Recorded().run();
  }
}
