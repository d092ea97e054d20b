// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.concurrent.CountDownLatch;

/** A manager of memory blocks: releasing one checks and counts in two steps. */
public final class Manager {
  private final boolean[] used = {true, true, true, true};
  private int released;
  private String last = "nobody";

  void release(String who) {
    for (int i = 0; i < used.length; i++) {
      boolean mine;
      synchronized (used) {
        mine = used[i];
      }
      if (!mine) continue;
      synchronized (used) {
        used[i] = false;
      }
      released++;
      last = who;
    }
  }

  static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Manager manager = new Manager();
    CountDownLatch gate = new CountDownLatch(1);
    Thread[] threads = new Thread[3];
    for (int i = 0; i < threads.length; i++) {
      String name = "worker " + i;
      threads[i] = new Thread(() -> {
        await(gate);
        manager.release(name);
      });
      threads[i].start();
    }
    gate.countDown();
    for (Thread thread : threads) thread.join();
    if (manager.released > 4) throw new IllegalStateException(manager.last + ": released twice");
  }
}
