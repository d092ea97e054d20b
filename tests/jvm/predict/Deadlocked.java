// SPDX-License-Identifier: Apache-2.0

/** Two threads that take two locks the other way round, each once the other has its first one. */
public final class Deadlocked {
  private static final Object A = new Object(), B = new Object();
  private static volatile int holders;

  private Deadlocked() {}

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> take(A, B), "one");
    Thread other = new Thread(() -> take(B, A), "other");
    one.start();
    other.start();
    one.join();
    other.join();
  }

  private static void take(Object first, Object second) {
    synchronized (first) {
      synchronized (Deadlocked.class) {
        holders++;
      }
      while (holders < 2) Thread.yield();
      synchronized (second) {
        System.out.println("never");
      }
    }
  }
}
