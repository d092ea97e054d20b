// SPDX-License-Identifier: Apache-2.0
package subjects.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs work items on plain threads. Who gets which item depends on the schedule; the results come back in item order.
 */
public final class Workers {
  /** One item of work. */
  public interface Task<T> {
    T run(int item) throws Exception;
  }

  private Workers() {}

  /** Runs items {@code 0..items-1} on {@code threads} threads; the first failure is thrown here. */
  public static <T> List<T> map(int threads, int items, Task<T> task) throws Exception {
    Object[] results = new Object[items];
    AtomicInteger next = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> team = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> drain(next, results, task, failure), "worker-" + i);
      team.add(thread);
      thread.start();
    }
    for (Thread thread : team) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a worker failed", failure.get());
    }
    @SuppressWarnings("unchecked")
    List<T> typed = (List<T>) Arrays.asList(results);
    return typed;
  }

  private static <T> void drain(
      AtomicInteger next, Object[] results, Task<T> task, AtomicReference<Throwable> failure) {
    try {
      for (int item = next.getAndIncrement(); item < results.length; item = next.getAndIncrement()) {
        if (failure.get() != null) {
          return;
        }
        results[item] = task.run(item);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }
}
