// SPDX-License-Identifier: Apache-2.0

/**
 * A flag that one thread sets and the other one tests: what comes after the test happens only if the flag was set. Predictions that want the
 * write of data after the read of it are false, and their re-execution shows it: the reader goes another way.
 */
public final class Flagged {
  int data;
  boolean ready;
  final Object lock = new Object();

  void writer() {
    data = 42;
    synchronized (lock) {
      ready = true;
    }
  }

  void reader() {
    boolean go;
    synchronized (lock) {
      go = ready;
    }
    if (go && data != 42) throw new IllegalStateException("data was not there");
  }

  public static void main(String[] arguments) throws InterruptedException {
    Flagged flagged = new Flagged();
    Thread writer = new Thread(flagged::writer);
    Thread reader = new Thread(flagged::reader);
    writer.start();
    reader.start();
    reader.join(); // it ends where a schedule wants more of it: control ends while we wait here
    writer.join();
  }
}
