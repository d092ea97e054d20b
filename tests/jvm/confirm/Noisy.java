// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * A lost update between two threads, and two others that have nothing to do with it and much to do. With the argument {@code together}
 * the two threads live when they begin, and take turns (see {@link Together}).
 */
public final class Noisy {
  static int x, noise;
  static final Object L = new Object();

  private Noisy() {}

  public static void main(String[] arguments) throws Exception {
    Together both = new Together(arguments.length > 0 && arguments[0].equals("together") ? 2 : 0);
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(i % 2 == 0 ? Noisy::makeNoise : i == 1 ? () -> increment(both, 0) : () -> increment(both, 1), "worker-" + i);
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    if (x != 2) throw new IllegalStateException("lost");
  }

  private static void makeNoise() {
    for (int i = 0; i < 5; i++) {
      synchronized (L) {
        noise++;
      }
    }
  }

  private static void increment(Together both, int turn) {
    both.meet();
    makeNoise();
    both.awaitPassed(turn);
    x++;
    both.pass();
    makeNoise();
  }
}
