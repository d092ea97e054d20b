// SPDX-License-Identifier: Apache-2.0
package confirm;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tasks that lose updates, in virtual threads where there are any (JDK 21 and later, reached by reflection). Their executor keeps them in a
 * table by their hashes, and the program prints their ids: both are to be the same whatever else runs in the VM.
 *
 * <p>With the argument {@code together} all of them live when they begin (see {@link Together}).
 */
public final class Tasks {
  private static final int TASKS = 12;
  static int done;

  private Tasks() {}

  private static ExecutorService executor() throws Exception {
    if (Runtime.version().feature() < 21) return Executors.newCachedThreadPool();
    return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  public static void main(String[] arguments) throws Exception {
    Together all = new Together(arguments.length > 0 && arguments[0].equals("together") ? TASKS : 0);
    ExecutorService executor = executor();
    Future<?>[] ids = new Future<?>[TASKS];
    for (int i = 0; i < TASKS; i++) {
      ids[i] = executor.submit(() -> {
        all.meet();
        done++;
        return Thread.currentThread().getId();
      });
    }
    for (Future<?> id : ids) System.out.println("thread " + id.get());
    executor.shutdown();
    if (done != TASKS) throw new IllegalStateException(done + " of " + TASKS);
  }
}
