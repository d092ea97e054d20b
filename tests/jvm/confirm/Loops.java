// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * Two threads that increment one field, as often as the argument says: they can meet at every turn. With the second argument
 * {@code together} they take turns at the first one (see {@link Together}).
 */
public final class Loops {
  static int x;

  private Loops() {}

  public static void main(String[] arguments) throws Exception {
    int turns = Integer.parseInt(arguments[0]);
    Together both = new Together(arguments.length > 1 && arguments[1].equals("together") ? 2 : 0);
    Thread[] threads = new Thread[2];
    for (int i = 0; i < threads.length; i++) {
      int turn = i;
      threads[i] = new Thread(() -> increment(both, turn, turns), "worker-" + i);
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }

  private static void increment(Together both, int turn, int turns) {
    both.meet();
    both.awaitPassed(turn);
    for (int i = 0; i < turns; i++) x++;
    both.pass();
  }
}
