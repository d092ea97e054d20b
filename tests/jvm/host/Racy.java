// SPDX-License-Identifier: Apache-2.0
package host;

/**
 * Races at once, says so, and goes on until it is killed. The main thread is one of the two: it meets nothing between start() and its
 * own accesses that could order it after the other, even when that one has ended by then. (Two started threads can be ordered: the
 * first, ending, leaves a lock of its thread group that the start of the second takes.)
 */
public final class Racy {
  static int racy;

  private static void race() {
    for (int n = 0; n < 1000; n++) racy++;
  }

  public static void main(String[] args) throws Exception {
    Thread other = new Thread(Racy::race);
    other.start();
    race();
    other.join();
    System.out.println("raced");
    System.out.flush();
    synchronized (Racy.class) {
      for (;;) Racy.class.wait();
    }
  }
}
