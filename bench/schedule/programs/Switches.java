// SPDX-License-Identifier: Apache-2.0
/** Threads that do nothing but write a volatile variable each: every write is a scheduling point. usage: Switches THREADS POINTS */
public final class Switches {
  private volatile int mine;

  private Switches() {}

  public static void main(String[] arguments) throws InterruptedException {
    Thread[] threads = new Thread[Integer.parseInt(arguments[0])];
    int points = Integer.parseInt(arguments[1]);
    for (int i = 0; i < threads.length; i++) {
      Switches own = new Switches();
      threads[i] = new Thread(() -> {
        for (int k = 0; k < points; k++) own.mine = k;
      });
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }
}
