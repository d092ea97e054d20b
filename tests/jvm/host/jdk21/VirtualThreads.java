// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads: many, blocked in every way, and what others see of them. */
public final class VirtualThreads {
  static int total;
  static final Object lock = new Object();
  static volatile int turn;

  static int recurse(int depth) {
    synchronized (lock) {
      total++;
    }
    return depth + recurse(depth + 1);
  }

  public static void main(String[] args) throws Exception {
    section("many", () -> {
      List<Thread> threads = new ArrayList<>();
      int[] cells = new int[10];
      for (int i = 0; i < 10_000; i++) {
        int mine = i;
        threads.add(Thread.startVirtualThread(() -> {
          synchronized (lock) {
            total++;
            cells[mine % 10] += mine;
          }
          Thread.yield();
        }));
      }
      for (Thread thread : threads) thread.join();
      say(total + " " + Arrays.toString(cells));
    });
    section("executor", () -> {
      try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
          int mine = i;
          all.add(pool.submit(() -> {
            HashMap<Integer, Integer> map = new HashMap<>();
            for (int j = 0; j < 100; j++) map.merge(j % 7, mine, Integer::sum);
            return map.get(3);
          }));
        }
        int sum = 0;
        for (Future<Integer> each : all) sum += each.get();
        say(sum);
      }
    });
    section("ping_pong", () -> {
      SynchronousQueue<Integer> queue = new SynchronousQueue<>();
      Thread giver = Thread.startVirtualThread(() -> {
        try {
          for (int i = 0; i < 500; i++) queue.put(i);
        } catch (InterruptedException e) {
          show(e);
        }
      });
      int sum = 0;
      for (int i = 0; i < 500; i++) sum += queue.take();
      giver.join();
      say(sum);
    });
    section("monitors", () -> {
      ReentrantLock fair = new ReentrantLock(true);
      int[] count = new int[2];
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        threads.add(Thread.ofVirtual().start(() -> {
          for (int j = 0; j < 20; j++) {
            synchronized (count) {
              count[0]++;
              try {
                count.wait(0, 1);
              } catch (InterruptedException e) {
                show(e);
              }
            }
            fair.lock();
            count[1]++;
            fair.unlock();
          }
        }));
      }
      for (Thread thread : threads) thread.join();
      say(count[0] + " " + count[1]);
    });
    section("interrupted", () -> {
      Thread sleeper = Thread.ofVirtual().name("sleeper").start(() -> {
        try {
          Thread.sleep(1_000_000);  // until it is interrupted, which is what is looked at
        } catch (InterruptedException e) {
          for (StackTraceElement frame : e.getStackTrace()) say(frame);
        }
      });
      await(sleeper, Thread.State.TIMED_WAITING);
      for (StackTraceElement frame : sleeper.getStackTrace()) say(frame);
      sleeper.interrupt();
      sleeper.join();
    });
    section("uncaught", () -> {
      Thread thrower = Thread.ofVirtual().name("thrower").uncaughtExceptionHandler((t, e) -> say(t.getName() + " " + e)).start(() -> {
        throw new IllegalStateException("virtual");
      });
      thrower.join();
    });
    section("overflow", () -> {
      Thread thread = Thread.startVirtualThread(() -> {
        try {
          recurse(0);
        } catch (StackOverflowError e) {
          say("caught");
        }
      });
      thread.join();
      say(isFree(lock));
    });
    section("scoped_hand_over", () -> {
      Thread[] threads = new Thread[8];
      for (int i = 0; i < threads.length; i++) {
        int mine = i;
        threads[i] = Thread.startVirtualThread(() -> {
          while (turn % 8 != mine) Thread.yield();
          total = mine;
          turn++;
        });
      }
      for (Thread thread : threads) thread.join();
      say(total + " " + turn);
    });
  }
}
