// SPDX-License-Identifier: Apache-2.0
package confirm;

/** Waits for another thread by asking again and again under a lock, without a word to the scheduler; the pair it orders cannot meet. */
public final class Spinning {
  static final Object LOCK = new Object();
  static int data;
  static boolean ready;

  private Spinning() {}

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 1;
      synchronized (LOCK) {
        ready = true;
      }
    }, "writer");
    Thread reader = new Thread(() -> {
      while (!isReady()) {}
      System.out.println(data);
    }, "reader");
    writer.start();
    reader.start();
    writer.join();
    reader.join();
  }

  private static boolean isReady() {
    synchronized (LOCK) {
      return ready;
    }
  }
}
