// SPDX-License-Identifier: Apache-2.0
package confirm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Tasks of a pool that race on a counter, and a time-out that is long enough for them. When it runs out all the same, main dies, nobody
 * shuts the pool down, and its threads wait for ever: no harm of the race. With the argument {@code together} the tasks take turns.
 */
public final class TimeOut {
  static int hits;

  private TimeOut() {}

  public static void main(String[] arguments) throws Exception {
    Together both = new Together(arguments.length > 0 && arguments[0].equals("together") ? 2 : 0);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    List<Future<?>> tasks = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      tasks.add(pool.submit(() -> {
        both.meet();
        hits++;
      }));
    }
    for (Future<?> task : tasks) task.get(5, TimeUnit.SECONDS);
    pool.shutdown();
  }
}
