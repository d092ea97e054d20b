// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Pools, fork-join, timers and parallel streams. Each case is its own little program; {@link Order} decides who comes first. */
final class ExecutorCases {
  static final class SubmitAndGet_norace extends Case.Solo {
    final ExecutorService pool = Executors.newFixedThreadPool(2);
    int x;
    void run() throws Exception {
      x = 1;
      int y = pool.submit(() -> ++x).get();
      x = y + 1;
    }
    void cleanup() { pool.shutdown(); }
  }

  @Case.Racy("x")
  static final class AfterSubmit_race extends Case.Solo {
    final ExecutorService pool = Executors.newFixedThreadPool(2);
    int x;
    void run() throws Exception {
      Future<?> done = pool.submit(() -> { Order.enter(A); x = 1; Order.leave(A); });
      Order.enter(B);
      x = 2;
      Order.leave(B);
      done.get();
    }
    void cleanup() { pool.shutdown(); }
  }

  @Case.Racy("x")
  static final class TwoTasks_race extends Case.Solo {
    final ExecutorService pool = Executors.newFixedThreadPool(2);
    int x;
    void run() throws Exception {
      Future<?> a = pool.submit(() -> { Order.enter(A); x = 1; Order.leave(A); });
      Future<?> b = pool.submit(() -> { Order.enter(B); x = 2; Order.leave(B); });
      a.get();
      b.get();
    }
    void cleanup() { pool.shutdown(); }
  }

  static final class TwoTasksOneThread_norace extends Case.Solo {
    final ExecutorService pool = Executors.newSingleThreadExecutor();
    int x;
    void run() throws Exception {
      pool.execute(() -> x++);
      pool.execute(() -> x++);
      pool.submit(() -> x++).get();
      x++;
    }
    void cleanup() { pool.shutdown(); }
  }

  /** The worker dies of its task; its replacement carries on after it. */
  static final class WorkerIsReplaced_norace extends Case.Solo {
    final ExecutorService pool = Executors.newSingleThreadExecutor(task -> {
      Thread thread = new Thread(task);
      thread.setUncaughtExceptionHandler((dead, cause) -> { });
      return thread;
    });
    int x;
    void run() throws Exception {
      pool.execute(() -> { x++; throw new IllegalStateException(); });
      pool.submit(() -> x++).get();
      x++;
    }
    void cleanup() { pool.shutdown(); }
  }

