// SPDX-License-Identifier: Apache-2.0
package host;

/** Prints the result of named parts of a program: "== name", then its lines, then what it threw with the whole stack. */
final class Sections {
  interface Body {
    void run() throws Throwable;
  }

  private Sections() {}

  static void section(String name, Body body) {
    System.out.println("== " + name);
    try {
      body.run();
    } catch (Throwable thrown) {
      show(thrown);
    }
    System.out.flush();
  }

  static void say(Object what) {
    System.out.println(what);
  }

  /** As printStackTrace(), on standard output. */
  static void show(Throwable thrown) {
    thrown.printStackTrace(System.out);
  }

  /** Waits, without a time limit of its own, until {@code thread} is in {@code state}. */
  static void await(Thread thread, Thread.State state) {
    while (thread.getState() != state) Thread.onSpinWait();
  }

  /** Whether another thread can take the monitor of {@code lock}; the time limit only bounds a failure. */
  static boolean isFree(Object lock) throws InterruptedException {
    Thread taker = new Thread(() -> {
      synchronized (lock) {
        lock.notifyAll();
      }
    });
    taker.setDaemon(true);
    taker.start();
    taker.join(20_000);
    return !taker.isAlive();
  }
}
