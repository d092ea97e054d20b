// SPDX-License-Identifier: Apache-2.0
package programs;

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

  public static void main(String[] arguments) throws InterruptedException {
    Shop shop = new Shop();
    Thread[] customers = new Thread[3];
    for (int i = 0; i < customers.length; i++) {
      customers[i] = new Thread(shop::buy);
      customers[i].start();
    }
    for (Thread customer : customers) customer.join();
    if (shop.sold != 4) throw new IllegalStateException("sold " + shop.sold);
  }
}
