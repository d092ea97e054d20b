// SPDX-License-Identifier: Apache-2.0
package semantics;

/** Two threads, the whole of one before the other, ordered by nothing that the tool sees (see {@link Order}). */
final class InOrder {
  private InOrder() {}

  static void run(String order, Runnable a, Runnable b) throws InterruptedException {
    Order.reset(order.equals("ba") ? Order.B : Order.A);
    Thread first = new Thread(() -> step(Order.A, a));
    Thread second = new Thread(() -> step(Order.B, b));
    first.start();
    second.start();
    first.join();
    second.join();
  }

  private static void step(int who, Runnable body) {
    Order.enter(who);
    body.run();
    Order.leave(who);
    Order.done(who);
    Order.awaitBothDone();
  }
}
