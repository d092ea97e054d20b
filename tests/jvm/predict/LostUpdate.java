// SPDX-License-Identifier: Apache-2.0

/** Every access under its lock, and still wrong: reading and writing back are two sections. No data race. */
public final class LostUpdate {
  private int count;

  synchronized int get() {
    return count;
  }

  synchronized void set(int value) {
    count = value;
  }

  void increment() {
    int now = get();
    set(now + 1);
  }

  public static void main(String[] arguments) throws InterruptedException {
    LostUpdate counter = new LostUpdate();
    Thread first = new Thread(counter::increment);
    Thread second = new Thread(counter::increment);
    first.start();
    second.start();
    first.join();
    second.join();
    if (counter.get() != 2) throw new IllegalStateException("an update was lost");
  }
}
