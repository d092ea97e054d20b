// SPDX-License-Identifier: Apache-2.0
package host;

/** Races at once, says so, and goes on until it is killed. */
public final class Racy {
  static int racy;

  public static void main(String[] args) throws Exception {
    Thread[] threads = new Thread[2];
    for (int i = 0; i < 2; i++) {
      threads[i] = new Thread(() -> {
        for (int n = 0; n < 1000; n++) racy++;
      });
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println("raced");
    System.out.flush();
    synchronized (Racy.class) {
      for (;;) Racy.class.wait();
    }
  }
}
