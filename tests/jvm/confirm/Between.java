// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * The writer comes to its access only when others have come before it, one after the other: like an insertion that needs the place of what
 * was removed. They have to come between the reader and the writer, so that whoever brings these two together first never sees them meet.
 * With the argument {@code in-order} the threads take turns (see {@link Together}).
 */
public final class Between {
  private static final int OTHERS = 4;
  static final Object LOCK = new Object();
  static int place;
  static int removed;

  private Between() {}

  public static void main(String[] arguments) throws Exception {
    Together all = new Together(arguments.length > 0 && arguments[0].equals("in-order") ? OTHERS + 2 : 0);
    Thread[] threads = new Thread[OTHERS + 2];
    threads[0] = new Thread(() -> {
      if (place != 0) System.out.println("inserted");
      all.pass();
    }, "reader");
    for (int i = 0; i < OTHERS; i++) {
      int number = i;
      threads[1 + i] = new Thread(() -> {
        all.awaitPassed(number + 1);
        remove(number);
        all.pass();
      }, "remover-" + i);
    }
    threads[OTHERS + 1] = new Thread(() -> {
      all.awaitPassed(OTHERS + 1);
      insert();
    }, "writer");
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }

  private static void remove(int number) {
    synchronized (LOCK) {
      if (removed == number) removed++;
    }
  }

  private static void insert() {
    synchronized (LOCK) {
      if (removed == OTHERS) place = 1;
    }
  }
}
