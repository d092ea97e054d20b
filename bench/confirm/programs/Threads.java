// SPDX-License-Identifier: Apache-2.0
package programs;

/** Starts the threads of a program and waits for them. */
final class Threads {
  interface Body {
    void run() throws Exception;
  }

  private Threads() {}

  static void runAll(Body... bodies) throws InterruptedException {
    Thread[] threads = new Thread[bodies.length];
    for (int i = 0; i < bodies.length; i++) {
      Body body = bodies[i];
      threads[i] = new Thread(() -> {
        try {
          body.run();
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }, "worker-" + i);
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }
}
