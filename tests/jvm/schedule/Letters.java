// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Three threads that write their letter five times each, under one monitor: the text tells who went when. */
final class Letters {
  private Letters() {}

  interface Starter {
    Thread start(Runnable body) throws Exception;
  }

  /** Returns the threads, which have ended. */
  static List<Thread> write(StringBuffer out, Starter starter, Runnable between) throws Exception {
    Object lock = new Object();
    List<Thread> threads = new ArrayList<>();
    for (char name = 'a'; name < 'd'; name++) {
      char mine = name;
      threads.add(starter.start(() -> {
        for (int i = 0; i < 5; i++) {
          synchronized (lock) {
            out.append(mine);
          }
          between.run();
        }
      }));
    }
    for (Thread thread : threads) thread.join();
    return threads;
  }
}
