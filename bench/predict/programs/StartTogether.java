// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.concurrent.CountDownLatch;

/** Threads that all begin when the last of them has been started. */
final class StartTogether {
  private StartTogether() {}

  /** Runs each body in a thread of its own; returns when all have ended. */
  static void run(Runnable... bodies) throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Thread[] threads = new Thread[bodies.length];
    for (int i = 0; i < threads.length; i++) {
      Runnable body = bodies[i];
      threads[i] = new Thread(() -> {
        await(gate);
        body.run();
      });
      threads[i].start();
    }
    gate.countDown();
    for (Thread thread : threads) thread.join();
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
