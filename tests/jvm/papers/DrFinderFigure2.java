// SPDX-License-Identifier: Apache-2.0
package semantics;

/**
 * Figures 2 and 3 of "DrFinder" (Cai and Cao, FSE 2015): when the first thread comes first (ab), the lock edges on {@code n} and
 * {@code k} hide the races on {@code x} and {@code y}; in the order of figure 3 (ba) they are there. Hybrid detection sees them in both.
 */
public final class DrFinderFigure2 {
  static int x, y;
  static final Object N = new Object();
  static final Object K = new Object();
  private static final int FIRST_IS_THROUGH = 0, SECOND_IS_THROUGH = 1, THIRD_IS_THROUGH = 2;

  private DrFinderFigure2() {}

  public static void main(String[] arguments) throws Exception {
    boolean firstLast = arguments[0].equals("ba");
    Order.reset(Order.A);
    Thread[] threads = {
      new Thread(() -> {
        if (firstLast) Order.await(SECOND_IS_THROUGH);
        if (firstLast) Order.await(THIRD_IS_THROUGH);
        x = 1;
        pass(N);
        y = 1;
        pass(K);
        Order.signal(FIRST_IS_THROUGH);
      }),
      new Thread(() -> {
        if (!firstLast) Order.await(FIRST_IS_THROUGH);
        pass(K);
        if (y > 1) throw new AssertionError();
        Order.signal(SECOND_IS_THROUGH);
      }),
      new Thread(() -> {
        if (!firstLast) Order.await(FIRST_IS_THROUGH);
        pass(N);
        if (x > 1) throw new AssertionError();
        Order.signal(THIRD_IS_THROUGH);
      })
    };
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }

  private static void pass(Object lock) {
    synchronized (lock) {
      Thread.onSpinWait();
    }
  }
}
