// SPDX-License-Identifier: Apache-2.0
package library;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Calls of the JDK that any number of threads may make at once, by theme. Many of them fill caches and run initialisers inside the JDK the
 * first time, with collections that are watched: whoever comes second must be ordered behind that. Without arguments: the themes.
 */
public final class LibraryCalls {
  private static final int THREADS = 4;
  private static final int ROUNDS = 3;

  /** What one of the threads does; {@code thread} is its number. */
  interface Calls {
    void make(int thread) throws Exception;
  }

  /** Results go here, so that no call is left out. */
  static volatile Object sink;

  private static final Map<String, Calls> THEMES = new LinkedHashMap<>();

  static {
    LanguageCalls.addTo(THEMES);
    DataCalls.addTo(THEMES);
    ConcurrencyCalls.addTo(THEMES);
  }

  private LibraryCalls() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      THEMES.keySet().forEach(System.out::println);
      return;
    }
    Calls calls = THEMES.get(args[0]);
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      threads[i] = new Thread(() -> {
        try {
          for (int round = 0; round < ROUNDS; round++) calls.make(number);
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }, args[0] + "-" + i);
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println(args[0]);
  }
}
