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
    StartTogether.run(shop::buy, shop::buy, shop::buy);
    if (shop.sold != 4) throw new IllegalStateException("sold " + shop.sold);
  }
}
