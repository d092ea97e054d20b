// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** Under one seed every part of this program must go the same way each time: its output tells the schedule. */
public class Repeatable {
  private static final StringBuffer out = new StringBuffer();

  interface Body {
    void run() throws Exception;
  }

  static Thread start(Body body) {
    Thread thread = new Thread(() -> {
      try {
        body.run();
      } catch (Exception e) {
        out.append(e.getClass().getSimpleName());
      }
    });
    thread.start();
    return thread;
  }

  static void monitors() throws Exception {
    Letters.write(out, body -> start(body::run), () -> {});
  }

  static void waits() throws Exception {
    Object lock = new Object();
    int[] tokens = {0};
    List<Thread> threads = new ArrayList<>();
    for (char name = 'x'; name <= 'z'; name++) {
      char mine = name;
      threads.add(start(() -> {
        synchronized (lock) {
          while (tokens[0] == 0) lock.wait();
          tokens[0]--;
          out.append(mine);
        }
      }));
    }
    for (int i = 0; i < 3; i++) {
      synchronized (lock) {
        tokens[0]++;
        lock.notify();
      }
    }
    for (Thread thread : threads) thread.join();
  }

  static void conditions() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Condition turned = lock.newCondition();
    int[] turn = {0};
    Thread[] threads = new Thread[2];
    for (int i = 0; i < 2; i++) {
      int me = i;
      threads[i] = start(() -> {
        for (int k = 0; k < 4; k++) {
          lock.lock();
          try {
            while (turn[0] % 2 != me) turned.await();
            out.append(me);
            turn[0]++;
            turned.signalAll();
          } finally {
            lock.unlock();
          }
        }
      });
    }
    for (Thread thread : threads) thread.join();
  }

  static void pools() throws Exception {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
    ExecutorService pool = Executors.newFixedThreadPool(3);
    for (int i = 0; i < 2; i++) {
      int id = i;
      pool.submit(() -> {
        for (int k = 0; k < 4; k++) queue.put(id * 10 + k);
        return null;
      });
    }
    pool.submit(() -> {
      for (int k = 0; k < 8; k++) out.append(queue.take()).append(' ');
      return null;
    }).get();
    pool.shutdown();
    out.append(pool.awaitTermination(5, TimeUnit.SECONDS));
  }

  static void forkJoin() throws Exception {
    out.append(IntStream.range(0, 2000).parallel().sum());
    out.append(CompletableFuture.supplyAsync(() -> 20).thenCombine(CompletableFuture.supplyAsync(() -> 22), Integer::sum).get());
  }

  static void timed() throws Exception {
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    CountDownLatch done = new CountDownLatch(3);
    for (int i = 3; i > 0; i--) {
      int hours = i;
      timer.schedule(() -> {
        out.append('t').append(hours);
        done.countDown();
      }, hours, TimeUnit.HOURS);
    }
    done.await();
    timer.shutdownNow();
    Thread sleeper = start(() -> Thread.sleep(Long.MAX_VALUE));  // in the model's time, until it is interrupted
    Object nobody = new Object();
    synchronized (nobody) {
      nobody.wait(60_000);
    }
    sleeper.interrupt();
    sleeper.join();
  }

  /** One is interrupted while it waits; the other is notified too: its wait ends either way, and the mark goes only with the exception. */
  static void interrupts() throws Exception {
    Object lock = new Object();
    boolean[] waits = {false};
    Thread waiter = start(() -> {
      synchronized (lock) {
        for (;;) lock.wait();
      }
    });
    Thread notified = start(() -> {
      synchronized (lock) {
        waits[0] = true;
        try {
          lock.wait();
          out.append(Thread.interrupted() ? "marked" : "forgotten");
        } catch (InterruptedException e) {
          out.append(Thread.interrupted() ? "twice" : "thrown");
        }
      }
    });
    boolean both = false;
    while (!both) {
      synchronized (lock) {
        both = waits[0];
        if (both) {
          lock.notifyAll();
          notified.interrupt();
        }
      }
    }
    waiter.interrupt();
    waiter.join();
    notified.join();
    if (out.indexOf("forgotten") >= 0 || out.indexOf("twice") >= 0) throw new IllegalStateException(out.toString());
  }

  static void hashes() throws Exception {
    Set<Object> set = new HashSet<>();
    class Key {
      final int number;

      Key(int number) {
        this.number = number;
      }
    }
    for (int i = 0; i < 6; i++) set.add(new Key(i));
    for (Object key : set) out.append(((Key) key).number);
  }

  public static void main(String[] args) throws Exception {
    Body[] parts = {
      Repeatable::monitors, Repeatable::waits, Repeatable::conditions, Repeatable::pools, Repeatable::forkJoin, Repeatable::timed,
      Repeatable::interrupts, Repeatable::hashes
    };
    for (Body part : parts) {
      part.run();
      out.append('\n');
    }
    System.out.print(out);
  }
}
