// SPDX-License-Identifier: Apache-2.0
package confirm;

/** Never ends, unless it is told to, and has a race on the way. */
public final class Endless {
  static int x;
  static volatile boolean stop;

  private Endless() {}

  public static void main(String[] arguments) throws Exception {
    stop = arguments.length > 0 && arguments[0].equals("ends");
    Together both = new Together(stop ? 2 : 0);
    Thread writer = new Thread(() -> {
      x = 1;
      both.pass();
    }, "writer");
    writer.start();
    both.awaitPassed(1);
    System.out.println(x);
    writer.join();
    while (!stop) Thread.onSpinWait();
  }
}
