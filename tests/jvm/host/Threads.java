// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Many threads: one after the other, and at once. */
public final class Threads {
  static int plain;
  static volatile int marked;
  static final Object lock = new Object();

  static void short_lived(int count) {
    section("short_lived", () -> {
      int[] cells = new int[16];
      plain = 0;
      for (int i = 0; i < count; i++) {
        int mine = i;
        Thread thread = new Thread(() -> {
          synchronized (lock) {
            plain++;
            cells[mine % 16]++;
          }
          marked = mine;
        });
        thread.start();
        if (i % 4 == 3) thread.join();
      }
      while (true) {
        synchronized (lock) {
          if (plain == count) break;
        }
        Thread.onSpinWait();
      }
      synchronized (lock) {
        say(plain + " " + java.util.Arrays.toString(cells));
      }
    });
  }

  static void at_once(int count) {
    section("at_once", () -> {
      CountDownLatch all = new CountDownLatch(count);
      CountDownLatch go = new CountDownLatch(1);
      AtomicInteger sum = new AtomicInteger();
      int[] total = new int[1];
      Thread[] threads = new Thread[count];
      for (int i = 0; i < count; i++) {
        int mine = i;
        threads[i] = new Thread(null, () -> {
          all.countDown();
          try {
            go.await();
          } catch (InterruptedException e) {
            show(e);
          }
          sum.addAndGet(mine);
          synchronized (total) {
            total[0] += mine;
          }
        }, "t" + i, 128 * 1024);
        threads[i].start();
      }
      all.await();
      go.countDown();
      for (Thread thread : threads) thread.join();
      say(sum + " " + total[0]);
    });
  }

  static void life() {
    section("names_and_groups", () -> {
      Thread thread = new Thread(new ThreadGroup("mine"), () -> say(Thread.currentThread()), "named");
      say(thread.getState() + " " + thread.isAlive() + " " + thread.isDaemon() + " " + thread.getPriority());
      thread.start();
      thread.join();
      say(thread.getState() + " " + thread.isAlive() + " " + thread.getThreadGroup());
      Thread next = new Thread(() -> {});
      say(next.getName());
    });
    section("ids", () -> {
      // Thread numbers go on one by one: the agent makes no threads of its own in Java.
      long first = new Thread(() -> {}).getId();
      say(new Thread(() -> {}).getId() - first);
      say(Thread.currentThread().getId());
      say(first);
    });
    section("count", () -> {
      ThreadGroup top = Thread.currentThread().getThreadGroup();
      while (top.getParent() != null) top = top.getParent();
      Thread[] all = new Thread[100];
      int count = top.enumerate(all);
      for (int i = 0; i < count; i++) {
        if (!all[i].getName().contains("Thread-") && !all[i].getName().startsWith("t")) say(all[i].getName() + " " + all[i].isDaemon());
      }
    });
    section("interrupt", () -> {
      Thread thread = new Thread(() -> {
        while (!Thread.currentThread().isInterrupted()) Thread.onSpinWait();
        say(Thread.interrupted() + " " + Thread.interrupted());
      });
      thread.start();
      thread.interrupt();
      thread.join();
    });
    section("locals", () -> {
      ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
      InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
      inherited.set("from above");
      Thread thread = new Thread(() -> say(++local.get()[0] + inherited.get()));
      thread.start();
      thread.join();
      say(local.get()[0]++);
    });
    section("run_twice", () -> {
      Thread direct = new Thread(() -> plain++);
      int before = plain;
      direct.run();
      direct.run();
      say(plain - before);
    });
    section("subclass", () -> {
      class Mine extends Thread {
        int state = 5;
        volatile int eetop = 3;
        private long epoch = 4;

        @Override
        public void run() {
          state++;
          eetop++;
          epoch++;
        }
      }
      Mine mine = new Mine();
      mine.start();
      mine.join();
      say(mine.state + " " + mine.eetop + " " + mine.epoch);
    });
  }

  public static void main(String[] args) {
    life();
    short_lived(10_000);
    at_once(2_000);
  }
}
