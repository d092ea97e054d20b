// SPDX-License-Identifier: Apache-2.0

/**
 * One race by its source lines, at two places of the run: the careful reader only reads data if the writer was there before, the other one does
 * whatever it finds. Who tries the place of the careful one sees it go another way.
 */
public final class Instances {
  int data;
  boolean ready;
  final Object lock = new Object();

  void write() {
    data = 42; // 1
    synchronized (lock) {
      ready = true;
    }
  }

  int read(boolean careful) {
    boolean found;
    synchronized (lock) {
      found = ready;
    }
    return found || !careful ? data : 0; // 2
  }

  public static void main(String[] arguments) throws InterruptedException {
    Instances instances = new Instances();
    Thread[] threads = {new Thread(instances::write), new Thread(() -> instances.read(true)), new Thread(() -> instances.read(false))};
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }
}
