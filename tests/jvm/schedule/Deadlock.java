// SPDX-License-Identifier: Apache-2.0
/** Two locks in two orders: some schedules end in a deadlock. */
public class Deadlock {
  public static void main(String[] args) throws Exception {
    Object a = new Object();
    Object b = new Object();
    Thread first = new Thread(() -> nested(a, b), "first");
    Thread second = new Thread(() -> nested(b, a), "second");
    first.start();
    second.start();
    first.join();
    second.join();
    System.out.println("ended");
  }

  static void nested(Object outer, Object inner) {
    synchronized (outer) {
      synchronized (inner) {
        Thread.yield();
      }
    }
  }
}
