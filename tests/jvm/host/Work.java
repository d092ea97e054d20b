// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** A bit of everything with a result that does not depend on the schedule: run under every collector and execution mode. */
public final class Work {
  static int scale = 10;

  static final class Account {
    private long balance;
    private final int id;
    volatile int version;

    Account(int id) {
      this.id = id;
    }

    synchronized void add(long amount) {
      balance += amount;
      version++;
    }

    synchronized long balance() {
      return balance;
    }

    @Override
    public String toString() {
      return "Account[" + id + "," + balance + "]";
    }
  }

  static void inThreads(int count, java.util.function.IntConsumer body) throws Exception {
    Thread[] threads = new Thread[count];
    for (int i = 0; i < count; i++) {
      int mine = i;
      threads[i] = new Thread(() -> body.accept(mine), "worker-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
  }

  static void accounts() throws Exception {
    Account[] accounts = new Account[16];
    for (int i = 0; i < accounts.length; i++) accounts[i] = new Account(i);
    inThreads(4, me -> {
      for (int i = 0; i < 200 * scale; i++) {
        accounts[i % 16].add(i);
        accounts[(i * 7 + me) % 16].add(-1);
      }
    });
    say(Arrays.toString(accounts));
  }

  static void collections() throws Exception {
    Map<String, Integer> words = Collections.synchronizedMap(new HashMap<>());
    List<Integer> list = Collections.synchronizedList(new LinkedList<>());
    ConcurrentHashMap<Integer, AtomicLong> counts = new ConcurrentHashMap<>();
    inThreads(4, me -> {
      List<String> own = new ArrayList<>();
      for (int i = 0; i < 50 * scale; i++) {
        own.add("w" + (i * 31 + me) % 97);
        words.merge(own.get(i), 1, Integer::sum);
        counts.computeIfAbsent(i % 13, k -> new AtomicLong()).addAndGet(i);
        if (i % 10 == 0) list.add(i);
      }
      Collections.sort(own);
      words.merge(own.get(0), 1, Integer::sum);
    });
    say(new TreeMap<>(words).hashCode() + " " + list.size() + " " + new TreeMap<>(counts));
  }

  static void queues() throws Exception {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(8);
    AtomicLong sum = new AtomicLong();
    int each = 50 * scale;
    inThreads(4, me -> {
      try {
        for (int i = 0; i < each; i++) {
          if (me % 2 == 0) queue.put(i); else sum.addAndGet(queue.take());
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    say(sum);
  }

  static final Object turn = new Object();
  static int whose;

  static void waits() throws Exception {
    StringBuilder order = new StringBuilder();
    whose = 0;
    inThreads(3, me -> {
      for (int i = 0; i < scale; i++) {
        synchronized (turn) {
          while (whose % 3 != me) {
            try {
              turn.wait();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
          order.append(me);
          whose++;
          turn.notifyAll();
        }
      }
    });
    say(order);
  }

  static void executors() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Callable<Long>> jobs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int seed = i;
      jobs.add(() -> {
        long[] numbers = new long[100 * scale];
        for (int j = 0; j < numbers.length; j++) numbers[j] = (long) seed * j ^ j;
        Arrays.sort(numbers);
        long[] copy = numbers.clone();
        System.arraycopy(numbers, 0, copy, copy.length / 2, copy.length / 2);
        return Arrays.stream(copy).sum();
      });
    }
    long sum = 0;
    for (Future<Long> each : pool.invokeAll(jobs)) sum += each.get();
    pool.shutdown();
    say(sum);
    say(IntStream.range(0, 100 * scale).parallel().map(x -> x * 3).filter(x -> x % 2 == 0).sum());
  }

  static void locks() throws Exception {
    ReentrantLock lock = new ReentrantLock(true);
    int[] total = new int[1];
    CountDownLatch latch = new CountDownLatch(4);
    CyclicBarrier barrier = new CyclicBarrier(4);
    inThreads(4, me -> {
      try {
        for (int i = 0; i < 20 * scale; i++) {
          lock.lock();
          try {
            total[0] += i;
          } finally {
            lock.unlock();
          }
          if (i % (10 * scale) == 0) barrier.await();
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      latch.countDown();
    });
    latch.await();
    say(total[0]);
  }

  /** Much garbage, some of it with finalisation-like clean-up, while others hold long-lived data. */
  static void garbage() throws Exception {
    Map<Integer, List<int[]>> live = new HashMap<>();
    for (int i = 0; i < 100; i++) live.put(i, new ArrayList<>());
    long[] sums = new long[2];
    inThreads(2, me -> {
      java.util.WeakHashMap<Object, String> weak = new java.util.WeakHashMap<>();
      for (int i = 0; i < 500 * scale; i++) {
        int[] young = new int[64];
        young[i % 64] = i;
        sums[me] += young[i % 64];
        weak.put(new Object(), "x");
        if (i % 5 == 0) {
          synchronized (live) {
            List<int[]> row = live.get(i % 100);
            row.add(young);
            if (row.size() > 50) row.clear();
          }
        }
        if (i % (200 * scale) == 0) System.gc();
      }
    });
    say(sums[0] + " " + sums[1]);
  }

  /** Methods of the JDK that access the arrays of their callers, whole or in part. */
  static void arrays() throws Exception {
    String[] names = new String[100];
    int[][] rows = new int[4][100];
    inThreads(4, me -> {
      Arrays.fill(names, me * 25, me * 25 + 25, "n" + me);
      Arrays.setAll(rows[me], i -> (i * 37 + me) % 100);
      int[] sorted = Arrays.copyOf(rows[me], 100);
      Arrays.sort(sorted);
      Arrays.fill(rows[me], 0, 50, Arrays.binarySearch(sorted, 50) + Arrays.mismatch(sorted, rows[me]) + Arrays.compare(sorted, rows[me]));
    });
    Object[] all = names.clone();
    Arrays.fill(names, "all");
    say(Arrays.deepHashCode(rows) + " " + Arrays.equals(rows[0], rows[1]) + " " + Arrays.hashCode(all) + " " + Arrays.equals(all, names));
    Arrays.sort(all, Collections.reverseOrder());
    Arrays.parallelSort(rows[2]);
    Arrays.parallelPrefix(rows[3], Integer::sum);
    say(all[0] + " " + Arrays.toString(rows[2]).hashCode() + " " + rows[3][99] + " " + Arrays.asList(names).indexOf("all"));
  }

  static void strings() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20 * scale; i++) text.append(i).append(String.format("%04x", i * 7)).append(i % 3 == 0 ? "a" + i : 'c');
    say(text.length() + " " + text.toString().hashCode() + " " + text.reverse().indexOf("99"));
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) scale = Integer.parseInt(args[0]);
    section("accounts", Work::accounts);
    section("collections", Work::collections);
    section("queues", Work::queues);
    section("waits", Work::waits);
    section("executors", Work::executors);
    section("locks", Work::locks);
    section("garbage", Work::garbage);
    section("arrays", Work::arrays);
    section("strings", Work::strings);
  }
}
