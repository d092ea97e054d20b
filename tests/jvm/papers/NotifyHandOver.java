// SPDX-License-Identifier: Apache-2.0
package semantics;

/**
 * The order that RaceFuzzer's hybrid detector does know (section 2.2): a thread that waited goes on after the one that notified it, so
 * {@code message} is handed over. Lockset detection knows no order at all and asks for a lock.
 */
public final class NotifyHandOver {
  static int message;
  static boolean sent;
  static final Object L = new Object();

  private NotifyHandOver() {}

  public static void main(String[] arguments) throws Exception {
    Thread receiver = new Thread(() -> {
      synchronized (L) {
        try {
          while (!sent) L.wait();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      if (message++ != 1) throw new AssertionError();
    });
    receiver.start();
    while (receiver.getState() != Thread.State.WAITING) Thread.yield();
    message = 1;
    synchronized (L) {
      sent = true;
      L.notify();
    }
    receiver.join();
  }
}
