// SPDX-License-Identifier: Apache-2.0
package programs;

/** Sorts an array while others load it. */
public final class Loader {
  private final int[] data = new int[6];
  private int loaded;

  void load(int from) {
    for (int i = 0; i < 3; i++) data[from + i] = 10 - from - i;
    synchronized (this) {
      loaded += 3;
    }
  }

  void sort() {
    for (int i = 0; i + 1 < data.length; i++) {
      if (data[i] > data[i + 1]) {
        int swap = data[i];
        data[i] = data[i + 1];
        data[i + 1] = swap;
      }
    }
    if (loaded < 6) return;
    if (data[data.length - 1] == 0) throw new IllegalStateException("sorted what was not there");
  }

  public static void main(String[] arguments) throws InterruptedException {
    Loader loader = new Loader();
    Thread low = new Thread(() -> loader.load(0));
    Thread high = new Thread(() -> loader.load(3));
    Thread sorter = new Thread(loader::sort);
    low.start();
    high.start();
    sorter.start();
    low.join();
    high.join();
    sorter.join();
  }
}
