// SPDX-License-Identifier: Apache-2.0
package semantics;

/**
 * Figure 2 of the RaceFuzzer paper: the second thread nearly always writes {@code x} and passes the lock long before the first one has
 * done with its work under the lock, and then the lock orders the race away.
 */
public final class RaceFuzzerFigure2 {
  static int x, work;
  static final Object L = new Object();

  private RaceFuzzerFigure2() {}

  public static void main(String[] arguments) throws Exception {
    InOrder.run(arguments[0], () -> {
      synchronized (L) {
        for (int i = 0; i < 5; i++) work++;
      }
      if (x == 0) System.out.println("ERROR");
    }, () -> {
      x = 1;
      synchronized (L) {
        work++;
      }
    });
  }
}
