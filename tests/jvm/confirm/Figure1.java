// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * Figure 1 of "Race Directed Random Testing of Concurrent Programs" (Sen, PLDI 2008): the pair on {@code z} (statements 5 and 7) is a
 * race, the pair on {@code x} (1 and 10) can never be one, because {@code y} is handed over under the lock.
 *
 * <p>Statement 10 is only reached when the first thread's block came first, which a plain run leaves to chance. With the argument
 * {@code in-order} the second thread follows when the first is through, in a way that orders nothing for a hybrid detector (see
 * {@link Together}): every such run shows it both pairs.
 */
public final class Figure1 {
  static int x, y, z;
  static final Object L = new Object();

  private Figure1() {}

  public static void main(String[] arguments) throws Exception {
    Together both = new Together(arguments.length > 0 && arguments[0].equals("in-order") ? 2 : 0);
    Thread first = new Thread(() -> {
      both.meet();
      x = 1; // 1
      synchronized (L) {
        y = 1;
      }
      if (z == 1) System.out.println("ERROR1"); // 5
      both.pass();
    }, "first");
    Thread second = new Thread(() -> {
      both.meet();
      both.awaitPassed(1);
      z = 1; // 7
      synchronized (L) {
        if (y == 1) {
          if (x != 1) System.out.println("ERROR2"); // 10
        }
      }
    }, "second");
    first.start();
    second.start();
    first.join();
    second.join();
  }
}
