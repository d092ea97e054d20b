// SPDX-License-Identifier: Apache-2.0

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** No data race, since everything is volatile or atomic, and still three violations: what is meant to be atomic is not. */
public final class Volatiles {
  private volatile int count;
  private final AtomicInteger total = new AtomicInteger();
  private final AtomicInteger hits = new AtomicInteger();
  private final AtomicInteger marks = new AtomicInteger();
  private final ConcurrentHashMap<String, Integer> names = new ConcurrentHashMap<>();
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

  /** Begins again if another was faster. */
  public void mark() {
    int before = marks.get();
    while (!marks.compareAndSet(before, before + 1)) before = marks.get();
    names.merge("name", 1, Integer::sum);
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
      all.mark();
      all.setLower(4);
    });
    Thread second = new Thread(() -> {
      all.increment();
      all.add();
      all.hit();
      all.mark();
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
