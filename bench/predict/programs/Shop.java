// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.concurrent.CountDownLatch;

/** Customers take numbered items off a shelf: looking and taking are two steps. */
public final class Shop {
  private final String[] shelf = {"bread", "milk", "tea", "salt"};
  private int left = shelf.length;
  private int sold;

  synchronized boolean isOpen() {
    return left > 0;
  }

  synchronized String take() {
    return shelf[--left];
  }

  void buy() {
    while (isOpen()) {
      String item = take();
      sold += item.isEmpty() ? 0 : 1;
    }
  }

  static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Shop shop = new Shop();
    CountDownLatch gate = new CountDownLatch(1);
    Thread[] customers = new Thread[3];
    for (int i = 0; i < customers.length; i++) {
      customers[i] = new Thread(() -> {
        await(gate);
        shop.buy();
      });
      customers[i].start();
    }
    gate.countDown();
    for (Thread customer : customers) customer.join();
    if (shop.sold != 4) throw new IllegalStateException("sold " + shop.sold);
  }
}
