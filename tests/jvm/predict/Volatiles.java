// SPDX-License-Identifier: Apache-2.0

import java.util.concurrent.atomic.AtomicInteger;

/** No data race, since everything is volatile or atomic, and still three violations: what is meant to be atomic is not. */
public final class Volatiles {
  private volatile int count;
  private final AtomicInteger total = new AtomicInteger();
  private final AtomicInteger hits = new AtomicInteger();
  private volatile int lower = 0;
  private volatile int upper = 10;

  public void increment() {
    count++; // volatile
  }

  public void add() {
    total.set(total.get() + 1);
  }

  /** One step: nothing is wrong with it. */
  public void hit() {
    hits.incrementAndGet();
  }

  public void setLower(int value) {
    if (value <= upper) lower = value; // lower
  }

  public void setUpper(int value) {
    if (value >= lower) upper = value; // upper
  }

  public static void main(String[] arguments) throws InterruptedException {
    Volatiles all = new Volatiles();
    Thread first = new Thread(() -> {
      all.increment();
      all.add();
      all.hit();
      all.setLower(4);
    });
    Thread second = new Thread(() -> {
      all.increment();
      all.add();
      all.hit();
      all.setUpper(5);
    });
    first.start();
    second.start();
    first.join();
    second.join();
    if (all.count != 2) throw new IllegalStateException("an update was lost");
    if (all.total.get() != 2) throw new IllegalArgumentException("an addition was lost");
  }
}
