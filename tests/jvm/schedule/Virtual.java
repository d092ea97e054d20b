// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads (JDK 21 and later, reached by reflection): each its own steps, like any other thread. */
public class Virtual {
  private static final StringBuffer out = new StringBuffer();

  static Thread start(Runnable body) throws Exception {
    return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
  }

  static void monitors() throws Exception {
    List<Thread> threads = Letters.write(out, Virtual::start, Thread::yield);
    out.append(threads.get(0).getState()).append(Thread.class.getMethod("isVirtual").invoke(threads.get(0)));
  }

  static void blocking() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    SynchronousQueue<Integer> queue = new SynchronousQueue<>();
    CountDownLatch done = new CountDownLatch(3);
    for (int i = 0; i < 3; i++) {
      int me = i;
      start(() -> {
        try {
          lock.lock();
          try {
            out.append('l').append(me);
            Thread.sleep(1000L * me);
          } finally {
            lock.unlock();
          }
          queue.put(me);
        } catch (InterruptedException e) {
          out.append(e);
        }
        done.countDown();
      });
    }
    for (int i = 0; i < 3; i++) out.append('q').append(queue.take());
    done.await();
  }

  static void executor() throws Exception {
    ExecutorService each = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    List<Future<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int me = i;
      results.add(each.submit(() -> {
        out.append('t').append(me);
        return me * me;
      }));
    }
    for (Future<Integer> result : results) out.append('=').append(result.get());
    each.shutdown();
  }

  static void uncaught() throws Exception {
    Thread dies = start(() -> {
      throw new IllegalStateException("on purpose");
    });
    dies.join();
    Thread waits = start(() -> {
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException e) {
        out.append("interrupted");
      }
    });
    waits.interrupt();
    waits.join();
  }

  public static void main(String[] args) throws Exception {
    monitors();
    out.append('\n');
    blocking();
    out.append('\n');
    executor();
    out.append('\n');
    uncaught();
    System.out.println(out);
  }
}
