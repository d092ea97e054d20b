// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * Figure 2 of the RaceFuzzer paper: a read after so many statements under a lock, a write before another thread takes it. Passive
 * schedulers hardly ever bring the two together; the race-directed one always does, whatever the number of statements.
 *
 * <p>With the argument {@code together} both threads live when they begin (see {@link Together}).
 */
public final class Figure2 {
  static int x, work;
  static final Object L = new Object();

  private Figure2() {}

  public static void main(String[] arguments) throws Exception {
    int statements = Integer.parseInt(arguments[0]);
    Together both = new Together(arguments.length > 1 && arguments[1].equals("together") ? 2 : 0);
    Thread first = new Thread(() -> {
      both.meet();
      synchronized (L) {
        for (int i = 0; i < statements; i++) work++;
      }
      both.awaitPassed(1);
      if (x == 0) throw new IllegalStateException("ERROR");
    }, "first");
    Thread second = new Thread(() -> {
      both.meet();
      x = 1;
      both.pass();
      synchronized (L) {
        work++;
      }
    }, "second");
    first.start();
    second.start();
    first.join();
    second.join();
  }
}
