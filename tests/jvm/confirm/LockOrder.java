// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * A raced flag decides in which order a thread takes two locks: whoever reads it too early takes them the other way round. That deadlocks
 * only if both threads go on side by side. With the argument {@code together} they take turns (see {@link Together}).
 */
public final class LockOrder {
  static final Object A = new Object(), B = new Object();
  static boolean reversed;
  static int done;

  private LockOrder() {}

  public static void main(String[] arguments) throws Exception {
    Together both = new Together(arguments.length > 0 && arguments[0].equals("together") ? 2 : 0);
    Thread reader = new Thread(() -> {
      both.awaitPassed(1);
      takeBoth(reversed);
    }, "reader");
    Thread writer = new Thread(() -> {
      reversed = true;
      both.pass();
      takeBoth(true);
    }, "writer");
    reader.start();
    writer.start();
    reader.join();
    writer.join();
  }

  private static void takeBoth(boolean backwards) {
    synchronized (backwards ? B : A) {
      Thread.yield();
      synchronized (backwards ? A : B) {
        done++;
      }
    }
  }
}