  static final class AwaitTermination_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      ExecutorService pool = Executors.newCachedThreadPool();
      pool.execute(() -> x = 1);
      pool.shutdown();
      if (!pool.awaitTermination(1, TimeUnit.HOURS)) throw new AssertionError();
      x = 2;
    }
  }

  static final class InvokeAll_norace extends Case.Solo {
    final ExecutorService pool = Executors.newFixedThreadPool(3);
    final int[] cells = new int[3];
    void run() throws Exception {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 3; i++) { int n = i; tasks.add(() -> ++cells[n]); }
      pool.invokeAll(tasks);
      for (int i = 0; i < 3; i++) cells[i]++;
    }
    void cleanup() { pool.shutdown(); }
  }

  static final class InvokeAny_norace extends Case.Solo {
    final ExecutorService pool = Executors.newFixedThreadPool(1);
    int x;
    void run() throws Exception {
      x = 1;
      List<Callable<Integer>> tasks = new ArrayList<>();
      tasks.add(() -> ++x);
      pool.invokeAny(tasks);
      x++;
    }
    void cleanup() { pool.shutdown(); }
  }

  static final class CompletionService_norace extends Case.Solo {
    final ExecutorService pool = Executors.newFixedThreadPool(2);
    void run() throws Exception {
      CompletionService<int[]> service = new ExecutorCompletionService<>(pool);
      for (int i = 0; i < 4; i++) service.submit(() -> { int[] box = {0}; box[0]++; return box; });
      for (int i = 0; i < 4; i++) service.take().get()[0]++;
    }
    void cleanup() { pool.shutdown(); }
  }

  static final class Scheduled_norace extends Case.Solo {
    final ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
    int x;
    void run() throws Exception {
      x = 1;
      pool.schedule(() -> { x++; }, 1, TimeUnit.MILLISECONDS).get();
      x++;
    }
    void cleanup() { pool.shutdownNow(); }
  }

  /** One run of a periodic task happens before the next, whichever thread it is. */
  static final class ScheduledPeriodic_norace extends Case.Solo {
    final ScheduledExecutorService pool = Executors.newScheduledThreadPool(3);
    int x;
    void run() throws Exception {
      CountDownLatch latch = new CountDownLatch(5);
      Future<?> task = pool.scheduleAtFixedRate(() -> { x++; latch.countDown(); if (latch.getCount() == 0) throw new IllegalStateException(); }, 0, 1, TimeUnit.MILLISECONDS);
      latch.await();
      try { task.get(); } catch (java.util.concurrent.ExecutionException expected) { x++; }
    }
    void cleanup() { pool.shutdownNow(); }
  }

  @Case.Racy("x")
  static final class ScheduledAfter_race extends Case.Solo {
    final ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
    int x;
    void run() throws Exception {
      Future<?> done = pool.schedule(() -> { Order.enter(A); x = 1; Order.leave(A); }, 0, TimeUnit.MILLISECONDS);
      Order.enter(B);
      x = 2;
      Order.leave(B);
      done.get();
    }
    void cleanup() { pool.shutdownNow(); }
  }

  static final class CancelledFuture_norace extends Case.Solo {
    final ExecutorService pool = Executors.newSingleThreadExecutor();
    int x;
    void run() throws Exception {
      CountDownLatch started = new CountDownLatch(1);
      Future<?> task = pool.submit(() -> {
        started.countDown();
        try { new CountDownLatch(1).await(); } catch (InterruptedException expected) { x++; }
      });
      started.await();
      x = 1;
      task.cancel(true);
      pool.shutdown();
      pool.awaitTermination(1, TimeUnit.HOURS);
      x++;
    }
  }

  static final class WorkStealing_norace extends Case.Solo {
    final ExecutorService pool = Executors.newWorkStealingPool(2);
    int x;
    void run() throws Exception {
      x = 1;
      pool.submit(() -> { x++; }).get();
      x++;
    }
    void cleanup() { pool.shutdown(); }
  }

  // ---- fork-join -------------------------------------------------------------------------------------------------------------

  static final class ForkJoin_norace extends Case.Solo {
    static final class Sum extends RecursiveTask<Integer> {
      final int[] data;
      final int from;
      final int to;
      int calls;
      Sum(int[] data, int from, int to) { this.data = data; this.from = from; this.to = to; }
      @Override protected Integer compute() {
        calls++;
        if (to - from == 1) return data[from]++;
        Sum left = new Sum(data, from, (from + to) / 2);
        Sum right = new Sum(data, (from + to) / 2, to);
        left.fork();
        int sum = right.compute() + left.join();
        calls += left.calls + right.calls;
        return sum;
      }
    }
    void run() {
      int[] data = new int[64];
      for (int i = 0; i < data.length; i++) data[i] = i;
      Sum sum = new Sum(data, 0, data.length);
      new ForkJoinPool(3).invoke(sum);
      if (sum.calls != 127 || data[5]++ != 6) throw new AssertionError();
    }
  }

  @Case.Racy("x")
  static final class ForkWithoutJoin_race extends Case.Solo {
    int x;
    void run() {
      ForkJoinTask<?> task = ForkJoinPool.commonPool().submit(() -> { Order.enter(A); x = 1; Order.leave(A); });
      Order.enter(B);
      x = 2;
      Order.leave(B);
      task.join();
    }
  }

  @Case.Racy("x")
  static final class TwoForks_race extends Case.Solo {
    int x;
    final class Half extends RecursiveAction {
      final int who;
      Half(int who) { this.who = who; }
      @Override protected void compute() { Order.enter(who); x++; Order.leave(who); }
    }
    void run() { ForkJoinTask.invokeAll(new Half(A), new Half(B)); }
  }

  static final class InvokeAllForks_norace extends Case.Solo {
    static final class Add extends RecursiveAction {
      int x;
      @Override protected void compute() { x++; }
    }
    void run() {
      Add one = new Add();
      Add two = new Add();
      one.x = two.x = 1;
      ForkJoinTask.invokeAll(one, two);
      one.x += two.x;
    }
  }

  /** The only worker is busy when the task comes in, and finds it by itself afterwards. */
  static final class SubmitToBusyPool_norace extends Case.Solo {
    int x;
    void run() {
      ForkJoinPool pool = new ForkJoinPool(1);
      ForkJoinTask<?> first = pool.submit(() -> { Order.signal(0); Order.await(1); });
      Order.await(0);
      x = 1;
      ForkJoinTask<?> second = pool.submit(() -> { x++; });
      Order.signal(1);
      first.join();
      second.join();
      x++;
      pool.shutdown();
    }
  }

  /** More tasks than a new queue has room for: the queue grows while it is being emptied. */
  static final class ManyForks_norace extends Case.Solo {
    static final class Add extends RecursiveAction {
      int x;
      Add() { x = 1; }
      @Override protected void compute() { x++; }
    }
    static final class All extends RecursiveAction {
      @Override protected void compute() {
        Add[] all = new Add[3000];
        for (int i = 0; i < all.length; i++) { all[i] = new Add(); all[i].fork(); }
        for (Add one : all) one.join();
        for (Add one : all) one.x++;
      }
    }
    void run() {
      ForkJoinPool pool = new ForkJoinPool(3);
      pool.invoke(new All());
      pool.shutdown();
    }
  }

  // ---- parallel streams ------------------------------------------------------------------------------------------------------

  @Case.Racy("x")
  static final class ParallelForEach_race extends Case.Solo {
    int x;
    void run() {
      IntStream.range(0, 2).parallel().forEach(i -> { Order.enter(i); x++; Order.leave(i); });
    }
  }

  @Case.Alone
  static final class ParallelReduce_norace extends Case.Solo {
    static final class Box { int v; Box(int v) { this.v = v; } }
    void run() {
      List<Box> boxes = new ArrayList<>();
      for (int i = 0; i < 200; i++) boxes.add(new Box(i));
      int sum = boxes.parallelStream().mapToInt(box -> ++box.v).sum();
      for (Box box : boxes) sum -= box.v++;
      if (sum != 0) throw new AssertionError();
    }
  }

  @Case.Alone
  static final class ParallelCollect_norace extends Case.Solo {
    void run() {
      List<int[]> list = IntStream.range(0, 200).parallel().mapToObj(i -> new int[] {i}).collect(java.util.stream.Collectors.toList());
      java.util.Map<Integer, List<int[]>> groups = list.parallelStream().collect(java.util.stream.Collectors.groupingBy(box -> box[0] % 3));
      groups.get(1).get(0)[0]++;
      Object[] sorted = list.parallelStream().sorted((l, r) -> r[0] - l[0]).toArray();
      if (sorted.length != 200) throw new AssertionError();
    }
  }

  @Case.Racy("java.util.ArrayList")
  static final class ParallelAddToList_race extends Case.Solo {
    void run() {
      List<Integer> list = new ArrayList<>();
      IntStream.range(0, 2).parallel().forEach(i -> { Order.enter(i); list.add(i); Order.leave(i); });
    }
  }

  @Case.Alone
  static final class ParallelSort_norace extends Case.Solo {
    void run() {
      int[] data = new int[20_000];
      for (int i = 0; i < data.length; i++) data[i] = data.length - i;
      java.util.Arrays.parallelSort(data);
      java.util.Arrays.parallelSetAll(data, i -> i);
      data[0]++;
    }
  }

  @Case.Alone
  static final class ParallelPrefix_norace extends Case.Solo {
    void run() {
      int[] data = new int[20_000];
      java.util.Arrays.fill(data, 1);
      java.util.Arrays.parallelPrefix(data, Integer::sum);
      if (data[19_999]++ != 20_000) throw new AssertionError();
    }
  }

  // ---- Timer -----------------------------------------------------------------------------------------------------------------

  static final class Timer_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Timer timer = new Timer(true);
      CountDownLatch done = new CountDownLatch(1);
      x = 1;
      timer.schedule(new TimerTask() { @Override public void run() { x++; done.countDown(); } }, 0);
      done.await();
      x++;
      timer.cancel();
    }
  }

  @Case.Racy("x")
  static final class AfterTimerSchedule_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Timer timer = new Timer(true);
      timer.schedule(new TimerTask() { @Override public void run() { Order.enter(A); x = 1; Order.leave(A); Order.signal(0); } }, 0);
      Order.enter(B);
      x = 2;
      Order.leave(B);
      Order.await(0);
      timer.cancel();
    }
  }

  static final class TwoTimerTasks_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Timer timer = new Timer(true);
      CountDownLatch done = new CountDownLatch(2);
      for (int i = 0; i < 2; i++) timer.schedule(new TimerTask() { @Override public void run() { x++; done.countDown(); } }, 0);
      done.await();
      timer.cancel();
      x++;
    }
  }
}
