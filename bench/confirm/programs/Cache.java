// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.HashMap;
import java.util.Map;

/**
 * A cache behind a lock, with a cleaner that sleeps between two rounds. Whoever wants a round now interrupts it, if it says that it
 * sleeps; it says so a moment too long (the bug of cache4j that the paper found).
 */
public final class Cache {
  private final Map<Integer, Integer> entries = new HashMap<>();
  private final Cleaner cleaner = new Cleaner();

  private synchronized int get(int key) {
    return entries.computeIfAbsent(key, k -> k * k);
  }

  private synchronized void clear() {
    entries.clear();
  }

  private final class Cleaner extends Thread {
    boolean sleeping;
    private int rounds;

    Cleaner() {
      super("cleaner");
    }

    @Override
    public void run() {
      while (rounds++ < 3) {
        clear();
        sleeping = true;
        try {
          Thread.sleep(10);
        } catch (InterruptedException e) {
          // a round is wanted
        }
        sleeping = false;
        settle();
      }
    }

    /** Has no business with interrupts. */
    private void settle() {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted while not asleep", e);
      }
    }

    void cleanNow() {
      if (sleeping) interrupt();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Cache cache = new Cache();
    cache.cleaner.start();
    Threads.runAll(
        () -> {
          for (int i = 0; i < 20; i++) {
            cache.get(i % 5);
            Thread.sleep(1);
          }
        },
        () -> {
          for (int i = 0; i < 5; i++) {
            cache.cleaner.cleanNow();
            Thread.sleep(4);
          }
        });
    cache.cleaner.join();
  }
}
