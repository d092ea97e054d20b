// SPDX-License-Identifier: Apache-2.0

/** Nothing to predict: one lock for all of it, each unit of work in one section. */
public final class Guarded {
  private int sum;

  synchronized void add(int number) {
    sum += number;
  }

  public static void main(String[] arguments) throws InterruptedException {
    Guarded guarded = new Guarded();
    Thread[] threads = new Thread[3];
    for (int i = 0; i < threads.length; i++) {
      int number = i;
      threads[i] = new Thread(() -> guarded.add(number));
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    if (guarded.sum != 3) throw new IllegalStateException();
  }
}
