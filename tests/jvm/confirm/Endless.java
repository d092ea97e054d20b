// SPDX-License-Identifier: Apache-2.0
package confirm;

/** Never ends, and has a race on the way. */
public final class Endless {
  static int x;
  static volatile boolean stop;

  private Endless() {}

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> x = 1, "writer");
    writer.start();
    System.out.println(x == 1 || x == 0);
    writer.join();
    while (!stop) Thread.onSpinWait();
  }
}
